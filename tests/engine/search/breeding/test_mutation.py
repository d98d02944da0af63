"""Mutation is small, stays within a block, and keeps a legal squad legal."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.fitness.reference import random_squads
from engine.fitness.squad_view import SceneSettings, SquadView
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
from tests.cases.judged_worlds import free_hand
from tests.cases.objectives.form_cases import top_squad

COUNT = 400
SLACK = 1e-6
SEEDS = st.integers(0, 2**32 - 1)


@dataclass(frozen=True)
class Family:
    """Parents with the blocks of their men, and their children with the operator that made each."""

    view: SquadView
    parents: np.ndarray
    tags: np.ndarray

    @cached_property
    def born(self) -> tuple[np.ndarray, np.ndarray]:
        """Children and operators of usual strength."""
        return self.mutated(2)

    def mutated(self, seed: int, strength: float = 0.0, **options: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Let the parents have other children."""
        asked = free_hand(self.view) | options
        return mutate(self.parents, self.tags, self.view, np.random.default_rng(seed), strength, **asked)


@pytest.fixture(scope="module")
def family(view: SquadView) -> Family:
    parents = random_squads(view.signals.xev, view.pool, np.random.default_rng(8), COUNT)
    return Family(view, parents, tag_blocks(view.signals, view.field_exposure, view.look(parents)[1]))


def left(parents: np.ndarray, children: np.ndarray) -> np.ndarray:
    """Return (c, 15) whether each man of the parent is gone."""
    return ~(parents[:, :, None] == children[:, None, :]).any(axis=2)


def came(parents: np.ndarray, children: np.ndarray) -> np.ndarray:
    return left(children, parents)


