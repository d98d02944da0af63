"""The search lists every pattern that reaches a level, and its ceiling holds in any case."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.proof.pattern_search import good_value, patterns_above
from engine.proof.patterns import Match
from engine.proof.team_patterns import NOBODY
from tests.cases.pattern_cases import a_match, all_patterns

SEEDS = st.integers(0, 10_000)
SIGNS = st.sampled_from([-1.0, 0.0, 1.0])
PLENTY = 10**6


TEAMS = (0, 1, 0, 0, 2, 3, 2, 1, 3, 2, 3)
"""A goalkeeper and two defenders meet a goalkeeper and a forward in the first match."""


def three_and_two(seed: int, risk: float, stack: float, cap: int = 2) -> tuple[Match, np.ndarray]:
    return a_match(seed, 0.1 * risk, 0.5 * stack, cap, TEAMS, together=2)


@given(SEEDS, SIGNS, SIGNS, st.floats(0, 3), st.sampled_from([1, 2, 3]))
@settings(max_examples=40, deadline=None)
def test_all_patterns_at_a_level_are_found_and_no_others(
    seed: int, risk: float, stack: float, below: float, cap: int
) -> None:
    match, reduced = three_and_two(seed, risk, stack, cap)
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
    match, reduced = three_and_two(seed, risk, stack)
    best = max(all_patterns(match, reduced).values())
    found = patterns_above(match, reduced, best - 2.0, limit)
    assert found.ceiling >= best - 1e-9


@given(SEEDS, SIGNS, SIGNS)
@settings(max_examples=30, deadline=None)
def test_a_good_value_is_reached_by_some_pattern(seed: int, risk: float, stack: float) -> None:
    match, reduced = three_and_two(seed, risk, stack)
    tried = all_patterns(match, reduced)
    good = good_value(match, reduced)
    assert min(abs(value - good) for value in tried.values()) < 1e-9


def test_a_level_nobody_reaches_is_the_ceiling() -> None:
    match, reduced = three_and_two(1, 1.0, 1.0)
    best = max(all_patterns(match, reduced).values())
    found = patterns_above(match, reduced, best + 1.0, PLENTY)
    assert found.complete
    assert not len(found.patterns)
    assert found.ceiling == best + 1.0


def test_worthless_roles_leave_the_empty_pattern() -> None:
    match, reduced = three_and_two(1, 0.0, 0.0)
    found = patterns_above(match, np.full_like(reduced, -5.0), 0.0, PLENTY)
    assert found.patterns.shape[0] == 1
    assert (found.patterns == NOBODY).all()
    assert found.ceiling == 0.0
