"""Rules of a plan for a standing: strengths are played out, and the best chance is chosen, never the sign alone."""

from __future__ import annotations

import numpy as np
import pytest

from data.errors import InputError
from engine.plan.planner import PlanOrder
from engine.plan.standing import PlanStanding, plan_standing
from engine.rank.field import observed_field
from engine.rank.field_draw import Tastes
from tests.engine.plan.test_planner import desk_of

ORDER = PlanOrder(horizon=2)


def standing(lead: float, **options: object) -> PlanStanding:
    desk = desk_of("league")
    field = observed_field(desk.signals, 40, Tastes(1))
    rng = np.random.default_rng(3)
    return plan_standing(desk.planner(ORDER), lead, field, rng, n=150, kappas=(-0.02, 0.0, 0.05), **options)  # type: ignore[arg-type]


def test_the_strength_with_the_best_chance_is_chosen_and_told() -> None:
    found = standing(10.0, rounds_left=2)
    assert [one.kappa for one in found.measured] == [-0.02, 0.0, 0.05]
    plain = next(one for one in found.measured if one.kappa == 0.0)
    assert found.chosen.ahead.value >= plain.ahead.value
    assert f"{found.chosen.ahead}" in found.reason


@pytest.mark.soak
def test_a_larger_lead_is_held_more_often_and_more_rounds_blur_it() -> None:
    near, far, long = standing(5.0, rounds_left=2), standing(80.0, rounds_left=2), standing(80.0, rounds_left=30)
    for one, other in zip(near.measured, far.measured, strict=True):
        assert one.ahead.value < other.ahead.value
    for one, other in zip(far.measured, long.measured, strict=True):
        assert abs(other.ahead.value - 0.5) < abs(one.ahead.value - 0.5)


@pytest.mark.soak
def test_the_desk_measures_the_same_twice() -> None:
    desk = desk_of("league")
    first, second = (desk.plan_standing(20.0, ORDER, rounds_left=2, simulations=50) for _ in range(2))
    assert first == second


def test_no_round_left_is_refused() -> None:
    with pytest.raises(InputError, match="cannot be measured"):
        standing(5.0, rounds_left=0)
