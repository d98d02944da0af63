"""Mutation is small, stays within a block, and keeps a legal squad legal."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from data.errors import InputError
from data.rules import GameRules
from data.worlds.world import World
from engine.fitness.reference import random_squads
from engine.fitness.view import SceneSettings, SquadView
from engine.rules.legality import legal
from engine.rules.pool import TeamLimit
from engine.search.breeding.mutation import (
    CHANGE,
    DIFFERENTIAL_SWAP,
    ENABLER_NUDGE,
    FORMATION_FLEX,
    LADDER_SHIFT,
    MOST_STEPS,
    NUDGE,
    OPERATORS,
    TRANSFER_SWING,
    mutate,
)
from engine.search.population.blocks import BENCH, CORE, tag_blocks
from models.signals import build_signals
from tests.cases.small_world import quick_settings

COUNT = 400
SLACK = 1e-6
SEEDS = st.integers(0, 2**32 - 1)

Family = tuple[np.ndarray, np.ndarray]
"""Children and the operator that made each."""


@pytest.fixture(scope="module")
def view(world_cup: World, world_cup_rules: GameRules) -> SquadView:
    return SquadView(build_signals(world_cup.at(1), world_cup_rules, quick_settings(world_cup_rules)))


@pytest.fixture(scope="module")
def parents(view: SquadView) -> np.ndarray:
    return random_squads(view.signals.xev, view.pool, np.random.default_rng(8), COUNT)


@pytest.fixture(scope="module")
def tags(view: SquadView, parents: np.ndarray) -> np.ndarray:
    return tag_blocks(view.signals, view.field_exposure, view.look(parents)[1])


@pytest.fixture(scope="module")
def family(view: SquadView, parents: np.ndarray, tags: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    return mutate(parents, tags, view, np.random.default_rng(2))


def left(parents: np.ndarray, children: np.ndarray) -> np.ndarray:
    """Return (c, 15) whether each man of the parent is gone."""
    return ~(parents[:, :, None] == children[:, None, :]).any(axis=2)


def came(parents: np.ndarray, children: np.ndarray) -> np.ndarray:
    return left(children, parents)


def one_swap(operator: int, parents: np.ndarray, family: Family) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the rows where an operator changed something, who left and who came."""
    children, operators = family
    rows = np.flatnonzero((operators == operator) & left(parents, children).any(axis=1))
    assert rows.size > 10
    return rows, parents[rows][left(parents, children)[rows]], children[rows][came(parents, children)[rows]]


@given(SEEDS, st.floats(0, 1))
def test_a_child_of_a_legal_squad_is_legal_and_by_position(
    view: SquadView, parents: np.ndarray, tags: np.ndarray, seed: int, strength: float
) -> None:
    children, _ = mutate(parents[:40], tags[:40], view, np.random.default_rng(seed), strength)
    assert legal(children, view.pool).all()
    assert (view.pool.position[children] == view.pool.place_of).all()


def test_a_step_changes_two_men_at_most(parents: np.ndarray, family: Family) -> None:
    changed = left(parents, family[0]).sum(axis=1)
    assert changed.max() == 2
    assert set(changed[np.isin(family[1], [FORMATION_FLEX, TRANSFER_SWING])]) == {0, 2}
    assert (changed > 0).mean() > 0.85


def test_strength_takes_more_steps_but_three_at_most(view: SquadView, parents: np.ndarray, tags: np.ndarray) -> None:
    strong, _ = mutate(parents, tags, view, np.random.default_rng(2), 1.0)
    changed = left(parents, strong).sum(axis=1)
    assert 2 < changed.max() <= 2 * MOST_STEPS


def test_every_operator_is_drawn(family: Family) -> None:
    assert set(family[1].tolist()) == set(range(len(OPERATORS)))
    assert family[1].dtype == np.uint8


def test_a_differential_swap_brings_a_differential(view: SquadView, parents: np.ndarray, family: Family) -> None:
    _, _, newcomers = one_swap(DIFFERENTIAL_SWAP, parents, family)
    assert view.field_exposure.differential[newcomers].all()


def test_an_enabler_nudge_stays_on_the_bench_and_near_the_price(
    view: SquadView, parents: np.ndarray, tags: np.ndarray, family: Family
) -> None:
    rows, leavers, newcomers = one_swap(ENABLER_NUDGE, parents, family)
    assert (tags[rows][left(parents, family[0])[rows]] == BENCH).all()
    assert np.abs(view.signals.price[newcomers] - view.signals.price[leavers]).max() <= NUDGE + SLACK


def test_a_ladder_shift_brings_a_candidate_of_another_kickoff(
    view: SquadView, parents: np.ndarray, tags: np.ndarray, family: Family
) -> None:
    rows, leavers, newcomers = one_swap(LADDER_SHIFT, parents, family)
    assert (tags[rows][left(parents, family[0])[rows]] == CORE).all()
    assert (view.signals.slot[newcomers] != view.signals.slot[leavers]).all()


