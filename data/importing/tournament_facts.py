"""Import a tournament from a folder of fact tables into a world in our own schema."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd

from data.domain import Status
from data.errors import TableError, did_you_mean
from data.importing.csv_files import read_by_round, read_facts
from data.importing.gazetteer import Gazetteer, read_gazetteer
from data.importing.tournament_layout import (
    FACT_BRACKET,
    FACT_EVENTS,
    FACT_FIXTURES,
    FACT_MINUTES,
    FACT_PLAYERS,
    FACT_STATUS,
    FACT_TEAMS,
    OWNED_PERCENT,
    ROUND_POINTS,
)
from data.rules import GameRules, load_rules
from data.schema import BEST_THIRDS, EVENT_COUNTS, GOALS, PLAYER, RESULTS, SHOOTOUTS, bracket_stages
from data.tables import refer
from data.worlds.world import World

SOURCES = """# Where these facts come from

Facts only: names, prices, ownership, points, results. Written by `thetaxi import-world`.

- Teams, players, prices, ownership, status, points and event counts: the public JSON feed of the official fantasy game,
  as captured around each deadline by public collectors. Player ids are the game's own.
- Match results, bracket and the table of best thirds: openfootball (public domain).
- Line-ups and minutes: a public CC0 line-up set, names matched to the game's ids. Rounds without them: points alone.
- International results, goal scorers and shoot-outs: the CC0 set "international_results".
"""


def import_tournament(facts: Path, *, name: str, title: str, rulebook: str, history: Path | None = None) -> World:
    """Read a facts folder (and the international results beside it) into a checked world.

    `history` is the folder with results.csv, goalscorers.csv and shootouts.csv; by default it is looked for as
    `internationals` inside the facts folder or beside it.
    """
    gazetteer = read_gazetteer(facts)
    past = _history(facts, history)
    teams = _teams(facts, gazetteer, past["results"])
    bracket = read_facts(facts, FACT_BRACKET, required=False)
    fixtures = _fixtures(facts, teams, bracket, gazetteer)
    rounds = _rounds(fixtures, load_rules(rulebook))
    players = read_facts(facts, FACT_PLAYERS)
    refer(players, "team", teams["code"], "players.csv", "team")
    appearances = _appearances(facts, players, fixtures)
    events = _events(facts, players)
    tables = {
        "teams": teams,
        "players": players,
        "market": _market(facts, players, rounds, fixtures),
        "rounds": rounds,
        "fixtures": fixtures,
        "points": _points(facts, players, appearances, events),
        "appearances": appearances,
        "events": events,
        "bracket": _with_hosts(bracket, fixtures, teams, gazetteer),
        "best_thirds": read_facts(facts, BEST_THIRDS, required=False),
        **past,
    }
    return World.of(name, title, rulebook, SOURCES, tables)


def _history(facts: Path, history: Path | None) -> dict[str, pd.DataFrame]:
    choices = [history] if history else [facts / "internationals", facts.parent / "internationals"]
    folder = next((choice for choice in choices if choice.is_dir()), None)
    if folder is None and history is not None:
        raise TableError(f"{history} is not a folder. Give the one with results.csv, goalscorers.csv, shootouts.csv.")
    if folder is None:
        return {schema.name: schema.none() for schema in (RESULTS, GOALS, SHOOTOUTS)}
    scorers = type(GOALS)("goalscorers", GOALS.columns)
    return {
        "results": read_facts(folder, RESULTS),
        "goals": read_facts(folder, scorers, required=False),
        "shootouts": read_facts(folder, SHOOTOUTS, required=False),
    }


def _teams(facts: Path, gazetteer: Gazetteer, results: pd.DataFrame) -> pd.DataFrame:
    teams = read_facts(facts, FACT_TEAMS)
    spelt = teams["code"].map(lambda code: gazetteer.results_names.get(code, ""))
    teams["results_name"] = spelt.where(spelt != "", teams["name"])
    known = set(results["home_team"]) | set(results["away_team"])
    for row, spelling in enumerate(teams["results_name"] if known else []):
        if spelling not in known:
            raise TableError(
                f"teams.csv, row {row + 2}: {spelling!r} is not a team of results.csv. {did_you_mean(spelling, known)} "
                "Put the right spelling under [results_names] in gazetteer.toml."
            )
    return teams


def _fixtures(facts: Path, teams: pd.DataFrame, bracket: pd.DataFrame, gazetteer: Gazetteer) -> pd.DataFrame:
    fixtures = read_facts(facts, FACT_FIXTURES).rename(columns={"kickoff_utc": "kickoff"})
    for side in ("home", "away"):
        refer(fixtures, side, teams["code"], "fixtures.csv", "team")
    hosts = set(teams.loc[teams["host"], "code"])
    sides = zip(fixtures["home"], fixtures["away"], fixtures["city"], strict=True)
    fixtures["at_home"] = [
        _home_side(row, {home, away} & hosts, city, gazetteer) for row, (home, away, city) in enumerate(sides)
    ]
    fixtures["stage"] = bracket_stages(fixtures, bracket)
    group = teams.set_index("code")["group"]
    across = fixtures["home"].map(group) != fixtures["away"].map(group)  # also where no bracket.csv names the stages
    knockout = fixtures["stage"].isin(bracket["stage"]) | across
    fixtures["announced"] = fixtures["round"].where(knockout, fixtures["round"].min())
    return fixtures


def _with_hosts(
    bracket: pd.DataFrame, fixtures: pd.DataFrame, teams: pd.DataFrame, gazetteer: Gazetteer
) -> pd.DataFrame:
    """Return the bracket with the host in whose country each match is: the calendar names venues before teams."""
    city = fixtures.dropna(subset="official_no").set_index("official_no")["city"]
    country = bracket["official_no"].map(city).map(gazetteer.cities)
    return bracket.assign(host=country.where(country.isin(teams.loc[teams["host"], "code"]), ""))


def _home_side(row: int, hosts: set[str], city: str, gazetteer: Gazetteer) -> str:
    """Return the host that plays in a city of its own country, empty where none does."""
    if not hosts:
        return ""
    if city not in gazetteer.cities:
        raise TableError(
            f"fixtures.csv, row {row + 2}, column 'city': the country of {city!r} is not known, and {min(hosts)} may "
            "be at home there. Add the city under [cities] in gazetteer.toml."
        )
    country = gazetteer.cities[city]
    return country if country in hosts else ""


def _rounds(fixtures: pd.DataFrame, rules: GameRules) -> pd.DataFrame:
    """Return each round with its first kick-off; a round of two stages (third place, final) has the rulebook's name."""
    rounds = fixtures.groupby("round", as_index=False).agg(deadline=("kickoff", "min"))
    return rounds.assign(stage=[rules.stage(number).name for number in rounds["round"]])


