"""A user's own table: read in any common form, matched, and every doubt said aloud."""

from __future__ import annotations

from contextlib import suppress

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from data.errors import NameMatchError, TableError, ThetaXIError
from data.sources.own.projections import Projections, read_later_rounds, read_projections
from data.worlds.world import World
from tests.data.naming.test_matching import players_of

MEN = [
    (1, "Bukayo", "Saka", "", "ARS", 0.40),
    (2, "Martin", "Ødegaard", "", "ARS", 0.10),
    (3, "Cole", "Palmer", "", "CHE", 0.50),
    (4, "Emiliano", "Martínez", "", "AVL", 0.05),
    (5, "Lisandro", "Martínez", "", "MUN", 0.02),
]
TEAMS = pd.DataFrame({"code": ["ARS", "CHE"], "name": ["Arsenal", "Chelsea"], "results_name": ["", ""]})


def the_players() -> pd.DataFrame:
    return players_of(MEN, "owned")


def read(content: bytes | str, round_number: int = 1, **options: object) -> Projections:
    return read_projections(content, the_players(), teams=TEAMS, round_number=round_number, **options)  # type: ignore[arg-type]


def test_names_and_teams_are_enough_and_so_are_ids() -> None:
    assert read("player_id,xP\n3,7\n1.0,6.5\n").frame["xev"].to_dict() == {1: 6.5, 3: 7.0}
    table = read("Name,Team,xEV\nSaka,Arsenal,6.5\nPalmer,CHE,7\n")
    assert table.frame["xev"].to_dict() == {1: 6.5, 3: 7.0}
    assert table.frame.index.name == "player_id"
    assert table.report.lines() == ["2 of 2 rows fit a player."]


def test_a_table_from_a_european_spreadsheet_is_read() -> None:
    content = "Spieler;name;team;xev;own%\nx;Ødegaard;ARS;5,25;9,5 %\n".encode("cp1252")
    table = read(content)
    assert table.frame.loc[2].to_dict() == pytest.approx({"xev": 5.25, "owned": 0.095})
    assert table.report.ignored_columns == ("Spieler",)
    assert "own% is read as percent, as the table says." in table.report.units
    assert "Columns not used: Spieler." in table.report.lines()


def test_every_optional_column_is_carried() -> None:
    header = "id,xev,ceiling,floor,owned,captain_share,p_start,xmins"
    table = read(f"{header}\n1,6,12,1,0.4,0.3,0.95,85\n3,7,14,2,0.5,0.6,0.9,88\n")
    assert set(table.frame.columns) == set(header.split(",")[1:])
    assert table.frame.loc[3, "captain_share"] == 0.6
    assert len(table.report.units) == 3


def test_the_widespread_layout_is_read_at_the_round_asked_for() -> None:
    header = "ID,Name,Pos,Team,Value,5_xMins,5_Pts,6_xMins,6_Pts"
    content = f"{header}\n1,Saka,M,Arsenal,10,85,6.1,80,5\n3,Palmer,M,Chelsea,11,88,7,0,\n"
    table = read(content, round_number=5)
    assert table.frame.loc[1].to_dict() == {"xev": 6.1, "xmins": 85}
    assert read(content.replace("7,0,", "7,0,3"), round_number=6).frame["xev"].to_dict() == {1: 5.0, 3: 3.0}


def test_unmatched_and_ambiguous_names_are_listed_with_candidates_and_rows() -> None:
    report = read("name,team,xev\nSaka,ARS,6\nPalmerr,CHE,5\nMartinez,,4\n").report
    unmatched, ambiguous = report.unplaced
    assert (unmatched.ambiguous, ambiguous.ambiguous) == (False, True)
    assert (unmatched.row, unmatched.candidates) == (3, ("Cole Palmer (CHE, id 3)",))
    assert (ambiguous.row, len(ambiguous.candidates)) == (4, 2)
    assert report.lines()[0] == "1 of 3 rows fit a player."


def test_a_report_spells_out_what_can_be_read_and_counts_the_rest() -> None:
    strange = "".join(f"Nobody{number},Team{number},1{',x' * 400}\n" for number in range(500))
    header = f"name,team,xev,{','.join(f'column{number}' for number in range(400))}"
    lines = read(f"{header}\n{strange}", settling=True).report.lines()
    assert lines[0] == "0 of 500 rows fit a player."
    assert "… and 450 more like these." in lines
    assert lines[-1].endswith("column49 and 350 more.")
    assert any(line.endswith("Team49 and 450 more.") for line in lines)
    assert sum(map(len, lines)) < 10_000