def one_swap(operator: int, family: Family) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the rows where an operator changed something, who left and who came."""
    parents, (children, operators) = family.parents, family.born
    rows = np.flatnonzero((operators == operator) & left(parents, children).any(axis=1))
    assert rows.size > 10
    return rows, parents[rows][left(parents, children)[rows]], children[rows][came(parents, children)[rows]]


@given(SEEDS, st.floats(0, 1))
def test_a_child_of_a_legal_squad_is_legal_and_by_position(family: Family, seed: int, strength: float) -> None:
    few = Family(family.view, family.parents[:40], family.tags[:40])
    children, _ = few.mutated(seed, strength)
    assert legal(children, family.view.pool).all()
    assert (family.view.pool.position[children] == family.view.pool.place_of).all()


def test_every_operator_is_drawn_and_a_step_changes_two_men_at_most(family: Family) -> None:
    assert set(family.born[1].tolist()) == set(range(len(OPERATORS)))
    assert family.born[1].dtype == np.uint8
    changed = left(family.parents, family.born[0]).sum(axis=1)
    assert changed.max() == 2
    assert set(changed[np.isin(family.born[1], [FORMATION_FLEX, TRANSFER_SWING])]) == {0, 2}
    assert (changed > 0).mean() > 0.85


def test_strength_takes_more_steps_but_three_at_most(family: Family) -> None:
    strong, _ = family.mutated(2, 1.0)
    changed = left(family.parents, strong).sum(axis=1)
    assert 2 < changed.max() <= 2 * MOST_STEPS


def test_a_differential_swap_brings_a_differential(family: Family) -> None:
    _, _, newcomers = one_swap(DIFFERENTIAL_SWAP, family)
    assert family.view.field_exposure.differential[newcomers].all()


def test_an_enabler_nudge_stays_on_the_bench_and_near_the_price(family: Family) -> None:
    rows, leavers, newcomers = one_swap(ENABLER_NUDGE, family)
    assert (family.tags[rows][left(family.parents, family.born[0])[rows]] == BENCH).all()
    assert np.abs(family.view.signals.price[newcomers] - family.view.signals.price[leavers]).max() <= NUDGE + SLACK


def test_a_ladder_shift_brings_a_candidate_of_another_kickoff(family: Family) -> None:
    rows, leavers, newcomers = one_swap(LADDER_SHIFT, family)
    assert (family.tags[rows][left(family.parents, family.born[0])[rows]] == CORE).all()
    assert (family.view.signals.slot[newcomers] != family.view.signals.slot[leavers]).all()


def test_a_formation_flex_moves_money_to_another_position(family: Family) -> None:
    rows, signals = one_swap(FORMATION_FLEX, family)[0], family.view.signals
    spent = np.stack(
        [
            (signals.price[squads[rows]] * (signals.position[squads[rows]] == place)).sum(axis=1)
            for place in range(4)
            for squads in (family.parents, family.born[0])
        ]
    )
    change = spent[1::2] - spent[::2]
    assert ((change < -SLACK).sum(axis=0) == 1).all()
    assert ((change > SLACK).sum(axis=0) == 1).all()


def test_a_transfer_swing_stays_in_a_block_and_keeps_the_money_level(family: Family) -> None:
    rows = one_swap(TRANSFER_SWING, family)[0]
    blocks = np.where(left(family.parents, family.born[0])[rows], family.tags[rows].astype(int), -1)
    assert all(len(set(row[row >= 0])) == 1 for row in blocks)
    price = family.view.signals.price
    assert (price[family.born[0][rows]].sum(axis=1) >= price[family.parents[rows]].sum(axis=1) - CHANGE - SLACK).all()


def test_whoever_is_locked_stays_and_whoever_is_banned_never_comes(family: Family) -> None:
    locked = np.zeros(len(family.view.signals), dtype=bool)
    locked[family.parents[:, ::2]] = True
    allowed = np.arange(len(family.view.signals)) % 3 == 0
    children, _ = family.mutated(1, 1.0, allowed=allowed, locked=locked)
    gone, new = left(family.parents, children), came(family.parents, children)
    assert gone.any()
    assert not locked[family.parents[gone]].any()
    assert allowed[children[new]].all()


def test_a_position_with_nobody_to_draw_leaves_the_squad_as_it_is(family: Family) -> None:
    nobody = np.zeros(len(family.view.signals), dtype=bool)
    children, _ = family.mutated(1, allowed=nobody)
    assert children.tolist() == family.parents.tolist()


def test_a_squad_that_is_too_dear_gets_no_dearer(view: SquadView) -> None:
    price, pool = view.signals.price, view.pool
    dear = top_squad(pool, price)
    squads = np.tile(dear, (60, 1))
    tags = tag_blocks(view.signals, view.field_exposure, view.look(squads)[1])
    children, _ = Family(view, squads, tags).mutated(5, 0.5)
    assert price[dear].sum() > pool.budget
    assert (price[children].sum(axis=1) <= price[dear].sum() + SLACK).all()


def test_newcomers_are_drawn_by_the_worth_that_is_given(family: Family) -> None:
    cheap = -10.0 * family.view.signals.price
    usual, thrifty = (family.mutated(4, worth=worth)[0] for worth in (family.view.signals.xev, cheap))
    price = family.view.signals.price
    assert price[thrifty].sum() < price[usual].sum()


def test_the_same_seed_gives_the_same_children(family: Family) -> None:
    once = family.mutated(6, 0.3)
    np.random.seed(99)
    again = family.mutated(6, 0.3)
    assert [part.tobytes() for part in once] == [part.tobytes() for part in again]


@given(SEEDS)
def test_a_managers_limits_survive_every_change(family: Family, seed: int) -> None:
    signals, rng = family.view.signals, np.random.default_rng(seed)
    own = family.parents[seed % COUNT]
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
    tags = np.repeat(family.tags[seed % COUNT][None, :], 20, axis=0)
    children, _ = Family(held, crowd, tags).mutated(seed, 0.5, locked=np.arange(len(signals)) == own[-1])
    assert legal(children, held.wished).all()
    assert (children == own[-1]).any(axis=1).all()
