"""A formation or a captain held: what it costs, what it earns, and the armband under every rule."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from data.errors import InfeasibleError, InputError
from data.rules import CaptaincyMode
from engine.lineup.lineups import best_lineups
from models.armband.captaincy import best_armbands, held_value
from tests.cases.lineups.armband_cases import ALLOWED_CHANGES, a_man, independent_slots, table_of, try_everything
from tests.cases.lineups.drawn_rounds import MODES, SEEDS, USUAL, a_sure_squad, a_world, drawn
from tests.cases.lineups.games import a_game


@pytest.mark.parametrize("number", range(len(USUAL.squad.formations)))
def test_a_formation_can_be_held(number: int) -> None:
    beliefs, squads = drawn(9, 20, p_play=(0.3, 0.7, 0.95, 1.0))
    free, held = best_lineups(beliefs, squads), best_lineups(beliefs, squads, formation=number)
    assert set(held.formation.tolist()) == {number}
    assert np.all(held.expected <= free.expected + 1e-9)
    kept = free.formation == number
    assert np.array_equal(held.starters[kept], free.starters[kept])


@settings(max_examples=8)
@given(seed=SEEDS)
@pytest.mark.parametrize("mode", MODES)
def test_the_best_captain_held_is_the_captain_left_open(mode: CaptaincyMode, seed: int) -> None:
    beliefs, squads = drawn(seed, 5, USUAL.with_captaincy(mode))
    free = best_lineups(beliefs, squads)
    held = [best_lineups(beliefs, squads, captain=captains) for captains in free.starters.T]
    assert np.max([one.expected for one in held], axis=0) == pytest.approx(free.expected, abs=1e-9)
    again = best_lineups(beliefs, squads, captain=free.captain)
    assert np.array_equal(again.vice, free.vice)
    assert all(np.array_equal(one.captain, captains) for one, captains in zip(held, free.starters.T, strict=True))


@settings(max_examples=10)
@given(data=st.data())
@pytest.mark.parametrize("mode", MODES)
def test_a_captain_held_earns_what_trying_every_choice_earns(mode: CaptaincyMode, data: st.DataObject) -> None:
    # Three men can score; the other eight have no match and are all alike. So small a round can be played out in full.
    chance, points = st.sampled_from([0.3, 0.8, 1.0]), st.integers(-2, 9)
    idle = a_man(p_play=0.0, on0=1.0)
    men = [
        a_man(data.draw(st.integers(0, 2)), data.draw(chance), **{f"on{data.draw(points)}": 0.5, "on12": 0.5})
        for _ in range(3)
    ]
    table, slots = table_of([*men, *[idle] * 8]), independent_slots([*men, idle])
    rules = a_game(["4-4-2"], shape=(1, 4, 4, 2)).with_captaincy(mode)
    beliefs = a_world(rules, np.array([0, 3, 3, 1, 1, 1, 1, 2, 2, 2, 2]), table)
    for captain in range(3):
        uplift = best_lineups(beliefs, [list(range(11))], captain=captain).captaincy_uplift[0]
        vices = set(range(4)) - {captain}
        tried = [try_everything(slots, captain, vice, ALLOWED_CHANGES[mode.value], 0.0) for vice in vices]
        assert uplift == pytest.approx(max(tried), abs=1e-9)


def test_a_captain_held_starts_whatever_it_costs() -> None:
    beliefs, squads = drawn(10, 15)
    free = best_lineups(beliefs, squads)
    for captains in free.bench.T:
        held = best_lineups(beliefs, squads, captain=captains)
        assert (held.starters == captains[:, None]).any(axis=1).all()
        assert np.array_equal(held.captain, captains)
        assert np.all(held.expected <= free.expected + 1e-9)


def test_some_captains_may_be_held_and_others_left_open() -> None:
    beliefs, squads = drawn(11, 6)
    free = best_lineups(beliefs, squads)
    captains = np.where(np.arange(6) % 2, free.starters[:, 3], -1)
    mixed = best_lineups(beliefs, squads, captain=captains)
    assert np.array_equal(mixed.captain, np.where(captains >= 0, captains, free.captain))
    assert mixed.captaincy_uplift[::2] == pytest.approx(free.captaincy_uplift[::2], abs=1e-9)
    assert np.array_equal(mixed.vice[::2], free.vice[::2])


def test_every_further_copy_pays_and_shares_the_forfeit() -> None:
    beliefs, squads = drawn(12, 20, a_game(captaincy={"multiplier": 3}))
    best = best_lineups(beliefs, squads)
    single = best_armbands(beliefs.armband, best.starters, "unlimited", best.forfeit / 2)
    assert best.forfeit.any()
    assert best.captaincy_uplift == pytest.approx(2 * single.value)


def test_an_armband_that_multiplies_by_one_adds_nothing() -> None:
    beliefs, squads = drawn(13, 5, a_game(captaincy={"multiplier": 1}))
    assert not best_lineups(beliefs, squads).captaincy_uplift.any()


@pytest.mark.parametrize("mode", MODES)
def test_without_vice_cover_nobody_stands_behind_the_captain(mode: CaptaincyMode) -> None:
    beliefs, squads = drawn(14, 20, a_game(captaincy={"mode": mode, "vice_covers": False}))
    best = best_lineups(beliefs, squads)
    covered = best_lineups(SimpleNamespace(**{**vars(beliefs), "rules": USUAL.with_captaincy(mode)}), squads)
    assert set(best.vice.tolist()) == {-1}
    assert np.all(best.expected <= covered.expected + 1e-9)
    held = [held_value(beliefs.armband, int(captain)) for captain in best.captain]
    assert np.all(best.captaincy_uplift >= np.array(held) - 1e-9)
    if mode is CaptaincyMode.LOCKED:
        assert best.captaincy_uplift == pytest.approx(beliefs.xev[best.starters].max(axis=1))


@pytest.mark.parametrize(
    ("locks", "error", "message"),
    [
        ({"formation": 2}, InputError, "no formation 2"),
        ({"captain": 40}, InputError, "does not hold the captain"),
        ({"captain": [1, 2]}, InputError, "one per squad"),
        ({"formation": 0, "captain": 14}, InfeasibleError, "A FWD cannot start under 5-5-0"),
    ],
)
def test_locks_no_line_up_can_fulfil_are_refused(locks: dict[str, Any], error: type[Exception], message: str) -> None:
    beliefs, squads = a_sure_squad(["5-5-0", "4-4-2"]), [list(range(15))]
    with pytest.raises(error, match=message):
        best_lineups(beliefs, squads, **locks)
    assert best_lineups(beliefs, squads, captain=14).formation.tolist() == [1]
