"""Exchanges stay within the budget, keep who must stay, and find what single swaps cannot."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from engine.fitness.standard_form import StandardForm, settled
from engine.rules.legality import legal, within_budget
from engine.rules.pool import TeamLimit
from engine.search.climbing.exchanges import Counter
from engine.search.climbing.shelves import Shelves, Spots
from tests.cases.chances_cases import covariance_of
from tests.cases.objectives.form_cases import a_form, a_start, all_squads, best_value, some_squads

SEEDS = st.integers(0, 10_000)


def a_counter(form: StandardForm, squads: np.ndarray, stay: tuple[int, ...] = ()) -> Counter:
    keeps = np.zeros(len(form), dtype=bool)
    keeps[list(stay)] = True
    return Counter.of(Shelves.of(form, squads, np.ones(len(form), dtype=bool), 0), keeps)


def exchanged(form: StandardForm, seed: int, heat: float, stay: tuple[int, ...] = ()) -> tuple[np.ndarray, np.ndarray]:
    squads = some_squads(form.pool, np.random.default_rng(seed), 1).repeat(6, axis=0)
    spots = Spots(squads, *settled(form, squads))
    counter = a_counter(form, squads, stay)
    return squads, counter.exchanged(spots, np.random.default_rng(seed), np.full(6, heat))


@given(SEEDS, st.floats(0, 3))
def test_an_exchange_can_be_paid_for_and_keeps_the_shape(seed: int, heat: float) -> None:
    form = a_form(seed, players=30)
    _, after = exchanged(form, seed, heat)
    assert within_budget(after, form.pool).all()
    assert (form.pool.position[after] == form.pool.place_of).all()


@given(SEEDS)
def test_who_must_stay_stays(seed: int) -> None:
    form, (begin,) = a_start(seed)
    stay = (int(begin[2]), int(begin[5]))
    _, after = exchanged(form, seed, 2.0, stay)
    assert (after[:, 2] == stay[0]).all()
    assert (after[:, 5] == stay[1]).all()


def test_where_men_do_not_vary_together_exchanges_find_the_best_squad_without_a_climb() -> None:
    reached = 0
    for seed in range(12):
        form = a_form(seed)
        alone = covariance_of(np.zeros((len(form), len(form))))
        form = replace(form, covariance=alone, stack=0.0, squad=np.zeros(len(form)))
        squads = all_squads(form.pool)
        here = squads[:1].repeat(8, axis=0)
        counter, rng = a_counter(form, here), np.random.default_rng(seed)
        best = -np.inf
        for _ in range(30):
            tried = counter.exchanged(Spots(here, *settled(form, here)), rng, np.linspace(0, 1, 8))
            here = np.where(legal(tried, form.pool)[:, None], tried, here)
            best = max(best, settled(form, here)[2].max())
        reached += best_value(form, squads) - best < 1e-6
    assert reached >= 9


def test_a_full_team_sends_nobody_and_a_team_at_its_floor_keeps_its_men() -> None:
    form, begin = a_start(3, players=40)
    shelves, team = a_counter(form, begin).shelves, form.pool.team
    same = team[shelves.men][shelves.place] == team[begin[0]][:, None]
    count = np.bincount(team[begin[0]], minlength=len(form.pool.caps)).tolist()
    full = tuple(TeamLimit(number, 0, most) for number, most in enumerate(count))
    needed = tuple(TeamLimit(number, least) for number, least in enumerate(count))
    for limits in (full, needed):
        limited = a_counter(replace(form, pool=replace(form.pool, limits=limits)), begin)
        assert same[limited._open(begin)[0]].all()
        assert limited._open(begin)[0].any()


def test_the_same_seed_gives_the_same_exchange() -> None:
    form = a_form(7, players=40)
    assert exchanged(form, 5, 0.7)[1].tobytes() == exchanged(form, 5, 0.7)[1].tobytes()


@given(SEEDS, st.integers(1, 40))
def test_neighbours_differ_by_one_man_or_two_and_can_be_paid_for(seed: int, most: int) -> None:
    form, begin = a_start(seed)
    stay = (int(begin[0, 2]),)
    near = a_counter(form, begin, stay).neighbours(Spots(begin, *settled(form, begin)), most)
    changed = (near != begin[0]).sum(axis=1)
    assert ((changed == 1) | (changed == 2)).all()
    assert max((changed == 1).sum(), (changed == 2).sum()) <= most
    assert within_budget(near, form.pool).all()
    assert (form.pool.position[near] == form.pool.place_of).all()
    assert (near[:, 2] == stay[0]).all()
    assert all(len(set(squad)) == near.shape[1] for squad in near.tolist())


def test_the_neighbours_that_promise_most_hold_the_best_single_swap() -> None:
    for seed in range(10):
        form, begin = a_start(seed)
        counter, spots = a_counter(form, begin), Spots(begin, *settled(form, begin))
        every = counter.neighbours(spots, 10_000)
        every = every[((every != begin[0]).sum(axis=1) == 1) & legal(every, form.pool)]
        few = counter.neighbours(spots, 12)
        few = few[legal(few, form.pool)]
        assert settled(form, few)[2].max() >= settled(form, every)[2].max() - 1e-9
