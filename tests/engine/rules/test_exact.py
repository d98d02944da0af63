"""The solver's answer is the best there is, or says that it is not proved."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from data.errors import InfeasibleError, ModelError
from engine.rules.exact import LinearOptimum, LinearValues, linear_optimum
from engine.rules.legality import legal
from engine.rules.pool import Pool

LINEUPS = ((1, 1, 2, 1), (1, 2, 1, 1), (1, 2, 2, 0))
FULL_LINEUPS = ((1, 4, 4, 2), (1, 3, 5, 2), (1, 4, 3, 3))
SEEDS = st.integers(0, 2**32 - 1)
TOO_SHORT = 1e-3  # seconds: no solver starts and finds a squad in a thousandth


def a_pool(seed: int, budget: float = 33.0) -> Pool:
    """Build ten players for squads of six; three teams, two men of each at most."""
    rng = np.random.default_rng(seed)
    position = np.array([0, 0, 1, 1, 1, 2, 2, 2, 3, 3])
    return Pool(rng.integers(40, 70, 10) / 10, rng.permutation(np.arange(10) % 3), position, budget, 2, (1, 2, 2, 1))


def some_values(seed: int) -> LinearValues:
    """Draw what players add by role; some lose points."""
    start, bench, captain = np.random.default_rng(seed).normal(2, 3, (3, 10))
    return LinearValues(start, bench, captain)


def values_of_all_squads(values: LinearValues, pool: Pool) -> dict[tuple[int, ...], float]:
    """Try every legal squad with every eleven and captain."""
    squads = np.array(list(combinations(range(len(pool.price)), pool.size)))
    return {
        tuple(squad): max(
            values.start[list(eleven)].sum()
            + values.bench[[row for row in squad if row not in eleven]].sum()
            + values.captain[list(eleven)].max()
            for eleven in combinations(squad, sum(LINEUPS[0]))
            if tuple(np.bincount(pool.position[list(eleven)], minlength=4)) in LINEUPS
        )
        for squad in squads[legal(squads, pool)].tolist()
    }


def optimum_or_none(values: LinearValues, pool: Pool) -> LinearOptimum | None:
    try:
        return linear_optimum(values, pool, LINEUPS)
    except InfeasibleError:
        return None


def never_finished() -> tuple[LinearValues, Pool]:
    """Return a squad problem no solver proves in a minute: every man is worth his price, which has no last digit."""
    position = np.repeat(np.arange(4), [7, 13, 13, 8])
    price = np.random.default_rng(1).uniform(4, 9, position.size)
    pool = Pool(price, np.arange(position.size) % 12, position, 95.123456, 3, (2, 5, 5, 3))
    return LinearValues(price, price, np.zeros_like(price)), pool


def a_large_market() -> tuple[LinearValues, Pool]:
    """Return as many players as a World Cup has: its solver needs a few tenths of a second."""
    rng = np.random.default_rng(2)
    position = np.repeat(np.arange(4), [170, 480, 500, 330])
    price = rng.integers(35, 105, position.size) / 10
    xev = rng.gamma(2, 0.2 * price)
    return LinearValues(xev, 0.1 * xev, xev), Pool(
        price, rng.integers(0, 48, xev.size), position, 100.0, 3, (2, 5, 5, 3)
    )


@given(SEEDS, SEEDS)
@settings(max_examples=25)
def test_the_optimum_is_the_best_of_all_squads(market: int, worth: int) -> None:
    values, pool = some_values(worth), a_pool(market)
    tried = values_of_all_squads(values, pool)
    best = optimum_or_none(values, pool)
    if best is None:
        assert not tried
        return
    assert best.value == pytest.approx(max(tried.values()), abs=1e-6)
    assert tried[tuple(sorted(best.squad.tolist()))] == pytest.approx(best.value, abs=1e-6)
    assert best.proved


@given(SEEDS, SEEDS)
@settings(max_examples=25)
def test_an_answer_is_a_legal_squad_with_an_allowed_eleven_and_a_captain_in_it(market: int, worth: int) -> None:
    values, pool = some_values(worth), a_pool(market, budget=40.0)
    best = linear_optimum(values, pool, LINEUPS)
    assert legal(best.squad[None, :], pool).all()
    assert pool.position[best.squad].tolist() == pool.place_of.tolist()
    assert set(best.starters) <= set(best.squad)
    assert tuple(np.bincount(pool.position[best.starters], minlength=4)) in LINEUPS
    assert best.captain in best.starters
    bench = np.setdiff1d(best.squad, best.starters)
    by_role = values.start[best.starters].sum() + values.bench[bench].sum() + values.captain[best.captain]
    assert best.value == pytest.approx(by_role)


@given(SEEDS, SEEDS, st.floats(28, 36), st.floats(0, 6))
@settings(max_examples=25)
def test_more_budget_never_lowers_the_optimum(market: int, worth: int, budget: float, more: float) -> None:
    values, pool = some_values(worth), a_pool(market, budget)
    poor = optimum_or_none(values, pool)
    rich = optimum_or_none(values, replace(pool, budget=budget + more))
    if poor is not None:
        assert rich is not None
        assert rich.value >= poor.value - 1e-6


@pytest.mark.parametrize("lineup", LINEUPS)
def test_the_only_formation_is_respected_whatever_it_costs(lineup: tuple[int, int, int, int]) -> None:
    pool = a_pool(3, budget=40.0)
    best = linear_optimum(some_values(3), pool, (lineup,))
    assert tuple(np.bincount(pool.position[best.starters], minlength=4)) == lineup


def test_a_budget_that_buys_no_squad_is_named() -> None:
    with pytest.raises(InfeasibleError, match=r"costs .* the budget is 12\.5\. Raise the budget by"):
        linear_optimum(some_values(1), a_pool(1, budget=12.5), LINEUPS)


def test_a_budget_between_the_fractions_and_the_squads_is_infeasible_too() -> None:
    pool = replace(a_pool(1), price=np.full(10, 5.0), team=np.array([0, 0, 0, 0, 0, 1, 1, 1, 1, 1]), team_cap=2)
    with pytest.raises(InfeasibleError, match="No legal squad"):
        linear_optimum(some_values(1), pool, LINEUPS)


def test_a_squad_may_cost_the_whole_budget_to_the_tenth() -> None:
    pool = replace(a_pool(1), price=np.full(10, 5.1), budget=30.6)
    assert legal(linear_optimum(some_values(1), pool, LINEUPS).squad[None, :], pool).all()


def test_equal_players_are_chosen_between_alike_every_time() -> None:
    pool = replace(a_pool(1), price=np.full(10, 5.0))
    level = LinearValues(np.ones(10), np.ones(10), np.ones(10))
    first, second = (linear_optimum(level, pool, LINEUPS) for _ in range(2))
    assert first.squad.tobytes() == second.squad.tobytes()
    assert first.starters.tobytes() == second.starters.tobytes()
    assert first.captain == second.captain


def test_a_squad_found_before_the_time_ran_out_is_legal_and_not_called_proved() -> None:
    values, pool = never_finished()
    best = linear_optimum(values, pool, FULL_LINEUPS, seconds=1.0)
    assert not best.proved
    assert legal(best.squad[None, :], pool).all()
    assert best.value <= pool.budget


def test_no_time_at_all_asks_for_more_and_never_passes_fractions_off_as_a_squad() -> None:
    values, pool = never_finished()
    with pytest.raises(ModelError, match=r"found no squad in 0\.001 seconds"):
        linear_optimum(values, pool, FULL_LINEUPS, seconds=TOO_SHORT)


@pytest.mark.parametrize("seconds", [0.001, 0.01, 0.03, 0.05, 0.07, 0.1, 0.15])
def test_a_short_time_never_calls_squads_infeasible_and_gives_a_legal_one_or_none(seconds: float) -> None:
    values, pool = a_large_market()
    with suppress(ModelError):
        best = linear_optimum(values, pool, FULL_LINEUPS, seconds=seconds)
        assert legal(best.squad[None, :], pool).all()
