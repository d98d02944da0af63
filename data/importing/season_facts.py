"""Import a Fantasy Premier League season, one row per player and match, into a world in our own schema."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import pandas as pd

from data.errors import TableError
from data.importing.csv_files import read_facts_once
from data.importing.season_layout import (
    ASSISTANT_MANAGER,
    DEADLINES,
    GAMEWEEKS,
    IDENTITIES,
    POSITION_OF,
    SEASON_FIXTURES,
    SEASON_PLAYERS,
    SEASON_ROUNDS,
    SEASON_TEAMS,
)
from data.importing.season_market import market_table
from data.importing.season_odds import read_odds, unmatched, with_odds
from data.importing.season_ranks import read_ranks
from data.importing.season_rules import season_rulebook
from data.importing.season_tables import (
    TENTHS,
    appearances_table,
    counted_rows,
    events_table,
    fixtures_table,
    points_table,
    results_table,
    teams_table,
    with_clubs,
    with_expected,
)
from data.rules import GameRules, load_rules
from data.tables import refer
from data.worlds.history import left_behind
from data.worlds.world import World

SOURCES = """# Where these facts come from

Facts only: names, prices, ownership, status, points, results. Written by `thetaxi import-fpl`.

- The public API of Fantasy Premier League, as kept by public mirrors: one row per player and match, and the state of
  every player before each deadline (status, chance to play, news, price, ownership, transfers, set pieces, the game's
  own forecast).
- A gameweek whose state before the deadline was not kept has price and ownership from its own rows: ownership is the
  number of managers owning a player over the number of squads, which is taken from the sum over all players; a player
  whose club has no match keeps those of his last gameweek, and every listed player counts as playing.
- The end-of-season list of players is used for names only.
- Matches stand in the gameweek they were finally played in. When a match was moved, and when that became known, is not
  recorded: the list of matches, blanks and doubles included, is treated as known from the start.
- Earlier seasons, where given: player-matches by the code that a player keeps, and results. Shots and the average odds
  of bookmakers some days before each match, where given: football-data.co.uk.

## Licences of the facts

| facts | source | licence |
| --- | --- | --- |
| clubs, players, prices, ownership, status, points, event counts | public mirrors of the game's API | MIT; facts only |
| results, shots, average odds | football-data.co.uk | free to use; single facts only |
| totals and overall ranks of real managers, without names | public mirrors of the game's API | MIT; facts only |
| the tables in this folder: their choice, order and form | ThetaXI | MIT, as the code |

ThetaXI is not connected with the Premier League or any other owner of a game; names are used as facts.

## What was left out or taken otherwise

"""


class SeasonImport(NamedTuple):
    """An imported season, and in plain words what of the folder is not part of it."""

    world: World
    notes: tuple[str, ...]


class SeasonFiles(NamedTuple):
    """The files of a season's folder, each row once, and how many rows of which file repeated another."""

    clubs: pd.DataFrame
    fixtures: pd.DataFrame
    gameweeks: pd.DataFrame
    players: pd.DataFrame
    states: pd.DataFrame  # none where the folder has no deadlines.csv; the same for the two below
    identities: pd.DataFrame
    rounds: pd.DataFrame
    notes: tuple[str, ...]


def import_fpl_season(
    folder: Path,
    *,
    name: str,
    title: str,
    rulebook: str = "",
    history: Sequence[Path] = (),
    odds: Path | None = None,
    managers: Path | None = None,
) -> SeasonImport:
    """Read a season's files into a checked world; which gameweeks are played is what they say.

    Without a `rulebook` it is that of the season. `history` are the folders of earlier seasons, whose results and
    player-matches are added; a promoted team simply has none there. `odds` is a file in the layout of football-data
    with matches of any of these seasons, `managers` a folder with totals and overall ranks of real managers.
    """
    prices = read_odds(odds) if odds else None
    season = _season(folder, name, title, rulebook, prices)
    earlier = [(past, _season(past, past.name, past.name, "", prices)) for past in history]
    notes = [*season.notes, *(f"{past.name}: {note}" for past, made in earlier for note in made.notes)]
    tables = dict(season.world.tables) | _with_history(season.world, earlier)
    if managers is not None:
        tables["overall_ranks"] = read_ranks(managers, folder.name)
    notes += unmatched(prices, _dated(tables["results"])) if prices is not None else ()
    text = SOURCES + "".join(f"- {note}\n" for note in notes)
    return SeasonImport(World.of(name, title, season.world.rulebook, text, tables), tuple(notes))


def _dated(results: pd.DataFrame) -> pd.DataFrame:
    """Return results as a list of matches."""
    sides = results.rename(columns={"home_team": "home_name", "away_team": "away_name"})
    return sides.assign(kickoff_time=results["date"].dt.tz_localize("UTC"))


