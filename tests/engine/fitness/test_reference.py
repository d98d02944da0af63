"""The reference pool: legal squads of every quality, the same for the same seed, the linear optimum last."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from data.errors import InfeasibleError
from data.importing.season_facts import import_fpl_season
from data.rules import load_rules
from engine.fitness.reference import CHEAPEST_BENCH, POOL_SIZE, linear_squad, random_squads, reference_pool
from engine.rules.conflicts import Demands, best_squad
from engine.rules.exact import LinearValues, linear_optimum
from engine.rules.legality import legal
from engine.rules.pool import pool_of
from models.signals import Signals, build_signals
from tests.conftest import in_a_soak

SMALL = 300


def drawn(beliefs: Signals, seed: int = 5, size: int = SMALL) -> np.ndarray:
    return reference_pool(beliefs, np.random.default_rng(seed), size)


def test_two_thousand_squads_and_the_optimum_are_legal_and_by_position(signals: Signals) -> None:
    squads, pool = drawn(signals, size=POOL_SIZE), pool_of(signals)
    assert squads.shape == (2_001, 15)
    assert legal(squads, pool).all()
    assert (pool.position[squads] == pool.place_of).all()


def test_the_squads_differ_and_are_of_every_quality(signals: Signals) -> None:
    squads = drawn(signals, size=POOL_SIZE)
    expected = signals.xev[squads].sum(axis=1)
    assert len(np.unique(squads, axis=0)) > 0.99 * len(squads)
    assert len(np.unique(squads)) > len(signals) / 4
    assert expected.max() > 1.5 * expected.min()


def test_the_linear_optimum_is_last(beliefs: Signals) -> None:
    pool, xev = pool_of(beliefs), beliefs.xev
    values = LinearValues(start=xev, bench=CHEAPEST_BENCH * xev, captain=xev)
    best = linear_optimum(values, pool, beliefs.rules.squad.lineups)
    assert drawn(beliefs)[-1].tolist() == best.squad.tolist() == linear_squad(beliefs, pool).tolist()


def test_without_an_answer_of_the_solver_the_dearest_drawn_squad_stands_last(
    beliefs: Signals, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = drawn(beliefs)
    monkeypatch.setattr("engine.rules.exact.linear_optimum.__kwdefaults__", {"seconds": 1e-9})
    squads = drawn(beliefs)
    assert squads[:-1].tobytes() == whole[:-1].tobytes()
    assert beliefs.xev[squads[-1]].sum() == beliefs.xev[squads].sum(axis=1).max()


def test_no_drawn_squad_beats_the_linear_optimum(beliefs: Signals) -> None:
    squads, pool, xev = drawn(beliefs), pool_of(beliefs), beliefs.xev
    values = LinearValues(start=xev, bench=CHEAPEST_BENCH * xev, captain=xev)
    best = linear_optimum(values, pool, beliefs.rules.squad.lineups).value
    for squad in squads[:20]:
        alone = replace(pool, price=pool.price[squad], team=pool.team[squad], position=pool.position[squad])
        worth = LinearValues(values.start[squad], values.bench[squad], values.captain[squad])
        assert linear_optimum(worth, alone, beliefs.rules.squad.lineups).value <= best + 1e-6


def test_the_same_seed_gives_the_same_bytes_whatever_the_global_generator_does(beliefs: Signals) -> None:
    first = drawn(beliefs).tobytes()
    np.random.seed(99)
    assert drawn(beliefs).tobytes() == first
    np.random.random(7)
    assert drawn(beliefs).tobytes() == first


def test_another_seed_draws_other_squads(beliefs: Signals) -> None:
    assert drawn(beliefs, seed=6).tobytes() != drawn(beliefs).tobytes()


def test_a_smaller_pool_is_the_beginning_of_a_larger_one(beliefs: Signals) -> None:
    assert (drawn(beliefs, size=50)[:50] == drawn(beliefs)[:50]).all()


def test_prices_nobody_can_pay_are_an_error_that_names_the_budget(beliefs: Signals) -> None:
    with pytest.raises(InfeasibleError, match=r"the budget is 100\. Raise the budget by"):
        drawn(replace(beliefs, price=2 * beliefs.price))


@pytest.mark.parametrize("spare", [0.0, 2.0])
@pytest.mark.daily("0.0")
def test_a_budget_too_tight_for_luck_still_has_its_squads(beliefs: Signals, spare: float) -> None:
    pool = pool_of(beliefs)
    cheapest = best_squad(pool, Demands(), -pool.price)
    assert cheapest is not None
    tight = replace(pool, budget=float(pool.price[cheapest].sum()) + spare)
    squads = random_squads(beliefs.xev, tight, np.random.default_rng(5), SMALL)
    assert len(squads) == SMALL
    assert legal(squads, tight).all()
    assert len(np.unique(squads, axis=0)) > 1


def test_squads_are_found_where_two_teams_play_twice_and_tower_over_the_rest(signals: Signals) -> None:
    """As in a double gameweek: by points alone every draw would crowd onto these teams and break the cap."""
    pool = pool_of(signals)
    towering = np.where(np.isin(pool.team, [1, 2]), signals.xev * 2.5 + 6, signals.xev)
    squads = random_squads(towering, pool, np.random.default_rng(1), SMALL)
    assert len(squads) == SMALL
    assert legal(squads, pool).all()


@pytest.mark.facts
@pytest.mark.parametrize("gameweek", [25, *in_a_soak([24, 32])])
@pytest.mark.soak
def test_real_double_gameweeks_have_a_reference_pool(facts: Path, gameweek: int) -> None:
    season = import_fpl_season(facts / "fpl" / "2024-25", name="fpl", title="FPL").world
    found = build_signals(season.at(gameweek), load_rules("fpl2024"))
    assert legal(reference_pool(found, np.random.default_rng(0)), pool_of(found)).all()
