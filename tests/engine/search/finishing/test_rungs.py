"""A rung counts for what it adds to the ladder: one man a kick-off, and only as far as the armband comes."""

from __future__ import annotations

import numpy as np
import pytest

from engine.search.climbing.shelves import Spots
from engine.search.finishing.rungs import Rungs
from models.armband.captaincy import best_armbands
from models.armband.table import ArmbandTable

MEN, SLOTS = 40, 5
SHELF = np.arange(MEN).reshape(4, 10)
PLACE = np.repeat(np.arange(4), [2, 5, 5, 3])


def a_table(seed: int) -> ArmbandTable:
    """Return random scores from 0 to 11 of every player, over five kick-offs; all are sure to play."""
    rng = np.random.default_rng(seed)
    return ArmbandTable(
        pmf=rng.dirichlet(np.full(12, 0.6), MEN),
        grid=np.arange(12),
        p_play=np.ones(MEN),
        slot=rng.integers(0, SLOTS, MEN).astype(np.int64),
    )


def a_spot(seed: int) -> Spots:
    """Return one squad of fifteen whose eleven is drawn."""
    rng = np.random.default_rng(seed)
    squad = np.concatenate([rng.permutation(SHELF[place])[:count] for place, count in enumerate((2, 5, 5, 3))])
    starts = np.zeros(15, dtype=bool)
    starts[rng.permutation(15)[:11]] = True
    return Spots(squad[None, :], starts[None, :], np.flatnonzero(starts)[:1], np.zeros(1))


def true_gains(table: ArmbandTable, spot: Spots) -> list[tuple[int, int, float]]:
    """Return column, place on its shelf and what the ladder really gains, for every newcomer of every starter."""
    squad, starts = spot.squads[0], spot.starts[0]
    before = best_armbands(table, squad[starts][None, :], "unlimited").value[0]
    found = []
    for column in np.flatnonzero(starts):
        for number, man in enumerate(SHELF[PLACE[column]]):
            if man not in squad:
                after = squad.copy()
                after[column] = man
                value = best_armbands(table, after[starts][None, :], "unlimited").value[0]
                found.append((int(column), number, float(value - before)))
    return found


@pytest.mark.parametrize("seed", range(5))
def test_what_rungs_promise_is_near_what_the_ladder_gains(seed: int) -> None:
    table, spot = a_table(seed), a_spot(seed)
    promised = Rungs(table, 1.0).gains(spot, SHELF, PLACE)[0]
    column, number, true = (np.array(part) for part in zip(*true_gains(table, spot), strict=True))
    assert np.corrcoef(promised[column.astype(int), number.astype(int)], true)[0, 1] > 0.8


@pytest.mark.parametrize("seed", range(5))
def test_whoever_sits_on_the_bench_is_no_rung(seed: int) -> None:
    spot = a_spot(seed)
    assert not Rungs(a_table(seed), 1.0).gains(spot, SHELF, PLACE)[0][~spot.starts[0]].any()


@pytest.mark.parametrize("seed", range(5))
def test_a_weaker_man_of_a_kick_off_that_is_taken_adds_nothing(seed: int) -> None:
    table, spot = a_table(seed), a_spot(seed)
    squad, starts = spot.squads[0], spot.starts[0]
    gains = Rungs(table, 1.0).gains(spot, SHELF, PLACE)[0]
    for column in np.flatnonzero(starts):
        men = SHELF[PLACE[column]]
        mates = squad[starts & (np.arange(15) != column)]
        for number, man in enumerate(men):
            beaten = (table.slot[mates] == table.slot[man]) & (table.cdf[mates] <= table.cdf[man]).all(axis=1)
            if beaten.any():
                assert gains[column, number] <= 1e-9


@pytest.mark.parametrize("seed", range(3))
def test_copies_of_a_score_count_each(seed: int) -> None:
    table, spot = a_table(seed), a_spot(seed)
    once, twice = (Rungs(table, copies).gains(spot, SHELF, PLACE) for copies in (1.0, 2.0))
    assert twice == pytest.approx(2 * once)
