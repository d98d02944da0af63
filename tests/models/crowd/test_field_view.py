"""Rules of what the field looks at: units are checked aloud."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from pydantic import ValidationError

from data.errors import ModelError
from models.crowd.field_view import FieldView, OwnershipSettings, check_owned_sums, checked_captain_share
from tests.cases.field_cases import POSITION, SHAPE, a_view, with_row

SETTINGS = OwnershipSettings()
PLAYERS = len(POSITION)


def test_percent_is_refused_and_named() -> None:
    with pytest.raises(ModelError, match=r"owned reaches 25 and sums to 1500.*percent: divide by 100"):
        a_view(owned=np.full(PLAYERS, 25.0))


@pytest.mark.parametrize(("factor", "found"), [(0.2, "3"), (0.0, "0"), (1.5, "22.5")])
def test_a_sum_far_from_fifteen_is_refused_with_the_sum(factor: float, found: str) -> None:
    view = a_view(owned=np.full(PLAYERS, 0.25 * factor))
    with pytest.raises(ModelError, match=rf"owned sums to {found}, but managers own 15 .*every player of the pool"):
        check_owned_sums(view, SHAPE, SETTINGS)


def test_a_position_far_from_its_places_is_refused_by_name() -> None:
    view = a_view(owned=np.where(POSITION == 0, 0.25 * 0.5, 0.25))
    with pytest.raises(ModelError, match="owned sums to 1 over GK, but every squad has 2"):
        check_owned_sums(view, SHAPE, SETTINGS)


def test_a_small_gap_is_noted_and_no_gap_is_not() -> None:
    (note,) = check_owned_sums(a_view(owned=np.full(PLAYERS, 0.249)), SHAPE, SETTINGS)
    assert "14.94 instead of 15" in note
    assert check_owned_sums(a_view(), SHAPE, SETTINGS) == ()


@pytest.mark.parametrize(
    ("column", "value", "message"),
    [
        ("owned", np.nan, "owned of player row 7 is nan"),
        ("owned", -0.1, "owned of player row 7 is -0.1"),
        ("p_start", 1.2, "p_start of player row 7 is 1.2; a share lies between 0 and 1"),
        ("xev", np.inf, "xev of player row 7 is inf"),
        ("ceiling", np.nan, "ceiling of player row 7 is nan"),
        ("position", 4, "position of player row 7 is 4; 0..3 stand for GK, DEF, MID, FWD"),
    ],
)
def test_a_bad_cell_is_named(column: str, value: float, message: str) -> None:
    with pytest.raises(ModelError, match=message.replace(".", r"\.")):
        a_view(**{column: with_row(getattr(a_view(), column), 7, value)})


@pytest.mark.parametrize("columns", [{"xev": np.ones(3)}, {"owned": np.ones((PLAYERS, 1))}])
def test_columns_of_another_length_are_refused(columns: dict[str, Any]) -> None:
    with pytest.raises(ModelError, match="one entry per player"):
        a_view(**columns)


def test_an_empty_pool_is_refused() -> None:
    empty = np.zeros(0)
    with pytest.raises(ModelError, match="one entry per player"):
        FieldView(owned=empty, position=empty, p_start=empty, xev=empty, ceiling=empty, price=empty)


def test_captain_shares_a_little_off_are_scaled_and_noted() -> None:
    share, (note,) = checked_captain_share(np.full(PLAYERS, 0.97 / PLAYERS), PLAYERS, SETTINGS)
    assert share.sum() == pytest.approx(1, abs=1e-12)
    assert "0.970 instead of 1" in note
    assert checked_captain_share(share, PLAYERS, SETTINGS)[1] == ()


@pytest.mark.parametrize(
    ("share", "message"),
    [
        (np.ones(3) / 3, "shape"),
        (with_row(np.zeros(PLAYERS), 2, np.nan), "row 2 is nan"),
        (-np.ones(PLAYERS), "row 0"),
        (np.full(PLAYERS, 100 / PLAYERS), r"captain_share sums to 100.*percent: divide by 100"),
        (np.full(PLAYERS, 0.4 / PLAYERS), r"captain_share sums to 0\.4, .*not for some of them"),
    ],
)
def test_captain_shares_that_are_none_or_percent_or_of_a_part_of_the_field_are_refused(
    share: np.ndarray, message: str
) -> None:
    with pytest.raises(ModelError, match=message):
        checked_captain_share(share, PLAYERS, SETTINGS)


@pytest.mark.parametrize(
    "changed", [{"start_per_point": 0.0}, {"captain_per_point": np.nan}, {"template_eo": 15}, {"rare_eo": 0.1}]
)
def test_settings_that_contradict_are_refused(changed: dict[str, float]) -> None:
    with pytest.raises((ModelError, ValidationError), match=next(iter(changed))):
        OwnershipSettings(**changed)
