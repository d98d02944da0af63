"""Two tiny but complete worlds, made at once: a cup of eight teams, a league with a blank and a double gameweek."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd

from data.rules import GameRules
from data.schema import EVENT_COUNTS
from data.worlds.library import world_folder
from data.worlds.snapshot import Snapshot
from data.worlds.world import World
from models.competition.tournament import TournamentSettings
from models.forecast import ModelSettings
from models.signals import Signals

SQUAD = {"GK": 2, "DEF": 6, "MID": 6, "FWD": 4}
"""Players of each position in every team, the first of each the dearest and the most owned."""

REGULARS = {"GK": 1, "DEF": 4, "MID": 4, "FWD": 2}
PLACES = {"GK": 2, "DEF": 5, "MID": 5, "FWD": 3}

CUP_TEAMS = tuple(f"{group}{seat}" for group in "AB" for seat in (1, 2, 3, 4))
MATCHDAYS = {(1, 2): 1, (3, 4): 1, (1, 3): 2, (2, 4): 2, (1, 4): 3, (2, 3): 3}
BRACKET = (
    (101, "SF", "1A", "2B", ""),
    (102, "SF", "1B", "2A", ""),
    (103, "THIRD", "L101", "L102", ""),
    (104, "FINAL", "W101", "W102", ""),
)

CLUBS = ("ARS", "BHA", "CHE", "EVE", "FUL", "LIV")
LEAGUE_MATCHES = (
    (1, "ARS", "BHA"),
    (1, "CHE", "EVE"),
    (1, "FUL", "LIV"),
    (2, "BHA", "CHE"),
    (2, "EVE", "FUL"),
    (2, "LIV", "ARS"),
    (3, "ARS", "CHE"),
    (3, "BHA", "EVE"),  # Fulham and Liverpool have no match
    (4, "CHE", "ARS"),
    (4, "EVE", "BHA"),
    (4, "LIV", "FUL"),
    (4, "FUL", "LIV"),  # and two in the next gameweek
)
UNTOLD: dict[str, Any] = {"city": "", "announced": 1} | dict.fromkeys(
    ("official_no", "home_goals_aet", "away_goals_aet", "home_pens", "away_pens"), pd.NA
)
"""What no fixture of a small world has."""

BLANK, DOUBLE, EMPTY = 3, 4, 5
"""Gameweeks of the league: without a match of two clubs, with two of theirs, and without any match."""

IDLE_CLUBS = ("FUL", "LIV")

AWKWARD = ("<script>alert(1)</script>", "=1+1", "Ødegaard", "🦁", "x" * 200, "![p](http://example.org/p.png)")
CUP_NAME = "awkward"
"""A small cup whose players have names that break pages and spreadsheets, and how it is called where it is kept."""


@cache
def small_cup() -> World:
    """Two groups of four, then semi-finals; the first matchday is played, rounds 1 to 3 can be opened."""
    players = _players(CUP_TEAMS)
    fixtures = _cup_fixtures()
    tables = {
        "teams": teams_of(CUP_TEAMS, hosts=("A1",)),
        "players": players,
        "market": _market(players, rounds=(1, 2, 3)),
        "rounds": rounds_of(fixtures),
        "fixtures": fixtures,
        "bracket": pd.DataFrame(BRACKET, columns=["official_no", "stage", "slot_1", "slot_2", "host"]),
        "results": _history(CUP_TEAMS, "Friendly"),
        "goals": _past_goals(players),
        **_played(players, fixtures[fixtures["round"] == 1]),
    }
    return World.of("small cup", "A small cup", "wc2026", "a test", tables)


@cache
def small_league() -> World:
    """Six clubs and five gameweeks, two of them played; see BLANK, DOUBLE and EMPTY for the other three."""
    players = _players(CLUBS)
    fixtures = league_fixtures(_fixtures(LEAGUE_MATCHES, played_through=2))
    played = fixtures[fixtures["round"] <= 2]
    empty = pd.DataFrame(
        {"round": [EMPTY], "stage": ["GW"], "deadline": [_moment(EMPTY, 0) - pd.Timedelta(minutes=90)]}
    )
    tables = {
        "teams": teams_of(CLUBS),
        "players": players,
        "market": _market(players, rounds=(1, 2, BLANK, DOUBLE, EMPTY)),
        "rounds": pd.concat([rounds_of(fixtures), empty], ignore_index=True),
        "fixtures": fixtures,
        "results": _history(CLUBS, "Premier League"),
        **_played(players, played),
    }
    return World.of("small league", "A small league", "fpl2024", "a test", tables)


@cache
def awkward_cup() -> World:
    """The small cup; the first players carry the awkward names as known names."""

    def renamed(players: pd.DataFrame) -> pd.DataFrame:
        players.loc[players.index[: len(AWKWARD)], "known_name"] = AWKWARD
        return players

    return changed(small_cup(), "players", renamed)


def kept_cup() -> str:
    """Put the awkward cup where the page finds it, if it is not there yet; return its name."""
    folder = world_folder(CUP_NAME)
    if not folder.exists():
        awkward_cup().save(folder)
    return CUP_NAME


def squad_ids(world: World, round_number: int = 1) -> list[int]:
    """Return a legal squad of a cup: of each position the cheapest, three of a team at most."""
    players = world.at(round_number).players
    line = players["position"].map(list(PLACES).index)
    players = players.assign(line=line).sort_values(["line", "price", "player_id"])
    chosen, left, mates = list[int](), dict(PLACES), Counter[str]()
    for player, team, position in zip(players["player_id"], players["team"], players["position"], strict=True):
        if left[position] and mates[team] < 3:
            chosen.append(int(player))
            left[position], mates[team] = left[position] - 1, mates[team] + 1
    return chosen


def changed(world: World, table: str, change: Callable[[pd.DataFrame], pd.DataFrame]) -> World:
    """Return the world with one of its tables changed."""
    tables = dict(world.tables) | {table: change(world.tables[table].copy())}
    return World.of(world.name, world.title, world.rulebook, world.sources, tables)


def quick_settings(rules: GameRules) -> ModelSettings:
    """Return the game's own settings with few simulations."""
    return replace(ModelSettings.for_game(rules), tournament=TournamentSettings(simulations=300))


