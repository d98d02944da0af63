"""Finite everywhere, an error where a live value is not."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from data.errors import SpecError
from engine.language.arithmetic import AGGREGATES, aggregated, applied, counts, settled
from engine.language.syntax import SpecSource, Spot

SPOT = Spot(SpecSource("t.fitness", "a / b"), 1, 3)
ONES = np.ones((2, 1))
ZERO_SECOND = np.array([[1.0], [0.0]])


def test_a_dead_place_may_divide_by_zero_and_reads_zero() -> None:
    live = np.array([[True], [False]])
    assert applied(np.divide, (ONES, ZERO_SECOND), live, SPOT).tolist() == [[1.0], [0.0]]


def test_a_live_place_may_not() -> None:
    with pytest.raises(SpecError, match=r"t\.fitness:1:3: Division by zero for 1 of 2 squads, the first is number 1"):
        applied(np.divide, (ONES, ZERO_SECOND), np.ones((2, 1), dtype=bool), SPOT)


def test_a_figure_that_all_share_names_no_squad() -> None:
    with pytest.raises(SpecError, match=r"Division by zero\.\n"):
        applied(np.divide, (np.asarray(1.0), np.asarray(0.0)), np.asarray(True), SPOT)


@pytest.mark.parametrize(
    ("function", "operands", "words"),
    [
        (np.multiply, (1e200, 1e200), "too large"),
        (np.add, (1.7e308, 1.7e308), "too large"),
        (np.divide, (1e300, 1e-300), "too large"),
        (np.divide, (0.0, 0.0), "Division by zero"),
        (np.sqrt, (-1.0,), "Square root of a negative"),
    ],
)
def test_faults_are_told_apart(function: np.ufunc, operands: tuple[float, ...], words: str) -> None:
    with pytest.raises(SpecError, match=words):
        applied(function, tuple(np.full((1, 1), one) for one in operands), np.ones((1, 1), dtype=bool), SPOT)


def test_what_is_too_small_reads_zero() -> None:
    assert applied(np.multiply, (np.asarray(1e-200), np.asarray(1e-200)), np.asarray(True), SPOT) == 0.0


def test_only_live_gaps_are_faults() -> None:
    gaps = np.array([[np.nan, 1.0]])
    assert settled(gaps, np.array([[False, True]]), SPOT, "Gap").tolist() == [[0.0, 1.0]]
    with pytest.raises(SpecError, match="Gap for 1 of 1 squads"):
        settled(gaps, np.array([[True, True]]), SPOT, "Gap")


COLUMNS = hnp.array_shapes(min_dims=2, max_dims=2, min_side=0, max_side=6)


@given(st.data(), COLUMNS, st.sampled_from(sorted(AGGREGATES)))
def test_aggregates_equal_their_plain_form(data: st.DataObject, shape: tuple[int, int], kind: str) -> None:
    values = data.draw(hnp.arrays(np.float64, shape, elements=st.floats(-1e6, 1e6)))
    mask = data.draw(hnp.arrays(np.bool_, shape))
    plain = {"sum": sum, "min": min, "max": max, "avg": lambda row: sum(row) / len(row)}[kind]
    rows = [row[kept].tolist() for row, kept in zip(values, mask, strict=True)]
    expected = [plain(row) if row else 0.0 for row in rows]
    result = aggregated(kind, values, mask, np.ones((shape[0], 1), dtype=bool), SPOT)
    np.testing.assert_allclose(result[:, 0], expected, rtol=1e-9, atol=1e-6)
    assert counts(mask).tolist() == [len(row) for row in rows]


def test_a_sum_that_overflows_is_a_fault_only_where_it_counts() -> None:
    values, mask = np.full((1, 2), 1.7e308), np.ones((1, 2), dtype=bool)
    with pytest.raises(SpecError, match="too large"):
        aggregated("sum", values, mask, np.array([[True]]), SPOT)
    assert aggregated("sum", values, mask, np.array([[False]]), SPOT).tolist() == [[0.0]]
