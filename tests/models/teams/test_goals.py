"""One grid per match: its answers agree with each other, with the rates, and with its own draws."""

from __future__ import annotations

from typing import cast

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import poisson

from data.errors import ModelError
from models.teams.goals import MAX_GOALS, ScoreGrid, Side, score_grid

rates = st.floats(0.0, 6.0)
rhos = st.floats(-0.2, 0.2)
sides = st.sampled_from(("home", "away"))


@given(rates, rates, rhos)
def test_win_draw_and_loss_share_all_probability_and_swapping_the_sides_swaps_the_answers(
    home: float, away: float, rho: float
) -> None:
    one, other = score_grid(home, away, rho), score_grid(away, home, rho)
    assert one.outcome().sum() == pytest.approx(1, abs=1e-9)
    np.testing.assert_allclose(one.probability, other.probability.T, atol=1e-12)


@given(rates, rates, rhos, sides)
def test_a_clean_sheet_needs_zero_conceded(home: float, away: float, rho: float, side: Side) -> None:
    grid = score_grid(home, away, rho)
    conceded = grid.probability.sum(axis=0 if side == "home" else 1)
    assert grid.clean_sheet(side) == pytest.approx(1 - conceded[1:].sum(), abs=1e-9)


@given(st.floats(0.2, 2.5), st.floats(0.2, 2.5), st.floats(-0.15, 0.15))
def test_the_low_score_correction_leaves_each_sides_goals_alone(home: float, away: float, rho: float) -> None:
    grid = score_grid(home, away, rho, max_goals=20)
    np.testing.assert_allclose(grid.probability.sum(axis=1), poisson.pmf(np.arange(21), home), atol=1e-9)
    np.testing.assert_allclose(grid.probability.sum(axis=0), poisson.pmf(np.arange(21), away), atol=1e-9)


def test_a_negative_rho_makes_draws_likelier() -> None:
    assert score_grid(1.3, 1.1, -0.1).outcome()[1] > score_grid(1.3, 1.1, 0.0).outcome()[1]


def test_an_extreme_rho_never_gives_a_negative_probability() -> None:
    assert (score_grid(6.0, 6.0, -0.2).probability >= 0).all()


def test_a_side_that_cannot_score_keeps_the_other_clean() -> None:
    assert score_grid(1.5, 0.0).clean_sheet("home") == pytest.approx(1)


def test_what_lies_beyond_the_grid_is_shared_out() -> None:
    assert score_grid(5.0, 5.0, max_goals=3).probability.sum() == pytest.approx(1, abs=1e-12)


def test_a_batch_answers_like_its_matches_one_by_one() -> None:
    home, away = np.array([[0.4, 2.2, 3.5], [1.0, 1.1, 1.2]]), np.array([[1.0, 1.0, 0.3], [2.0, 0.1, 1.2]])
    batch = score_grid(home, away, -0.04)
    assert batch.probability.shape[:-2] == (2, 3)
    assert batch.outcome().shape == (2, 3, 3)
    single = score_grid(2.2, 1.0, -0.04)
    np.testing.assert_allclose(batch.probability[0, 1], single.probability, rtol=1e-14)
    np.testing.assert_allclose(batch.clean_sheet("home")[0, 1], single.clean_sheet("home"), rtol=1e-14)


def test_draws_follow_the_grid_and_those_of_a_single_match_have_no_batch_axis() -> None:
    assert score_grid(1.0, 1.0).sample(np.random.default_rng(1), 5).shape == (5, 2)
    grid = score_grid(np.array([0.6, 2.4, 1.3]), np.array([1.9, 0.5, 1.3]), np.array([-0.1, 0.0, 0.1]))
    drawn = grid.sample(np.random.default_rng(7), 40_000)
    assert drawn.shape == (40_000, 3, 2)
    for match in range(3):
        seen = np.zeros((MAX_GOALS + 1, MAX_GOALS + 1))
        np.add.at(seen, tuple(drawn[:, match].T), 1 / 40_000)
        np.testing.assert_allclose(seen, grid.probability[match], atol=0.01)


def test_the_same_seed_draws_the_same_scores_whatever_the_global_generator_does() -> None:
    grid = score_grid(np.linspace(0.1, 4, 16), 1.2)
    first = grid.sample(np.random.default_rng(3), 100)
    np.random.seed(99)
    assert grid.sample(np.random.default_rng(3), 100).tobytes() == first.tobytes()


class Highest:
    """A generator that always draws the largest number below 1."""

    def random(self, size: tuple[int, ...]) -> np.ndarray:
        return np.full(size, np.nextafter(1.0, 0.0))


def test_the_highest_draw_stays_within_its_own_match() -> None:
    grid = score_grid(np.full(1000, 1.0), 1.0)
    drawn = grid.sample(cast(np.random.Generator, Highest()), 1)
    assert drawn.max() == MAX_GOALS
    assert (drawn.sum(axis=-1) > MAX_GOALS).all()


@pytest.mark.parametrize("rate", [-0.1, np.nan, np.inf, 1e6])
def test_a_senseless_rate_is_refused_with_its_value(rate: float) -> None:
    with pytest.raises(ModelError, match=r"goal rate of"):
        score_grid(np.array([1.0, rate]), 1.0)


@pytest.mark.parametrize(
    ("probability", "reason"),
    [
        (np.ones((2, 3)) / 6, "two equal last axes"),
        (np.ones(4) / 4, "two equal last axes"),
        (np.array([[1.5, -0.5], [0.0, 0.0]]), "negative"),
        (np.array([[np.nan, 0.5], [0.5, 0.0]]), "missing"),
        (np.ones((2, 2)), "sum to 1"),
    ],
)
def test_a_grid_is_checked_at_birth(probability: np.ndarray, reason: str) -> None:
    with pytest.raises(ModelError, match=reason):
        ScoreGrid(probability)


def test_a_grid_cannot_be_changed() -> None:
    grid = score_grid(1.0, 1.0)
    with pytest.raises(ValueError, match="read-only"):
        grid.probability[0, 0] = 1.0
