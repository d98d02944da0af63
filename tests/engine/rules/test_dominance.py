"""Whoever is left out is not missed, whatever a manager limits."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.rules.conflicts import Demands, best_squad
from engine.rules.dominance import Market
from engine.rules.exact import LinearValues
from engine.rules.pool import Pool, TeamLimit
from tests.cases.objectives.form_cases import a_tied_pool


def a_market(seed: int) -> Market:
    """Draw sixty players of nine teams for squads of five; few values, so that many tie."""
    rng = np.random.default_rng(seed)
    pool = a_tied_pool(rng)
    low = int(rng.integers(0, 3))
    pool = replace(
        pool,
        limits=(TeamLimit(int(rng.integers(5, 9)), low, low + int(rng.integers(2))), TeamLimit(0, 0, 0)),
        current=tuple(rng.permutation(60)[:20].tolist()),
        most_changes=int(rng.integers(1, 5)),
    )
    worth = 2.0 * (9 - pool.team) + rng.integers(0, 3, 60)
    return Market(pool, LinearValues(worth, worth, np.zeros(60)), None, np.zeros(60))


@settings(max_examples=40)
@given(st.integers(0, 100_000))
def test_the_optimum_under_limits_needs_nobody_who_was_left_out(seed: int) -> None:
    market = a_market(seed)
    worth, barred = market.values.start, np.zeros(60, dtype=bool)
    whole = best_squad(market.pool, Demands(), worth)
    kept = market.undominated(barred)
    left_out = np.setdiff1d(np.arange(60), kept)
    reduced = best_squad(market.pool, Demands(never=tuple(left_out.tolist())), worth)
    assert (whole is None) == (reduced is None)
    if whole is not None and reduced is not None:
        assert worth[reduced].sum() == pytest.approx(worth[whole].sum(), abs=1e-6)


def mates(caps: dict[str, object]) -> list[int]:
    """Return who is needed of six alike of one position and team."""
    pool = Pool(np.full(6, 5.0), np.zeros(6, dtype=int), np.ones(6, dtype=int), 25.0, 3, (1, 2, 1, 1), **caps)  # type: ignore[arg-type]
    values = LinearValues(np.ones(6), np.ones(6), np.zeros(6))
    return Market(pool, values, None, np.zeros(6)).undominated(np.zeros(6, dtype=bool)).tolist()


def test_of_equal_mates_as_many_stay_as_the_manager_allows() -> None:
    assert mates({}) == [0, 1, 2]
    assert mates({"limits": (TeamLimit(0, 0, 1),)}) == [0]
    assert mates({"limits": (TeamLimit(0, 0, 0),)}) == []


def test_who_is_barred_neither_stays_nor_replaces_anybody() -> None:
    market = a_market(1)
    barred = np.arange(60) % 2 == 0
    assert not barred[market.undominated(barred)].any()
    alone = np.ones(60, dtype=bool)
    man = int(np.flatnonzero(market.pool.team != 0)[-1])
    alone[man] = False
    assert market.undominated(alone).tolist() == [man]


def test_a_team_one_wants_a_number_of_keeps_its_weak_men() -> None:
    position, team = np.zeros(8, dtype=int), np.arange(8)
    pool = Pool(np.full(8, 5.0), team, position, 25.0, 3, (1, 1, 1, 1))
    values = LinearValues(np.arange(8.0), np.arange(8.0), np.zeros(8))
    nobody = np.zeros(8, dtype=bool)
    assert 0 not in Market(pool, values, None, np.zeros(8)).undominated(nobody)
    asked = replace(pool, limits=(TeamLimit(0, 1),))
    assert 0 in Market(asked, values, None, np.zeros(8)).undominated(nobody)
