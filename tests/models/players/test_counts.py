"""Distributions of counts are the laws their names promise, cut only where nothing is left."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from models.players.counts import bernoulli, binomial, negative_binomial, poisson

CHANCES = st.lists(st.floats(0.0, 1.0), min_size=1, max_size=6).map(np.array)
MEANS = st.lists(st.floats(0.0, 8.0), min_size=1, max_size=6).map(np.array)


@given(chance=CHANCES, mean=MEANS, trials=st.integers(0, 10), size=st.floats(0.5, 50.0))
def test_every_distribution_is_non_negative_and_sums_to_one(
    chance: np.ndarray, mean: np.ndarray, trials: int, size: float
) -> None:
    for mass in (bernoulli(chance), binomial(trials, chance), poisson(mean), negative_binomial(mean, size)):
        assert (mass >= 0).all()
        assert mass.sum(axis=1) == pytest.approx(1.0, abs=1e-12)


def test_an_event_that_happens_at_most_once_keeps_its_chance_within_bounds() -> None:
    assert bernoulli(np.array([0.0, 0.3, 1.0, 1.4])).tolist() == [[1, 0], [0.7, 0.3], [0, 1], [0, 1]]


@given(chance=CHANCES, trials=st.integers(0, 10))
def test_independent_tries_are_binomial(chance: np.ndarray, trials: int) -> None:
    expected = stats.binom.pmf(np.arange(trials + 1), trials, chance[:, None])
    assert binomial(trials, chance) == pytest.approx(expected, abs=1e-12)


@given(mean=MEANS)
def test_rare_events_are_poisson(mean: np.ndarray) -> None:
    mass = poisson(mean)
    assert mass == pytest.approx(stats.poisson.pmf(np.arange(mass.shape[1]), mean[:, None]), abs=1e-10)


@given(mean=MEANS, size=st.floats(4.0, 50.0))
def test_wider_counts_have_the_mean_and_the_variance_they_promise(mean: np.ndarray, size: float) -> None:
    mass = negative_binomial(mean, size)
    count = np.arange(mass.shape[1])
    assert mass @ count == pytest.approx(mean, abs=1e-4)
    assert mass @ count**2 - (mass @ count) ** 2 == pytest.approx(mean + mean**2 / size, abs=1e-2)


@given(mean=st.floats(0.0, 3.0), others=MEANS)
def test_a_players_counts_do_not_depend_on_who_else_is_counted(mean: float, others: np.ndarray) -> None:
    alone, among = poisson(np.array([mean])), poisson(np.append(others, mean))[[-1]]
    shorter = min(alone.shape[1], among.shape[1])
    assert alone[:, :shorter] == pytest.approx(among[:, :shorter], abs=1e-10)


def test_without_a_rate_nothing_happens() -> None:
    for mass in (poisson(np.zeros(2)), negative_binomial(np.zeros(2), 8.0)):
        assert mass[:, 0].tolist() == [1.0, 1.0]
        assert not mass[:, 1:].any()


def test_nobody_has_an_empty_distribution() -> None:
    assert len(poisson(np.zeros(0))) == len(negative_binomial(np.zeros(0), 8.0)) == len(bernoulli(np.zeros(0))) == 0
