"""Outfields of many squads at once: what each brings at most, and exactly with its bench in the best order.

Who comes in from a bench never outnumbers who is absent. So a bench brings at most, for as many absent men as there
are, its playing men with the most points when they play, formations aside. That is quick to reckon for all elevens
(265 for the usual squad), nearly tight, and leaves a handful of each squad to be valued exactly, in all orders of the
bench.
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
    Bools,
    Floats,
    Ints,
    Lineup,
    Row,
    absent_by_subset,
    bench_tables,
    needed,
)
from models.armband.table import ROUNDING

BEFORE_OTHERS = 100.0
"""Points that it would take to call a man who is out before one who is not: more than a bench brings."""
SQUADS_AT_ONCE = 256
"""Squads valued at once: their bounds fill a few megabytes."""


@dataclass(frozen=True, slots=True, eq=False)
class OutfieldChoices:
    """Every eleven of a rulebook, those of the formation named first first; men are columns of a sorted squad."""

    entries: dict[int, Floats]  # by formation: (absent cells, rows of men called) 1 where the last man comes in
    rows: tuple[Row, ...]  # men who are called one after the other, as places of a bench
    orders: Ints  # (o, b) places of a bench as they are called
    formation: Ints  # (e,)
    starts: Ints  # (e, 10)
    bench: Ints  # (e, b)
    starting: Floats  # (e, s) 1 where the man starts
    subset: Ints  # (e, 3) which of the defenders, midfielders and forwards start, a bit for each
    replaces: Bools  # (e, b, 3) whether a man of the bench may take the place of a defender, midfielder, forward
    first: tuple[int, ...]  # column where each position begins, and the end


class ValuedBench(NamedTuple):
    """Benches valued exactly, each in its best order: item i of every array is the bench of one eleven of one squad."""

    points: Floats  # (i,) Σ P(comes in | he plays) · xEV
    men: Ints  # (i, b) columns of a sorted squad, in the order they are called
    needed: Floats  # (i, b) P(comes in | he plays), along `men`


@dataclass(frozen=True, slots=True, eq=False)
class Outfields:
    """Squads as columns (s, p) of men sorted by position, and how many of each choice of them are absent."""

    choices: OutfieldChoices
    xev: Floats
    play: Floats
    out: Bools  # whether the man is unavailable
    absent: tuple[Floats, Floats, Floats]  # (subsets, counts, p) of defenders, midfielders, forwards

    @classmethod
    def of(cls, choices: OutfieldChoices, xev: Floats, play: Floats, out: Bools) -> Outfields:
        """Return squads whose men (s, p), sorted by position, bring `xev`, play with `play`, or are out."""
        most = choices.bench.shape[1]
        sides = tuple(absent_by_subset(play[slice(*choices.first[code : code + 2])], most) for code in OUTFIELD)
        return cls(choices, xev, play, out, sides)  # type: ignore[arg-type]

    def bench_bounds(self, autosubs: bool) -> Floats:
        """Return (e, p) what the bench of each eleven brings at most."""
        bound = np.zeros((len(self.choices.starts), self.xev.shape[1]))
        if not autosubs or not self.choices.bench.shape[1]:
            return bound
        left = self._at_least()
        for points, plays in self._bench_by_points():
            bound += points * left[0]
            left = [more + (1.0 - plays) * (here - more) for here, more in zip(left, [*left[1:], left[0]], strict=True)]
            left.pop()
        return bound

    def benches(self, squad: Ints, eleven: Ints) -> ValuedBench:
        """Return what the benches behind some elevens bring, each in its best order."""
        choices, bench = self.choices, self.choices.bench[eleven].T
        chances = self.every_order(squad, eleven)
        brought = (chances * self.xev[bench, squad][choices.orders]).sum(axis=1)
        wanted = brought - BEFORE_OTHERS * self.called_in_vain(squad, eleven) if self.out.any() else brought
        order = np.asarray((wanted >= wanted.max(axis=0) - ROUNDING).argmax(axis=0))
        each = np.arange(len(squad))
        men = np.take_along_axis(choices.bench[eleven], choices.orders[order], axis=1)
        return ValuedBench(brought[order, each], men, chances[order, :, each])

    def every_order(self, squad: Ints, eleven: Ints) -> Floats:
        """Return (o, b, i) P(comes in | he plays) of the men behind some elevens, as each order calls them."""
        choices, sides = self.choices, self.choices.subset[eleven].T
        back, middle, front = (held[side, :, squad] for held, side in zip(self.absent, sides, strict=True))
        cells = back[:, :, None, None] * middle[:, None, :, None] * front[:, None, None, :]
        reached = self._reached(cells.reshape(len(squad), back.shape[1] ** 3), choices.formation[eleven])
        plays = self.play[choices.bench[eleven].T, squad]
        chance = needed(dict(zip(choices.rows, reached, strict=True)), plays)
        by_order = [[chance[tuple(order[: n + 1])] for n in range(len(order))] for order in choices.orders.tolist()]
        return np.array(by_order, dtype=np.float64).reshape(*choices.orders.shape, len(squad))

    def called_in_vain(self, squad: Ints, eleven: Ints) -> Ints:
        """Return (o, i) how often an order calls a man who is out before one who is not."""
        out = self.out[self.choices.bench[eleven].T, squad][self.choices.orders].astype(np.int64)
        return np.asarray((np.cumsum(out, axis=1) * (1 - out)).sum(axis=1))

    def risky_starts(self, squad: Ints, eleven: Ints, risky: float) -> Ints:
        """Return (i,) how many starters, less likely to play than `risky`, a fitter man of the bench could replace."""
        choices = self.choices
        play = self.play[choices.starts[eleven].T, squad]
        count = np.zeros(len(squad), dtype=np.int64)
        some = np.flatnonzero((play < risky).any(axis=0))
        bench = self.play[choices.bench[eleven[some]].T, squad[some]].T
        fittest = np.where(choices.replaces[eleven[some]], bench[:, :, None], -1.0).max(axis=1, initial=-1.0)
        place = np.searchsorted(choices.first, choices.starts[eleven[some]], side="right") - 1 - OUTFIELD[0]
        starters = play[:, some].T
        count[some] = ((starters < risky) & (np.take_along_axis(fittest, place, axis=1) > starters)).sum(axis=1)
        return count

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


def outfield_choices(rules: GameRules, formation: int | None) -> OutfieldChoices:
    """Return the elevens of a rulebook, or of one of its formations by place."""
    return _choices(bench_tables(rules), rules.squad.places, formation)


@lru_cache(maxsize=64)
def _choices(tables: tuple[BenchTable, ...], shape: tuple[int, ...], formation: int | None) -> OutfieldChoices:
    used = {number: table for number, table in enumerate(tables) if formation in (None, number)}
    first = tuple(np.cumsum((0, *shape)).tolist())
    starts = {number: _starts(table.lineup, first) for number, table in used.items()}
    everyone = np.concatenate(list(starts.values()))
    starting = np.zeros((len(everyone), first[-1]))
    np.put_along_axis(starting, everyone, 1.0, axis=1)
    bits = [starting[:, slice(*first[code : code + 2])] @ 2.0 ** np.arange(shape[code]) for code in OUTFIELD]
    table = next(iter(used.values()))
    rows = tuple(table.column)
    allowed = {one.lineup for one in used.values()}
    places = np.repeat(list(used), [len(those) for those in starts.values()])
    return OutfieldChoices(
        {number: one.comes_in(rows) for number, one in used.items()},
        rows,
        table.orders,
        places,
        everyone,
        np.nonzero(starting[:, shape[0] :] == 0.0)[1].reshape(len(everyone), -1) + shape[0],
        starting,
        np.stack(bits, axis=1).astype(np.int64),
        np.concatenate(
            [np.repeat(_replaces(used[number], allowed)[None], len(starts[number]), axis=0) for number in used]
        ),
        first,
    )


def _replaces(table: BenchTable, allowed: set[Lineup]) -> Bools:
    """Return (b, 3) whether a place of a bench may take that of a defender, midfielder, forward of a formation."""
    swaps = np.zeros((len(table.bench), len(OUTFIELD)), dtype=bool)
    for place, code in enumerate(table.bench):
        for out in OUTFIELD:
            after = list(table.lineup)
            after[code] += 1
            after[out] -= 1
            swaps[place, out - OUTFIELD[0]] = tuple(after) in allowed
    return swaps


def _starts(lineup: Lineup, first: Sequence[int]) -> Ints:
    """Return (e, 10) the columns of every outfield that a formation allows."""
    sides = [combinations(range(first[code], first[code + 1]), lineup[code]) for code in OUTFIELD]
    return np.array([[*back, *middle, *front] for back, middle, front in product(*sides)], dtype=np.int64)
