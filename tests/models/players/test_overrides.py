"""Rules of the user's own figures: a bad one is refused by player and column, a good one moves the distribution."""

from __future__ import annotations

from contextlib import suppress

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from data.errors import InputError
from models.players.overrides import LIMITS, OVERRIDE_LINE, Overrides, chance_after, read_overrides, tilted
from models.players.points import GRID, PointDistributions
from tests.cases.small_world import own_table

IDS = np.array([7, 3, 11, 5])
NIL = int(np.flatnonzero(GRID == 0)[0])


def some_points() -> PointDistributions:
    """A regular, a reserve, one who always has two points, and one without a match."""
    mass = np.zeros((4, len(GRID)))
    mass[0, NIL - 2 : NIL + 16] = np.exp(-0.2 * np.arange(18))
    mass[1, [NIL, NIL + 1, NIL + 6]] = [0.7, 0.25, 0.05]
    mass[2, NIL + 2] = 1.0
    mass[3, NIL] = 1.0
    mass /= mass.sum(axis=1, keepdims=True)
    return PointDistributions(mass, {"appearance": mass @ GRID})


def test_no_table_says_nothing() -> None:
    nothing = read_overrides(None, IDS)
    belief = np.arange(4.0)
    assert nothing.over("xev", belief) is belief
    assert not nothing.given("xev").any()
    assert nothing.given("xev").shape == (4,)
    assert nothing.notes == ()
    assert Overrides(3).given("p_start").tolist() == [False, False, False]


def test_values_stand_beside_their_players_and_a_column_that_was_not_given_leaves_the_belief() -> None:
    given_ = read_overrides(own_table("xev", {11: 4.5, 7: -1.0}), IDS)
    assert given_.given("xev").tolist() == [True, False, True, False]
    assert given_.over("xev", np.zeros(4)).tolist() == [-1.0, 0.0, 4.5, 0.0]

    assert given_.given("owned").tolist() == [False] * 4
    assert given_.over("owned", np.full(4, 0.2)).tolist() == [0.2] * 4


@pytest.mark.parametrize(
    ("column", "value", "shown"),
    [
        ("xev", 10_000.0, "10000.0; a number from -20 to 60"),
        ("xev", -21.0, "-21.0"),
        ("xev", np.inf, "inf"),
        ("xev", "many", "'many'"),
        ("ceiling", 81, "81"),
        ("floor", "–", "'–'"),
        ("p_start", -0.1, "-0.1; a number from 0 to 1"),
    ],
)
def test_a_senseless_value_is_refused_by_player_and_column(column: str, value: object, shown: str) -> None:
    with pytest.raises(InputError, match=f"Your {column} of player 3 is {shown}"):
        read_overrides(own_table(column, {11: 1, 3: value}), IDS)


@pytest.mark.parametrize("column", ["owned", "captain_share", "p_start"])
def test_percent_is_refused_with_the_way_out(column: str) -> None:
    with pytest.raises(InputError, match=rf"Your {column} of player 5 is 35\.0.*Percent\? Divide by 100"):
        read_overrides(own_table(column, {5: 35.0}), IDS)


def test_an_empty_cell_keeps_the_models_value_and_says_so() -> None:
    given_ = read_overrides(own_table("xev", {11: 4.5, 3: np.nan, 5: None}), IDS)
    assert given_.given("xev").tolist() == [False, False, True, False]
    assert given_.notes == ("Your xev is empty for 2 of 3 players: the model's is kept.",)


def test_numbers_written_as_text_are_numbers() -> None:
    assert read_overrides(own_table("xev", {11: "4.5"}), IDS).columns["xev"][2] == 4.5


def test_a_stranger_is_refused() -> None:
    with pytest.raises(InputError, match="names player 99, who cannot be picked"):
        read_overrides(own_table("xev", {99: 4.0, 7: 3.0}), IDS)


def test_a_table_by_name_instead_of_id_is_refused() -> None:
    with pytest.raises(InputError, match="names player Kane"):
        read_overrides(pd.DataFrame({"xev": [4.0, 5.0]}, index=["Kane", 7]), IDS)


def test_a_player_named_twice_is_refused() -> None:
    with pytest.raises(InputError, match="names player 7 more than once"):
        read_overrides(pd.DataFrame({"xev": [4.0, 5.0]}, index=[7, 7]), IDS)


def test_a_table_without_a_known_column_is_refused_with_the_known_ones() -> None:
    with pytest.raises(InputError, match="none of the columns xev, ceiling, floor, owned"):
        read_overrides(own_table("xEV", {7: 4.0}), IDS)


