"""Rules of the ladder of one eleven: following it to the letter earns what it promises."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.armband.captaincy import SETTINGS, Setting, best_armbands, held_value
from models.armband.ladder import Ladder, Rung, best_ladder
from tests.cases.lineups.armband_cases import (
    FORFEITS,
    Man,
    World,
    a_man,
    a_random_table,
    random_elevens,
    small_rounds,
    table_of,
    worlds,
)


def ladder_of(men: list[Man], setting: Setting = "unlimited", forfeit: float = 0.0) -> Ladder:
    return best_ladder(table_of(men), range(len(men)), setting, forfeit=forfeit)


def keeps(rung: Rung, score: int) -> bool:
    return rung.keep_from is None or score >= rung.keep_from


def follow(ladder: Ladder, world: World) -> float:
    """Do what the ladder says in one world, and count the points."""
    played, score = world[ladder.captain.player]
    if played and keeps(ladder.captain, score):
        return score
    wearer = ladder.captain.move_to
    if not played:
        cover = world[ladder.vice.player][1]
        if keeps(ladder.vice, cover):
            return cover
        wearer = ladder.vice.move_to
    later = {rung.player: rung for rung in ladder.later}
    while not keeps(later[wearer], world[wearer][1]):
        wearer = later[wearer].move_to
    return world[wearer][1] - ladder.forfeit


@given(men=small_rounds(), forfeit=FORFEITS)
@pytest.mark.parametrize("setting", SETTINGS)
def test_following_the_rule_earns_its_value(setting: Setting, men: list[Man], forfeit: float) -> None:
    ladder = ladder_of(men, setting, forfeit)
    assert sum(p * follow(ladder, world) for p, world in worlds(men)) == pytest.approx(ladder.value, abs=1e-7)


@given(seed=st.integers(0, 2**32 - 1), forfeit=st.floats(0, 2))
@pytest.mark.parametrize("setting", SETTINGS)
def test_every_move_leads_to_a_later_kickoff(setting: Setting, seed: int, forfeit: float) -> None:
    rng = np.random.default_rng(seed)
    table = a_random_table(rng)
    ladder = best_ladder(table, random_elevens(rng, 1)[0], setting, forfeit=forfeit)
    for rung in (ladder.captain, ladder.vice, *ladder.later):
        assert (rung.move_to is None) == (rung.keep_from is None)
        assert rung.move_to is None or table.slot[rung.move_to] > rung.slot


@given(seed=st.integers(0, 2**32 - 1))
@pytest.mark.parametrize("setting", SETTINGS)
def test_one_eleven_alone_is_worth_what_it_is_among_many(setting: Setting, seed: int) -> None:
    rng = np.random.default_rng(seed)
    table, elevens = a_random_table(rng), random_elevens(rng, 3)
    many = best_armbands(table, elevens, setting, 0.6)
    ladder = best_ladder(table, elevens[1], setting, forfeit=0.6)
    assert (ladder.value, ladder.captain.player) == (many.value[1], many.captain[1])
    assert ladder.held == pytest.approx(held_value(table, many.captain[1], many.vice[1]))


def test_thresholds_fall_from_slot_to_slot() -> None:
    men = [a_man(slot=slot, on1=0.6, on5=0.2, on7=0.1, on12=0.1) for slot in range(4)]
    ladder = ladder_of(men)
    assert ladder.captain.player == 0
    assert [rung.player for rung in ladder.later] == [1, 2, 3]
    # Moving on is worth the last man's mean, 3.5; before him .6·3.5 + 2.9 = 5.0; before that .6·5 + 2.9 = 5.9.
    assert [rung.onward for rung in (ladder.captain, *ladder.later)] == pytest.approx([5.9, 5.0, 3.5, -np.inf])
    assert [rung.keep_from for rung in (ladder.captain, *ladder.later)] == [6, 5, 4, None]


def test_a_forfeit_lowers_the_score_at_which_one_keeps_the_captain() -> None:
    men = [a_man(slot=0, on4=0.5, on9=0.5), a_man(slot=1, on1=0.5, on8=0.5)]
    assert ladder_of(men, forfeit=0.0).captain.keep_from == 5
    assert ladder_of(men, forfeit=0.4).captain.keep_from == 5
    assert ladder_of(men, forfeit=0.6).captain.keep_from is None


def test_a_change_is_paid_once() -> None:
    men = [a_man(slot=slot, on0=0.5, on8=0.5) for slot in range(3)]
    ladder = ladder_of(men, forfeit=1.0)
    assert ladder.captain.onward == pytest.approx(6.0 - 1.0)
    assert ladder.later[0].onward == pytest.approx(4.0)


def test_one_switch_ends_with_the_first_change() -> None:
    men = [a_man(slot=0, on0=0.5, on20=0.5), a_man(slot=1, on0=0.5, on12=0.5), a_man(slot=2, on4=1.0)]
    assert [rung.player for rung in ladder_of(men, "unlimited").later] == [1, 2]
    ladder = ladder_of(men, "one_switch")
    assert [(rung.player, rung.keep_from) for rung in ladder.later] == [(1, None)]
    assert ladder.value == pytest.approx(0.5 * 20 + 0.5 * 6)


def test_locked_never_moves() -> None:
    ladder = ladder_of([a_man(slot=slot, p_play=0.5, on0=0.5, on8=0.5) for slot in range(3)], "locked")
    assert (ladder.later, ladder.captain.keep_from, ladder.vice.keep_from) == ((), None, None)
    assert ladder.value == pytest.approx(ladder.held)


def test_an_absent_captain_is_left_to_a_vice_who_has_hauled() -> None:
    men = [
        a_man(slot=0, on2=0.5, on12=0.5),
        a_man(slot=1, p_play=0.5, on20=1.0),
        a_man(slot=2, on5=1.0),
    ]
    ladder = ladder_of(men)
    assert (ladder.captain.player, ladder.vice.player) == (1, 0)
    assert (ladder.vice.slot, ladder.vice.keep_from, ladder.vice.move_to) == (1, 5, 2)


def test_the_next_man_is_the_vice_because_he_then_costs_no_change() -> None:
    men = [a_man(slot=0, p_play=0.5, on30=1.0)] + [a_man(slot=slot, on0=0.5, on9=0.5) for slot in (1, 2, 3)]
    ladder = ladder_of(men, forfeit=0.5)
    assert (ladder.vice.player, ladder.vice.keep_from, ladder.vice.move_to) == (1, 7, 2)
    assert ladder.value == pytest.approx(0.5 * 30 + 0.5 * (0.5 * 9 + 0.5 * (6.75 - 0.5)))


def test_a_stop_that_cannot_beat_the_next_man_is_skipped() -> None:
    men = [a_man(slot=0, on1=0.5, on20=0.5), a_man(slot=1, on3=1.0), a_man(slot=2, on6=1.0)]
    assert ladder_of(men).captain.move_to == 2
