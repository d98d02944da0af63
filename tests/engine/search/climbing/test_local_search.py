"""The local search only climbs, obeys every rule, and finds the best squad of small pools."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from data.errors import InputError
from engine.fitness.standard_form import form_value, roles_for
from engine.rules.legality import legal
from engine.rules.pool import TeamLimit
from engine.search.climbing.limits import Limits
from engine.search.climbing.local_search import improve
from tests.cases.objectives.form_cases import LINEUPS, a_form, a_start, all_squads, best_value

SEEDS = st.integers(0, 10_000)


@given(SEEDS, st.booleans())
def test_an_improved_squad_is_legal_and_never_worth_less(seed: int, hit: bool) -> None:
    form, begin = a_start(seed, 2, players=24, hit=hit)
    found = improve(form, begin, np.random.default_rng(seed), Limits(kicks=1))
    assert legal(found.squads, form.pool).all()
    assert (found.value >= form_value(form, begin, *roles_for(form, begin)) - 1e-9).all()
    assert found.value == pytest.approx(form_value(form, found.squads, found.starts, found.captain))


def test_with_a_few_kicks_it_finds_the_best_squad_of_small_pools() -> None:
    reached = []
    for seed in range(20):
        form = a_form(seed)
        squads = all_squads(form.pool)
        found = improve(form, squads[:2], np.random.default_rng(seed), Limits(kicks=40, heat=4.0, patience=1.0))
        reached.append(best_value(form, squads) - found.value.max() < 1e-6)
    assert sum(reached) >= 17  # of seeds 0 to 99 it reaches 88


@given(SEEDS)
def test_no_single_swap_in_the_same_roles_is_left(seed: int) -> None:
    form, begin = a_start(seed)
    found = improve(form, begin, np.random.default_rng(0))
    squad = found.squads[0]
    for column in np.flatnonzero(found.starts[0]):
        after = np.repeat(squad[None, :], len(form), axis=0)
        after[:, column] = np.arange(len(form))
        after = after[legal(after, form.pool)]
        roles = np.repeat(found.starts, len(after), axis=0), np.repeat(found.captain, len(after))
        assert form_value(form, after, *roles).max() <= found.value[0] + 1e-6


@given(SEEDS)
def test_who_is_kept_stays_and_who_is_not_allowed_does_not_come(seed: int) -> None:
    form, begin = a_start(seed, players=24)
    kept = tuple(begin[0, [0, 3, 6]].tolist())
    allowed = np.random.default_rng(seed).random(len(form)) < 0.5
    found = improve(form, begin, np.random.default_rng(seed), Limits(kicks=3), allowed, kept)
    assert set(kept) <= set(found.squads[0].tolist())
    assert allowed[np.setdiff1d(found.squads[0], begin[0])].all()


def test_with_nobody_to_come_in_only_the_roles_are_settled() -> None:
    form, begin = a_start(5, 2)
    found = improve(form, begin, np.random.default_rng(0), Limits(kicks=2), np.zeros(len(form), dtype=bool))
    assert np.array_equal(found.squads, begin)
    assert found.value == pytest.approx(form_value(form, begin, *roles_for(form, begin)))


def test_the_same_seed_gives_the_same_bytes() -> None:
    form, begin = a_start(11, 2, players=60)
    runs = []
    for disturbed in (0, 99):
        np.random.seed(disturbed)
        runs.append(improve(form, begin, np.random.default_rng(4), Limits(kicks=5)).squads.tobytes())
    assert runs[0] == runs[1]


def test_when_the_time_is_over_the_best_so_far_comes_back() -> None:
    form, begin = a_start(2, 4, players=40)
    found = improve(form, begin, np.random.default_rng(0), Limits(seconds=0.0, kicks=10_000))
    assert np.array_equal(np.sort(found.squads), np.sort(begin))


@given(SEEDS)
def test_team_limits_and_a_limit_on_changes_are_kept(seed: int) -> None:
    form, begin = a_start(seed)
    team = form.pool.team[begin[0]]
    count = np.bincount(team)
    limits = (TeamLimit(int(team[0]), least=int(count[team[0]])), TeamLimit(int(team[6]), most=int(count[team[6]])))
    pool = replace(form.pool, limits=limits, current=tuple(begin[0].tolist()), most_changes=3)
    found = improve(replace(form, pool=pool), begin, np.random.default_rng(seed), Limits(kicks=5))
    assert legal(found.squads, pool).all()


@given(SEEDS)
def test_a_captain_held_stays_and_leads(seed: int) -> None:
    form, begin = a_start(seed, 2)
    leader = int(begin[0, 4])
    found = improve(replace(form, leader=leader), begin[:1], np.random.default_rng(seed), Limits(kicks=5))
    assert found.squads[0, found.captain[0]] == leader
    assert found.starts[0, found.captain[0]]


def test_a_formation_held_is_the_one_that_starts() -> None:
    form, begin = a_start(8)
    found = improve(replace(form, lineups=LINEUPS[1:]), begin, np.random.default_rng(0), Limits(kicks=5))
    assert np.bincount(form.pool.position[found.squads[0, found.starts[0]]]).tolist() == list(LINEUPS[1])


def test_senseless_limits_are_refused() -> None:
    with pytest.raises(InputError, match="counts from 0 up"):
        Limits(kicks=-1)