@given(
    st.sampled_from(sorted(LIMITS)),
    st.one_of(st.floats(), st.text(max_size=5), st.none(), st.integers(), st.booleans()),
)
def test_any_cell_is_a_number_within_limits_or_an_input_error(column: str, value: object) -> None:
    with suppress(InputError):
        given_ = read_overrides(own_table(column, {11: value}), IDS)
        low, high = LIMITS[column]
        read = given_.columns[column][given_.given(column)]
        assert ((low <= read) & (read <= high)).all()


@given(st.floats(-1.5, 14.5))
def test_a_tilt_reaches_the_wanted_mean_and_makes_nothing_impossible_possible(wanted: float) -> None:
    points = some_points()
    moved, stuck = tilted(points, np.array([wanted, np.nan, np.nan, np.nan]))
    assert not stuck.any()
    assert moved.mean[0] == pytest.approx(wanted, abs=1e-6)
    assert (moved.mass[points.mass == 0] == 0).all()
    np.testing.assert_array_equal(moved.mass[1:], points.mass[1:])


@given(st.floats(-20, 60), st.floats(-20, 60))
def test_lines_sum_to_the_mean_whatever_was_wanted(one: float, other: float) -> None:
    moved, stuck = tilted(some_points(), np.array([one, other, 2.0, np.nan]))
    np.testing.assert_allclose(sum(moved.lines.values()), moved.mean, atol=1e-9)
    reached = np.abs(moved.mean - [one, other, 2.0, 0.0]) <= 1e-6
    assert (reached | stuck).all()
    assert (moved.mass[stuck] == some_points().mass[stuck]).all()


def test_the_difference_is_a_line_of_its_own() -> None:
    points = some_points()
    moved, _ = tilted(points, np.array([8.0, np.nan, np.nan, np.nan]))
    assert moved.lines[OVERRIDE_LINE][0] == pytest.approx(8.0 - points.mean[0])
    assert (moved.lines[OVERRIDE_LINE][1:] == 0).all()
    np.testing.assert_array_equal(moved.lines["appearance"], points.lines["appearance"])


def test_a_higher_mean_moves_every_quantile_up() -> None:
    points = some_points()
    moved, _ = tilted(points, points.mean + np.array([3.0, 1.0, np.nan, np.nan]))
    assert moved.ceiling[0] > points.ceiling[0]
    assert (np.cumsum(moved.mass[:2], axis=1) <= np.cumsum(points.mass[:2], axis=1) + 1e-12).all()


def test_who_cannot_score_so_much_is_left_and_named_but_nothing_of_a_man_without_a_match_is_right() -> None:
    points = some_points()
    moved, stuck = tilted(points, np.array([59.0, 6.5, 3.0, 4.0]))
    assert stuck.tolist() == [True, True, True, True]
    np.testing.assert_array_equal(moved.mass, points.mass)

    assert not tilted(points, np.array([np.nan, np.nan, 2.0, 0.0]))[1].any()


def test_rounding_is_not_made_likely() -> None:
    points = some_points()
    mass = points.mass + np.where(points.mass == 0, 1e-18, 0.0)
    moved, stuck = tilted(PointDistributions(mass, points.lines), np.array([14.0, 30.0, np.nan, np.nan]))
    assert stuck.tolist() == [False, True, False, False]
    assert moved.mass[0, NIL + 16 :].sum() < 1e-9


def test_absence_shrinks_as_the_mass_at_nought_does() -> None:
    points = some_points()
    plays = np.array([0.95, 0.35, 1.0, 0.0])
    moved, _ = tilted(points, np.array([6.0, 3.0, np.nan, np.nan]))
    after = chance_after(points, moved, plays)
    assert (after[:2] > plays[:2]).all()
    assert after[2:].tolist() == [1.0, 0.0]
    assert (moved.mass[:, NIL] >= 1 - after - 1e-12).all()


@given(st.floats(-1, 5.5), st.floats(0.3, 1.0))
def test_a_tilt_never_leaves_less_mass_at_nought_than_absence_needs(wanted: float, plays: float) -> None:
    points = some_points()
    moved, _ = tilted(points, np.array([np.nan, wanted, np.nan, np.nan]))
    after = chance_after(points, moved, np.array([1.0, plays, 1.0, 0.0]))
    assert moved.mass[1, NIL] >= 1 - after[1] - 1e-12
    assert 0 <= after[1] <= 1
