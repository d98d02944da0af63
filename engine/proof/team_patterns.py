"""The patterns of one team, built man by man: a beginning is dropped as soon as no completion can reach a level."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from engine.proof.patterns import Match

CELLS = 2**22
"""Gains held at once while patterns grow: 32 megabytes."""

BEAM = 24
"""Beginnings followed at each step towards a good pattern."""

TRIES = 8
"""Beginnings that may be tried for each that may stay open."""

NOBODY = -1
"""In a pattern: no further man."""


@dataclass(frozen=True, slots=True, eq=False)
class TeamRoles:
    """Roles of one team that are still of interest."""

    rows: np.ndarray  # (m,) rows of `Match`
    gain: np.ndarray  # (m,) what each adds by himself, with half of what he may hope for from opponents
    bonus: np.ndarray  # (m,) that half
    pair: np.ndarray  # (m, m)
    swing: np.ndarray  # (m,)
    player: np.ndarray  # (m,) number of the player
    first: np.ndarray  # (players,) first role of each player
    together: np.ndarray  # (cap + 1, m) half of what a role can win by pairs with so many team-mates
    stack: float
    cap: int


@dataclass(frozen=True, slots=True, eq=False)
class _Grown:
    """Beginnings of a team's patterns, all of one size."""

    men: np.ndarray  # (k, size) roles of the side
    value: np.ndarray  # (k,)
    gain: np.ndarray  # (k, m) what each role adds, stacks aside
    tallest: np.ndarray  # (k,) largest swing of the spine so far


@dataclass(frozen=True, slots=True, eq=False)
class ListedPatterns:
    """Patterns of one team, or of several put together."""

    men: np.ndarray  # (k, width) rows of `Match`, −1 where there is no further man
    hoped: np.ndarray  # (k,) value with half of what opponents may bring
    value: np.ndarray  # (k,) value without
    ceiling: float  # no pattern is hoped to be worth more
    complete: bool = True


def side_of(match: Match, reduced: np.ndarray, kept: np.ndarray, bonus: np.ndarray) -> TeamRoles:
    """Return the side of a team's roles `kept`, rows of the match, each hoping for a bonus from opponents."""
    pair, swing = match.pair[np.ix_(kept, kept)], match.swing[kept]
    first = first_roles(match.player[kept])
    cap = int(match.caps[match.team[kept]].max(initial=1))
    joint = pair + match.stack * np.minimum(swing[:, None], swing) if match.stack > 0.0 else pair
    return TeamRoles(
        rows=kept,
        gain=reduced[kept] + bonus,
        bonus=bonus,
        pair=pair,
        swing=swing,
        player=match.player[kept],
        first=first,
        together=_together(joint, first, cap),
        stack=match.stack,
        cap=cap,
    )


def first_roles(player: np.ndarray) -> np.ndarray:
    """Return where each player begins in a sorted column."""
    return np.flatnonzero(np.append(True, np.diff(player) != 0)[: player.size])


def _together(pair: np.ndarray, first: np.ndarray, cap: int) -> np.ndarray:
    """Return (cap + 1, m) half of the best pairs of each role with 0, 1, … team-mates."""
    total = np.zeros((cap + 1, len(pair)))
    if len(pair):
        best = -np.sort(-np.maximum.reduceat(pair, first, axis=1).clip(0.0), axis=1)[:, :cap]
        width = best.shape[1]
        total[1 : width + 1] = np.cumsum(best, axis=1).T / 2.0
        total[width + 1 :] = total[width]
    return total


def _start(side: TeamRoles) -> _Grown:
    """Return the empty beginning."""
    return _Grown(np.empty((1, 0), dtype=np.int64), np.zeros(1), side.gain[None, :], np.zeros(1))


def hopes_of_roles(side: TeamRoles) -> np.ndarray:
    """Return (m,) for each role a bound on the patterns that hold it."""
    return _hopes(side, _alone(side), 1) if side.rows.size else np.empty(0)


def _alone(side: TeamRoles) -> _Grown:
    """Return every role as a beginning of its own, with any other man still to come."""
    everyone = np.arange(side.rows.size)
    return _with(side, _start(side), np.zeros_like(everyone), everyone)


def _with(side: TeamRoles, grown: _Grown, parent: np.ndarray, added: np.ndarray) -> _Grown:
    """Return beginnings (k,) with a role added to each."""
    tallest = grown.tallest[parent]
    value = grown.value[parent] + grown.gain[parent, added] + side.stack * np.minimum(side.swing[added], tallest)
    return _Grown(
        men=np.column_stack([grown.men[parent], added]),
        value=value,
        gain=grown.gain[parent] + side.pair[added],
        tallest=np.maximum(tallest, side.swing[added]),
    )


def _hopeful_gains(side: TeamRoles, grown: _Grown, size: int) -> np.ndarray:
    """Return (k, m) at least what each role adds to a completion: pairs among those to come are halved between them.

    A spine's swing beyond its largest grows by the lesser of the newcomer's and the tallest so far, or by more once a
    taller one has come. So a wanted stack is given in full, and an unwanted one is charged for those here.
    """
    tallest = grown.tallest[:, None]
    taken = np.where(tallest > 0.0, side.swing, 0.0) if side.stack > 0.0 else np.minimum(side.swing, tallest)
    return np.asarray(grown.gain + side.stack * taken + side.together[max(side.cap - size - 1, 0)])


