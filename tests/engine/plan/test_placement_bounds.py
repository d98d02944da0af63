"""Bounds of boosters in other rounds, at the prices of a placement that was solved: valid, and tight enough to use."""

from __future__ import annotations

import pytest

from engine.plan.linear.beam.beam import BeamSettings
from engine.plan.linear.placement_bounds import PlacementBounds
from engine.plan.linear.problem import PlanProblem
from engine.plan.linear.round_values import Placement
from engine.plan.linear.search import PlacedSearch
from tests.cases.plans.gameweek_plans import gameweek_case

BOOST, THIRD, WILD = "bench_boost_1", "triple_captain_1", "wildcard_1"
LOOSE = 0.03
"""Share of a plan by which moved prices may miss the bound of its own."""


@pytest.fixture(scope="module")
def problem() -> PlanProblem:
    return gameweek_case(horizon=3).problem


@pytest.mark.parametrize(
    ("solved", "asked"),
    [
        ((None, None, None), (BOOST, None, None)),
        ((None, None, None), (None, THIRD, BOOST)),
        ((WILD, None, None), (WILD, BOOST, None)),
        ((None, WILD, None), (None, WILD, BOOST)),
    ],
)
def test_a_booster_s_bound_at_moved_prices_holds_its_plans_and_is_near_its_own(
    problem: PlanProblem, solved: Placement, asked: Placement
) -> None:
    found = PlacementBounds(problem, {solved: PlacedSearch.of(problem, solved)}, {}).bound(asked)
    own = PlacedSearch.of(problem, asked)
    own.run(BeamSettings(width=30))
    assert own.floor <= found + 1e-6
    assert own.bound <= found + 1e-4 * found <= own.bound * (1 + LOOSE)


def test_a_placement_that_was_solved_keeps_its_own_bound(problem: PlanProblem) -> None:
    search = PlacedSearch.of(problem, (None, None, None))
    assert PlacementBounds(problem, {search.placement: search}, {}).bound(search.placement) == search.bound
