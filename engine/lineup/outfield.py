"""The best outfield of many squads at once: every eleven with its bench in every order, most ruled out by a bound.

Who comes in from a bench never outnumbers who is absent. So an eleven brings at most its own xEV and, for as many
absent men as there are, the playing men of its bench with the most points when they play, formations aside. That is
quick to reckon for all elevens (265 for the usual squad), nearly tight, and leaves a handful of each squad to be valued
exactly, in all orders of the bench.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, product
from typing import NamedTuple

import numpy as np

from data.rules import GameRules
from engine.lineup.autosubs import (
    OUTFIELD,
    BenchTable,
    Floats,
    Ints,
    Lineup,
    Row,
    absent_by_subset,
    bench_tables,
    needed,
)
from models.armband.table import ROUNDING

TRIED = 4
"""Elevens of each squad that are valued before the others are held against the best of them."""

SQUADS_AT_ONCE = 256
"""Squads valued at once: their bounds fill a few megabytes."""


class Outfield(NamedTuple):
    """The chosen outfield of some squads; men are columns of a squad sorted by position."""

    formation: Ints  # (p,) place in the rulebook's formations
    starts: Ints  # (p, 10)
    bench: Ints  # (p, b) in the order they are called
    needed: Floats  # (p, b) P(comes in | he plays)


def best_outfield(rules: GameRules, xev: Floats, play: Floats, held: Ints, formation: int | None) -> Outfield:
    """Return the best outfield of squads whose men (s, p), sorted by position, bring `xev` and play with `play`.

    `held` (p,) is the column of a man who must start, −1 for nobody. Ties go to the eleven listed first.
    """
    shape = rules.squad.places
    choices = _choices(bench_tables(rules), shape, formation)
    squads = _Squads.of(choices, xev, play)
    bound = squads.bounds(rules.autosubs.enabled)
    outfield_held = held >= shape[0]
    bound[:, outfield_held] = np.where(choices.starting[:, held[outfield_held]] > 0.0, bound[:, outfield_held], -np.inf)
    found = _search(squads, bound)
    return Outfield(
        choices.formation[found.eleven],
        choices.starts[found.eleven],
        np.take_along_axis(choices.bench[found.eleven], choices.orders[found.order], axis=1),
        found.needed,
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Choices:
    """Every eleven of a rulebook, those of the formation named first first; men are columns of a sorted squad."""

    entries: dict[int, Floats]  # by formation: (absent cells, rows of men called) 1 where the last man comes in
    rows: tuple[Row, ...]  # men who are called one after the other, as places of a bench
    orders: Ints  # (o, b) places of a bench as they are called
    formation: Ints  # (e,)
    starts: Ints  # (e, 10)
    bench: Ints  # (e, b)
    starting: Floats  # (e, s) 1 where the man starts
    subset: Ints  # (e, 3) which of the defenders, midfielders and forwards start, a bit for each
    first: tuple[int, ...]  # column where each position begins, and the end


@dataclass(frozen=True, slots=True, eq=False)
class _Valued:
    """Elevens valued exactly: item i of every array is one eleven of one squad."""

    squad: Ints
    eleven: Ints
    value: Floats
    order: Ints  # of its bench
    needed: Floats  # (i, b) P(comes in | he plays), along that order

    def joined(self, other: _Valued) -> _Valued:
        pairs = zip(self._columns(), other._columns(), strict=True)
        return _Valued(*(np.concatenate(pair) for pair in pairs))

    def at(self, rows: Ints) -> _Valued:
        return _Valued(*(column[rows] for column in self._columns()))

    def best_of(self, count: int) -> _Valued:
        """Return the best item of each of so many squads; of those that tie, but for rounding, the eleven first."""
        top = np.full(count, -np.inf)
        np.maximum.at(top, self.squad, self.value)
        near = np.flatnonzero(self.value >= top[self.squad] - ROUNDING)
        order = near[np.lexsort((self.eleven[near], self.squad[near]))]
        return self.at(order[np.unique(self.squad[order], return_index=True)[1]])

    def _columns(self) -> tuple[np.ndarray, ...]:
        return self.squad, self.eleven, self.value, self.order, self.needed


def _search(squads: _Squads, bound: Floats) -> _Valued:
    """Return the best eleven of each squad: a few by their bound, then whoever might still beat them."""
    count, tried = bound.shape[1], min(TRIED, len(bound))
    top = np.argpartition(-bound.T, tried - 1, axis=1)[:, :tried]
    squad = np.repeat(np.arange(count), tried)
    valued = squads.valued(squad, top.ravel(), bound)
    best = np.full(count, -np.inf)
    np.maximum.at(best, valued.squad, valued.value)
    bound[top.ravel(), squad] = -np.inf
    eleven, squad = np.nonzero(bound >= best - 2 * ROUNDING)
    if len(eleven):
        valued = valued.joined(squads.valued(squad, eleven, bound))
    return valued.best_of(count)


@dataclass(frozen=True, slots=True, eq=False)
class _Squads:
    """Squads as columns (s, p) of men sorted by position, and how many of each choice of them are absent."""

    choices: _Choices
    xev: Floats
    play: Floats
    absent: tuple[Floats, Floats, Floats]  # (subsets, counts, p) of defenders, midfielders, forwards

    @classmethod
    def of(cls, choices: _Choices, xev: Floats, play: Floats) -> _Squads:
        most = choices.bench.shape[1]
        sides = tuple(absent_by_subset(play[slice(*choices.first[code : code + 2])], most) for code in OUTFIELD)
        return cls(choices, xev, play, sides)  # type: ignore[arg-type]

    def bounds(self, autosubs: bool) -> Floats:
        """Return (e, p) what each eleven brings at most."""
        bound = self.choices.starting @ self.xev
        if not autosubs or not self.choices.bench.shape[1]:
            return np.asarray(bound)
        left = self._at_least()
        for points, plays in self._bench_by_points():
            bound += points * left[0]
            left = [more + (1.0 - plays) * (here - more) for here, more in zip(left, [*left[1:], left[0]], strict=True)]
            left.pop()
        return np.asarray(bound)

    def valued(self, squad: Ints, eleven: Ints, bound: Floats) -> _Valued:
        """Return what some elevens bring, each with its bench in the best order; those out of bounds bring −inf."""
        choices, sides = self.choices, self.choices.subset[eleven].T
        back, middle, front = (held[side, :, squad] for held, side in zip(self.absent, sides, strict=True))
        cells = back[:, :, None, None] * middle[:, None, :, None] * front[:, None, None, :]
        reached = self._reached(cells.reshape(len(squad), back.shape[1] ** 3), choices.formation[eleven])
        bench = choices.bench[eleven].T
        points, plays = self.xev[bench, squad], self.play[bench, squad]
        chance = needed(dict(zip(choices.rows, reached, strict=True)), plays)
        by_order = [[chance[tuple(order[: n + 1])] for n in range(len(order))] for order in choices.orders.tolist()]
        chances = np.array(by_order, dtype=np.float64).reshape(*choices.orders.shape, len(squad))
        brought = (chances * points[choices.orders]).sum(axis=1)
        order = np.asarray((brought >= brought.max(axis=0) - ROUNDING).argmax(axis=0))
        each = np.arange(len(squad))
        value = np.einsum("is,si->i", choices.starting[eleven], self.xev[:, squad]) + brought[order, each]
        value = np.where(np.isneginf(bound[eleven, squad]), -np.inf, value)
        return _Valued(squad, eleven, value, order, chances[order, :, each])

    def _reached(self, cells: Floats, formation: Ints) -> Floats:
        """Return (rows, i) the chance that the last man of each row called comes in, of absences (i, cells)."""
        reached = np.empty((len(self.choices.rows), len(cells)))
        for number, entries in self.choices.entries.items():
            here = np.flatnonzero(formation == number)
            reached[:, here] = entries.T @ cells[here].T
        return reached

    def _at_least(self) -> list[Floats]:
        """Return the chances (e, p) that at least one, two, … of an eleven's outfield are absent, one for each man."""
        sides = [held[subset] for held, subset in zip(self.absent, self.choices.subset.T, strict=True)]
        count = [sides[0][:, number] for number in range(self.choices.bench.shape[1])]
        for side in sides[1:]:
            count = [
                sum((count[n] * side[:, number - n] for n in range(number + 1)), start=np.zeros(()))
                for number in range(len(count))
            ]
        left, chances = np.ones(count[0].shape), []
        for chance in count:
            left = left - chance
            chances.append(left)
        return chances

    def _bench_by_points(self) -> list[tuple[Floats, Floats]]:
        """Return points and chances to play (e, p) of the benches' men, the most points when they play first."""
        points = np.maximum(self.xev, 0.0)
        fetched = np.divide(points, self.play, out=np.where(points > 0.0, np.inf, 0.0), where=self.play > 0.0)
        order = np.argsort(-fetched, axis=0, kind="stable")
        rank = np.empty_like(order)
        np.put_along_axis(rank, order, np.arange(len(order))[:, None], axis=0)
        places = list(rank[self.choices.bench.T])
        for end in range(len(places) - 1, 0, -1):
            for one in range(end):
                places[one], places[one + 1] = (
                    np.minimum(places[one], places[one + 1]),
                    np.maximum(places[one], places[one + 1]),
                )
        column = np.arange(points.shape[1])
        points, play = (np.take_along_axis(values, order, axis=0) for values in (points, self.play))
        return [(points[place, column], play[place, column]) for place in places]


