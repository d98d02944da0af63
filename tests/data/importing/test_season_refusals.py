"""What cannot be a season's folder is refused by file, row and column, and what is wrong there."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from data.errors import TableError, UnknownError
from data.importing.season_facts import import_fpl_season
from tests.cases.facts.season_folder import a_season, the_fixtures, the_rows, write_season


def test_a_season_is_not_its_own_history(tmp_path: Path) -> None:
    folder = write_season(tmp_path)
    with pytest.raises(TableError, match="of earlier ones"):
        import_fpl_season(folder, name="league", title="A small league", history=[folder])


def test_a_season_without_any_kickoff_asks_for_its_rulebook(tmp_path: Path) -> None:
    with pytest.raises(TableError, match="no kickoff_time that would tell the season"):
        a_season(tmp_path, fixtures=the_fixtures().assign(event="", kickoff_time=""))


def test_a_row_of_one_player_and_match_with_other_values_is_refused_by_the_value(tmp_path: Path) -> None:
    rows = the_rows()
    other = rows.iloc[[0]].assign(minutes=17)
    with pytest.raises(TableError, match=r"row 3: element 11, fixture 11 stands .*, with minutes 90 and then 17"):
        a_season(tmp_path, rows=pd.concat([rows.iloc[:1], other, rows.iloc[1:]]))


def test_an_error_below_a_repeated_row_still_names_its_own_row(tmp_path: Path) -> None:
    rows = with_cell(the_rows(), "team", "Everton")
    with pytest.raises(TableError, match=r"gameweeks.csv, row 7: the player's team does not play"):
        a_season(tmp_path, rows=pd.concat([rows.iloc[:1], rows.iloc[:1], rows]))


def with_cell(frame: pd.DataFrame, column: str, value: object) -> pd.DataFrame:
    frame = frame.astype({column: object})
    frame.loc[3, column] = value
    return frame


@pytest.mark.parametrize(
    ("file", "column", "value", "message"),
    [
        ("rows", "position", "COACH", "gameweeks.csv, row 5, column 'position'"),
        ("rows", "team", "Atlantis", "gameweeks.csv, row 5, column 'team': there is no team Atlantis"),
        ("rows", "team", "Everton", "gameweeks.csv, row 5: the player's team does not play"),
        ("rows", "fixture", 999, "gameweeks.csv, row 5, column 'fixture': there is no match 999"),
        ("rows", "gw", 2, "gameweeks.csv, row 5: gw is not the gameweek"),
        ("rows", "value", "dear", "gameweeks.csv, row 5, column 'value'"),
        ("rows", "minutes", -1, "gameweeks.csv, row 5, column 'minutes'"),
        ("rows", "selected", "", "gameweeks.csv, row 5, column 'selected'"),
        ("rows", "element", 98765, "there is no player 98765"),
        ("rows", "position", "GK", "player 14 is GK and MID"),
        ("fixtures", "team_h", 77, "fixtures.csv, row 5, column 'team_h': there is no team 77"),
        ("fixtures", "kickoff_time", "", "fixtures.csv, row 5: the match has a gameweek but no kickoff_time"),
        ("fixtures", "team_a_score", "", "fixtures.csv, row 5: the match is finished but has no score"),
        ("fixtures", "event", "soon", "fixtures.csv, row 5, column 'event'"),
    ],
)
def test_an_error_names_file_row_and_column(
    tmp_path: Path, file: str, column: str, value: object, message: str
) -> None:
    good = {"rows": the_rows(), "fixtures": the_fixtures()}
    with pytest.raises(TableError, match=message):
        a_season(tmp_path, **(good | {file: with_cell(good[file], column, value)}))


def test_more_owners_than_squads_is_an_error_that_names_the_gameweek(tmp_path: Path) -> None:
    rows = the_rows()
    rows.loc[rows["gw"] == 2, "selected"] = [10_000, *[1] * ((rows["gw"] == 2).sum() - 1)]
    with pytest.raises(TableError, match=r"gameweeks.csv, gw 2, column 'selected': player 11 has 10000 owners"):
        a_season(tmp_path, rows=rows)


@pytest.mark.parametrize("file", ["teams.csv", "players.csv", "fixtures.csv", "gameweeks.csv.gz"])
def test_a_missing_file_is_named(tmp_path: Path, file: str) -> None:
    (write_season(tmp_path) / file).unlink()
    with pytest.raises(TableError, match=f"has no {file.removesuffix('.gz')}"):
        import_fpl_season(tmp_path, name="league", title="A small league")


def test_an_unknown_rulebook_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UnknownError, match="no rulebook 'chess'"):
        import_fpl_season(write_season(tmp_path), name="league", title="A small league", rulebook="chess")
