"""Rules of the clean-sheet spine."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from data.errors import ModelError
from models.together.stacks import Spine, squad_stack_lift, stack_lift

UNIT = st.floats(0, 1)
PAY = np.array([5.0, 5.0, 1.0, 0.0])  # goalkeeper, defender, midfielder, forward


def a_spine(p: float = 0.4, men: int = 3, **changed: Any) -> Spine:
    columns = {
        "points": np.full(men, 5.0),
        "p_60": np.full(men, 0.9),
        "xev": np.full(men, 4.0),
        "conceded": np.full(men, -0.3),
    }
    return Spine(p_clean_sheet=p, **(columns | changed))


def test_the_lift_is_the_designs_form() -> None:
    assert stack_lift(0.4, 5.0, 4) == pytest.approx(0.4 * 0.6 * 5 * 3)
    assert stack_lift([0.4, 0.5], 5.0, [[1], [2]]) == pytest.approx(np.array([[0, 0], [1.2, 1.25]]))


@given(p=UNIT, points=st.floats(0, 10))
def test_one_man_or_none_is_no_stack(p: float, points: float) -> None:
    assert stack_lift(p, points, [0, 1]).tolist() == [0.0, 0.0]


@given(p=UNIT, m=st.integers(1, 5))
def test_one_more_man_never_lowers_the_lift(p: float, m: int) -> None:
    assert stack_lift(p, 5.0, m + 1) >= stack_lift(p, 5.0, m)


@pytest.mark.parametrize("p", [0.0, 1.0])
def test_a_settled_sheet_swings_nobody(p: float) -> None:
    assert stack_lift(p, 5.0, 4) == 0.0
    assert a_spine(p).correlation == 0.0


@given(p=UNIT, p_60=st.lists(UNIT, min_size=1, max_size=5))
def test_haul_and_floor_average_to_the_mean(p: float, p_60: list[float]) -> None:
    men = len(p_60)
    # Nothing can be conceded behind a certain sheet.
    spine = a_spine(p, men, p_60=np.array(p_60), conceded=np.full(men, -0.3 if p < 1 else 0.0))
    assert p * spine.haul + (1 - p) * spine.floor == pytest.approx(spine.xev.sum(), abs=1e-9)


def test_the_floor_lacks_the_sheet_and_bears_all_that_is_conceded() -> None:
    spine = a_spine(0.4, 2, p_60=np.ones(2))
    # 4.0 is 2.0 of sheet, −0.3 of goals against, and 2.3 of the rest; a lost sheet concentrates −0.3 into −0.5.
    assert spine.floor == pytest.approx(2 * (2.3 - 0.5))
    assert spine.haul == pytest.approx(2 * (2.3 + 5.0))


def test_the_joint_haul_needs_the_sheet_and_an_hour_of_every_man() -> None:
    assert a_spine(0.4, 3, p_60=np.array([1.0, 0.9, 0.5])).joint_haul == pytest.approx(0.4 * 0.9 * 0.5)


@given(p=st.floats(0.05, 0.95), minutes=st.lists(st.floats(0.1, 1), min_size=2, max_size=2))
def test_the_correlation_is_that_of_the_two_sheets_written_out(p: float, minutes: list[float]) -> None:
    weights, paid = [], []
    for sheet, first, second in itertools.product((0, 1), repeat=3):
        odds = [(1 - q, q)[hit] for q, hit in zip((p, *minutes), (sheet, first, second), strict=True)]
        weights.append(np.prod(odds))
        paid.append((sheet * first, sheet * second))
    covariance = np.cov(np.array(paid).T, aweights=weights, ddof=0)
    expected = covariance[0, 1] / np.sqrt(covariance[0, 0] * covariance[1, 1])
    assert a_spine(p, 2, p_60=np.array(minutes)).correlation == pytest.approx(expected, abs=1e-9)


def test_men_who_always_last_the_hour_share_the_sheet_entirely() -> None:
    assert a_spine(0.4, 4, p_60=np.ones(4)).correlation == pytest.approx(1.0)
    assert a_spine(0.4, 1).correlation == 0.0


def test_a_midfielder_adds_only_what_the_rulebook_pays_him() -> None:
    with_midfielder = a_spine(0.4, 3, points=np.array([5.0, 1.0, 5.0]))
    assert with_midfielder.lift == pytest.approx(0.4 * 0.6 * (5 + 1))


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
    assert lift[0] == pytest.approx(float(stack_lift(0.4, 5, 3) + stack_lift(0.5, 5, 2)))


def test_two_matches_in_a_round_swing_twice_and_a_blank_not_at_all() -> None:
    team, points = np.array([0, 0, 1, 1]), np.full(4, 4.0)
    sheet = np.array([[0.4, 0.3], [0.4, 0.3], [0.0, 0.0], [0.0, 0.0]])
    lift = squad_stack_lift([[0, 1, 2, 3]], team, sheet, points)
    assert lift[0] == pytest.approx(float(stack_lift([0.4, 0.3], 4.0, 2).sum()))


def test_a_forward_does_not_make_a_stack() -> None:
    lift = squad_stack_lift([[0, 1]], np.zeros(2, dtype=int), np.full(2, 0.4), np.array([5.0, 0.0]))
    assert lift.tolist() == [0.0]


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"p": 1.2}, "1.2"),
        ({"p": float("nan")}, "nan"),
        ({"p_60": np.array([0.9, 45.0, 0.9])}, "45"),
        ({"points": np.array([5.0, -1.0, 5.0])}, "-1"),
        ({"xev": np.array([4.0])}, "one entry per man"),
        ({"men": 0}, "one entry per man"),
    ],
)
def test_an_unsound_spine_is_refused(changed: dict[str, Any], message: str) -> None:
    with pytest.raises(ModelError, match=message):
        a_spine(**changed)


@pytest.mark.parametrize(
    ("squads", "team", "sheet", "message"),
    [
        ([[0, 2]], [0, 0], [0.4, 0.4], r"0\.\.1"),
        ([[0.0, 1.0]], [0, 0], [0.4, 0.4], "float64"),
        ([[0, 1]], [0, 0, 0], [0.4, 0.4], "Columns disagree"),
        ([[0, 1]], [0, 0], [40.0, 0.4], "40"),
    ],
)
def test_unsound_squads_are_refused(squads: Any, team: Any, sheet: Any, message: str) -> None:
    with pytest.raises(ModelError, match=message):
        squad_stack_lift(squads, team, sheet, [5.0, 5.0])
