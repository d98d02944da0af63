"""Lists the patterns of a match that are worth a level or more, without looking at the others.

A match of two nations has thousands of millions of patterns. Here each team's are built man by man, and a beginning is
dropped as soon as no completion can reach the level; then the teams are put together. What one team may hope for from
its opponents is shared half and half between the two.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce

import numpy as np

from engine.proof.patterns import Match
from engine.proof.team_patterns import (
    NOBODY,
    ListedPatterns,
    TeamRoles,
    best_few,
    first_roles,
    good_patterns,
    hopes_of_roles,
    side_of,
    team_patterns,
)

SCREENINGS = 4
"""Times the roles of a match are screened: fewer roles leave less to hope for, which screens out more."""

ROUNDING = 1e-9
"""Points: sums of a few dozen terms in another order differ by far less."""


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """The patterns of a match at or above a level."""

    patterns: np.ndarray  # (k, most) rows of `Roles`, −1 where there is no further man; the best first
    reduced: np.ndarray  # (k,) value at the prices in force
    ceiling: float  # no pattern is worth more
    complete: bool  # whether all patterns at or above the level are listed


def patterns_above(match: Match, reduced: np.ndarray, level: float, limit: int) -> Found:
    """Return the patterns of a match worth at least `level`, when its roles (m,) are worth `reduced` at some prices.

    The empty pattern is worth 0. Where more than `limit` are open at once the search ends early: the list is then not
    complete, but the ceiling holds all the same.
    """
    needed = level - ROUNDING
    sides, most = _screened(match, reduced, needed)
    teams = [team_patterns(side, needed - most.sum() + own, limit) for side, own in zip(sides, most, strict=True)]
    ceilings = np.array([team.ceiling for team in teams])
    failed = Found(np.empty((0, 1), dtype=np.int64), np.empty(0), max(level, float(ceilings.sum())), complete=False)
    if not all(team.complete for team in teams):
        return failed
    whole = teams[0]
    for number in range(1, len(teams)):
        enough = needed - float(ceilings[number + 1 :].sum())
        parent, other = _partners(whole, teams[number], enough, limit)
        if len(parent) > limit:
            return failed
        whole = _joint(match, whole, teams[number], parent, other)
    good = np.flatnonzero(whole.value >= needed)
    order = good[np.argsort(-whole.value[good], kind="stable")]
    men = whole.men[order]
    ceiling = float(whole.value[order[0]]) if order.size else level
    return Found(np.where(men == NOBODY, NOBODY, match.rows[men]), whole.value[order], ceiling, complete=True)


def good_value(match: Match, reduced: np.ndarray) -> float:
    """Return the value of a good pattern, found greedily: a level that some pattern is known to reach."""

    def joined(whole: ListedPatterns, beam: ListedPatterns) -> ListedPatterns:
        parent, other = (ends.ravel() for ends in np.indices((len(whole.value), len(beam.value))))
        return best_few(_joint(match, whole, beam, parent, other))

    teams = (np.flatnonzero(match.team == team) for team in range(match.teams))
    beams = (good_patterns(side_of(match, reduced, kept, np.zeros(kept.size))) for kept in teams)
    return float(reduce(joined, beams).value.max())


def hopes_in_match(match: Match, reduced: np.ndarray) -> np.ndarray:
    """Return (m,) for each role of a match a bound on the patterns that hold it."""
    sides, hopes, most = _hoped(match, reduced, np.arange(len(reduced)))
    hoped = np.empty(len(reduced))
    for number, side in enumerate(sides):
        hoped[side.rows] = hopes[number] + most.sum() - most[number]
    return hoped


def _hoped(match: Match, reduced: np.ndarray, kept: np.ndarray) -> tuple[list[TeamRoles], list[np.ndarray], np.ndarray]:
    """Return the sides of the roles kept, what patterns with each role may reach in its team, and each team's most."""
    bonus = _from_opponents(match, kept)
    here = [np.flatnonzero(match.team[kept] == team) for team in range(match.teams)]
    sides = [side_of(match, reduced, kept[part], bonus[part]) for part in here]
    hopes = [hopes_of_roles(side) for side in sides]
    return sides, hopes, np.array([hope.max(initial=0.0) for hope in hopes])


def _screened(match: Match, reduced: np.ndarray, level: float) -> tuple[list[TeamRoles], np.ndarray]:
    """Return the roles of each team that some pattern at the level may hold, and (teams,) what each may bring."""
    kept = np.arange(len(reduced))
    for _ in range(SCREENINGS):
        sides, hopes, most = _hoped(match, reduced, kept)
        rest = most.sum() - most
        passed = [
            side.rows[hope + rest[team] >= level] for team, (side, hope) in enumerate(zip(sides, hopes, strict=True))
        ]
        remaining = np.concatenate(passed)
        if remaining.size == kept.size:
            break
        kept = remaining
    return sides, most


def _from_opponents(match: Match, kept: np.ndarray) -> np.ndarray:
    """Return half of what the best opponents of each role may bring it: each such pair belongs to two."""
    pair, team, player = match.pair[np.ix_(kept, kept)], match.team[kept], match.player[kept]
    bonus = np.zeros(kept.size)
    for number in range(match.teams):
        theirs = np.flatnonzero(team == number)
        if not theirs.size:
            continue
        best = np.maximum.reduceat(pair[:, theirs], first_roles(player[theirs]), axis=1).clip(0.0)
        share = -np.sort(-best, axis=1)[:, : match.caps[number]].sum(axis=1) / 2.0
        bonus += np.where(team == number, 0.0, share)
    return bonus


def _partners(one: ListedPatterns, other: ListedPatterns, level: float, limit: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the pairs of patterns hoped to reach the level together; where there are too many, one more than that."""
    order = np.argsort(-other.hoped, kind="stable")
    fits = np.searchsorted(-other.hoped[order], one.hoped - level, side="right")
    if fits.sum() > limit:
        return np.zeros(limit + 1, dtype=np.int64), np.zeros(limit + 1, dtype=np.int64)
    parent = np.repeat(np.arange(len(fits)), fits)
    place = np.arange(len(parent)) - np.repeat(np.cumsum(fits) - fits, fits)
    return parent, order[place]


def _joint(
    match: Match, one: ListedPatterns, other: ListedPatterns, parent: np.ndarray, partner: np.ndarray
) -> ListedPatterns:
    """Return patterns of two teams put together, with what opponents bring each other."""
    padded = np.pad(match.pair, (0, 1))  # −1 is the last row and column: nobody brings nothing
    men, others = one.men[parent], other.men[partner]
    value = one.value[parent] + other.value[partner]
    for column in men.T:
        value = value + padded[column[:, None], others].sum(axis=1)
    hoped = one.hoped[parent] + other.hoped[partner]
    return ListedPatterns(np.column_stack([men, others]), hoped, value, one.ceiling + other.ceiling)
