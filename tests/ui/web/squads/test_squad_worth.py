"""Tables about a squad: every term, every link."""

from __future__ import annotations

import numpy as np
import pytest

from engine.board.board import Option, make_board
from engine.board.weak_links import Link
from engine.fitness.judge import Judge, named_objective
from engine.fitness.squad_view import SceneSettings
from tests.cases.judged_worlds import a_judge, awkward_signals
from tests.cases.small_world import awkward_cup, squad_ids
from ui.web.squads.squad_worth import improvement_words, links_table, reach, terms_table


@pytest.fixture(scope="module")
def judge() -> Judge:
    signals = awkward_signals(2)
    current = tuple(sorted(signals.row_of(number) for number in squad_ids(awkward_cup())))
    return a_judge(signals, SceneSettings(current=current, free_transfers=1))


@pytest.fixture(scope="module")
def squad(judge: Judge) -> np.ndarray:
    rows = np.array(judge.view.settings.current)
    return rows[np.lexsort((rows, judge.view.signals.position[rows]))]


def option(judge: Judge, squad: np.ndarray) -> Option:
    return make_board(judge, named_objective("gain", judge.view), squad[None, :]).recommended


def swapped(judge: Judge, squad: np.ndarray, places: list[int]) -> np.ndarray:
    """Return the squad with the men of some places replaced by others of their position, team and price aside."""
    signals, after = judge.view.signals, squad.copy()
    for place in places:
        code = signals.position[squad[place]]
        others = np.setdiff1d(np.flatnonzero(signals.position == code), after)
        same = others[signals.team[others] == signals.team[squad[place]]]
        after[place] = same[np.argmin(signals.price[same])]
    return after


def test_terms_stand_side_by_side_and_sum_to_the_fitness(judge: Judge, squad: np.ndarray) -> None:
    results = {theta: judge.decompose(squad, named_objective(theta, judge.view)) for theta in ("protect", "gain")}
    table = terms_table(results)
    assert list(table.columns) == ["Term", "Protect", "Gain"]
    assert table["Term"].iloc[-1] == "Fitness"
    for column in ("Protect", "Gain"):
        assert table[column].iloc[:-1].sum() == pytest.approx(table[column].iloc[-1])
    assert "Captain again *" in set(table["Term"])
    assert "Transfer hits" in set(table["Term"])
    assert reach(results["gain"]).startswith("swing ±")


def test_an_improvement_says_how_many_transfers_and_what_hits_were_paid(judge: Judge, squad: np.ndarray) -> None:
    before = option(judge, squad)
    words = improvement_words(before, option(judge, swapped(judge, squad, [3, 8])))
    assert words.startswith("2 transfers: fitness ")
    assert words.endswith(", 3 points of hits already taken off.")
    assert "hits" not in improvement_words(before, option(judge, swapped(judge, squad, [3])))
    assert improvement_words(before, before).startswith("No transfer improves this squad")


def test_links_show_the_terms_that_move_and_leave_out_those_that_do_not() -> None:
    links = [
        Link(1, 2, "A", "B", 1.5, {"raw_xev": 1.0, "preferences": 0.0, "mine": 0.5}, 0.3),
        Link(3, 4, "<script>", "=1+1", 0.5, {"raw_xev": 0.5, "preferences": 0.0, "mine": 0.0}, -0.2),
    ]
    table = links_table(links)
    assert list(table.columns) == ["Out", "In", "Gain", "Price", "Expected points", "mine"]
    assert list(table["Gain"]) == [1.5, 0.5]
