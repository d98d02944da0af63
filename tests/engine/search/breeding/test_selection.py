"""Parents are drawn by rank within their band, and no band with a viable candidate dies."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from data.errors import InputError
from engine.search.breeding.selection import BANDS, FLOOR, PRESSURE, band_shares, select_parents

SEEDS = st.integers(0, 2**32 - 1)


def some_candidates(seed: int, size: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Draw candidates of which the best are all in one band, and some disqualified."""
    rng = np.random.default_rng(seed)
    bands = rng.integers(0, BANDS, size)
    score = rng.normal(60, 5, size) + 40 * (bands == rng.integers(BANDS))
    return score, bands, rng.random(size) < 0.3


@given(SEEDS, st.integers(20, 200), st.integers(3, 300))
def test_no_band_with_a_viable_candidate_dies(seed: int, size: int, count: int) -> None:
    score, bands, disqualified = some_candidates(seed, size)
    parents = select_parents(score, bands, disqualified, count, np.random.default_rng(seed))
    assert parents.shape == (count,)
    assert set(bands[parents]) == set(bands[~disqualified])


@given(SEEDS, st.integers(1, 50), st.integers(0, 60))
def test_only_the_viable_breed(seed: int, size: int, count: int) -> None:
    score, bands, disqualified = some_candidates(seed, size)
    score[0], disqualified[-1] = np.nan, size == 1
    viable = ~disqualified & np.isfinite(score)
    if viable.any():
        parents = select_parents(score, bands, disqualified, count, np.random.default_rng(seed))
        assert len(parents) == count
        assert viable[parents].all()
    else:
        with pytest.raises(InputError, match="nobody can breed"):
            select_parents(score, bands, disqualified, count, np.random.default_rng(seed))


@given(st.lists(st.integers(0, BANDS - 1), min_size=1, max_size=80))
def test_shares_sum_to_one_and_keep_the_floor(ranked: list[int]) -> None:
    shares = band_shares(np.array(ranked))
    assert shares.sum() == pytest.approx(1.0)
    for band in range(BANDS):
        assert shares[band] >= FLOOR - 1e-12 if band in ranked else shares[band] == 0.0


def test_the_band_of_the_best_has_the_most_places() -> None:
    bands = np.repeat([2, 0, 1], 40)
    score = np.linspace(100, 1, 120)
    parents = select_parents(score, bands, np.zeros(120, dtype=bool), 200, np.random.default_rng(0))
    places = np.bincount(bands[parents], minlength=BANDS)
    assert places.tolist() == [30, 30, 140]


def test_within_a_band_the_better_breed_more_often() -> None:
    score = np.linspace(10, 1, 10)
    bands, good = np.zeros(10, dtype=int), np.zeros(10, dtype=bool)
    drawn = np.bincount(select_parents(score, bands, good, 20_000, np.random.default_rng(0)), minlength=10) / 2_000
    assert drawn[0] == pytest.approx(PRESSURE, abs=0.1)
    assert drawn[-1] == pytest.approx(2 - PRESSURE, abs=0.1)
    assert (drawn[:5].sum()) > drawn[5:].sum()


def test_rank_counts_and_not_how_far_ahead_one_is() -> None:
    bands, good = np.zeros(5, dtype=int), np.zeros(5, dtype=bool)
    near, far = (
        select_parents(np.array(score), bands, good, 50, np.random.default_rng(3))
        for score in ([5.0, 4.0, 3.0, 2.0, 1.0], [5e9, 4.0, 3.0, 2.0, -1e9])
    )
    assert near.tolist() == far.tolist()


def test_fewer_places_than_bands_are_filled_all_the_same() -> None:
    score, bands = np.array([3.0, 2.0, 1.0]), np.array([0, 1, 2])
    good = np.zeros(3, dtype=bool)
    for count in (0, 1, 2):
        assert len(select_parents(score, bands, good, count, np.random.default_rng(0))) == count


def test_the_same_seed_selects_the_same_parents() -> None:
    candidates = some_candidates(5, 60)
    once = select_parents(*candidates, 40, np.random.default_rng(1))
    np.random.seed(99)
    again = select_parents(*candidates, 40, np.random.default_rng(1))
    assert once.tobytes() == again.tobytes()


def test_a_liking_makes_a_parent_likelier_and_silences_nobody() -> None:
    score, bands, out = np.zeros(4), np.zeros(4, dtype=int), np.zeros(4, dtype=bool)
    liking = np.array([0.5, 0.5, 2.0, 0.5])
    drawn = np.bincount(select_parents(score, bands, out, 4000, np.random.default_rng(0), liking), minlength=4)
    assert drawn.argmax() == 2
    assert (drawn > 0).all()
