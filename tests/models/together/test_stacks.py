"""Rules of the clean-sheet spine."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from data.errors import ModelError
from models.together.stacks import squad_stack_lift

PAY = np.array([5.0, 5.0, 1.0, 0.0])  # goalkeeper, defender, midfielder, forward


@given(seed=st.integers(0, 2**32 - 1))
def test_a_squads_lift_is_the_sum_over_its_teams(seed: int) -> None:
    rng = np.random.default_rng(seed)
    team, points = rng.integers(0, 6, 60), rng.choice(PAY, 60)
    sheet = rng.random(6)
    squads = np.argsort(rng.random((7, 60)), axis=1)[:, :15]
    expected = []
    for squad in squads:
        paid = [(t, points[squad][team[squad] == t]) for t in range(6)]
        expected.append(sum(sheet[t] * (1 - sheet[t]) * (p.sum() - p.max()) for t, p in paid if p.size))
    assert squad_stack_lift(squads, team, sheet[team], points) == pytest.approx(expected, abs=1e-12)


def test_with_equal_pay_a_squads_lift_is_that_of_its_stacks() -> None:
    team, points = np.array([0, 0, 0, 1, 1, 2]), np.array([5.0, 5.0, 5.0, 5.0, 5.0, 5.0])
    sheet = np.array([0.4, 0.5, 0.3])[team]
    lift = squad_stack_lift([[5, 3, 0, 4, 2, 1]], team, sheet, points)
    assert lift[0] == pytest.approx(0.4 * 0.6 * 5 * 2 + 0.5 * 0.5 * 5)


def test_two_matches_in_a_round_swing_twice_and_a_blank_not_at_all() -> None:
    team, points = np.array([0, 0, 1, 1]), np.full(4, 4.0)
    sheet = np.array([[0.4, 0.3], [0.4, 0.3], [0.0, 0.0], [0.0, 0.0]])
    lift = squad_stack_lift([[0, 1, 2, 3]], team, sheet, points)
    assert lift[0] == pytest.approx((0.4 * 0.6 + 0.3 * 0.7) * 4)


def test_a_forward_or_a_settled_sheet_makes_no_stack() -> None:
    mates = np.zeros(2, dtype=int)
    assert squad_stack_lift([[0, 1]], mates, np.full(2, 0.4), np.array([5.0, 0.0])).tolist() == [0.0]
    for settled in (0.0, 1.0):
        assert squad_stack_lift([[0, 1]], mates, np.full(2, settled), np.array([5.0, 5.0])).tolist() == [0.0]


def test_a_clean_sheet_that_costs_points_is_refused() -> None:
    with pytest.raises(ModelError, match="-1 points"):
        squad_stack_lift([[0, 1]], [0, 0], [0.4, 0.4], [5.0, -1.0])
