"""Plans against a field, round by round: a lead is held more often, the same plan has the same chance, every time."""

from __future__ import annotations

from functools import cache

import numpy as np

from engine.plan.moves.moves import Plan
from engine.plan.planner import Planner, PlanOrder
from engine.rank.field import observed_field
from engine.rank.field_draw import Tastes
from engine.rank.intervals import Estimate
from engine.season.league.league_end import league_plans
from engine.season.league.plan_chances import plan_chances
from tests.engine.plan.test_planner import desk_of

MANAGERS, SIMULATIONS = 12, 80


@cache
def planned() -> tuple[Planner, Plan]:
    planner = desk_of("league").planner(PlanOrder(horizon=2))
    return planner, league_plans(planner)["neutral"]


def chances(lead: float, count: int = 1) -> tuple[tuple[Estimate, ...], ...]:
    planner, plan = planned()
    field = observed_field(planner.rounds.signals[0], MANAGERS, Tastes(1))
    rng = np.random.default_rng(3)
    return plan_chances(planner.rounds.signals, [plan] * count, lead, field, rng, simulations=SIMULATIONS)


def test_a_larger_lead_is_held_more_often_after_every_round() -> None:
    (behind,), (ahead,) = chances(-20.0), chances(40.0)
    assert len(ahead) == 2
    assert all(low.value < high.value for low, high in zip(behind, ahead, strict=True))


def test_the_same_plan_has_the_same_chances_beside_itself() -> None:
    one, other = chances(10.0, 2)
    assert one == other
    assert chances(10.0) == (one,)
