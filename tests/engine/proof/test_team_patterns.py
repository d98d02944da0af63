"""One team's patterns: hopes hold for every completion, and no pattern is built twice."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.proof.patterns import Match
from engine.proof.team_patterns import NOBODY, TeamRoles, good_patterns, hopes_of_roles, side_of, team_patterns
from tests.cases.pattern_cases import a_match, all_patterns

SEEDS = st.integers(0, 10_000)
STACKS = st.sampled_from([-0.5, 0.0, 0.5])
PLENTY = 10**6


def a_team(seed: int, stack: float, cap: int) -> tuple[Match, np.ndarray, TeamRoles]:
    """Return a team of two goalkeepers, two defenders and a forward, alone in its match."""
    match, reduced = a_match(seed, 0.1, stack, cap, (0, 0, 0, 0, 1, 1, 1, 0, 1, 1, 1), together=1)
    everyone = np.arange(len(reduced))
    return match, reduced, side_of(match, reduced, everyone, np.zeros(everyone.size))


@given(SEEDS, STACKS, st.integers(1, 4))
@settings(max_examples=30, deadline=None)
def test_a_hope_bounds_every_pattern_with_that_role(seed: int, stack: float, cap: int) -> None:
    match, reduced, side = a_team(seed, stack, cap)
    hopes = hopes_of_roles(side)
    for men, value in all_patterns(match, reduced).items():
        assert all(hopes[man] >= value - 1e-9 for man in men)


@given(SEEDS, STACKS, st.integers(1, 4), st.floats(0, 3))
@settings(max_examples=30, deadline=None)
def test_a_team_lists_each_pattern_at_a_level_once(seed: int, stack: float, cap: int, below: float) -> None:
    match, reduced, side = a_team(seed, stack, cap)
    tried = all_patterns(match, reduced)
    level = max(tried.values()) - below
    listed = team_patterns(side, level, PLENTY)
    found = [tuple(sorted(row[row != NOBODY].tolist())) for row in listed.men]
    assert len(found) == len(set(found))
    assert {men for men, value in tried.items() if value > level + 1e-9} <= set(found)
    assert listed.value == pytest.approx([tried[men] for men in found])
    assert listed.ceiling == pytest.approx(max(tried.values()))


def test_good_patterns_are_patterns_of_the_team() -> None:
    match, reduced, side = a_team(3, 0.5, 3)
    tried = all_patterns(match, reduced)
    beam = good_patterns(side)
    for men, value in zip(beam.men, beam.value, strict=True):
        assert tried[tuple(sorted(men[men != NOBODY].tolist()))] == pytest.approx(value)
