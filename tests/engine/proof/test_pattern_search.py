"""The search lists every pattern that reaches a level, and its ceiling holds in any case."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.proof.pattern_search import good_value, patterns_above
from engine.proof.patterns import Match, matches_of, roles_of
from engine.proof.team_patterns import NOBODY
from models.together.covariance import Covariance
from tests.cases.pattern_cases import a_wide_form, all_patterns

SEEDS = st.integers(0, 10_000)
SIGNS = st.sampled_from([-1.0, 0.0, 1.0])
PLENTY = 10**6


def a_match(seed: int, risk: float, stack: float, cap: int = 2) -> tuple[Match, np.ndarray]:
    """Return a match of three men and two, and what their roles are worth at some prices."""
    form = replace(a_wide_form(seed, players=11, cap=cap), risk=0.1 * risk, stack=0.5 * stack)
    team = np.array([0, 1, 0, 0, 2, 3, 2, 1, 3, 2, 3])  # a goalkeeper and two defenders; a goalkeeper and a forward
    inside = team[:, None] // 2 == team // 2
    noise = np.random.default_rng(seed).normal(size=(11, 11))
    form = replace(
        form, pool=replace(form.pool, team=team), covariance=Covariance.of_matrix((noise + noise.T) * inside)
    )
    roles = roles_of(form)
    match = min(matches_of(form, roles), key=lambda part: int(roles.player[part.rows].min()))
    return match, roles.value[match.rows] - np.random.default_rng(seed).uniform(0, 6, len(match.rows))


@given(SEEDS, SIGNS, SIGNS, st.floats(0, 3), st.sampled_from([1, 2, 3]))
@settings(max_examples=40, deadline=None)
def test_all_patterns_at_a_level_are_found_and_no_others(
    seed: int, risk: float, stack: float, below: float, cap: int
) -> None:
    match, reduced = a_match(seed, risk, stack, cap)
    tried = all_patterns(match, reduced)
    level = max(tried.values()) - below
    found = patterns_above(match, reduced, level, PLENTY)
    listed = {tuple(sorted(row[row != NOBODY].tolist())) for row in found.patterns}
    clear = {men for men, value in tried.items() if abs(value - level) > 1e-7}
    wanted = {tuple(sorted(match.rows[list(men)].tolist())) for men in clear if tried[men] > level}
    unwanted = {tuple(sorted(match.rows[list(men)].tolist())) for men in clear if tried[men] < level}
    assert found.complete
    assert wanted <= listed
    assert not listed & unwanted
    assert len(listed) == len(found.patterns)
    assert found.ceiling == pytest.approx(max(tried.values()))
    assert found.reduced[0] == pytest.approx(max(tried.values()))


@given(SEEDS, SIGNS, SIGNS, st.integers(1, 40))
@settings(max_examples=40, deadline=None)
def test_a_search_cut_short_still_bounds_every_pattern(seed: int, risk: float, stack: float, limit: int) -> None:
    match, reduced = a_match(seed, risk, stack)
    best = max(all_patterns(match, reduced).values())
    found = patterns_above(match, reduced, best - 2.0, limit)
    assert found.ceiling >= best - 1e-9


@given(SEEDS, SIGNS, SIGNS)
@settings(max_examples=30, deadline=None)
def test_a_good_value_is_reached_by_some_pattern(seed: int, risk: float, stack: float) -> None:
    match, reduced = a_match(seed, risk, stack)
    tried = all_patterns(match, reduced)
    good = good_value(match, reduced)
    assert min(abs(value - good) for value in tried.values()) < 1e-9


def test_a_level_nobody_reaches_is_the_ceiling() -> None:
    match, reduced = a_match(1, 1.0, 1.0)
    best = max(all_patterns(match, reduced).values())
    found = patterns_above(match, reduced, best + 1.0, PLENTY)
    assert found.complete
    assert not len(found.patterns)
    assert found.ceiling == best + 1.0


def test_worthless_roles_leave_the_empty_pattern() -> None:
    match, reduced = a_match(1, 0.0, 0.0)
    found = patterns_above(match, np.full_like(reduced, -5.0), 0.0, PLENTY)
    assert found.patterns.shape[0] == 1
    assert (found.patterns == NOBODY).all()
    assert found.ceiling == 0.0