def with_status(world: World, player_id: int, status: str) -> World:
    """Return the world with a player of this status at all deadlines."""

    def marked(market: pd.DataFrame) -> pd.DataFrame:
        market.loc[market["player_id"] == player_id, "status"] = status
        return market

    return changed(world, "market", marked)


def own_table(column: str, values: Mapping[int, object]) -> pd.DataFrame:
    """Return a user's table of one column, by player id."""
    return pd.DataFrame({column: list(values.values())}, index=list(values))


def player_of(team: str, position: str, place: int = 0, teams: Sequence[str] = CUP_TEAMS) -> int:
    """Return the id of the n-th dearest of a position in a team."""
    before = sum(count for name, count in SQUAD.items() if list(SQUAD).index(name) < list(SQUAD).index(position))
    return 100 * (list(teams).index(team) + 1) + before + place


def row_in(snapshot: Snapshot, player_id: int) -> int:
    """Return a player's row in a snapshot."""
    return int(np.flatnonzero(snapshot.players["player_id"] == player_id)[0])


def float_arrays(value: object, path: str = "signals") -> dict[str, np.ndarray]:
    """Return every array of floats inside beliefs, by its path."""
    return {name: array for name, array in all_arrays(value, path).items() if array.dtype.kind == "f"}


def all_arrays(value: object, path: str = "signals") -> dict[str, np.ndarray]:
    """Return every array inside beliefs, by its path."""
    if isinstance(value, np.ndarray):
        return {path: value}
    if isinstance(value, pd.DataFrame):
        return {f"{path}.{name}": value[name].astype(str).to_numpy() for name in value}  # facts, not beliefs: as text
    if isinstance(value, Mapping):
        parts = {f"{path}.{key}": part for key, part in value.items()}
    elif isinstance(value, tuple):
        parts = {f"{path}.{number}": part for number, part in enumerate(value)}
    else:
        parts = {f"{path}.{name}": getattr(value, name) for name in getattr(type(value), "__dataclass_fields__", ())}
    found: dict[str, np.ndarray] = {}
    for name, part in parts.items():
        found |= all_arrays(part, name)
    return found


