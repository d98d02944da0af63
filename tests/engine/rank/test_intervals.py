"""How sure a simulated figure is."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.rank.intervals import estimate, holm, paired, paired_over_runs, wilson

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


def test_runs_that_agree_add_no_doubt() -> None:
    rng = np.random.default_rng(5)
    first, second = rng.random(2000), rng.random(2000)
    one, many = paired(first, second), paired_over_runs(np.tile(first, (8, 1)), np.tile(second, (8, 1)))
    assert (many.value, many.low, many.high) == pytest.approx((one.value, one.low, one.high), abs=1e-4)
    assert paired_over_runs(first[None, :], second[None, :]).value == pytest.approx(one.value)


def test_runs_that_differ_decide_by_students_t() -> None:
    by_run = np.array([1.0, 2.0, 3.0, 4.0])
    found = paired_over_runs(np.zeros((1, 50)), np.repeat(by_run[:, None], 50, axis=1))
    half = 3.1824 * by_run.std(ddof=1) / 2
    assert (found.value, found.low, found.high) == pytest.approx((2.5, 2.5 - half, 2.5 + half), abs=1e-3)
    assert found.p == pytest.approx(0.0305, abs=1e-3)


def test_nine_in_ten_intervals_over_runs_and_more_hold_the_truth() -> None:
    rng = np.random.default_rng(6)
    held = []
    for _ in range(400):
        gaps = 1.0 + rng.standard_normal((8, 1)) + 3.0 * rng.standard_normal((1, 100))
        found = paired_over_runs(np.zeros(gaps.shape), gaps)
        held.append(found.low <= 1.0 <= found.high)
    assert 0.92 < np.mean(held) < 0.98


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
