"""Men are followed back to the archetype that brought them, and blocks with them."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from engine.search.population.ancestry import ABSENT, NEWCOMER, block_origins, block_wins, crossed_order, handed_on
from engine.search.population.blocks import BENCH, BLOCK_NAMES, CORE, ENGINE, SPINE


def table(*rows: list[int]) -> np.ndarray:
    return np.array(rows, dtype=np.uint8)


def test_a_man_keeps_what_he_had_in_the_first_parent_who_has_him() -> None:
    child, mother, father = (np.array([row]) for row in ([1, 5, 9, 7], [1, 2, 9, 4], [5, 1, 8, 3]))
    found = handed_on(child, (mother, father), (table([10, 11, 12, 13]), table([20, 21, 22, 23])), NEWCOMER)
    assert found.tolist() == [[10, 20, 12, NEWCOMER]]


def test_a_man_of_both_parents_comes_with_the_block_that_was_taken() -> None:
    child, mother = np.array([[1, 2, 8]]), np.array([[1, 2, 3]])
    took = np.zeros((1, len(BLOCK_NAMES)), dtype=np.uint8)
    took[0, SPINE] = 1  # the spine is the father's
    turned = crossed_order(child, mother, table([CORE, SPINE, BENCH]), took)
    assert turned.tolist() == [[False, True, True]]


def test_a_block_descends_from_whoever_brought_most_of_its_men() -> None:
    tags = table([CORE, CORE, CORE, ENGINE, ENGINE, BENCH])
    origin = table([2, 2, 5, NEWCOMER, NEWCOMER, 4])
    found = block_origins(tags, origin)[0]
    assert found[CORE] == 2
    assert found[ENGINE] == NEWCOMER
    assert found[BENCH] == 4
    assert found[SPINE] == ABSENT


def test_half_newcomers_leave_a_block_its_archetype_and_more_do_not() -> None:
    tags = table([CORE, CORE], [CORE, CORE])
    assert block_origins(tags, table([3, NEWCOMER], [NEWCOMER, NEWCOMER]))[:, CORE].tolist() == [3, NEWCOMER]


@given(st.lists(st.tuples(st.integers(0, 4), st.sampled_from([0, 1, 2, NEWCOMER])), min_size=1, max_size=15))
def test_every_block_is_one_win_less_its_newcomers(men: list[tuple[int, int]]) -> None:
    tags, origin = (table(list(column)) for column in zip(*men, strict=True))
    wins = block_wins(tags, origin, 3)
    for block in range(len(BLOCK_NAMES)):
        held = origin[tags == block]
        known = float((held != NEWCOMER).mean()) if held.size else 0.0
        assert np.isclose(wins[:, block].sum(), known)
