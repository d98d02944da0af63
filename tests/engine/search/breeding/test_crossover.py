"""Children take whole blocks from different parents, in the right shape and with nobody twice."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from engine.rules.legality import all_different, has_shape
from engine.rules.pool import Pool
from engine.search.breeding.crossover import cross
from engine.search.population.blocks import BENCH, BLOCK_NAMES, CORE, CORE_SIZE, POD
from tests.cases.objectives.form_cases import some_squads

SHAPE = (2, 5, 5, 3)
SEEDS = st.integers(0, 2**32 - 1)


def a_pool(players: int) -> Pool:
    """Build a pool of as many players in each position; nobody is too dear."""
    position = np.repeat(np.arange(4), players)
    return Pool(np.full(position.size, 5.0), np.arange(position.size), position, 100.0, 3, SHAPE)


def some_tags(rng: np.random.Generator, count: int) -> np.ndarray:
    """Draw tags as squads have them: three in the core, four on the bench, the others anywhere."""
    tags = rng.integers(CORE + 1, BENCH, (count, 15))
    order = np.argsort(rng.random((count, 15)), axis=1)
    np.put_along_axis(tags, order[:, :CORE_SIZE], CORE, axis=1)
    np.put_along_axis(tags, order[:, CORE_SIZE : CORE_SIZE + 4], BENCH, axis=1)
    return tags.astype(np.uint8)


def some_parents(seed: int, count: int = 20, players: int = 9) -> tuple[np.ndarray, ...]:
    rng, pool = np.random.default_rng(seed), a_pool(players)
    return *(some_squads(pool, rng, count) for _ in range(2)), *(some_tags(rng, count) for _ in range(2))


def children_of(seed: int, count: int = 20, players: int = 9) -> tuple[np.ndarray, np.ndarray]:
    return cross(*some_parents(seed, count, players), SHAPE, np.random.default_rng(seed))


@given(SEEDS, st.integers(5, 12))
def test_a_child_has_the_right_shape_and_nobody_twice(seed: int, players: int) -> None:
    children, _ = children_of(seed, players=players)
    pool = a_pool(players)
    assert all_different(children).all()
    assert has_shape(children, pool).all()
    assert (pool.position[children] == pool.place_of).all()


@given(SEEDS)
def test_a_child_has_only_men_of_its_parents(seed: int) -> None:
    first, second, *_ = some_parents(seed)
    children, _ = children_of(seed)
    both = np.hstack([first, second])
    assert (children[:, :, None] == both[:, None, :]).any(axis=2).all()


@given(SEEDS)
def test_the_captain_core_arrives_whole(seed: int) -> None:
    first, second, first_tags, second_tags = some_parents(seed)
    children, took = children_of(seed)
    for row, child in enumerate(children):
        squad, tags = ((first, first_tags), (second, second_tags))[took[row, CORE]]
        assert set(squad[row][tags[row] == CORE]) <= set(child)


@given(SEEDS)
def test_both_parents_give_a_block(seed: int) -> None:
    _, took = children_of(seed)
    assert took.shape == (20, len(BLOCK_NAMES))
    assert took.dtype == np.uint8
    assert (took.min(axis=1) == 0).all()
    assert (took.max(axis=1) == 1).all()


@given(SEEDS)
def test_a_block_only_one_parent_has_comes_from_him(seed: int) -> None:
    first, second, first_tags, second_tags = some_parents(seed)
    first_tags[first_tags == POD] = BENCH
    second_tags[:, np.argmax(second_tags[0] == BENCH)] = POD
    _, took = cross(first, second, first_tags, second_tags, SHAPE, np.random.default_rng(seed))
    assert (took[:, POD] == 1).all()


def test_twins_have_themselves_for_a_child() -> None:
    first, _, tags, other_tags = some_parents(4)
    children, _ = cross(first, first, tags, other_tags, SHAPE, np.random.default_rng(0))
    assert children.tolist() == np.hstack([np.sort(p, axis=1) for p in np.split(first, [2, 7, 12], axis=1)]).tolist()


def test_the_same_seed_gives_the_same_children() -> None:
    once = children_of(11)
    np.random.seed(99)
    again = children_of(11)
    assert [part.tobytes() for part in once] == [part.tobytes() for part in again]


def test_no_parents_have_no_children() -> None:
    nobody = [part[:0] for part in some_parents(1)]
    children, took = cross(*nobody, SHAPE, np.random.default_rng(0))
    assert children.shape == (0, 15)
    assert took.shape == (0, len(BLOCK_NAMES))
