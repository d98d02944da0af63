"""Line-ups of many squads in one round: the most that eleven, bench order and armband bring, by sorting positions.

Where the bench and the armband rank men as the eleven does, sorting is exact: of each position the least that any
formation has start, then the best of all others. Elsewhere it is the value of a good line-up, never more than the
best; `exact_lineup` then looks at every eleven.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import combinations, product

import numpy as np

from data.rules import STARTERS
from engine.plan.linear.frame import Frame
from engine.plan.linear.pricing.relaxation import box_shaped
from engine.plan.linear.problem import NOBODY
from engine.plan.linear.round_values import RoundValues

LEADS = 1e4
"""Points added to the man who has to lead, so that he starts: more than anybody's, and taken off again."""


@dataclass(frozen=True, slots=True, eq=False)
class RoundLineups:
    """Values squads in one round; squads hold the men of each position in blocks, GK first."""

    one: RoundValues
    frame: Frame
    start: np.ndarray  # (n,) by which men are put into the eleven
    least: tuple[int, ...]  # of each position in every formation; empty where formations have to be tried one by one
    aligned: bool  # whether bench and armband rank men as the eleven does
    guests: np.ndarray  # rows who may be the best man outside a squad, the best first

    def values(self, squads: np.ndarray) -> np.ndarray:
        """(p,) points of squads (p, size) in the round: eleven, bench, armband and the man from outside."""
        total = self._sorted(squads) if self.exact else self._by_formation(squads)
        return np.asarray(total + self.outside(squads))

    @property
    def exact(self) -> bool:
        """Whether sorting finds the best line-up of every squad."""
        return bool(self.least) and self.aligned and self.one.leader == NOBODY

    def _blocks(self, table: np.ndarray) -> list[np.ndarray]:
        edges = np.cumsum(self.frame.shape)[:-1]
        return np.split(table, edges, axis=1)

    def _sorted(self, squads: np.ndarray) -> np.ndarray:
        points = self.start[squads]
        keepers, *lines = (-np.sort(-block, axis=1) for block in self._blocks(points))
        total = keepers[:, 0] + self.one.keeper_weight * keepers[:, 1:].sum(axis=1)
        rest = [line[:, least:] for line, least in zip(lines, self.least, strict=True)]
        for line, least in zip(lines, self.least, strict=True):
            total = total + line[:, :least].sum(axis=1)
        others = -np.sort(-np.concatenate(rest, axis=1), axis=1)
        factors = np.append(np.ones(others.shape[1] - len(self.one.weights)), self.one.weights)
        return np.asarray(total + others @ factors + self.one.captain[squads].max(axis=1))

    def _by_formation(self, squads: np.ndarray) -> np.ndarray:
        orders = [np.argsort(-block, axis=1, kind="stable") for block in self._blocks(self.start[squads])]
        men = [np.take_along_axis(b, order, axis=1) for b, order in zip(self._blocks(squads), orders, strict=True)]
        leads = self.one.leads()
        best = np.full(len(squads), -np.inf)
        for lineup in self.frame.lineups:
            eleven = np.concatenate([block[:, :count] for block, count in zip(men, lineup, strict=True)], axis=1)
            bench = np.concatenate([block[:, count:] for block, count in zip(men[1:], lineup[1:], strict=True)], axis=1)
            total = self.one.start[eleven].sum(axis=1)
            total = total + np.where(leads[eleven], self.one.captain[eleven], -np.inf).max(axis=1)
            total = total + -np.sort(-self.one.bench[bench], axis=1) @ np.array(self.one.weights)
            total = total + self.one.keeper_weight * self.one.bench[men[0][:, 1:]].sum(axis=1)
            best = np.maximum(best, total)
        return best

    def outside(self, squads: np.ndarray) -> np.ndarray:
        """(p,) points of the best man outside each squad, where a booster lets him play."""
        if self.one.outside is None:
            return np.zeros(len(squads))
        inside = (squads[:, :, None] == self.guests).any(axis=1)
        return np.asarray(self.one.outside[self.guests[inside.argmin(axis=1)]])


def round_lineups(one: RoundValues, frame: Frame) -> RoundLineups:
    """Return how squads are valued in a round."""
    table = np.array(frame.lineups)
    free = box_shaped(frame.lineups) and (table.max(axis=0) == np.array(frame.shape))[1:].all()
    start = one.start.copy()
    if one.leader != NOBODY:
        start[one.leader] += LEADS
    order = np.argsort(one.start, kind="stable")
    same_bench = np.array_equal(one.bench, one.start)
    aligned = same_bench and bool((np.diff(one.captain[order]) >= 0).all())
    guests = np.zeros(0, dtype=np.int64)
    if one.outside is not None:
        guests = np.argsort(-one.outside, kind="stable")[: frame.size + 1]
    return RoundLineups(one, frame, start, tuple(table.min(axis=0)[1:].tolist()) if free else (), aligned, guests)


def exact_value(lineups: RoundLineups, squad: np.ndarray) -> float:
    """Return the most that one squad (size,) can bring in a round: every eleven, its best bench order and captain."""
    if lineups.exact:
        return float(lineups.values(squad[None, :])[0])
    one = lineups.one
    elevens, benches, keepers = _elevens(lineups.frame.shape, lineups.frame.lineups)
    eleven = squad[elevens]
    leads = one.leads()
    total = one.start[eleven].sum(axis=1) + np.where(leads[eleven], one.captain[eleven], -np.inf).max(axis=1)
    total = total + -np.sort(-one.bench[squad[benches]], axis=1) @ np.array(one.weights)
    total = total + one.keeper_weight * one.bench[squad[keepers]].sum(axis=1)
    return float(total.max() + lineups.outside(squad[None, :])[0])


@cache
def _elevens(shape: tuple[int, ...], lineups: tuple[tuple[int, ...], ...]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the places (c, 11) of every eleven of a squad, of its outfield bench, and of the goalkeepers on it."""
    edges = np.cumsum((0, *shape))
    blocks = [range(edges[place], edges[place + 1]) for place in range(len(shape))]
    elevens = [
        tuple(man for part in parts for man in part)
        for lineup in lineups
        for parts in product(*(combinations(block, count) for block, count in zip(blocks, lineup, strict=True)))
    ]
    assert all(len(eleven) == STARTERS for eleven in elevens)
    outfield = [[man for man in range(shape[0], edges[-1]) if man not in eleven] for eleven in elevens]
    keepers = [[man for man in blocks[0] if man not in eleven] for eleven in elevens]
    size = len(elevens)
    places = (np.array(group, dtype=np.int64).reshape(size, -1) for group in (outfield, keepers))
    return np.array(elevens), *places  # type: ignore[return-value]
