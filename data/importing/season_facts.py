"""Import a Fantasy Premier League season, one row per player and match, into a world in our own schema."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pandas as pd

from data.domain import Status
from data.errors import TableError
from data.importing.csv_files import read_facts_once
from data.importing.season_layout import ASSISTANT_MANAGER, GAMEWEEKS, SEASON_FIXTURES, SEASON_PLAYERS, SEASON_TEAMS
from data.importing.season_tables import (
    appearances_table,
    events_table,
    fixtures_table,
    offers_table,
    points_table,
    results_table,
    teams_table,
    with_clubs,
)
from data.rules import GameRules, load_rules, shipped_rulebooks
from data.tables import refer
from data.worlds.world import World

SOURCES = """# Where these facts come from

Facts only: names, prices, ownership, points, results. Written by `thetaxi import-fpl`.

- Everything: the public API of Fantasy Premier League, as kept by a public mirror, one row per player and match.
- Price and ownership are those of each gameweek. Ownership is the number of managers owning a player over the number
  of squads, which is taken from the sum over all players. A player whose club has no match in a gameweek has no row
  there: he keeps the price and the number of owners of his last gameweek.
- The end-of-season list of players is used for names only. Injuries and suspensions at each deadline are not recorded:
  every listed player counts as playing.
- Matches stand in the gameweek they were finally played in. When a match was moved, and when that became known, is not
  recorded: the list of matches, blanks and doubles included, is treated as known from the start.
"""


class SeasonImport(NamedTuple):
    """An imported season, and in plain words what of the folder is not part of it."""

    world: World
    notes: tuple[str, ...]


class SeasonFiles(NamedTuple):
    """The four files of a season's folder, each row once, and how many rows of which file repeated another."""

    clubs: pd.DataFrame
    fixtures: pd.DataFrame
    gameweeks: pd.DataFrame
    players: pd.DataFrame
    notes: tuple[str, ...]


def import_fpl_season(
    folder: Path, *, name: str, title: str, rulebook: str = "", history: Path | None = None
) -> SeasonImport:
    """Read a season's teams, players, fixtures and gameweeks into a checked world.

    Without a `rulebook` it is that of the season. `history` is the folder of an earlier season, whose results are
    added; a promoted team simply has none there.
    """
    files = _season_files(folder)
    listed = _listed_fixtures(files.fixtures, files.clubs)
    rulebook, stand_in = (rulebook, ()) if rulebook else _rulebook_of(listed)
    rules = load_rules(rulebook)
    fixtures = fixtures_table(listed, rules)
    rows = _coded(files.gameweeks, files.clubs, fixtures)
    notes = (*stand_in, *files.notes, *_refused_managers(rows), *_unscheduled(listed))
    rows = rows[rows["position"] != ASSISTANT_MANAGER]
    tables = {
        "teams": teams_table(files.clubs),
        "players": _players(files.players, rows),
        "market": _market(rows, fixtures, rules.squad.size),
        "rounds": _rounds(fixtures, rules),
        "fixtures": fixtures,
        "points": points_table(rows),
        "appearances": appearances_table(rows),
        "events": events_table(rows),
        "results": _results(listed, history),
    }
    text = SOURCES + "".join(f"- {note}\n" for note in notes)
    return SeasonImport(World.of(name, title, rulebook, text, tables), notes)


def _season_files(folder: Path) -> SeasonFiles:
    read = [read_facts_once(folder, one) for one in (SEASON_TEAMS, SEASON_FIXTURES, GAMEWEEKS, SEASON_PLAYERS)]
    clubs, fixtures, gameweeks, players = (frame for frame, _ in read)
    return SeasonFiles(clubs, fixtures, gameweeks, players, tuple(note for _, notes in read for note in notes))


def _rulebook_of(listed: pd.DataFrame) -> tuple[str, tuple[str, ...]]:
    """Return the rulebook of the season that starts in the year of the first match, else the nearest with a note."""
    if listed["kickoff_time"].isna().all():
        raise TableError("fixtures.csv has no kickoff_time that would tell the season. Name its rulebook.")
    year = int(listed["kickoff_time"].dt.year.min())
    known = {int(name.removeprefix("fpl")): name for name in shipped_rulebooks() if name.startswith("fpl")}
    nearest = known[min(known, key=lambda other: abs(other - year))]
    told = f"There is no rulebook of {year}/{(year + 1) % 100:02}: {load_rules(nearest).title} stands in."
    return nearest, () if year in known else (told,)


def _listed_fixtures(listed: pd.DataFrame, clubs: pd.DataFrame) -> pd.DataFrame:
    """Return the file's matches with the clubs' codes and names; a match without a gameweek is still among them."""
    for side in ("team_h", "team_a"):
        refer(listed, side, clubs["id"], "fixtures.csv", "team")
    timeless = listed["event"].notna() & listed["kickoff_time"].isna()
    scoreless = listed["finished"] & (listed["team_h_score"].isna() | listed["team_a_score"].isna())
    _refuse_row(timeless, "fixtures.csv", "the match has a gameweek but no kickoff_time.")
    _refuse_row(scoreless, "fixtures.csv", "the match is finished but has no score.")
    return with_clubs(listed, clubs)


def _coded(rows: pd.DataFrame, clubs: pd.DataFrame, fixtures: pd.DataFrame) -> pd.DataFrame:
    """Return the player-matches with the team's code, each checked against the match it belongs to."""
    refer(rows, "team", clubs["name"], "gameweeks.csv", "team")
    refer(rows, "fixture", fixtures["match_id"], "gameweeks.csv", "match")
    rows = rows.assign(code=rows["team"].map(clubs.set_index("name")["short_name"]))
    match = fixtures.set_index("match_id").loc[rows["fixture"]].set_axis(rows.index)
    _refuse_row(match["round"] != rows["gw"], "gameweeks.csv", "gw is not the gameweek fixtures.csv gives the match.")
    elsewhere = (match["home"] != rows["code"]) & (match["away"] != rows["code"])
    _refuse_row(elsewhere, "gameweeks.csv", "the player's team does not play in the match of the row.")
    return rows