def test_a_table_that_fits_nobody_is_refused() -> None:
    with pytest.raises(NameMatchError, match="2 of 2 rows fit no single player"):
        read("name,xev\nMessi,6\nXavi,5\n")


def test_a_table_of_another_season_is_caught_by_its_names() -> None:
    report = read("id,name,xev\n1,Bukayo Saka,6\n2,Haaland,8\n").report
    assert "id 2 is Martin Ødegaard here" in report.unplaced[0].reason


def test_names_are_resolved_by_hand() -> None:
    table = read("name,xev\nStarboy,6\nMartinez,4\n", resolutions={"Starboy": 1, "Martinez": 5})
    assert table.frame["xev"].to_dict() == {1: 6.0, 5: 4.0}


def test_unknown_teams_are_said() -> None:
    assert any("Gunners" in note for note in read("name,team,xev\nSaka,Gunners,6\n").report.notes)


def test_a_row_repeated_word_for_word_counts_once_and_is_said_but_with_other_figures_is_refused() -> None:
    table = read("name,xev\nSaka,6\nPalmer,7\nBukayo Saka,6\n")
    assert table.frame["xev"].to_dict() == {1: 6.0, 3: 7.0}
    assert table.report.repeated == ("Rows 2, 4 are all Bukayo Saka (ARS, id 1), with the same figures: counted once.",)

    with pytest.raises(TableError, match="Rows 2, 4 are all Bukayo Saka"):
        read("name,xev\nSaka,6\nPalmer,7\nBukayo Saka,5\n")


def test_an_empty_optional_cell_leaves_the_figure_to_the_models_and_is_said() -> None:
    table = read("name,xev,ceiling\nSaka,6,12\nPalmer,7,\n")
    assert np.isnan(table.frame.loc[3, "ceiling"])
    assert table.report.notes == ("ceiling: 1 of 2 players have no figure, so the models decide.",)


def test_a_share_column_without_a_single_figure_is_no_error() -> None:
    assert read("name,xev,owned\nSaka,6,\n").frame["owned"].isna().all()


@pytest.mark.parametrize(
    ("cells", "fractions"),
    [("40,10,50", (0.4, 0.1, 0.5)), ("0.4,0.1,0.5", (0.4, 0.1, 0.5)), ("40%,10%,0", (0.4, 0.1, 0))],
)
def test_ownership_in_percent_and_as_fraction_is_the_same(cells: str, fractions: tuple[float, ...]) -> None:
    first, second, third = cells.split(",")
    table = read(f"id,xev,own\n1,6,{first}\n2,5,{second}\n3,7,{third}\n")
    assert table.frame["owned"].tolist() == pytest.approx(list(fractions))
    assert len(table.report.units) == 1


def test_a_header_that_says_percent_is_believed_where_values_would_mislead() -> None:
    assert read("id,xev,owned_percent\n1,6,0.4\n").frame.loc[1, "owned"] == pytest.approx(0.004)
    with pytest.raises(TableError, match="Percent and fraction seem confused"):
        read("id,xev,owned\n5,6,0.9\n")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("name,xev\nSaka,NaN\n", "Row 2, column 'xev': 'NaN' is not a number"),
        ("name,xev\nSaka,6\nPalmer,inf\n", "Row 3, column 'xev': 'inf' is not a number"),
        ("name,xP\nSaka,10000\n", "Row 2, column 'xP': '10000' is not between -20 and 150"),
        ("name,xev\nSaka,=1+5\n", "Row 2, column 'xev': '=1\\+5' is a spreadsheet formula"),
        ("name,xev\nSaka,\n", "Row 2, column 'xev' is empty. Write 0"),
        ("name,xev\nSaka,5%\n", "Row 2, column 'xev': '5%' is not a number"),
        ("name,xev,xmins\nSaka,5,400\n", "column 'xmins': '400' is not between 0 and 300"),
        ("name,xev,ceiling\nSaka,6,5\n", "Row 2, column 'ceiling': ceiling 5 is below xev 6"),
        ("name,xev,floor\nSaka,6,7\n", "Row 2, column 'xev': xev 6 is below floor 7"),
        ("name,ceiling,floor\nSaka,6,7\n", "Row 2, column 'ceiling': ceiling 6 is below floor 7"),
        ("name,xev,owned\nSaka,6,-0.1\n", "Row 2, column 'owned': '-0.1' is not between 0"),
        ("name,xev,owned\nSaka,6,4339\n", "4339 is more than 100"),
        ("name,xev,owned\nSaka,6,40%\nPalmer,7,0.5\n", "Row 3, column 'owned': '0.5' stands in a column"),
        ("name,xev,owned_fraction\nSaka,6,40%\n", "Row 2, column 'owned_fraction': '40%' stands in a column"),
        ("id,xev\n1.5,6\n", "Row 2, column 'id': '1.5' is not a whole number"),
        ("id,xev\nx,6\n", "Row 2, column 'id': 'x' is not a number"),
        ("id,name,xev\n,,6\n", "Row 2 has neither an id nor a name"),
        ("Team,xev\nARS,6\n", "needs a column id or name"),
        ("name,price\nSaka,6\n", "needs a column of expected points"),
        ("name\nSaka\n", "needs a column of expected points"),
        ("name,xev,Name\nSaka,6,x\n", "names a column twice"),
        ("", "is empty"),
    ],
)
def test_bad_cells_are_refused_by_row_and_column(content: str, message: str) -> None:
    with pytest.raises(TableError, match=message):
        read(content)