@lru_cache(maxsize=64)
def _choices(tables: tuple[BenchTable, ...], shape: tuple[int, ...], formation: int | None) -> _Choices:
    used = {number: table for number, table in enumerate(tables) if formation in (None, number)}
    first = tuple(np.cumsum((0, *shape)).tolist())
    starts = {number: _starts(table.lineup, first) for number, table in used.items()}
    everyone = np.concatenate(list(starts.values()))
    starting = np.zeros((len(everyone), first[-1]))
    np.put_along_axis(starting, everyone, 1.0, axis=1)
    bits = [starting[:, slice(*first[code : code + 2])] @ 2.0 ** np.arange(shape[code]) for code in OUTFIELD]
    table = next(iter(used.values()))
    rows = tuple(table.column)
    return _Choices(
        {number: one.comes_in(rows) for number, one in used.items()},
        rows,
        table.orders,
        np.repeat(list(used), [len(those) for those in starts.values()]),
        everyone,
        np.nonzero(starting[:, shape[0] :] == 0.0)[1].reshape(len(everyone), -1) + shape[0],
        starting,
        np.stack(bits, axis=1).astype(np.int64),
        first,
    )


def _starts(lineup: Lineup, first: Sequence[int]) -> Ints:
    """Return (e, 10) the columns of every outfield that a formation allows."""
    sides = [combinations(range(first[code], first[code + 1]), lineup[code]) for code in OUTFIELD]
    return np.array([[*back, *middle, *front] for back, middle, front in product(*sides)], dtype=np.int64)