def _refuse_row(bad: pd.Series, file: str, why: str) -> None:
    if bad.any():
        raise TableError(f"{file}, row {int(bad.idxmax()) + 2}: {why}")


def _refused_managers(rows: pd.DataFrame) -> tuple[str, ...]:
    """Return a note with the name of every assistant manager among the rows."""
    managers = rows[rows["position"] == ASSISTANT_MANAGER].drop_duplicates("element").sort_values("element")
    if managers.empty:
        return ()
    names = ", ".join(f"{row.name} ({row.code})" for row in managers.itertuples(index=False))
    return (f"Refused, because assistant managers are not players ({len(managers)}): {names}.",)


def _unscheduled(listed: pd.DataFrame) -> tuple[str, ...]:
    waiting = listed[listed["event"].isna()]
    if waiting.empty:
        return ()
    names = ", ".join(f"{row.home}–{row.away}" for row in waiting.itertuples(index=False))
    return (f"Left out, because they have no gameweek yet ({len(waiting)} matches): {names}.",)


def _players(names: pd.DataFrame, rows: pd.DataFrame) -> pd.DataFrame:
    """Return names from players.csv and the position from the gameweeks; who never had a row was never on offer."""
    refer(rows, "element", names["id"], "gameweeks.csv", "player")
    _refuse_two_positions(rows)
    position = rows.drop_duplicates("element").set_index("element")["position"]
    players = names[names["id"].isin(position.index)].rename(
        columns={"id": "player_id", "second_name": "last_name", "web_name": "known_name"}
    )
    return players.assign(position=players["player_id"].map(position))


def _refuse_two_positions(rows: pd.DataFrame) -> None:
    positions = rows.groupby("element")["position"].unique()
    split = positions[positions.map(len) > 1]
    if not split.empty:
        both = " and ".join(split.iloc[0])
        raise TableError(f"gameweeks.csv: player {split.index[0]} is {both}. A player keeps one position all season.")


def _market(rows: pd.DataFrame, fixtures: pd.DataFrame, squad_size: int) -> pd.DataFrame:
    """Return team, price and ownership of every player on offer at each deadline.

    The number of owners is carried over a blank before shares are taken: over the rows of a blank gameweek alone, the
    best-owned player of 2023/24 would be owned by 133 % of all managers.
    """
    offers = _carried_over_blanks(rows.drop_duplicates(["element", "gw"]), fixtures)
    squads = offers.groupby("gw")["selected"].transform("sum") / squad_size
    _refuse_more_owners_than_squads(offers, squads)
    market = offers_table(offers, squads).assign(status=Status.PLAYING.value)
    return market.sort_values(["round", "player_id"], ignore_index=True)


def _refuse_more_owners_than_squads(offers: pd.DataFrame, squads: pd.Series) -> None:
    excess = offers[offers["selected"] > squads]
    if not excess.empty:
        first = excess.iloc[0]
        raise TableError(
            f"gameweeks.csv, gw {first['gw']}, column 'selected': player {first['element']} has "
            f"{first['selected']:.0f} owners, but all players together make only {squads[excess.index[0]]:.0f} squads. "
            "Are rows missing?"
        )


def _carried_over_blanks(offers: pd.DataFrame, fixtures: pd.DataFrame) -> pd.DataFrame:
    """Return the offers with a player's last one repeated while his club has no match; nobody else is carried on."""
    columns = ["code", "value", "selected"]
    everyone = pd.MultiIndex.from_product(
        [sorted(offers["element"].unique()), sorted(offers["gw"].unique())], names=["element", "gw"]
    )
    grid = offers.set_index(["element", "gw"])[columns].reindex(everyone)
    given = grid["code"].notna()
    grid[columns] = grid.groupby("element")[columns].ffill()
    grid = grid.assign(given=given, spell=given.groupby("element").cumsum()).reset_index()
    sides = pd.concat([fixtures[["round", side]].set_axis(["gw", "code"], axis=1) for side in ("home", "away")])
    grid = grid.merge(sides.drop_duplicates().assign(plays=True), "left", ["gw", "code"])
    on_offer = grid["given"] | (grid["code"].notna() & grid["plays"].isna())
    unbroken = on_offer.groupby([grid["element"], grid["spell"]]).cummin()
    return grid[unbroken]


def _rounds(fixtures: pd.DataFrame, rules: GameRules) -> pd.DataFrame:
    first = fixtures.groupby("round", as_index=False).agg(stage=("stage", "first"), deadline=("kickoff", "min"))
    return first.assign(deadline=first["deadline"] - pd.Timedelta(minutes=rules.deadline_minutes_before))


def _results(listed: pd.DataFrame, history: Path | None) -> pd.DataFrame:
    seasons = [listed]
    if history is not None:
        fixtures, clubs = (read_facts_once(history, one)[0] for one in (SEASON_FIXTURES, SEASON_TEAMS))
        seasons.append(_listed_fixtures(fixtures, clubs))
    results = pd.concat([results_table(season) for season in seasons], ignore_index=True)
    if results.duplicated(["date", "home_team", "away_team"]).any():
        raise TableError(f"{history} holds matches of this very season. Give the folder of an earlier one as history.")
    return results.sort_values(["date", "home_team"], ignore_index=True)
