"""At default strengths an objective costs few expected points, and objectives differ."""

from __future__ import annotations

import numpy as np
import pytest

from engine.fitness.judge import named_objective, text_objective
from engine.search.climbing.limits import Limits
from engine.search.climbing.start import QuickSettings
from engine.search.finishing.polish import PolishLimits, search_fitness
from tests.cases.judged_worlds import a_judge, world_cup_signals

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
        objectives = {name: named_objective(name, judge.view) for name in LOST}
        for name, objective in (objectives | {"most": text_objective(MOST_EXPECTED, "most", judge.view, {})}).items():
            scored = search_fitness(judge, objective, np.random.default_rng(1), QUICK, SHORT)
            points = float(scored.lineups.raw_xev[0] + scored.lineups.captaincy_uplift[0])
            best[number, name] = points, set(scored.squads[0].tolist())
    return best


@pytest.mark.parametrize("number", ROUNDS)
@pytest.mark.parametrize("theta", LOST)
@pytest.mark.soak
def test_an_objective_gives_up_few_expected_points(found: Found, number: int, theta: str) -> None:
    most = max(found[number, name][0] for name in (*LOST, "most"))
    assert found[number, theta][0] >= (1 - LOST[theta]) * most


@pytest.mark.soak
def test_protect_and_gain_pick_different_squads(found: Found) -> None:
    shared = [len(found[number, "protect"][1] & found[number, "gain"][1]) for number in ROUNDS]
    assert sum(count <= SHARED for count in shared) >= ROUNDS_APART
