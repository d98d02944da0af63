"""How sure a simulated figure is."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.standing_interval import estimate, holm, paired, wilson

SHARES = st.floats(0.0, 1.0)


def test_wilson_is_the_textbook_interval() -> None:
    found = wilson(0.5, 100)
    assert (found.low, found.high) == pytest.approx((0.4038, 0.5962), abs=1e-4)
    none = wilson(0.0, 100)
    assert (none.low, none.high) == pytest.approx((0.0, 0.0370), abs=1e-4)


@given(share=SHARES, n=st.integers(1, 10**6))
def test_an_interval_holds_its_share_and_stays_between_nothing_and_all(share: float, n: int) -> None:
    found = wilson(share, n)
    assert 0.0 <= found.low <= share <= found.high <= 1.0


def test_yes_or_no_counts_as_it_is() -> None:
    outcomes = np.repeat([0.0, 1.0], [60, 40])
    assert estimate(outcomes) == wilson(0.4, 100)


def test_shares_that_hardly_vary_are_surer_than_yes_or_no() -> None:
    rng = np.random.default_rng(0)
    steady = estimate(0.4 + 0.01 * rng.standard_normal(100))
    assert steady.high - steady.low < 0.01


def test_nine_in_ten_intervals_and_more_hold_the_truth() -> None:
    rng = np.random.default_rng(1)
    held = [(found := estimate(rng.binomial(1, 0.1, 200).astype(float))).low <= 0.1 <= found.high for _ in range(400)]
    assert np.mean(held) > 0.92


def test_a_paired_difference_ignores_what_both_share() -> None:
    rng = np.random.default_rng(4)
    luck = rng.random(1000)
    found = paired(luck, luck + 0.01 + 0.001 * rng.standard_normal(1000))
    assert found.low < 0.01 < found.high
    assert found.high - found.low < 0.001
    assert found.p < 1e-10


def test_the_same_squad_is_no_difference() -> None:
    outcomes = np.random.default_rng(3).random(50)
    assert paired(outcomes, outcomes).p == 1.0


def test_holm_counts_the_smallest_most() -> None:
    np.testing.assert_allclose(holm(np.array([0.01, 0.04, 0.03, 0.005])), [0.03, 0.06, 0.06, 0.02])


@given(p=st.lists(SHARES, min_size=1, max_size=20))
def test_holm_never_makes_a_finding_surer(p: list[float]) -> None:
    given_p = np.array(p)
    corrected = holm(given_p)
    assert (corrected >= given_p).all()
    assert (corrected <= 1.0).all()
    assert (np.diff(corrected[np.argsort(given_p, kind="stable")]) >= 0).all()


def test_an_estimate_reads_as_percent_with_its_interval() -> None:
    assert str(wilson(0.5, 100)) == "50.0% (40.4%–59.6%)"
