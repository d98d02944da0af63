"""Two plans in words and tables: everything is computed from them, and names stay plain text."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.board.comparison import Swap
from engine.fitness.explanation import Band, Decomposition
from tests.cases.board_cases import EVIL_NAMES, TERMS, a_man, an_option, with_names
from ui.web.answers.plan_pair import (
    Side,
    crossed_table,
    crossed_words,
    only_words,
    summary_words,
    swap_table,
    terms_table_of,
)


def a_result(spec: str, fitness: float) -> Decomposition:
    return Decomposition(fitness, {"raw_xev": fitness}, 100.0, Band.LOW, spec, {}, False, (), "")


def other_side(count: int = 3, **changes: object) -> Side:
    """A plan with so many men of its own."""
    option = an_option()
    men = tuple(
        a_man(number, player_id=900 + number, row=900 + number, short=f"N{number}") if number < count else man
        for number, man in enumerate(option.men)
    )
    return Side("Gain", "gain", replace(option, men=men, **changes))  # type: ignore[arg-type]


FIRST = Side("Protect", "protect", an_option())


def test_the_summary_counts_what_is_shared_and_names_one_captain_once() -> None:
    words = summary_words(FIRST, other_side(expected=70.04, swing=(50.0, 90.0)))
    assert words.startswith("They share 12 of 15 players. Protect expects 68.0 points and makes 55 to 81")
    assert "Gain expects 70.0 and makes 50 to 90." in words
    assert words.endswith("Both start the armband on P9.")


def test_two_captains_are_both_named() -> None:
    words = summary_words(FIRST, other_side(count=10))
    assert words.endswith("The armband starts on P9, or on N9.")


def test_who_is_in_one_plan_only_is_said_in_words() -> None:
    assert only_words(other_side(2), FIRST) == "Ringed, only in Gain: N0, N1."
    assert only_words(FIRST, FIRST) == "Nobody is in this plan only."


def test_a_swap_has_points_ownership_swing_and_price() -> None:
    swap = Swap("MID", a_man(5), a_man(6, xev=6.5, owned=0.02, ceiling=15.0, price=6.3))
    row = swap_table(FIRST, other_side(), [swap]).iloc[0]
    assert row["Points"] == pytest.approx(1.5)
    assert (row["Protect: owned"], row["Gain: owned"]) == (pytest.approx(10.0), pytest.approx(2.0))
    assert (row["Swing"], row["Price"]) == (pytest.approx(3.0), pytest.approx(0.3))


def test_no_swap_is_an_empty_table_with_its_columns() -> None:
    table = swap_table(FIRST, other_side(), [])
    assert table.empty
    assert list(table.columns)[:3] == ["Position", "Protect", "Gain"]


def test_terms_keep_their_order_and_their_zeros() -> None:
    table = terms_table_of(FIRST, other_side())
    assert len(table) == 2 * len(TERMS)
    assert list(table["term"][:2]) == ["Expected points", "Expected points"]
    assert (table.loc[table["term"] == "Preferences", "points"] == 0.0).all()


def test_each_squad_stands_under_each_objective() -> None:
    results = {
        "Protect": {"protect": a_result("protect", 74.0), "gain": a_result("gain", 60.0)},
        "Gain": {"protect": a_result("protect", 70.0), "gain": a_result("gain", 80.0)},
    }
    table = crossed_table(results)
    assert list(table.columns) == [
        "Term",
        "Protect under protect",
        "Protect under gain",
        "Gain under protect",
        "Gain under gain",
    ]
    assert list(table.iloc[-1])[1:] == [74.0, 60.0, 70.0, 80.0]
    assert crossed_words(results) == (
        "Scored under protect: Protect 74.0, Gain 70.0. Scored under gain: Gain 80.0, Protect 60.0."
    )


def test_two_squads_that_score_alike_are_said_to_be_level() -> None:
    results = {"A": {"gain": a_result("gain", 60.0)}, "B": {"gain": a_result("gain", 60.01)}}
    assert crossed_words(results).endswith(", level.")


def test_names_that_break_pages_pass_as_they_are() -> None:
    side = Side("Protect", "protect", with_names(an_option(), EVIL_NAMES))
    table = swap_table(side, other_side(), [Swap("GK", man, man) for man in side.option.men[: len(EVIL_NAMES)]])
    assert tuple(table["Protect"]) == EVIL_NAMES