def bytes_of(signals: Signals) -> dict[str, bytes]:
    """Return the bytes of every array of the signals; text and times by what they say."""
    arrays = all_arrays(signals)
    return {
        name: a.tobytes() if a.dtype.kind in "fiub" else "|".join(map(str, a)).encode() for name, a in arrays.items()
    }


def teams_of(codes: Sequence[str], hosts: Sequence[str] = ()) -> pd.DataFrame:
    """Return teams that are called by their codes; a code of two letters starts with its group."""
    groups = [code[0] if len(code) == 2 else "" for code in codes]
    columns = {"code": list(codes), "team_id": range(1, len(codes) + 1), "name": [f"Team {code}" for code in codes]}
    frame = pd.DataFrame(columns).assign(group=groups)
    return frame.assign(host=frame["code"].isin(hosts), results_name=frame["name"])


def _players(codes: Sequence[str]) -> pd.DataFrame:
    rows = [
        (player_of(code, position, place, codes), "First", f"{position}{place} {code}", "", position)
        for code in codes
        for position, count in SQUAD.items()
        for place in range(count)
    ]
    return pd.DataFrame(rows, columns=["player_id", "first_name", "last_name", "known_name", "position"])


def _market(players: pd.DataFrame, rounds: Sequence[int]) -> pd.DataFrame:
    """Price and owners fall from the first of a position to its last, and from the first team to the last."""
    team, place = _team_of(players), _place_of(players)
    base = players["position"].map({"GK": 4.5, "DEF": 4.8, "MID": 6.5, "FWD": 7.5})
    codes = list(dict.fromkeys(team))
    strength = 1.5 - team.map(codes.index) / len(codes)
    weight = np.exp(-0.5 * place) * strength
    places = players["position"].map(PLACES)
    owned = places * weight / weight.groupby(players["position"]).transform("sum")
    now = pd.DataFrame(
        {"player_id": players["player_id"], "team": team, "price": (base + strength - 0.2 * place).round(1)}
    )
    return pd.concat([now.assign(round=number, owned=owned, status="playing") for number in rounds], ignore_index=True)


def _team_of(players: pd.DataFrame) -> pd.Series:
    return players["last_name"].str.split(" ").str[1]


def _place_of(players: pd.DataFrame) -> pd.Series:
    return players.groupby([_team_of(players), "position"]).cumcount()


def _moment(round_number: int, match: int) -> pd.Timestamp:
    first = pd.Timestamp("2026-06-11T16:00Z") + pd.Timedelta(days=7 * (round_number - 1))
    return first + pd.Timedelta(hours=3 * match)


def _cup_fixtures() -> pd.DataFrame:
    pairs = [(MATCHDAYS[pair], group, pair) for group in "AB" for pair in combinations((1, 2, 3, 4), 2)]
    matches = [(number, f"{group}{home}", f"{group}{away}") for number, group, (home, away) in sorted(pairs)]
    fixtures = _fixtures(matches, played_through=1)
    hosted = fixtures["home"].where(fixtures["home"] == "A1", "")
    return fixtures.assign(stage="GROUP_MD" + fixtures["round"].astype(str), at_home=hosted, **UNTOLD)


def league_fixtures(matches: pd.DataFrame) -> pd.DataFrame:
    """Return matches of a league (match_id, round, kickoff, home, away, goals) as the whole table of fixtures."""
    stage = np.where(matches["round"] == 1, "GW1", "GW")
    return matches.assign(stage=stage, at_home=matches["home"], **UNTOLD)