def _points(facts: Path, players: pd.DataFrame, appearances: pd.DataFrame, events: pd.DataFrame) -> pd.DataFrame:
    """Return the official points of those who played.

    The game writes 0 for an earlier round once a player has appeared in a later one: such a zero would tell at a
    deadline who is going to play. A zero counts only where minutes are on record.
    """
    points = read_by_round(facts, "points", PLAYER, ROUND_POINTS, players["player_id"])
    seen = pd.concat([frame.loc[frame["minutes"] > 0, ["player_id", "round"]] for frame in (appearances, events)])
    played = pd.MultiIndex.from_frame(points[["player_id", "round"]]).isin(pd.MultiIndex.from_frame(seen))
    return points[played | (points["points"] != 0)].reset_index(drop=True)


def _market(facts: Path, players: pd.DataFrame, rounds: pd.DataFrame, fixtures: pd.DataFrame) -> pd.DataFrame:
    """Return price, ownership and status of each player at each deadline from the day he was first listed."""
    owned = read_by_round(facts, "ownership", PLAYER, OWNED_PERCENT, players["player_id"])
    status = _of_players(read_facts(facts, FACT_STATUS, required=False), players, "status.csv")
    market = (
        owned.merge(rounds, on="round").merge(players, on="player_id").merge(status, "left", ["player_id", "round"])
    )
    listed = market["first_seen"] <= market["deadline"].dt.tz_localize(None)
    market = market[listed].sort_values(["round", "player_id"], ignore_index=True)
    market["status"] = market["status"].fillna(Status.PLAYING.value)
    market.loc[_knocked_out(market, fixtures), "status"] = Status.ELIMINATED.value
    return market.assign(owned=market["owned"] / 100)


def _knocked_out(market: pd.DataFrame, fixtures: pd.DataFrame) -> pd.Series:
    """Return whose team has no match in a knock-out round: the game is late in marking some of them."""
    knockout = fixtures[fixtures["announced"] > fixtures["round"].min()]
    playing = {(number, code) for side in ("home", "away") for number, code in knockout[["round", side]].to_numpy()}
    idle = [seat not in playing for seat in zip(market["round"], market["team"], strict=True)]
    return market["round"].isin(knockout["round"]) & np.array(idle) & (market["status"] != Status.TRANSFERRED)


def _appearances(facts: Path, players: pd.DataFrame, fixtures: pd.DataFrame) -> pd.DataFrame:
    """Return the minutes with the match they were played in: a national team plays once a round."""
    minutes = _of_players(read_facts(facts, FACT_MINUTES, required=False), players, "minutes.csv")
    sides = [fixtures[["round", "match_id", side]].rename(columns={side: "team"}) for side in ("home", "away")]
    played = minutes.merge(players[["player_id", "team"]], on="player_id").merge(
        pd.concat(sides), "left", ["round", "team"], validate="many_to_one"
    )
    stray = played["match_id"].isna()
    if stray.any():
        first = played[stray].iloc[0]
        raise TableError(
            f"minutes.csv: player {first['player_id']} of {first['team']} has minutes in round {first['round']}, "
            "but fixtures.csv has no match of that team there."
        )
    return played


def _events(facts: Path, players: pd.DataFrame) -> pd.DataFrame:
    events = _of_players(read_facts(facts, FACT_EVENTS, required=False), players, "official_player_rounds.csv")
    absent = {name: 0 for name in EVENT_COUNTS if name not in events}
    return events.assign(**absent, expected_goals=float("nan"), expected_assists=float("nan"))


def _of_players(frame: pd.DataFrame, players: pd.DataFrame, file: str) -> pd.DataFrame:
    refer(frame, "player_id", players["player_id"], file, "player")
    return frame
