"""A first look costs a moment and promises nothing that the board does not keep."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from data.errors import InfeasibleError
from engine.board.glance import first_glance
from engine.fitness.judge import named_objective, text_objective
from engine.fitness.squad_view import SceneSettings
from engine.rules.conflicts import Demands
from engine.rules.legality import legal
from engine.rules.money import SLACK
from tests.cases.judged_worlds import small_board, small_judge


@pytest.mark.parametrize("theta", ["protect", "neutral", "gain"])
def test_a_first_look_is_a_legal_card_the_same_by_seed_and_never_better_than_the_board(theta: str) -> None:
    judge = small_judge()
    glance, again = (
        first_glance(judge, named_objective(theta, judge.view), np.random.default_rng(3)) for _ in range(2)
    )
    assert glance == again
    assert legal(np.array([glance.rows]), judge.view.pool).all()
    assert glance.captain in glance.rows
    low, high = glance.swing
    assert low < glance.expected < high
    assert glance.price <= judge.view.pool.budget + SLACK
    assert small_board(theta).recommended.decomposition.fitness >= glance.fitness - 1e-9


def test_wishes_are_kept_and_an_impossible_one_is_named() -> None:
    judge = small_judge()
    star, cheap = int(np.argmax(judge.view.signals.xev)), int(np.argmin(judge.view.signals.price))
    objective = named_objective("neutral", judge.view)
    glance = first_glance(judge, objective, np.random.default_rng(1), Demands(must=(cheap,), never=(star,)))
    assert cheap in glance.rows
    assert star not in glance.rows
    keepers = np.flatnonzero(judge.view.signals.position == 0)[:3]
    with pytest.raises(InfeasibleError):
        first_glance(judge, objective, np.random.default_rng(1), Demands(must=tuple(keepers.tolist())))


def test_a_captain_the_manager_holds_leads() -> None:
    captain = int(np.argmax(small_judge().view.signals.xev))
    judge = small_judge(SceneSettings(captain=captain))
    assert first_glance(judge, named_objective("protect", judge.view), np.random.default_rng(1)).captain == captain


def test_a_spec_of_the_users_own_gets_a_first_look_too() -> None:
    judge = small_judge()
    objective = text_objective("fitness Mine { gate feasible maximize raw_xev: 1 }", "mine.fitness", judge.view, {})
    assert first_glance(judge, objective, np.random.default_rng(1)).fitness > 0


def test_no_solver_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pulp", None)  # an import of it would fail
    judge = small_judge()
    assert first_glance(judge, named_objective("gain", judge.view), np.random.default_rng(1)).rows