def _season(folder: Path, name: str, title: str, rulebook: str, odds: pd.DataFrame | None) -> SeasonImport:
    """Return one season by itself."""
    files = _season_files(folder)
    listed = _listed_fixtures(files.fixtures, files.clubs)
    rulebook, stand_in = (rulebook, ()) if rulebook else _rulebook_of(listed)
    rules = load_rules(rulebook)
    rows = _coded(files.gameweeks, files.clubs, fixtures_table(listed, rules))
    notes = (*stand_in, *files.notes, *_refused_managers(rows), *_unscheduled(listed))
    rows, silent = counted_rows(rows[rows["position"] != ASSISTANT_MANAGER])
    listed = with_expected(listed, rows)
    listed = listed if odds is None else with_odds(listed, odds)
    fixtures = fixtures_table(listed, rules)
    tables = {
        "teams": teams_table(files.clubs),
        "players": _players(files, rows),
        "market": market_table(files.states, rows, files.clubs, fixtures, rules.squad.size),
        "rounds": _rounds(fixtures, files.rounds, rules, rows["gw"]),
        "fixtures": fixtures,
        "points": points_table(rows),
        "appearances": appearances_table(rows),
        "events": events_table(rows),
        "results": results_table(listed),
    }
    return SeasonImport(World.of(name, title, rulebook, "", tables), (*notes, *silent))


def _season_files(folder: Path) -> SeasonFiles:
    needed = (SEASON_TEAMS, SEASON_FIXTURES, GAMEWEEKS, SEASON_PLAYERS)
    read = [read_facts_once(folder, one) for one in needed]
    read += [read_facts_once(folder, one, required=False) for one in (DEADLINES, IDENTITIES, SEASON_ROUNDS)]
    clubs, fixtures, gameweeks, players, states, identities, rounds = (frame for frame, _ in read)
    notes = tuple(note for _, told in read for note in told)
    return SeasonFiles(clubs, fixtures, gameweeks, players, states, identities, rounds, notes)


def _rulebook_of(listed: pd.DataFrame) -> tuple[str, tuple[str, ...]]:
    """Return the rulebook of the season that starts in the year of the first match, else the nearest with a note."""
    if listed["kickoff_time"].isna().all():
        raise TableError("fixtures.csv has no kickoff_time that would tell the season. Name its rulebook.")
    return season_rulebook(int(listed["kickoff_time"].dt.year.min()))


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


def _players(files: SeasonFiles, rows: pd.DataFrame) -> pd.DataFrame:
    """Return names from players.csv, the position from who was on offer, code and first price from identities.csv.

    Who is in neither list of a gameweek was never on offer.
    """
    refer(rows, "element", files.players["id"], "gameweeks.csv", "player")
    refer(files.states, "element", files.players["id"], "deadlines.csv", "player")
    refer(files.states, "team", files.clubs["id"], "deadlines.csv", "team")
    listed = files.states.assign(position=files.states["element_type"].map(POSITION_OF)).dropna(subset="position")
    offered = pd.concat([rows[["element", "position"]], listed[["element", "position"]]])
    _refuse_two_positions(offered)
    position = offered.drop_duplicates("element").set_index("element")["position"]
    players = files.players[files.players["id"].isin(position.index)].rename(
        columns={"id": "player_id", "second_name": "last_name", "web_name": "known_name"}
    )
    known = files.identities.set_index("id").reindex(index=players["player_id"], columns=["code", "start_cost"])
    known = known.set_axis(players.index)
    return players.assign(
        position=players["player_id"].map(position), code=known["code"], start_price=known["start_cost"] / TENTHS
    )


def _refuse_two_positions(rows: pd.DataFrame) -> None:
    positions = rows.groupby("element")["position"].unique()
    split = positions[positions.map(len) > 1]
    if not split.empty:
        both = " and ".join(split.iloc[0])
        raise TableError(f"gameweeks.csv: player {split.index[0]} is {both}. A player keeps one position all season.")


def _rounds(fixtures: pd.DataFrame, told: pd.DataFrame, rules: GameRules, played: pd.Series) -> pd.DataFrame:
    """Return the deadlines as the game set them, else as long before the first kick-off as the rules say.

    The average manager's points are told of gameweeks that were played.
    """
    first = fixtures.groupby("round", as_index=False).agg(stage=("stage", "first"), deadline=("kickoff", "min"))
    usual = first["deadline"] - pd.Timedelta(minutes=rules.deadline_minutes_before)
    known = told.set_index("gw").reindex(index=first["round"], columns=["deadline_time", "average_entry_score"])
    known = known.set_axis(first.index)
    average = known["average_entry_score"].astype(float).where(first["round"].isin(played))
    return first.assign(deadline=known["deadline_time"].fillna(usual), average=average)


def _with_history(world: World, earlier: Sequence[tuple[Path, SeasonImport]]) -> dict[str, pd.DataFrame]:
    """Return results and player-matches with those of the earlier seasons."""
    past = [left_behind(made.world) for _, made in earlier]
    results = pd.concat([world.tables["results"], *(season["results"] for season in past)], ignore_index=True)
    if results.duplicated(["date", "home_team", "away_team"]).any():
        folders = ", ".join(str(folder) for folder, _ in earlier)
        raise TableError(f"{folders}: holds a season twice, or this very one. Give folders of earlier ones as history.")
    matches = [world.tables["past_matches"], *(season["past_matches"] for season in past)]
    return {
        "results": results.sort_values(["date", "home_team"], ignore_index=True),
        "past_matches": pd.concat(matches, ignore_index=True).sort_values(["date", "code"], ignore_index=True),
    }
