"""Repair makes any squad legal with few changes, leaves legal ones alone, and says why where nothing helps."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from data.errors import InfeasibleError
from engine.rules.conflicts import Demands, best_squad
from engine.rules.legality import legal
from engine.rules.pool import Pool, TeamLimit
from engine.rules.repair import fewest_changes, repair
from tests.cases.objectives.form_cases import all_squads, top_squad

SEEDS = st.integers(0, 100_000)


def a_market(seed: int) -> tuple[Pool, np.ndarray, np.random.Generator]:
    """Return a random small game: shape, cap, budget, prices, teams; and what its players are worth."""
    rng = np.random.default_rng(seed)
    shape = tuple(int(count) for count in rng.integers(1, 4, 4))
    spare = rng.integers(1, 6, 4)
    position = rng.permutation(np.repeat(np.arange(4), np.array(shape) + spare))
    players = len(position)
    price = rng.integers(30, 120, players) / 10
    budget = float(np.round(price.mean() * sum(shape) * rng.uniform(0.75, 1.2), 1))
    team = rng.integers(0, int(rng.integers(3, 8)), players)
    pool = Pool(price, team, position, budget, int(rng.integers(1, 5)), (shape[0], shape[1], shape[2], shape[3]))
    return pool, rng.uniform(0, 8, players), rng


def limited(pool: Pool, rng: np.random.Generator) -> Pool:
    """Return the pool with a manager's limits on a team or two and, half the time, on changes."""
    low = int(rng.integers(0, 3))
    limits = (TeamLimit(0, low, low + int(rng.integers(0, 2))), TeamLimit(1, 0, int(rng.integers(0, 3))))
    own = top_squad(pool, rng.random(len(pool.price)))
    changes = int(rng.integers(0, 6)) if rng.random() < 0.5 else None
    return replace(pool, limits=limits, current=tuple(own.tolist()), most_changes=changes)


def some_demands(rng: np.random.Generator, players: int) -> Demands:
    """Return a few locks and bans at random."""
    rows = rng.permutation(players)
    locks, bans = int(rng.integers(0, 3)), int(rng.integers(0, 4))
    return Demands(must=tuple(rows[:locks].tolist()), never=tuple(rows[locks : locks + bans].tolist()))


@given(SEEDS, st.booleans())
def test_every_squad_becomes_legal_or_no_squad_is(seed: int, limits: bool) -> None:
    pool, worth, rng = a_market(seed)
    pool = limited(pool, rng) if limits else pool
    demands = some_demands(rng, len(worth))
    squad = rng.permutation(len(worth))[: pool.size]
    try:
        found = repair(squad, pool, worth, demands)
    except InfeasibleError:
        assert best_squad(pool, demands, worth) is None
        return
    assert legal(found.squad[None, :], pool)[0]
    assert demands.met(found.squad)
    assert set(found.out) == set(squad.tolist()) - set(found.squad.tolist())
    assert set(found.into) == set(found.squad.tolist()) - set(squad.tolist())
    again = repair(found.squad, pool, worth, demands)
    assert again.squad.tolist() == found.squad.tolist()
    assert not again.out
    assert not again.into


@given(SEEDS)
def test_a_legal_squad_is_never_touched(seed: int) -> None:
    pool, worth, rng = a_market(seed)
    pool = limited(pool, rng) if seed % 2 else pool
    squad = best_by_trying(pool)
    if squad is not None:
        shuffled = rng.permutation(squad)
        assert repair(shuffled, pool, worth).squad is shuffled


def best_by_trying(pool: Pool) -> np.ndarray | None:
    """Return any legal squad at random tries, cheap ones first."""
    rng = np.random.default_rng(0)
    for _ in range(200):
        squad = top_squad(pool, -pool.price - rng.gumbel(size=len(pool.price)))
        if legal(squad[None, :], pool)[0]:
            return squad
    return None


@settings(max_examples=10)
@given(SEEDS)
def test_the_solver_needs_the_fewest_changes(seed: int) -> None:
    pool, worth, rng = a_market(seed)
    pool = replace(pool, shape=(1, 1, 2, 1), budget=float(np.round(pool.price.mean() * 5, 1)))
    pool = limited(pool, rng) if seed % 2 else pool
    squads = all_squads(pool)
    if len(squads):
        squad = rng.permutation(len(worth))[:5]
        fewest = min(len(set(squad.tolist()) - set(one.tolist())) for one in squads)
        solved = fewest_changes(squad, pool, worth, np.zeros(len(worth)), Demands())
        assert len(np.setdiff1d(squad, solved)) == fewest  # type: ignore[arg-type]
        assert len(repair(squad, pool, worth).out) >= fewest


def a_dear_squad() -> tuple[np.ndarray, Pool, np.ndarray]:
    """Return a squad half a million too dear: any of two men can be cheapened by one swap."""
    position = np.array([0, 1, 1, 2, 2, 3, 1, 2])
    price = np.array([5.0, 5.0, 5.0, 8.0, 8.0, 9.0, 4.0, 7.0])
    pool = Pool(price, np.arange(8), position, 39.5, 3, (1, 2, 2, 1))
    return np.arange(6), pool, np.array([4.0, 4.0, 3.0, 6.0, 5.0, 7.0, 2.5, 4.8])


@pytest.mark.parametrize(
    ("wishes", "options", "swap"),
    [
        ({}, {}, (4, 7)),
        ({}, {"weight": np.array([0, 0, 0, 5, 5, 5])}, (2, 6)),
        ({"budget": 60.0, "limits": (TeamLimit(6, 1),)}, {}, (2, 6)),
        ({"budget": 60.0, "current": (0, 1, 6, 3, 4, 5), "most_changes": 0}, {}, (2, 6)),
        ({"budget": 60.0}, {"demands": Demands(never=(1,))}, (1, 6)),
    ],
    ids=[
        "the budget is met by the swap that loses least",
        "blocks of value are broken last",
        "a team one wants men of takes the first places",
        "who was there before stays where changes are few",
        "who is ruled out leaves",
    ],
)
def test_one_swap_is_enough_and_needs_no_solver(
    wishes: dict[str, Any], options: dict[str, Any], swap: tuple[int, int]
) -> None:
    squad, pool, worth = a_dear_squad()
    found = repair(squad, replace(pool, **wishes), worth, **options)
    assert (*found.out, *found.into, found.solved) == (*swap, False)


def test_one_change_is_enough_where_a_lock_takes_the_place_of_who_costs_too_much() -> None:
    squad, pool, worth = a_dear_squad()
    found = repair(squad, pool, worth, Demands(must=(7,)))
    assert (found.into, len(found.out)) == ((7,), 1)


def test_nobody_stands_twice() -> None:
    _, pool, worth = a_dear_squad()
    doubled = np.array([0, 1, 1, 3, 4, 5])
    assert len(set(repair(doubled, replace(pool, budget=60.0), worth).squad.tolist())) == 6


@pytest.mark.parametrize(
    ("budget", "options", "said"),
    [
        (20.0, {"solver": False}, "No quick repair"),
        (60.0, {"demands": Demands(captain=5, lineups=((1, 2, 2, 0),))}, "player 5 is a FWD, and 2-2-0 has none"),
    ],
    ids=["greed alone gives up", "no squad helps a captain without a place"],
)
def test_what_cannot_be_repaired_is_told(budget: float, options: dict[str, Any], said: str) -> None:
    squad, pool, worth = a_dear_squad()
    with pytest.raises(InfeasibleError, match=said):
        repair(squad, replace(pool, budget=budget), worth, **options)
