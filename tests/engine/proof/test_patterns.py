"""A squad's value is the sum of its matches' patterns."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from data.errors import InputError
from engine.fitness.standard_form import form_value
from engine.proof.patterns import FIRST_SLOT, LEADS, STARTS, matches_of, roles_of
from tests.cases.objectives.form_cases import all_squads
from tests.cases.pattern_cases import a_wide_form, any_starts, plain_pattern_value, roles_in

SEEDS = st.integers(0, 10_000)


@given(SEEDS, SEEDS)
@settings(max_examples=40, deadline=None)
def test_a_form_is_the_sum_of_its_patterns(seed: int, draw: int) -> None:
    form, rng = a_wide_form(seed), np.random.default_rng(draw)
    squads = all_squads(form.pool)
    if not len(squads):
        return
    squad = squads[rng.integers(len(squads))]
    starts = any_starts(form, squad)[0]
    captain = int(rng.choice(np.flatnonzero(starts)))
    roles = roles_of(form)
    here = roles_in(form, squad, starts, captain)
    total = form.constant
    for match in matches_of(form, roles):
        men = [row for row, role in enumerate(match.rows) if here.get(int(roles.player[role])) == int(roles.role[role])]
        total += plain_pattern_value(match, roles.value[match.rows], tuple(men))
    assert total == pytest.approx(float(form_value(form, squad[None], starts[None], np.array([captain]))[0]))


def test_teams_that_vary_together_are_one_match() -> None:
    form = replace(a_wide_form(3), risk=0.05)
    roles = roles_of(form)
    matches = matches_of(form, roles)
    teams = [set(form.pool.team[roles.player[match.rows]].tolist()) for match in matches]
    assert sorted(sorted(part) for part in teams) == [[0, 1], [2, 3], [4]]
    assert sorted(np.concatenate([match.rows for match in matches]).tolist()) == list(range(len(roles)))


def test_without_risk_every_team_is_alone() -> None:
    form = replace(a_wide_form(3), risk=0.0)
    assert [match.teams for match in matches_of(form, roles_of(form))] == [1] * len(np.unique(form.pool.team))


def test_nobody_has_two_roles_and_no_role_of_one_has_two_men() -> None:
    form = a_wide_form(5)
    roles = roles_of(form)
    for match in matches_of(form, roles):
        men, role = roles.player[match.rows], roles.role[match.rows]
        assert np.isneginf(match.pair[men[:, None] == men]).all()
        assert np.isneginf(match.pair[(role[:, None] == role) & (role == LEADS)]).all()
        assert np.isneginf(match.pair[(role[:, None] == role) & (role >= FIRST_SLOT)]).all()


def test_only_allowed_players_have_roles() -> None:
    form = a_wide_form(5)
    allowed = np.arange(len(form)) % 2 == 0
    assert set(roles_of(form, allowed).player.tolist()) == set(np.flatnonzero(allowed).tolist())


def test_a_man_of_the_bench_brings_no_swing_to_a_spine() -> None:
    roles = roles_of(a_wide_form(5))
    assert (roles.swing[roles.role > LEADS] == 0).all()
    assert (roles.swing[roles.role == STARTS] > 0).any()


def test_a_negative_swing_is_refused() -> None:
    form = a_wide_form(5)
    with pytest.raises(InputError, match="swings by"):
        roles_of(replace(form, swing=form.swing - 5.0))
