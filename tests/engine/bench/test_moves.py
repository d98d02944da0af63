"""The moves of the evolutionary contenders keep the shape of a squad, and repair makes it legal."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from data.errors import InfeasibleError
from engine.bench.moves import LENT, PLAIN, Craft, Moves, legal_starts
from engine.fitness.standard_form import form_value, roles_for
from engine.rules.legality import all_different, has_shape, legal
from tests.cases.objectives.form_cases import a_form, a_start, some_squads

SEEDS = st.integers(0, 10_000)


CRAFTS = st.sampled_from([PLAIN, LENT])


@given(SEEDS, CRAFTS)
def test_every_move_keeps_shape_and_names_nobody_twice(seed: int, craft: Craft) -> None:
    form, rng = a_form(seed, players=30), np.random.default_rng(seed)
    moves = Moves.of(form, craft)
    first, second = moves.drawn(rng, 8), moves.drawn(rng, 8)
    for squads in (first, moves.crossed(first, second, rng), moves.mutated(first, rng, 0.5)):
        assert has_shape(squads, form.pool).all()
        assert all_different(squads).all()
    swapped = moves.swapped(first, rng)
    assert has_shape(swapped, form.pool).all()
    assert ((swapped != first).sum(axis=1) <= 1).all()


@given(SEEDS)
def test_a_child_has_only_men_of_its_parents_and_all_whom_both_have(seed: int) -> None:
    form, (first, second) = a_start(seed, 2)
    child = set(Moves.of(form).crossed(first[None, :], second[None, :], np.random.default_rng(seed))[0].tolist())
    assert child <= set(first.tolist()) | set(second.tolist())
    assert child >= set(first.tolist()) & set(second.tolist())


@given(SEEDS, CRAFTS)
def test_repair_says_truly_which_squads_are_legal_and_leaves_legal_ones_alone(seed: int, craft: Craft) -> None:
    form, rng = a_form(seed, players=40), np.random.default_rng(seed)
    moves = Moves.of(form, craft)
    squads = np.concatenate([moves.drawn(rng, 12), some_squads(form.pool, rng, 2)])
    after, fine = moves.repaired(squads)
    assert np.array_equal(fine, legal(after, form.pool))
    before = legal(squads, form.pool)
    assert fine[before].all()
    assert np.array_equal(np.sort(after[before]), np.sort(squads[before]))


@pytest.mark.parametrize("craft", [PLAIN, LENT])
def test_repair_succeeds_nearly_always_where_there_is_money(craft: Craft) -> None:
    moves = Moves.of(a_form(4, players=80, teams=12), craft)
    _, fine = moves.repaired(moves.drawn(np.random.default_rng(0), 500))
    assert fine.mean() > 0.9


def test_blind_draws_favour_nobody_and_draws_by_worth_favour_the_worthy() -> None:
    form = a_form(4, players=80, teams=12)
    worth = [
        Moves.of(form, craft).worth[Moves.of(form, craft).drawn(np.random.default_rng(0), 400)].mean()
        for craft in (PLAIN, LENT)
    ]
    everyone = Moves.of(form)
    blind = np.average([everyone.worth[men].mean() for men in everyone.men], weights=form.pool.shape)
    assert worth[0] == pytest.approx(blind, abs=0.1)
    assert worth[1] > worth[0] + 0.1


@given(SEEDS)
def test_all_elevens_tried_give_a_squad_its_true_value(seed: int) -> None:
    form, squads = a_start(seed, 3)
    assert Moves.of(form, PLAIN).values(squads) == pytest.approx(form_value(form, squads, *roles_for(form, squads)))


@given(SEEDS)
def test_a_squad_is_never_valued_above_its_best_roles(seed: int) -> None:
    form, squads = a_start(seed, 4)
    assert (Moves.of(form).values(squads) <= form_value(form, squads, *roles_for(form, squads)) + 1e-9).all()


def test_starts_are_legal_and_as_many_as_asked_for() -> None:
    form = a_form(9, players=60)
    squads = legal_starts(Moves.of(form), np.random.default_rng(0), 20)
    assert squads.shape == (20, form.pool.size)
    assert legal(squads, form.pool).all()


def test_a_pool_without_a_legal_squad_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.bench.moves.TRIES", 2)
    form = a_form(9)
    poor = replace(form, pool=replace(form.pool, budget=1.0))
    with pytest.raises(InfeasibleError, match="0 legal squads within 1"):
        legal_starts(Moves.of(poor), np.random.default_rng(0), 2)
