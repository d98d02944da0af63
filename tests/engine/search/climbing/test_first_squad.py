"""The first squad of a search costs a moment and promises nothing that the board does not keep."""

from __future__ import annotations

import sys
from dataclasses import replace

import numpy as np
import pytest

from data.errors import InfeasibleError
from engine.fitness.judge import Judge, Objective, named_objective, text_objective
from engine.fitness.squad_view import SceneSettings
from engine.rules.conflicts import NO_DEMANDS, Demands
from engine.rules.legality import legal
from engine.search.climbing.first_squad import first_squad
from tests.cases.judged_worlds import small_board, small_judge


def found(judge: Judge, objective: Objective, demands: Demands = NO_DEMANDS, seed: int = 1) -> np.ndarray:
    return first_squad(judge.view, objective, np.random.default_rng(seed).spawn(1)[0], demands)


@pytest.mark.parametrize("theta", ["protect", "neutral", "gain"])
@pytest.mark.daily("protect")
def test_a_first_squad_is_legal_the_same_by_seed_and_never_better_than_the_board(theta: str) -> None:
    judge = small_judge()
    objective = named_objective(theta, judge.view)
    first, again = (found(judge, objective, seed=3) for _ in range(2))
    assert first.tolist() == again.tolist()
    assert legal(first[None, :], judge.view.pool).all()
    fitness = judge.score(first[None, :], objective).fitness[0]
    assert small_board(theta).recommended.decomposition.fitness >= fitness - 1e-9


def test_wishes_are_kept_and_an_impossible_one_is_named() -> None:
    judge = small_judge()
    star, cheap = int(np.argmax(judge.view.signals.xev)), int(np.argmin(judge.view.signals.price))
    objective = named_objective("neutral", judge.view)
    first = found(judge, objective, Demands(must=(cheap,), never=(star,)))
    assert cheap in first
    assert star not in first
    keepers = np.flatnonzero(judge.view.signals.position == 0)[:3]
    with pytest.raises(InfeasibleError):
        found(judge, objective, Demands(must=tuple(keepers.tolist())))


@pytest.mark.parametrize("captain", [0, None], ids=["the first row", "the best"])
def test_a_captain_the_manager_holds_is_in_even_where_he_cannot_play(captain: int | None) -> None:
    captain = int(np.argmax(small_judge().view.signals.xev)) if captain is None else captain
    judge = small_judge(SceneSettings(captain=captain))
    idle = np.arange(len(judge.view.signals)) == captain
    view = replace(judge.view, signals=replace(judge.view.signals, unavailable=idle))
    assert captain not in view.available(NO_DEMANDS).out
    first = found(judge, named_objective("protect", judge.view))
    assert judge.view.lineups(first[None, :]).captain[0] == captain


def test_a_spec_of_the_users_own_gets_a_first_squad_too() -> None:
    judge = small_judge()
    objective = text_objective("fitness Mine { gate feasible maximize raw_xev: 1 }", "mine.fitness", judge.view, {})
    assert judge.score(found(judge, objective)[None, :], objective).fitness[0] > 0


def test_no_solver_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pulp", None)  # an import of it would fail
    judge = small_judge()
    assert len(found(judge, named_objective("gain", judge.view))) == judge.view.pool.size