def _hopes(side: TeamRoles, grown: _Grown, size: int) -> np.ndarray:
    """Return (k,) a bound on every completion of beginnings of a size."""
    return np.asarray(grown.value + _additions(side, _hopeful_gains(side, grown, size), side.cap - size))


def _additions(side: TeamRoles, gain: np.ndarray, room: int) -> np.ndarray:
    """Return (k,) the best sum of gains of so many players, each in one role only."""
    best = np.maximum.reduceat(gain, side.first, axis=1).clip(0.0)
    if room < best.shape[1]:
        best = -np.partition(-best, max(room - 1, 0), axis=1)[:, :room]
    return np.asarray(best.sum(axis=1))


def team_patterns(side: TeamRoles, level: float, limit: int) -> ListedPatterns:
    """Return a team's patterns that are hoped to reach the level."""
    grown, parts = _start(side), []
    for size in range(side.cap + 1):
        parts.append(_listed(side, grown, level))
        if size == side.cap or not side.rows.size or not len(grown.value):
            break
        ahead = _hopes(side, grown, size)
        more = _grow(side, grown, ahead, level, limit) if len(grown.value) <= limit else None
        if more is None:
            highest = max(float(ahead.max()), *(part.ceiling for part in parts))
            return ListedPatterns(np.empty((0, 0), dtype=np.int64), np.empty(0), np.empty(0), highest, complete=False)
        grown = more
    return _joined(parts)


def _grow(side: TeamRoles, grown: _Grown, ahead: np.ndarray, level: float, limit: int) -> _Grown | None:
    """Return the beginnings with one later man more that can still reach the level; None where too many must be tried.

    `ahead` (k,) bounds the completions of each beginning.
    """
    size, chunk, parts, tried = grown.men.shape[1], max(1, CELLS // side.rows.size), [], 0
    for at in range(0, len(grown.value), chunk):
        part = _rows(grown, slice(at, at + chunk))
        gain = _hopeful_gains(side, part, size)
        # Whoever adds less than nothing even when hoped for costs that much of what the others may add.
        parent, added = np.nonzero(ahead[at : at + chunk, None] + np.minimum(gain, 0.0) >= level)
        tried += len(added)
        if tried > TRIES * limit:
            return None
        for step in range(0, max(len(added), 1), chunk):
            some = slice(step, step + chunk)
            parts.append(_hopeful(side, _in_order(side, _with(side, part, parent[some], added[some])), level))
    return _Grown(*(np.concatenate([getattr(part, name) for part in parts]) for name in _Grown.__slots__))


def _in_order(side: TeamRoles, grown: _Grown) -> _Grown:
    """Leave only players behind the last one to come, so that no pattern is built twice."""
    gain = np.where(side.player <= side.player[grown.men[:, -1]][:, None], -np.inf, grown.gain)
    return replace(grown, gain=gain)


def _hopeful(side: TeamRoles, grown: _Grown, level: float) -> _Grown:
    return _rows(grown, _hopes(side, grown, grown.men.shape[1]) >= level)


def _rows(grown: _Grown, rows: np.ndarray | slice) -> _Grown:
    return _Grown(*(getattr(grown, name)[rows] for name in _Grown.__slots__))


def _listed(side: TeamRoles, grown: _Grown, level: float) -> ListedPatterns:
    good = _rows(grown, grown.value >= level)
    men = np.full((len(good.value), side.cap), NOBODY)
    men[:, : good.men.shape[1]] = side.rows[good.men]
    own = good.value - side.bonus[good.men].sum(axis=1)
    return ListedPatterns(men, good.value, own, float(good.value.max(initial=level)))


def _joined(parts: list[ListedPatterns]) -> ListedPatterns:
    men, hoped, value = (np.concatenate([getattr(part, name) for part in parts]) for name in ("men", "hoped", "value"))
    return ListedPatterns(men, hoped, value, max(part.ceiling for part in parts))


def good_patterns(side: TeamRoles) -> ListedPatterns:
    """Return a few good patterns of a team, the empty one among them."""
    grown, parts = _start(side), []
    for size in range(side.cap + 1):
        parts.append(_listed(side, grown, -np.inf))
        if size == side.cap or not side.rows.size:
            break
        step = grown.value[:, None] + grown.gain + side.stack * np.minimum(side.swing, grown.tallest[:, None])
        order = np.argsort(-step, axis=None, kind="stable")[: BEAM * (size + 1)]
        parent, added = np.unravel_index(order[np.isfinite(step.flat[order])], step.shape)
        grown = _with(side, grown, parent, added)
        different = np.unique(np.sort(grown.men, axis=1), axis=0, return_index=True)[1]
        grown = _rows(grown, different)
        if not len(grown.value):
            break
    return best_few(_joined(parts))


def best_few(listed: ListedPatterns) -> ListedPatterns:
    """Return the patterns of the highest value."""
    order = np.argsort(-listed.value, kind="stable")[:BEAM]
    return ListedPatterns(listed.men[order], listed.hoped[order], listed.value[order], listed.ceiling)
