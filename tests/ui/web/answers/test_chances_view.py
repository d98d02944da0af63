"""The chances of squads as a table: what was asked, with intervals, and the end only where there are rounds left."""

from __future__ import annotations

from dataclasses import replace

from engine.rank.chances import Prospects, StandingChances
from engine.rank.intervals import Estimate
from ui.web.answers.chances_beside import chance_rows

HALF = Estimate(0.5, 0.45, 0.55)
PROSPECTS = Prospects(HALF, HALF, HALF, HALF)
CHANCES = StandingChances(15.0, 25.0, "observed", 60.0, PROSPECTS, PROSPECTS, 3)


def test_two_rows_per_squad_with_what_was_asked_of_this_round_and_of_the_end() -> None:
    table = chance_rows(["Recommended", "Option 2"], [CHANCES, CHANCES])
    assert list(table["Squad"]) == ["Recommended", "Recommended", "Option 2", "Option 2"]
    assert list(table["When"][:2]) == ["This round", "At the end (3 rounds)"]
    assert table["Holds 15 ahead"][0] == "50.0% (45.0%–55.0%)"
    assert list(table.columns[3:]) == ["Makes up 25", "Managers beaten", "Top 1 %"]


def test_the_last_round_has_no_later_end() -> None:
    table = chance_rows(["Mine"], [replace(CHANCES, rounds_left=1)])
    assert list(table["When"]) == ["This round"]


def test_a_few_rivals_have_no_top_one_percent() -> None:
    table = chance_rows(["Mine"], [replace(CHANCES, round=replace(PROSPECTS, top=None))])
    assert table["Top 1 %"][0] == "–"
