"""Whole squads for many managers: what they like, what they can pay, what they are known to own."""

from __future__ import annotations

import numpy as np
import pytest

from engine.fitness.reference import CHEAPEST_BENCH
from engine.rank.field_draw import Tastes, fit_appeal, purses, sharp_squads, squads_by_appeal
from engine.rules.count_rules import too_many
from engine.rules.exact import LinearValues, linear_optimum
from engine.rules.legality import legal
from engine.rules.pool import Pool
from tests.cases.judged_worlds import a_pool

MANAGERS = 300


@pytest.fixture(scope="module")
def pool() -> Pool:
    return a_pool()


@pytest.fixture(scope="module")
def taste(pool: Pool) -> np.ndarray:
    return Tastes(1).for_owning(np.arange(len(pool.price)), MANAGERS)


def test_a_taste_is_the_same_in_any_round_and_any_company() -> None:
    few, many = (Tastes(5).for_owning(np.array(ids), count) for ids, count in (([7, 3], 4), ([1, 3, 7, 9], 6)))
    np.testing.assert_array_equal(few[:, 0], many[:4, 2])
    np.testing.assert_array_equal(few[:, 1], many[:4, 1])


def test_tastes_of_another_seed_or_purpose_differ() -> None:
    ids = np.arange(5)
    assert not np.array_equal(Tastes(5).for_owning(ids, 10), Tastes(6).for_owning(ids, 10))
    assert not np.array_equal(Tastes(5).for_owning(ids, 10), Tastes(5).for_leading(ids, 10))


def test_every_squad_is_legal_whatever_the_appeal(pool: Pool, taste: np.ndarray) -> None:
    for appeal in (np.zeros(len(pool.price)), pool.price, -pool.price, 5.0 * (pool.team == 0)):
        squads = squads_by_appeal(appeal, pool, taste, np.full(MANAGERS, pool.budget))
        assert legal(squads, pool).mean() > 0.97


def test_managers_spend_their_purse_and_no_more(pool: Pool, taste: np.ndarray) -> None:
    purse = purses(pool, Tastes(1), MANAGERS, pool.budget - 1.0)
    cost = pool.price[squads_by_appeal(pool.price, pool, taste, purse)].sum(axis=1)
    assert (cost <= purse + 1e-6).all()
    assert (purse - cost).mean() < 1.0
    assert purse.mean() == pytest.approx(pool.budget - 1.0, abs=0.3)


def test_the_fit_finds_whatever_ownership_a_field_had(pool: Pool, taste: np.ndarray) -> None:
    rng = np.random.default_rng(0)
    purse = np.full(MANAGERS, pool.budget)
    hidden = 0.6 * pool.price + rng.normal(0.0, 1.0, len(pool.price))
    squads = squads_by_appeal(
        hidden, pool, Tastes(2).for_owning(np.arange(len(pool.price)), 2000), np.full(2000, 100.0)
    )
    owned = np.bincount(squads.ravel(), minlength=len(pool.price)) / 2000
    drawn = squads_by_appeal(fit_appeal(owned, pool, taste, purse), pool, taste, purse)
    found = np.bincount(drawn.ravel(), minlength=len(pool.price)) / MANAGERS
    assert np.corrcoef(found, owned)[0, 1] > 0.98


def test_a_man_too_many_is_the_least_liked_of_his_team(pool: Pool) -> None:
    mates = np.flatnonzero(pool.team == 0)[: pool.team_cap + 1]
    others = np.setdiff1d(np.arange(len(pool.price)), np.flatnonzero(pool.team == 0))[: pool.size - len(mates)]
    squad = np.concatenate([mates, others])[None, :]
    worth = np.arange(squad.shape[1], dtype=float)[None, :]
    managers, men = too_many(pool.counted, squad, -worth)
    assert managers.tolist() == [0]
    assert men.tolist() == [mates[-1]]


def test_who_sees_true_values_picks_close_to_the_best(pool: Pool) -> None:
    rng = np.random.default_rng(3)
    xev = 0.6 * pool.price + rng.normal(0.0, 0.8, len(pool.price))
    lineups = ((1, 4, 4, 2), (1, 3, 4, 3), (1, 3, 5, 2))
    squads = sharp_squads(np.tile(xev, (2, 1)), xev, pool, lineups)
    assert legal(squads, pool).all()
    np.testing.assert_array_equal(squads[0], squads[1])
    best = linear_optimum(LinearValues(xev, CHEAPEST_BENCH * xev, np.zeros(len(xev))), pool, lineups).value
    assert 0.97 * best < best_eleven(xev, squads[0], pool, lineups) <= best + 1e-9


def best_eleven(xev: np.ndarray, squad: np.ndarray, pool: Pool, lineups: tuple[tuple[int, ...], ...]) -> float:
    """The value of a squad whose best eleven counts in full and whose bench hardly."""
    ranked = [np.sort(xev[squad[pool.position[squad] == place]])[::-1] for place in range(4)]
    eleven = max(sum(men[:count].sum() for men, count in zip(ranked, lineup, strict=True)) for lineup in lineups)
    return float(eleven + CHEAPEST_BENCH * (xev[squad].sum() - eleven))
