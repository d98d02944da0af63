"""What men of the shelves bring agrees with squads valued whole."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.fitness.standard_form import StandardForm, form_value, settled
from engine.search.climbing.shelves import Shelves, Spots, worth_stocking
from engine.search.climbing.swaps import SwapMarket, SwapRows
from tests.cases.objectives.form_cases import a_form, some_squads

SEEDS = st.integers(0, 10_000)


def spots_of(form: StandardForm, seed: int, count: int) -> Spots:
    squads = some_squads(form.pool, np.random.default_rng(seed), count)
    return Spots(squads, *settled(form, squads))


@given(SEEDS, st.booleans())
def test_a_man_of_a_shelf_brings_what_a_swap_is_worth(seed: int, hit: bool) -> None:
    form = a_form(seed, hit=hit)
    spots = spots_of(form, seed, 3)
    shelves = Shelves.of(form, spots.squads, np.ones(len(form), dtype=bool), 0)
    gains, market = shelves.gains(spots), SwapMarket.of(form, None, (), 0)
    for row in range(len(spots)):
        rows = SwapRows.kept(form, spots.squads[row], spots.starts[row], int(spots.captain[row]))
        expected = market.gains(spots.squads[row], rows, budget=False, caps=False)
        for column, shelf in enumerate(shelves.place):
            for place in np.flatnonzero(shelves.stocked[shelf]):
                worth = expected[column, market.men.tolist().index(shelves.men[shelf, place])]
                if np.isfinite(worth):
                    assert gains[row, column, place] == pytest.approx(worth, abs=1e-9)


def test_shelves_hold_their_own_position_alone_and_whoever_is_in_a_squad() -> None:
    form = a_form(4, players=60)
    spots = spots_of(form, 4, 2)
    shelves = Shelves.of(form, spots.squads, np.ones(len(form), dtype=bool), 2)
    for shelf in range(4):
        assert (form.pool.position[shelves.men[shelf, shelves.stocked[shelf]]] == shelf).all()
    assert set(np.unique(spots.squads).tolist()) <= set(shelves.men[shelves.stocked].tolist())


def test_nobody_who_is_not_allowed_is_stocked() -> None:
    form = a_form(4, players=60)
    allowed = np.arange(60) % 2 == 0
    spots = spots_of(form, 4, 2)
    shelves = Shelves.of(form, spots.squads, allowed, 3)
    assert allowed[shelves.men[shelves.stocked]].all()
    assert not np.setdiff1d(worth_stocking(form, allowed, 3), np.flatnonzero(allowed)).size


def test_spots_are_chosen_and_joined_row_by_row() -> None:
    form = a_form(9, players=30)
    first, second = spots_of(form, 1, 3), spots_of(form, 2, 3)
    mixed = first.where(np.array([True, False, True]), second)
    assert mixed.squads.tolist() == [first.squads[0].tolist(), second.squads[1].tolist(), first.squads[2].tolist()]
    both = first.joined(second).at(np.array([3, 0]))
    assert both.value.tolist() == [second.value[0], first.value[0]]
    assert form_value(form, both.squads, both.starts, both.captain) == pytest.approx(both.value)
