"""A manager's own figures: used, marked and shown as a line; what no match makes possible is refused or named."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from data.errors import InputError, ModelError
from models.players.overrides import OVERRIDE_LINE
from models.signals import build_signals
from tests.cases.small_world import (
    BLANK,
    CLUBS,
    own_table,
    player_of,
    quick_settings,
    small_cup,
    small_league,
    with_status,
)
from tests.cases.sound_signals import LEAGUE, RESERVE, STAR, assert_sound, cup_signals, usual
from tests.conftest import SOAKING


def test_an_own_projection_is_used_marked_and_shown_as_a_line() -> None:
    signals = cup_signals(overrides=own_table("xev", {STAR: 9.5, RESERVE: 0.1}))
    assert_sound(signals)
    star = signals.row_of(STAR)
    assert signals.xev[star] == pytest.approx(9.5, abs=1e-6)
    assert signals.points.lines[OVERRIDE_LINE][star] == pytest.approx(9.5 - usual().xev[star], abs=1e-6)
    assert set(signals.overridden) == {"xev"}
    assert set(signals.player_id[signals.overridden["xev"]]) == {STAR, RESERVE}
    others = ~signals.overridden["xev"]
    assert signals.xev[others].tobytes() == usual().xev[others].tobytes()
    assert signals.ceiling[star] > usual().ceiling[star]


@settings(max_examples=100 if SOAKING else 4)
@given(st.dictionaries(st.sampled_from(usual().player_id.tolist()), st.floats(-20, 60), min_size=1, max_size=12))
def test_any_own_projections_within_the_limits_leave_the_signals_sound(wanted: dict[int, float]) -> None:
    signals = cup_signals(overrides=own_table("xev", dict(wanted)))
    assert_sound(signals)
    for player, xev in wanted.items():
        row = signals.row_of(player)
        used = abs(signals.xev[row] - xev) <= 1e-6
        assert used or any("not used" in note and signals.name[row] in note for note in signals.notes)


@pytest.mark.parametrize(("column", "value"), [("xev", 4.0), ("p_start", 0.5), ("ceiling", 9.0), ("floor", 0.0)])
@pytest.mark.daily("p_start")
def test_a_table_of_all_players_is_sound(column: str, value: float) -> None:
    signals = cup_signals(overrides=own_table(column, dict.fromkeys(usual().player_id.tolist(), value)))
    assert_sound(signals)
    assert signals.overridden[column].all()


def test_own_ceiling_and_floor_replace_ours() -> None:
    both = own_table("ceiling", {STAR: 17.5}).assign(floor=1.5)
    signals = cup_signals(overrides=both)
    assert signals.ceiling[signals.row_of(STAR)] == 17.5
    assert signals.floor[signals.row_of(STAR)] == 1.5
    assert signals.xev.tobytes() == usual().xev.tobytes()


def test_an_own_start_moves_the_points() -> None:
    signals = cup_signals(overrides=own_table("p_start", {RESERVE: 0.95}))
    row = signals.row_of(RESERVE)
    assert signals.start[row] == 0.95
    assert signals.xev[row] > usual().xev[row] + 1


def test_a_manager_may_know_that_a_suspended_man_plays_and_one_start_leaves_the_others_as_they_were() -> None:
    world, row = with_status(small_cup(), STAR, "suspended"), usual().row_of(STAR)
    signals = cup_signals(world, overrides=own_table("p_start", {STAR: 0.9}))
    assert signals.start[row] == 0.9
    assert signals.xev[row] > 0.9 * usual().xev[row]
    other = cup_signals(world, overrides=own_table("p_start", {RESERVE: 0.5}))
    assert other.p_play[row] == pytest.approx(cup_signals(world).p_play[row])


def test_own_captain_shares_replace_the_estimate() -> None:
    signals = cup_signals(overrides=own_table("captain_share", {STAR: 0.7, player_of("B1", "FWD"): 0.3}))
    assert signals.exposure.captained[signals.row_of(STAR)] == pytest.approx(0.7)
    assert signals.exposure.captained.sum() == pytest.approx(1.0)


def test_captain_shares_that_lack_most_armbands_are_refused() -> None:
    with pytest.raises(ModelError, match=r"captain_share sums to 0\.3, but every manager gives one armband"):
        cup_signals(overrides=own_table("captain_share", {STAR: 0.3}))


def test_own_ownership_is_marked_and_scaled_aloud() -> None:
    owned = min(1.0, float(usual().owned[usual().row_of(STAR)]) + 0.2)
    signals = cup_signals(overrides=own_table("owned", {STAR: owned}))
    assert signals.overridden["owned"].sum() == 1
    assert signals.owned[signals.row_of(STAR)] > usual().owned[usual().row_of(STAR)]
    assert any("Ownership sums to" in note for note in signals.notes)


# Bad input


def test_a_nan_projection_keeps_ours_and_says_so() -> None:
    signals = cup_signals(overrides=own_table("xev", {STAR: np.nan, RESERVE: 2.0}))
    assert_sound(signals)
    assert signals.xev[signals.row_of(STAR)] == usual().xev[usual().row_of(STAR)]
    assert not signals.overridden["xev"][signals.row_of(STAR)]
    assert "Your xev is empty for 1 of 2 players: the model's is kept." in signals.notes


@pytest.mark.parametrize("value", [10_000, -10_000, np.inf, "many"])
def test_an_absurd_projection_is_refused_by_player(value: object) -> None:
    with pytest.raises(InputError, match=f"Your xev of player {STAR} is .*a number from -20 to 60"):
        cup_signals(overrides=own_table("xev", {STAR: value}))


def test_a_projection_nobody_can_reach_is_not_used_and_named() -> None:
    signals = cup_signals(overrides=own_table("xev", {STAR: 59.0}))
    assert_sound(signals)
    assert signals.xev[signals.row_of(STAR)] == pytest.approx(usual().xev[usual().row_of(STAR)])
    (note,) = [note for note in signals.notes if "not used" in note]
    assert signals.name[signals.row_of(STAR)] in note


def test_a_projection_for_a_man_without_a_match_is_not_used_but_nought_is_right() -> None:
    star, keeper = player_of("LIV", "FWD", 0, CLUBS), player_of("FUL", "GK", 0, CLUBS)
    overrides = own_table("xev", {star: 6.0, keeper: 0.0})
    signals = build_signals(small_league().at(BLANK), LEAGUE, quick_settings(LEAGUE), overrides=overrides)
    assert_sound(signals)
    (note,) = [note for note in signals.notes if "not used" in note]
    assert signals.name[signals.row_of(star)] in note
    assert signals.name[signals.row_of(keeper)] not in note


def test_own_ownership_in_percent_is_refused_and_named() -> None:
    with pytest.raises(InputError, match=r"Your owned of player .* is 35\.0.*Percent\? Divide by 100"):
        cup_signals(overrides=own_table("owned", {STAR: 35.0}))
