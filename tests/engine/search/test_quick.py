"""A quick search obeys every demand, never ends below where it started, and is the same every time."""

from __future__ import annotations

import numpy as np
import pytest

from data.errors import InfeasibleError
from engine.fitness.judge import Judge, named_objective, text_objective
from engine.fitness.squad_view import SceneSettings
from engine.language.spec import shipped_text
from engine.rules.conflicts import Demands
from engine.rules.legality import legal
from engine.search.quick import quick_best
from tests.cases.judged_worlds import a_judge, cup_signals, league_signals


def fitness(judge: Judge, theta: str, squad: np.ndarray) -> float:
    return float(judge.score(squad[None, :], named_objective(theta, judge.view)).fitness[0])


def rng() -> np.random.Generator:
    return np.random.default_rng(7)


@pytest.mark.parametrize("theta", ["protect", "gain", "rank"])
@pytest.mark.parametrize("signals", [cup_signals, league_signals])
@pytest.mark.daily("cup_signals-gain", "league_signals-protect")
def test_no_squad_of_the_reference_pool_is_better(theta: str, signals: object) -> None:
    judge = a_judge(signals())  # type: ignore[operator]
    objective = named_objective(theta, judge.view)
    best = quick_best(judge, objective, rng())
    assert legal(best[None, :], judge.view.pool)[0]
    assert fitness(judge, theta, best) >= judge.score(judge.pool, objective).fitness.max()


def test_demands_are_met_and_the_same_seed_gives_the_same_squad() -> None:
    judge = a_judge(cup_signals())
    objective = named_objective("gain", judge.view)
    best = quick_best(judge, objective, rng())
    outsider = int(np.setdiff1d(judge.pool[0], best)[0])
    demands = Demands(must=(outsider,), never=(int(best[3]),))
    found = quick_best(judge, objective, rng(), demands)
    assert demands.met(found)
    assert fitness(judge, "gain", found) <= fitness(judge, "gain", best)
    np.random.seed(99)
    assert quick_best(judge, objective, rng(), demands).tolist() == found.tolist()


def test_the_limit_on_changes_is_kept_and_hits_are_weighed() -> None:
    signals = league_signals()
    current = tuple(a_judge(signals).pool[0].tolist())
    for most in (0, 1, 2):
        judge = a_judge(signals, SceneSettings(current=current, most_changes=most, free_transfers=1))
        found = quick_best(judge, named_objective("neutral", judge.view), rng())
        assert len(set(found.tolist()) - set(current)) <= most
    free = a_judge(signals, SceneSettings(current=current, free_transfers=1))
    objective = named_objective("neutral", free.view)
    assert fitness(free, "neutral", quick_best(free, objective, rng())) >= fitness(free, "neutral", np.array(current))


def test_a_copy_of_a_shipped_spec_finds_the_same_squad() -> None:
    judge = a_judge(cup_signals())
    objective = text_objective(
        shipped_text("gain").replace("fitness Gain", "fitness Mine"), "mine.fitness", judge.view, {}
    )
    assert (
        quick_best(judge, objective, rng()).tolist()
        == quick_best(judge, named_objective("gain", judge.view), rng()).tolist()
    )


def test_a_spec_without_a_standard_form_is_bred_for() -> None:
    judge = a_judge(cup_signals())
    text = shipped_text("gain").replace("maximize raw_xev: 1", "maximize raw_xev: 1 maximize teams: 0.2")
    objective = text_objective(text, "mine.fitness", judge.view, {})
    best = quick_best(judge, objective, rng())
    assert judge.score(best[None, :], objective).fitness[0] >= judge.score(judge.pool, objective).fitness.max()


def test_demands_that_cannot_hold_together_are_named() -> None:
    judge = a_judge(cup_signals())
    signals = judge.view.signals
    keepers = tuple(np.flatnonzero(signals.position == 0)[:3].tolist())
    with pytest.raises(InfeasibleError, match=str(signals.name[keepers[0]])):
        quick_best(judge, named_objective("gain", judge.view), rng(), Demands(must=keepers))
