"""Rules of the armband: three settings, Maximum Captain, and the bound above them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from data.errors import ModelError
from models.armband.captaincy import SETTINGS, best_armbands, held_value, maximum_captain, tightest_level
from models.armband.table import ArmbandTable
from tests.cases.lineups.armband_cases import (
    ALLOWED_CHANGES,
    FORFEITS,
    GRID,
    Man,
    a_man,
    a_random_table,
    best_by_trying,
    independent_slots,
    random_elevens,
    small_rounds,
    table_of,
    try_everything,
    worlds,
)

SEEDS = st.integers(0, 2**32 - 1)


def everyone(men: list[Man]) -> list[list[int]]:
    return [list(range(len(men)))]


def value_of(men: list[Man], setting: str, forfeit: float = 0.0) -> float:
    return float(best_armbands(table_of(men), everyone(men), setting, forfeit).value[0])


@given(men=small_rounds(), forfeit=FORFEITS)
@pytest.mark.parametrize("setting", SETTINGS)
def test_the_value_equals_trying_every_choice(setting: str, men: list[Man], forfeit: float) -> None:
    assert value_of(men, setting, forfeit) == pytest.approx(best_by_trying(men, setting, forfeit), abs=1e-9)


@pytest.mark.parametrize("setting", SETTINGS)
@pytest.mark.parametrize("forfeit", [0.0, 0.6])
def test_five_players_in_three_slots_equal_trying_every_choice(setting: str, forfeit: float) -> None:
    men = [
        a_man(slot=0, p_play=0.75, on2=0.6, on9=0.4),
        a_man(slot=1, p_play=0.9, on1=0.5, on12=0.5),
        a_man(slot=1, on2=0.5, on6=0.5),
        a_man(slot=2, p_play=0.5, on3=0.3, on10=0.7),
        a_man(slot=2, on4=1.0),
    ]
    assert value_of(men, setting, forfeit) == pytest.approx(best_by_trying(men, setting, forfeit), abs=1e-12)


@given(men=small_rounds(), forfeit=FORFEITS)
@pytest.mark.parametrize("setting", SETTINGS)
def test_the_named_pair_earns_the_value(setting: str, men: list[Man], forfeit: float) -> None:
    best = best_armbands(table_of(men), everyone(men), setting, forfeit)
    pair = int(best.captain[0]), int(best.vice[0])
    earned = try_everything(independent_slots(men), *pair, ALLOWED_CHANGES[setting], forfeit)
    assert pair[0] != pair[1]
    assert earned == pytest.approx(best.value[0], abs=1e-8)


@given(seed=SEEDS, forfeit=st.floats(0, 3))
def test_more_freedom_is_never_worth_less(seed: int, forfeit: float) -> None:
    rng = np.random.default_rng(seed)
    table, elevens = a_random_table(rng, slots=int(rng.integers(1, 15))), random_elevens(rng, 50)
    locked, one_switch, unlimited = (
        best_armbands(table, elevens, setting, forfeit).value for setting in ("locked", "one_switch", "unlimited")
    )
    assert np.all(locked <= one_switch + 1e-9)
    assert np.all(one_switch <= unlimited + 1e-9)
    assert np.all(unlimited <= maximum_captain(table, elevens) + 1e-9)


def summed(table: ArmbandTable, elevens: np.ndarray, level: float) -> np.ndarray:
    """Return level + Σ E[(score − level)+] of each eleven."""
    return level + table.surplus_over(level)[elevens].sum(axis=1)


@given(seed=SEEDS, level=st.floats(-20, 60))
def test_the_bound_holds_at_any_level(seed: int, level: float) -> None:
    rng = np.random.default_rng(seed)
    table, elevens = a_random_table(rng), random_elevens(rng, 20)
    assert np.all(maximum_captain(table, elevens) <= summed(table, elevens, level) + 1e-9)


def test_the_tightest_bound_stands_at_a_whole_point() -> None:
    rng = np.random.default_rng(3)
    table, elevens = a_random_table(rng), random_elevens(rng, 5)
    whole = [summed(table, eleven[None], tightest_level(table, eleven))[0] for eleven in elevens]
    between = np.min([summed(table, elevens, level) for level in np.arange(0, 40, 0.13)], axis=0)
    assert np.all(whole <= between + 1e-9)
    assert np.all(whole < maximum_captain(table, elevens) * 1.6)


@given(men=small_rounds())
def test_maximum_captain_is_the_mean_of_the_best_score(men: list[Man]) -> None:
    best = sum(p * max(score for _, score in world.values()) for p, world in worlds(men))
    assert maximum_captain(table_of(men), everyone(men))[0] == pytest.approx(best, abs=1e-12)


@given(seed=SEEDS, forfeit=st.floats(0, 4))
@pytest.mark.parametrize("setting", SETTINGS)
def test_a_costlier_change_never_helps(setting: str, seed: int, forfeit: float) -> None:
    rng = np.random.default_rng(seed)
    table, elevens = a_random_table(rng), random_elevens(rng, 20)
    free, charged = (best_armbands(table, elevens, setting, cost).value for cost in (0.0, forfeit))
    assert np.all(charged <= free + 1e-9)
    assert np.all(charged >= best_armbands(table, elevens, "locked").value - 1e-9)


@pytest.mark.parametrize(("slots", "forfeit"), [(12, 100.0), (1, 0.0)], ids=["a forfeit nobody pays", "one kick-off"])
@pytest.mark.parametrize("setting", SETTINGS)
def test_without_a_change_worth_making_the_armband_is_as_good_as_locked(
    setting: str, slots: int, forfeit: float
) -> None:
    rng = np.random.default_rng(8)
    table, elevens = a_random_table(rng, slots=slots), random_elevens(rng, 30)
    locked = best_armbands(table, elevens, "locked").value
    assert best_armbands(table, elevens, setting, forfeit).value == pytest.approx(locked, abs=1e-9)


def test_locked_adds_the_vice_only_when_the_captain_is_absent() -> None:
    men = [a_man(p_play=0.8, on10=1.0), a_man(on5=1.0), a_man(on1=1.0)]
    best = best_armbands(table_of(men), everyone(men), "locked")
    assert (best.captain[0], best.vice[0]) == (0, 1)
    assert best.value[0] == pytest.approx(0.8 * 10 + 0.2 * 5)


def test_the_last_man_is_held_even_below_zero() -> None:
    men = [a_man(slot=0, on9=0.5, **{"on-1": 0.5}), a_man(slot=1, on4=0.5, **{"on-2": 0.5})]
    assert value_of(men, "unlimited") == pytest.approx(0.5 * 9 + 0.5 * 1)


def test_an_absent_captain_is_covered_without_paying_the_forfeit() -> None:
    men = [a_man(slot=0, p_play=0.5, on8=1.0), a_man(slot=1, on6=1.0)]
    assert value_of(men, "unlimited", forfeit=2.0) == pytest.approx(0.5 * 8 + 0.5 * 6)


def test_nobody_covers_a_wearer_after_a_change() -> None:
    men = [a_man(slot=0, on1=0.5, on9=0.5), a_man(slot=1, p_play=0.5, on8=1.0), a_man(slot=1, on3=1.0)]
    # Captain 0 falls to 1: the next man is worth his own mean of 4, without the 1.5 a vice would add.
    assert value_of(men, "unlimited") == pytest.approx(0.5 * 9 + 0.5 * 4)
    assert value_of(men, "locked") == pytest.approx(0.5 * 8 + 0.5 * 5)


def test_team_mates_who_move_together_do_not_change_the_ladder() -> None:
    men = [a_man(slot=slot, on1=0.5, on9=0.5) for slot in (0, 0, 1, 1)]
    together = [[(0.5, dict.fromkeys(rows, (True, score))) for score in (1, 9)] for rows in ((0, 1), (2, 3))]
    assert try_everything(together, 0, 2, 9, 0.3) == pytest.approx(value_of(men, "unlimited", 0.3))


def test_many_elevens_are_judged_as_each_alone_and_in_any_order() -> None:
    rng = np.random.default_rng(11)
    table, elevens, forfeits = a_random_table(rng), random_elevens(rng, 40), rng.uniform(0, 2, 40)
    together = best_armbands(table, elevens, "unlimited", forfeits)
    shuffled = best_armbands(table, rng.permuted(elevens, axis=1), "unlimited", forfeits)
    alone = [best_armbands(table, [eleven], "unlimited", cost) for eleven, cost in zip(elevens, forfeits, strict=True)]
    for name in ("value", "captain", "vice"):
        assert getattr(together, name).tolist() == [getattr(one, name)[0] for one in alone]
        assert getattr(together, name).tolist() == getattr(shuffled, name).tolist()


def test_equal_plans_start_with_the_man_one_would_rather_be_stuck_with() -> None:
    men = [a_man(slot=0, on1=1.0), a_man(slot=1, on6=1.0), a_man(slot=1, on2=1.0)]
    assert best_armbands(table_of(men), everyone(men), "unlimited").captain[0] == 1


def test_a_held_captain_is_his_mean_and_the_cover_behind_him() -> None:
    table = table_of([a_man(p_play=0.5, on8=1.0), a_man(on3=1.0)])
    assert held_value(table, 0) == pytest.approx(4.0)
    assert held_value(table, 0, vice=1) == pytest.approx(5.5)


def test_no_eleven_at_all_gives_no_value_at_all() -> None:
    table = a_random_table(np.random.default_rng(0))
    assert best_armbands(table, np.empty((0, 11), dtype=int), "unlimited").value.shape == (0,)


@pytest.mark.parametrize(
    ("elevens", "setting", "forfeit", "message"),
    [
        ([[0, 1, 1]], "locked", 0.0, "twice"),
        ([[0, 1, 60]], "locked", 0.0, r"0\.\.59"),
        ([[-1, 1]], "locked", 0.0, "-1"),
        ([0, 1], "locked", 0.0, "shape"),
        ([[0]], "locked", 0.0, "shape"),
        ([[0.0, 1.0]], "locked", 0.0, "float64"),
        ([[0, 1]], "unlimitd", 0.0, "Did you mean unlimited"),
        ([[0, 1]], "unlimited", -0.5, "-0.5"),
        ([[0, 1]], "unlimited", np.nan, "nan"),
        ([[0, 1]], "unlimited", np.inf, "inf"),
        ([[0, 1]], "unlimited", [1.0, 2.0], "one per eleven"),
    ],
)
def test_what_is_no_eleven_setting_or_forfeit_is_refused(
    elevens: object, setting: str, forfeit: object, message: str
) -> None:
    with pytest.raises(ModelError, match=message):
        best_armbands(a_random_table(np.random.default_rng(0)), elevens, setting, forfeit)


def test_ten_thousand_elevens_are_valued_at_once() -> None:
    rng = np.random.default_rng(2)
    table, elevens = a_random_table(rng, players=1250, slots=20), random_elevens(rng, 10_000)
    best = best_armbands(table, elevens, "unlimited", rng.uniform(0, 2, 10_000))
    assert np.isfinite(best.value).all()


def test_the_settings_hold_whatever_the_size_of_the_grid() -> None:
    men = [a_man(slot=0, on2=0.5, on9=0.5), a_man(slot=1, on4=1.0)]
    wide = table_of(men)
    keep = (GRID >= 0) & (GRID <= 9)
    tight = replace(wide, pmf=wide.pmf[:, keep], grid=GRID[keep])
    for setting in SETTINGS:
        narrow, broad = (best_armbands(t, [[0, 1]], setting).value[0] for t in (tight, wide))
        assert narrow == pytest.approx(broad)
