"""Every legal squad keeps the common rules, and their prices are what a unit more would be worth."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.fitness.standard_form import StandardForm, hits, roles_for
from engine.proof.patterns import Roles, roles_of
from engine.proof.shared_rules import SquadRules, squad_rules
from engine.rules.pool import TeamLimit
from tests.cases.objectives.form_cases import all_squads
from tests.cases.pattern_cases import a_wide_form, roles_in

SEEDS = st.integers(0, 10_000)


def used_by(form: StandardForm, roles: Roles, rules: SquadRules, squad: np.ndarray) -> np.ndarray:
    """Return (r,) what a squad in its best roles uses, its formation included."""
    starts, captain = (part[0] for part in roles_for(form, squad[None]))
    here = roles_in(form, squad, starts, int(captain))
    rows = [row for row in range(len(roles)) if here.get(int(roles.player[row])) == int(roles.role[row])]
    lineup = tuple(np.bincount(form.pool.position[squad[starts]], minlength=4).tolist())
    return np.asarray(rules.use[rows].sum(axis=0) + rules.formations[form.lineups.index(lineup)])


@given(SEEDS, SEEDS)
@settings(max_examples=40, deadline=None)
def test_a_legal_squad_keeps_all_rules_but_free_changes(seed: int, draw: int) -> None:
    form = a_wide_form(seed, hit=True)
    squads, roles = all_squads(form.pool), roles_of(form)
    if not len(squads):
        return
    rules = squad_rules(form, roles)
    squad = squads[draw % len(squads)]
    over = used_by(form, roles, rules, squad) - rules.limit
    assert over[rules.equal] == pytest.approx(0.0)
    assert (over[~rules.equal & np.isinf(rules.dearest)] <= 1e-9).all()
    paid = np.isfinite(rules.dearest)
    assert (np.maximum(over[paid], 0.0) * rules.dearest[paid]).sum() == pytest.approx(hits(form, squad[None])[0])


def test_players_that_must_be_kept_are_one_more_rule() -> None:
    form = a_wide_form(2)
    roles = roles_of(form)
    plain, kept = squad_rules(form, roles), squad_rules(form, roles, np.array([1, 4]))
    assert len(kept.limit) == len(plain.limit) + 1
    assert kept.limit[-1] == 2.0
    assert set(roles.player[kept.use[:, -1] > 0].tolist()) == {1, 4}


def test_changes_and_floors_of_a_manager_are_rules_of_their_own() -> None:
    form = a_wide_form(2)
    limits = (TeamLimit(0, 2), TeamLimit(1, 0, 1))
    pool = replace(form.pool, limits=limits, current=(0, 1, 2), most_changes=4)
    roles = roles_of(form)
    plain, held = squad_rules(form, roles), squad_rules(replace(form, pool=pool), roles)
    assert len(held.limit) == len(plain.limit) + 2
    assert held.limit[-2:].tolist() == [-2.0, 4.0]
    assert not held.equal[-2:].any()
    assert set(roles.player[held.use[:, -1] > 0].tolist()) == set(range(3, len(form)))
    assert set(roles.player[held.use[:, -2] < 0].tolist()) == set(np.flatnonzero(form.pool.team == 0).tolist())
    assert held.caps.tolist() == [3, 1, 3, 3, 3]


def test_only_what_must_be_met_exactly_may_have_a_negative_price() -> None:
    rules = squad_rules(a_wide_form(2), roles_of(a_wide_form(2)))
    assert (np.isneginf(rules.cheapest) == rules.equal).all()
    assert (rules.cheapest[~rules.equal] == 0.0).all()