def test_a_formation_flex_moves_money_to_another_position(view: SquadView, parents: np.ndarray, family: Family) -> None:
    rows = one_swap(FORMATION_FLEX, parents, family)[0]
    spent = np.stack(
        [
            (view.signals.price[squads[rows]] * (view.signals.position[squads[rows]] == place)).sum(axis=1)
            for place in range(4)
            for squads in (parents, family[0])
        ]
    )
    change = spent[1::2] - spent[::2]
    assert ((change < -SLACK).sum(axis=0) == 1).all()
    assert ((change > SLACK).sum(axis=0) == 1).all()


def test_a_transfer_swing_stays_in_a_block_and_keeps_the_money_level(
    view: SquadView, parents: np.ndarray, tags: np.ndarray, family: Family
) -> None:
    rows = one_swap(TRANSFER_SWING, parents, family)[0]
    blocks = np.where(left(parents, family[0])[rows], tags[rows].astype(int), -1)
    assert all(len(set(row[row >= 0])) == 1 for row in blocks)
    price = view.signals.price
    assert (price[family[0][rows]].sum(axis=1) >= price[parents[rows]].sum(axis=1) - CHANGE - SLACK).all()


def test_whoever_is_locked_stays_and_whoever_is_banned_never_comes(
    view: SquadView, parents: np.ndarray, tags: np.ndarray
) -> None:
    locked = np.zeros(len(view.signals), dtype=bool)
    locked[parents[:, ::2]] = True
    allowed = np.arange(len(view.signals)) % 3 == 0
    children, _ = mutate(parents, tags, view, np.random.default_rng(1), 1.0, allowed=allowed, locked=locked)
    gone, new = left(parents, children), came(parents, children)
    assert gone.any()
    assert not locked[parents[gone]].any()
    assert allowed[children[new]].all()


def test_a_position_with_nobody_to_draw_leaves_the_squad_as_it_is(
    view: SquadView, parents: np.ndarray, tags: np.ndarray
) -> None:
    nobody = np.zeros(len(view.signals), dtype=bool)
    children, _ = mutate(parents, tags, view, np.random.default_rng(1), allowed=nobody)
    assert children.tolist() == parents.tolist()


def test_a_squad_that_is_too_dear_gets_no_dearer(view: SquadView) -> None:
    price, pool = view.signals.price, view.pool
    dear = np.concatenate(
        [
            np.flatnonzero(pool.position == place)[np.argsort(-price[pool.position == place])[:count]]
            for place, count in enumerate(pool.shape)
        ]
    )
    squads = np.tile(dear, (60, 1))
    tags = tag_blocks(view.signals, view.field_exposure, view.look(squads)[1])
    children, _ = mutate(squads, tags, view, np.random.default_rng(5), 0.5)
    assert price[dear].sum() > pool.budget
    assert (price[children].sum(axis=1) <= price[dear].sum() + SLACK).all()


def test_newcomers_are_drawn_by_the_worth_that_is_given(view: SquadView, parents: np.ndarray, tags: np.ndarray) -> None:
    cheap = -10.0 * view.signals.price
    usual, thrifty = (mutate(parents, tags, view, np.random.default_rng(4), worth=worth)[0] for worth in (None, cheap))
    price = view.signals.price
    assert price[thrifty].sum() < price[usual].sum()


@pytest.mark.parametrize("strength", [-0.1, 1.1, float("nan")])
def test_a_strength_out_of_range_is_refused(
    view: SquadView, parents: np.ndarray, tags: np.ndarray, strength: float
) -> None:
    with pytest.raises(InputError, match="between 0 and 1"):
        mutate(parents, tags, view, np.random.default_rng(0), strength)


def test_the_same_seed_gives_the_same_children(view: SquadView, parents: np.ndarray, tags: np.ndarray) -> None:
    once = mutate(parents, tags, view, np.random.default_rng(6), 0.3)
    np.random.seed(99)
    again = mutate(parents, tags, view, np.random.default_rng(6), 0.3)
    assert [part.tobytes() for part in once] == [part.tobytes() for part in again]


@given(SEEDS)
def test_a_managers_limits_survive_every_change(
    view: SquadView, parents: np.ndarray, tags: np.ndarray, seed: int
) -> None:
    signals, rng = view.signals, np.random.default_rng(seed)
    own = parents[seed % COUNT]
    counts = np.bincount(signals.team[own], minlength=len(signals.teams.strengths.codes))
    teams = np.flatnonzero(counts)
    limits = tuple(
        TeamLimit(int(team), int(counts[team]) - int(rng.integers(2)), int(counts[team])) for team in teams[:4]
    )
    settings = SceneSettings(
        current=tuple(own.tolist()), most_changes=int(rng.integers(0, 4)), teams=limits, captain=int(own[-1])
    )
    held = SquadView(signals, settings)
    crowd = np.repeat(own[None, :], 20, axis=0)
    children, _ = mutate(crowd, np.repeat(tags[seed % COUNT][None, :], 20, axis=0), held, rng, 0.5)
    assert legal(children, held.wished).all()
    assert (children == own[-1]).any(axis=1).all()
