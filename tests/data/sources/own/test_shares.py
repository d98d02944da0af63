"""Percent and fraction are told apart aloud; what fits neither is refused with the way to say it."""

from __future__ import annotations

from contextlib import suppress

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from data.errors import TableError
from data.sources.own.shares import (
    CAPTAIN_SHARE,
    OWNED,
    P_START,
    SHARES,
    ShareKind,
    Unit,
    as_fractions,
    compare_with_game,
)


def read(kind: ShareKind, *values: float, said: Unit | None = None) -> tuple[list[float], str]:
    fractions, sentence = as_fractions(pd.Series(values, dtype=float), kind, "own", said)
    return fractions.tolist(), sentence


@pytest.mark.parametrize(
    ("kind", "values", "unit"),
    [
        (OWNED, (0.55, 0.2, 0.001), "fraction"),
        (OWNED, (55.0, 20.0, 0.1), "percent"),
        (OWNED, (100.0, 0.0), "percent"),
        (OWNED, (1.0, 0.0), "fraction"),
        (CAPTAIN_SHARE, (0.6, 0.4), "fraction"),
        (CAPTAIN_SHARE, (60.0, 40.0), "percent"),
        (P_START, (0.9, 0.9, 0.9), "fraction"),
        (P_START, (90.0, 85.0, 0.5), "percent"),
    ],
)
def test_the_largest_value_and_the_sum_decide_and_the_decision_is_said(
    kind: ShareKind, values: tuple[float, ...], unit: str
) -> None:
    fractions, sentence = read(kind, *values)
    assert fractions == pytest.approx([value / (100 if unit == "percent" else 1) for value in values])
    assert f"own is read as {unit}, judged by the largest value" in sentence


@pytest.mark.parametrize(
    ("kind", "values"),
    [
        (OWNED, (1.4, 0.2)),
        (OWNED, (4339.0, 20.0)),
        (OWNED, (0.9,) * 20),
        (OWNED, (90.0,) * 20),
        (CAPTAIN_SHARE, (0.8, 0.7)),
        (CAPTAIN_SHARE, (80.0, 70.0)),
        (CAPTAIN_SHARE, (1.5, 0.1)),
        (P_START, (1.5, 0.9)),
        (P_START, (900.0, 85.0)),
    ],
)
def test_what_fits_neither_is_refused_with_the_way_to_say_it(kind: ShareKind, values: tuple[float, ...]) -> None:
    with pytest.raises(TableError, match=f"Name the column {kind.column}_percent or {kind.column}_fraction"):
        read(kind, *values)


def test_what_the_table_says_is_believed() -> None:
    fractions, sentence = read(OWNED, 0.4, 0.2, said=Unit.PERCENT)
    assert fractions == pytest.approx([0.004, 0.002])
    assert sentence == "own is read as percent, as the table says."


def test_what_the_table_says_must_still_be_possible() -> None:
    with pytest.raises(TableError, match="read as fraction, but 55 is more than 1"):
        read(OWNED, 55.0, said=Unit.FRACTION)
    with pytest.raises(TableError, match="read as percent, but 4339 is more than 100"):
        read(OWNED, 4339.0, said=Unit.PERCENT)


def test_differentials_in_percent_that_look_like_fractions_are_caught_by_the_game() -> None:
    percent_read_as_fraction = pd.Series([0.4, 0.3, 0.5])
    with pytest.raises(TableError, match="100 times as owned as the game shows"):
        compare_with_game(percent_read_as_fraction, percent_read_as_fraction / 100, "own", OWNED)


def test_an_honest_difference_from_the_game_is_accepted() -> None:
    compare_with_game(pd.Series([0.3, 0.1]), pd.Series([0.1, 0.1]), "own", OWNED)
    with pytest.raises(TableError):
        compare_with_game(pd.Series([0.003, 0.001]), pd.Series([0.1, 0.1]), "own", OWNED)


@pytest.mark.parametrize("game", [[0.0, 0.0], [float("nan"), float("nan")]])
def test_without_a_figure_of_the_game_there_is_nothing_to_compare(game: list[float]) -> None:
    given = pd.Series([0.3, 0.1])
    compare_with_game(given, pd.Series(game), "own", OWNED)
    assert given.tolist() == [0.3, 0.1]


@given(st.sampled_from(list(SHARES.values())), st.lists(st.floats(0, 1e6) | st.none(), min_size=1, max_size=30))
def test_shares_that_are_read_are_shares(kind: ShareKind, values: list[float | None]) -> None:
    with suppress(TableError):
        fractions, _ = as_fractions(pd.Series(values, dtype=float), kind, "own", None)
        assert fractions.dropna().between(0, 1).all()
        assert kind.total is None or fractions.sum() <= 1.11 * kind.total
