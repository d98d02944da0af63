"""One check for every table: what is wrong is named by origin, row, column and value."""

from __future__ import annotations

from contextlib import suppress

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from data.errors import TableError, ThetaXIError
from data.tables import Column, Kind, TableSchema, refer, typed

SCHEMA = TableSchema(
    "men",
    (
        Column("number", Kind.INTEGER, low=1),
        Column("name", Kind.TEXT),
        Column("price", Kind.NUMBER, low=0.1, high=50),
        Column("host", Kind.FLAG),
        Column("seen", Kind.DATE),
        Column("kickoff", Kind.TIME),
        Column("goals", Kind.INTEGER, empty=True, low=0),
        Column("status", Kind.TEXT, choices=("playing", "injured")),
    ),
    key=("number",),
)
GOOD = {
    "number": "7",
    "name": " Ødegaard ",
    "price": "10.5",
    "host": "1",
    "seen": "2026-06-08",
    "kickoff": "2026-06-11T20:00:00+01:00",
    "goals": "",
    "status": "playing",
}


def a_table(*changes: dict[str, str]) -> pd.DataFrame:
    return pd.DataFrame([GOOD | {"number": str(7 + i)} | change for i, change in enumerate(changes)], dtype="str")


def test_good_cells_become_typed_values() -> None:
    row = typed(a_table({}), SCHEMA, "men.csv").iloc[0]
    assert (row["number"], row["name"], row["price"], bool(row["host"])) == (7, "Ødegaard", 10.5, True)
    assert str(row["kickoff"]) == "2026-06-11 19:00:00+00:00"
    assert pd.isna(row["goals"])


@pytest.mark.parametrize(
    ("column", "value", "reason"),
    [
        ("number", "x", "is not a whole number"),
        ("number", "1.5", "is not a whole number"),
        ("number", "", "is empty"),
        ("number", "-3", "is below 1"),
        ("number", "9" * 30, "is not a whole number"),
        ("name", "  ", "is empty"),
        ("price", "nan", "is not a number"),
        ("price", "inf", "is not a number"),
        ("price", "-4", "is below 0.1"),
        ("price", "400", "is above 50"),
        ("host", "maybe", "is not a flag"),
        ("seen", "last week", "is not a date"),
        ("kickoff", "25:61", "is not a time"),
        ("goals", "-1", "is below 0"),
        ("status", "asleep", "is not one of playing, injured"),
    ],
)
def test_a_bad_cell_is_named(column: str, value: str, reason: str) -> None:
    with pytest.raises(TableError) as caught:
        typed(a_table({}, {column: value}), SCHEMA, "men.csv")
    message = str(caught.value)
    assert message.startswith(f"men.csv, row 3, column '{column}'")
    assert reason in message
    assert value[:40] in message


def test_a_missing_column_names_the_nearest_one() -> None:
    with pytest.raises(TableError, match=r"men.csv: column 'price' is missing. Did you mean prices\?"):
        typed(a_table({}).rename(columns={"price": "prices"}), SCHEMA, "men.csv")


def test_a_key_stands_only_once() -> None:
    with pytest.raises(TableError, match=r"men.csv, row 4: number 7 stands there a second time"):
        typed(a_table({}, {}, {"number": "7"}), SCHEMA, "men.csv")


def test_a_reference_to_nothing_is_refused_with_the_nearest_known() -> None:
    frame = pd.DataFrame({"team": ["ESP", "ESO"]})
    with pytest.raises(TableError, match=r"x.csv, row 3, column 'team': there is no team ESO. Did you mean ESP"):
        refer(frame, "team", pd.Series(["ESP", "FRA"]), "x.csv", "team")


def test_moments_of_another_precision_are_read_as_the_same_moments() -> None:
    frame = pd.DataFrame([GOOD])
    fine = frame.assign(
        **{name: pd.to_datetime(frame[name], utc=True).dt.as_unit("ns") for name in ("seen", "kickoff")}
    )
    pd.testing.assert_frame_equal(typed(fine, SCHEMA, "men.csv"), typed(frame, SCHEMA, "men.csv"))


def test_typing_twice_changes_nothing() -> None:
    once = typed(a_table({}, {"goals": "2"}), SCHEMA, "men.csv")
    pd.testing.assert_frame_equal(once, typed(once, SCHEMA, "men.csv"))


cells = st.one_of(st.text(max_size=12), st.integers(), st.floats(), st.none(), st.booleans())


@given(st.lists(st.fixed_dictionaries(dict.fromkeys(SCHEMA.column_names, cells)), max_size=4))
def test_no_cell_makes_anything_but_our_own_error(rows: list[dict[str, object]]) -> None:
    frame = pd.DataFrame(rows, columns=SCHEMA.column_names, dtype=object)
    with suppress(ThetaXIError):  # any other exception fails the test
        assert list(typed(frame, SCHEMA, "men.csv").columns) == SCHEMA.column_names
