"""The frontier kept as points come in is the one a sorted sweep over all of them finds, ties included."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from data.errors import InputError
from engine.search.population.frontier import Frontier

Points = list[tuple[int, int]]
"""Score and cost; whole numbers from a small range, so that ties of every kind abound."""

POINTS = st.lists(st.tuples(st.integers(-4, 4), st.integers(0, 6)), max_size=60)
CUTS = st.lists(st.integers(1, 9), min_size=60, max_size=60)


def sorted_sweep(points: Points) -> list[int]:
    """Order by score, cost and arrival; keep whoever costs at most the lowest so far."""
    kept, lowest = [], float("inf")
    for _, cost, index in sorted((-score, cost, index) for index, (score, cost) in enumerate(points)):
        if cost <= lowest:
            kept.append(index)
            lowest = cost
    return kept


def grown(points: Points, sizes: list[int]) -> Frontier:
    """Add points in batches of these sizes."""
    frontier, start = Frontier(), 0
    for size in sizes:
        batch = np.array(points[start : start + size], dtype=float).reshape(-1, 2)
        frontier = frontier.extended(np.arange(start, start + len(batch)), batch[:, 0], batch[:, 1])
        start += size
    return frontier


@given(POINTS, CUTS)
def test_any_batches_give_the_sorted_sweep_of_all_points(points: Points, sizes: list[int]) -> None:
    assert grown(points, sizes).rows.tolist() == sorted_sweep(points)


@given(POINTS)
def test_one_by_one_or_all_at_once_is_the_same(points: Points) -> None:
    assert grown(points, [1] * len(points)).rows.tolist() == grown(points, [len(points)]).rows.tolist()


@pytest.mark.parametrize("seed", range(5))
def test_thousands_of_points_with_ties_agree_with_the_sweep(seed: int) -> None:
    rng = np.random.default_rng(seed)
    table = np.column_stack([rng.integers(-30, 30, 3_000), rng.integers(0, 40, 3_000)])
    points = [(int(score), int(cost)) for score, cost in table]
    assert grown(points, [*rng.integers(1, 400, 50).tolist(), 3_000]).rows.tolist() == sorted_sweep(points)


@pytest.mark.parametrize(
    ("points", "kept"),
    [
        ([(5, 3), (5, 3)], [0, 1]),
        ([(5, 3), (5, 4)], [0]),
        ([(5, 4), (5, 3)], [1]),
        ([(5, 3), (4, 3)], [0, 1]),
        ([(4, 3), (5, 3)], [1, 0]),
        ([(5, 3), (4, 4)], [0]),
        ([(5, 3), (4, 2)], [0, 1]),
        ([(4, 4), (5, 3)], [1]),
        ([(-1, 0), (-2, 0), (-1, 0)], [0, 2, 1]),
    ],
    ids=[
        "equal points are all kept",
        "of equal scores the costlier is dropped",
        "and drops out when the cheaper comes later",
        "an equal cost is kept at a lower score",
        "and stands behind the higher score",
        "less for more is dropped",
        "less for less is a trade-off",
        "the better newcomer drops the old one",
        "scores below zero count alike",
    ],
)
def test_ties_and_dominance_follow_the_sweep(points: Points, kept: list[int]) -> None:
    assert sorted_sweep(points) == kept
    assert grown(points, [1] * len(points)).rows.tolist() == kept


@given(POINTS, CUTS)
def test_neither_score_nor_cost_rises_along_it(points: Points, sizes: list[int]) -> None:
    frontier = grown(points, sizes)
    assert (np.diff(frontier.loss) >= 0).all()
    assert (np.diff(frontier.gain) >= 0).all()


def test_where_all_cost_the_same_all_are_kept_by_score() -> None:
    frontier = grown([(3, 0), (9, 0), (3, 0), (7, 0)], [3, 1])
    assert frontier.rows.tolist() == [1, 3, 0, 2]


def test_a_minus_zero_is_a_zero() -> None:
    frontier = Frontier().extended(np.array([0, 1]), np.array([0.0, -0.0]), np.array([-0.0, 0.0]))
    assert frontier.rows.tolist() == [0, 1]


def test_a_frontier_is_not_changed_by_what_extends_it() -> None:
    before = grown([(5, 3)], [1])
    after = before.extended(np.array([1]), np.array([6.0]), np.array([2.0]))
    assert (before.rows.tolist(), after.rows.tolist()) == ([0], [1])


@pytest.mark.parametrize(("score", "cost"), [(np.nan, 1.0), (1.0, np.nan), (np.inf, 1.0), (1.0, -np.inf)])
def test_what_cannot_be_put_in_order_is_refused(score: float, cost: float) -> None:
    with pytest.raises(InputError, match="not finite"):
        Frontier().extended(np.array([0]), np.array([score]), np.array([cost]))
