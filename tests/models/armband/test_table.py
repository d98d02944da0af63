"""Rules of the table behind the armband."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from data.errors import ModelError
from models.armband.table import ArmbandTable
from tests.cases.lineups.armband_cases import GRID, a_random_table


@given(seed=st.integers(0, 2**32 - 1), level=st.floats(-30, 70))
def test_the_expected_maximum_is_exact_between_whole_points(seed: int, level: float) -> None:
    table = a_random_table(np.random.default_rng(seed), players=5)
    direct = (table.pmf * np.maximum(table.grid, level)).sum(axis=1)
    assert table.expected_max(np.arange(5), np.full(5, level)) == pytest.approx(direct, abs=1e-9)


def test_nothing_to_fall_back_on_leaves_the_mean_and_the_surplus_is_what_a_score_adds_to_a_level() -> None:
    table = a_random_table(np.random.default_rng(1), players=4)
    assert table.expected_max(np.arange(4), np.full(4, -np.inf)) == pytest.approx(table.pmf @ GRID)
    assert table.mean == pytest.approx(table.pmf @ GRID)

    direct = (table.pmf * np.maximum(GRID - 3.5, 0)).sum(axis=1)
    assert table.surplus_over(3.5) == pytest.approx(direct, abs=1e-9)


def columns(**changed: Any) -> dict[str, Any]:
    sound = {
        "pmf": np.array([[0.0, 0.4, 0.6], [0.1, 0.2, 0.7]]),
        "grid": np.array([-1, 0, 1]),
        "p_play": np.array([0.7, 1.0]),
        "slot": np.array([0, 1]),
    }
    return sound | changed


def test_sound_columns_make_a_table() -> None:
    table = ArmbandTable(**columns())
    assert table.mean == pytest.approx([0.6, 0.6])
    assert table.absent == pytest.approx([0.3, 0.0])


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"pmf": np.array([[0.0, 0.4, 0.5], [0.1, 0.2, 0.7]])}, "row 0 sums to 0.9"),
        ({"pmf": np.array([[0.0, 0.4, 0.6], [-0.1, 0.4, 0.7]])}, "row 1"),
        ({"pmf": np.array([[0.0, 0.4, 0.6], [np.nan, 0.4, 0.7]])}, "row 1"),
        ({"pmf": np.array([0.4, 0.6, 0.0])}, "shape"),
        ({"pmf": np.empty((0, 3))}, "shape"),
        ({"grid": np.array([-1, 0, 2])}, "consecutive"),
        ({"grid": np.array([1, 2, 3])}, "hold 0"),
        ({"grid": np.array([-1.0, 0.0, 1.0])}, "whole numbers in `grid`"),
        ({"slot": np.array([0.5, 1.0])}, "whole numbers in `slot`"),
        ({"slot": np.array([0, 1, 2])}, "Columns disagree"),
        ({"p_play": np.array([0.5, 1.0])}, "row 0 plays with probability 0.5"),
        ({"p_play": np.array([0.7, 1.2])}, "row 1"),
        ({"p_play": np.array([np.nan, 1.0])}, "row 0"),
    ],
)
def test_unsound_columns_are_refused_by_name(changed: dict[str, Any], message: str) -> None:
    with pytest.raises(ModelError, match=message):
        ArmbandTable(**columns(**changed))