def test_a_formula_for_a_name_is_only_a_name_nobody_has() -> None:
    report = read('name,xev\nSaka,6\n"=HYPERLINK(""x"")",5\n').report
    assert report.unplaced[0].written == '=HYPERLINK("x")'


@pytest.mark.parametrize("known", [True, pytest.param(False, marks=pytest.mark.soak)])
def test_many_rows_are_all_read_or_told_of(known: bool) -> None:
    count = 20_000
    players = pd.DataFrame({"player_id": range(count), "first_name": "", "last_name": "", "known_name": ""})
    players = players.assign(team="ARS", owned=15 / count, name=[f"Man {i}" for i in range(count)], short="")
    offered = players if known else players.head(800)
    content = "id,name,xev\n" + "".join(f",Man {i},{i % 9}.5\n" for i in range(count))
    table = read_projections(content, offered, teams=TEAMS, round_number=1)
    assert len(table.frame) + len(table.report.unplaced) == count


def test_the_whole_world_cup_comes_back_from_a_table_of_its_own(world_cup: World) -> None:
    snapshot = world_cup.at(1)
    players = snapshot.players.assign(xev=snapshot.players["price"], owned=snapshot.players["owned"] * 100)
    content = players[["name", "team", "xev", "owned"]].to_csv(index=False, sep=";", decimal=",")
    table = read_projections(content, snapshot.players, teams=snapshot.teams, round_number=1)
    expected = players.set_index("player_id").loc[table.frame.index]
    assert len(table.frame) > 1450
    assert len(table.frame) + len(table.report.unplaced) == len(players)
    assert np.allclose(table.frame["owned"], expected["owned"] / 100)
    assert np.allclose(table.frame["xev"], expected["xev"])


CELL = st.sampled_from(
    [
        "",
        "1",
        "3",
        "Saka",
        "Palmer",
        "Martinez",
        "ARS",
        "5.5",
        "5,5",
        "40%",
        "0.4",
        "1e9",
        "NaN",
        "=A1",
        '"',
        "\x00",
        "-3",
    ]
) | st.text(max_size=6)
HEADER = st.sampled_from(
    ["id", "name", "team", "xev", "xP", "owned", "own%", "p_start", "ceiling", "5_Pts", "6_xMins", ""]
)


@given(
    st.lists(HEADER, min_size=1, max_size=6),
    st.lists(st.lists(CELL, min_size=1, max_size=6), max_size=6),
    st.sampled_from(",;\t|"),
    st.integers(4, 7),
)
def test_no_table_makes_anything_but_our_own_error(
    header: list[str], rows: list[list[str]], delimiter: str, round_number: int
) -> None:
    fitted = [(row * len(header))[: len(header)] for row in rows]
    with suppress(ThetaXIError):
        table = read("\n".join(delimiter.join(row) for row in [header, *fitted]), round_number=round_number)
        assert np.isfinite(table.frame["xev"]).all()
        assert len(table.frame) >= 1


@given(st.binary(max_size=400) | st.text(max_size=400))
def test_no_content_makes_anything_but_our_own_error(content: bytes | str) -> None:
    with suppress(ThetaXIError):
        assert read(content).frame["xev"].notna().all()


def test_a_table_of_several_rounds_gives_the_later_ones_too() -> None:
    content = "ID,5_xMins,5_Pts,6_xMins,6_Pts,7_Pts\n1,90,4,80,5,6\n3,90,7,90,7.5,2\n"
    later = read_later_rounds(content, the_players(), teams=TEAMS, rounds=(6, 7, 8))
    assert {number: frame["xev"].to_dict() for number, frame in later.items()} == {6: {1: 5, 3: 7.5}, 7: {1: 6, 3: 2}}
    assert read_later_rounds("id,xev\n1,4\n", the_players(), teams=TEAMS, rounds=(6, 7)) == {}
