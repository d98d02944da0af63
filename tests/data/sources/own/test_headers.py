"""Headers mean what the table of synonyms says, and nothing by guess."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from data.errors import TableError, ThetaXIError
from data.sources.own.headers import SYNONYMS, at_round, column_of, read_columns
from data.sources.own.shares import Unit


@pytest.mark.parametrize(("column", "header"), [(c, h) for c, words in SYNONYMS.items() for h in (c, *words)])
def test_every_synonym_means_its_column_whatever_its_case(column: str, header: str) -> None:
    assert column_of(header) == (column, None)
    assert column_of(f" {header.upper().replace(' ', '_')} ") == (column, None)


def test_no_header_means_two_columns() -> None:
    words = [word for column, synonyms in SYNONYMS.items() for word in (column, *synonyms)]
    assert len(words) == len(set(words))


@pytest.mark.parametrize(
    ("header", "meaning"),
    [
        ("own%", ("owned", Unit.PERCENT)),
        ("% owned", ("owned", Unit.PERCENT)),
        ("Ownership (%)", ("owned", Unit.PERCENT)),
        ("selected_by_percent", ("owned", Unit.PERCENT)),
        ("owned_fraction", ("owned", Unit.FRACTION)),
        ("captain_share_pct", ("captain_share", Unit.PERCENT)),
        ("p_start_percentage", ("p_start", Unit.PERCENT)),
        ("xev%", None),
        ("ceiling_percent", None),
        ("EO", None),
        ("Price", None),
        ("", None),
    ],
)
def test_a_unit_in_the_header_is_understood_for_shares_only(header: str, meaning: object) -> None:
    assert column_of(header) == meaning


def test_headers_without_a_meaning_are_listed() -> None:
    columns = read_columns(["Name", "Pos", "Value", "xP"])
    assert columns.header_of == {"name": "Name", "xev": "xP"}
    assert columns.ignored == ("Pos", "Value")


def test_two_headers_of_one_meaning_are_refused_by_name() -> None:
    with pytest.raises(TableError, match="'xP' and 'Points' both mean xev"):
        read_columns(["name", "xP", "Points"])


def test_a_columns_own_name_wins_and_the_other_is_listed() -> None:
    columns = read_columns(["name", "points", "xEV", "own", "owned_percent"])
    assert (columns.header_of["xev"], columns.header_of["owned"]) == ("xEV", "owned_percent")
    assert columns.ignored == ("points", "own")
    assert columns.unit_of == {"owned": Unit.PERCENT}


FPL = ["ID", "Name", "Pos", "Team", "Value", "5_xMins", "5_Pts", "6_xMins", "6_Pts"]


def test_a_table_of_several_rounds_gives_the_round_asked_for() -> None:
    columns = at_round(read_columns(FPL), 6)
    assert (columns.header_of["xev"], columns.header_of["xmins"]) == ("6_Pts", "6_xMins")
    assert columns.rounds == [5, 6]
    assert columns.ignored == ("Pos", "Value")


def test_a_round_the_table_does_not_project_is_refused() -> None:
    with pytest.raises(TableError, match="no column 7_Pts for round 7"):
        at_round(read_columns(FPL), 7)


def test_points_of_the_round_given_twice_are_refused() -> None:
    with pytest.raises(TableError, match="'xP' and '5_Pts' both mean xev"):
        at_round(read_columns([*FPL, "xP"]), 5)
    with pytest.raises(TableError, match="'5_Pts' and 'GW5 pts' both mean xev of round 5"):
        read_columns([*FPL, "GW5 pts"])


def test_a_plain_table_serves_any_round() -> None:
    columns = read_columns(["name", "xev"])
    assert at_round(columns, 4) is columns


@given(st.lists(st.text(max_size=12), max_size=8, unique=True), st.integers(0, 60))
def test_every_header_is_used_or_listed(header: list[str], round_number: int) -> None:
    with suppress(ThetaXIError):
        columns = at_round(read_columns(header), round_number)
        assert {*columns.header_of.values(), *columns.by_round.values(), *columns.ignored} == set(header)