def _fixtures(matches: Sequence[tuple[int, str, str]], played_through: int) -> pd.DataFrame:
    fixtures = pd.DataFrame(matches, columns=["round", "home", "away"])
    turn = fixtures.groupby("round").cumcount()
    kickoff = [_moment(number, match) for number, match in zip(fixtures["round"], turn, strict=True)]
    played = fixtures["round"] <= played_through
    return fixtures.assign(
        match_id=range(1, len(fixtures) + 1),
        kickoff=kickoff,
        home_goals_90=pd.Series(2, fixtures.index, dtype="Int64").where(played),
        away_goals_90=pd.Series(1, fixtures.index, dtype="Int64").where(played),
    )


def rounds_of(fixtures: pd.DataFrame) -> pd.DataFrame:
    """Return the rounds of fixtures, each with a deadline 90 minutes before its first match."""
    first = fixtures.groupby("round", as_index=False).agg(stage=("stage", "first"), deadline=("kickoff", "min"))
    return first.assign(deadline=first["deadline"] - pd.Timedelta(minutes=90))


def _history(codes: Sequence[str], tournament: str) -> pd.DataFrame:
    """Everybody met everybody else at home within the year before; who stands earlier in the list won."""
    pairs = [(one, other) for one in range(len(codes)) for other in range(len(codes)) if one != other]
    dates = pd.date_range("2025-09-01", periods=len(pairs), freq="4D")
    rows = [
        (day, f"Team {codes[home]}", f"Team {codes[away]}", 2 if home < away else 1, 1 if home < away else 2)
        for day, (home, away) in zip(dates, pairs, strict=True)
    ]
    results = pd.DataFrame(rows, columns=["date", "home_team", "away_team", "home_score", "away_score"])
    return results.assign(tournament=tournament, country="", neutral=False)


def _past_goals(players: pd.DataFrame) -> pd.DataFrame:
    """Of each team the first forward scored twice, once by penalty, the first midfielder once."""
    scorers = players[players["position"].isin(["MID", "FWD"]) & (_place_of(players) == 0)]
    rows = scorers.loc[scorers.index.repeat(np.where(scorers["position"] == "FWD", 2, 1))]
    names = rows["first_name"] + " " + rows["last_name"]
    team = "Team " + _team_of(rows)
    goals = pd.DataFrame({"team": team, "home_team": team, "away_team": "Team A1", "scorer": names})
    penalty = rows["player_id"].duplicated()
    return goals.assign(date=pd.Timestamp("2026-03-01"), minute=50.0, own_goal=False, penalty=penalty)


def _played(players: pd.DataFrame, fixtures: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """The regulars of both sides played 90 minutes; the first forward scored, the first midfielder assisted."""
    regular = _place_of(players) < players["position"].map(REGULARS)
    rows = [
        _player_match(int(player), position, place, int(match.match_id), int(match.round))
        for match in fixtures.itertuples()
        for player, position, place, team in zip(
            players["player_id"][regular],
            players["position"][regular],
            _place_of(players)[regular],
            _team_of(players)[regular],
            strict=True,
        )
        if team in (match.home, match.away)
    ]
    events = pd.DataFrame(rows)
    return {
        "events": events,
        "appearances": events[["player_id", "round", "match_id", "minutes"]].assign(started=True),
        "points": events.groupby(["player_id", "round"], as_index=False)["points"].sum(),
    }


def _player_match(player: int, position: str, place: int, match: int, round_number: int) -> dict[str, Any]:
    scored, assisted = int((position, place) == ("FWD", 0)), int((position, place) == ("MID", 0))
    did = {"goals": scored, "assists": assisted, "goals_conceded": 1, "tackles": 2, "saves": 3 * int(position == "GK")}
    return player_match(player, round_number, match, **did)


def player_match(player: int, round_number: int, match: int, **counts: float) -> dict[str, Any]:
    """Return what a player did in a match: 90 minutes for 2 points, and nothing else that is not told."""
    usual = {"points": 2, "minutes": 90, "expected_goals": 0.1, "expected_assists": 0.1}
    played = {"player_id": player, "round": round_number, "match_id": match}
    return dict.fromkeys(EVENT_COUNTS, 0) | usual | played | counts
