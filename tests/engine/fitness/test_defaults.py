"""At default strengths an objective costs few expected points, objectives differ, and more money never hurts."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from data.rules import CaptaincyMode
from engine.fitness.judge import aim_at, text_aim
from engine.fitness.reference import CHEAPEST_BENCH
from engine.fitness.view import SceneSettings, SquadView
from engine.rules.exact import LinearValues, linear_optimum
from engine.search.climbing.local_search import Limits
from engine.search.climbing.start import QuickSettings
from engine.search.finishing.polish import PolishLimits, search_fitness
from models.signals import Signals
from tests.cases.judged_worlds import a_judge, under, world_cup_signals

ROUNDS = (1, 2, 3, 4)
MOST_EXPECTED = "fitness MostExpected { gate feasible maximize raw_xev: 1 maximize captaincy_uplift: 1 }"
LOST = {"neutral": 0.01, "protect": 0.04, "gain": 0.06}
"""Share of the highest expected points that the best squad of each objective may give up."""

SHARED, ROUNDS_APART = 12, 3
"""Players that protect and gain share at most, and in how many of the rounds."""

QUICK = QuickSettings(limits=Limits(kicks=10), starts=3)
SHORT = PolishLimits(steps=6)

Found = dict[tuple[int, str], tuple[float, set[int]]]


@pytest.fixture(scope="module")
def found() -> Found:
    """Expected points and players of the best squad by round and objective."""
    best = {}
    for number in ROUNDS:
        judge = a_judge(world_cup_signals(number))
        aims = {name: aim_at(name, judge.view) for name in LOST}
        for name, aim in (aims | {"most": text_aim(MOST_EXPECTED, "most", judge.view, {})}).items():
            scored = search_fitness(judge, aim, np.random.default_rng(1), QUICK, SHORT)
            points = float(scored.lineups.raw_xev[0] + scored.lineups.captaincy_uplift[0])
            best[number, name] = points, set(scored.squads[0].tolist())
    return best


@pytest.mark.parametrize("number", ROUNDS)
@pytest.mark.parametrize("theta", LOST)
def test_an_objective_gives_up_few_expected_points(found: Found, number: int, theta: str) -> None:
    most = max(found[number, name][0] for name in (*LOST, "most"))
    assert found[number, theta][0] >= (1 - LOST[theta]) * most


def test_protect_and_gain_pick_different_squads(found: Found) -> None:
    shared = [len(found[number, "protect"][1] & found[number, "gain"][1]) for number in ROUNDS]
    assert sum(count <= SHARED for count in shared) >= ROUNDS_APART


def test_more_budget_never_lowers_the_proved_linear_optimum(beliefs: Signals) -> None:
    signals = under(beliefs, CaptaincyMode.LOCKED)
    values = LinearValues(signals.xev, CHEAPEST_BENCH * signals.xev, signals.xev)
    pool, reached = SquadView(signals, SceneSettings(budget=95.0)).pool, []
    for budget in np.arange(95.0, 125.0, 5.0).tolist():
        best = linear_optimum(values, replace(pool, budget=budget), signals.rules.squad.lineups)
        assert best.proved
        reached.append(best.value)
    assert (np.diff(reached) >= -1e-6).all()
    assert reached[-1] > reached[0]
