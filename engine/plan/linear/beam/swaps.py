"""Swaps before a round: sets of 0, 1, 2 … exchanges of many squads, the most promising at the shadow prices.

Sets grow by one exchange at a time, in order of places, so that no set comes twice. Sets that cannot be paid are kept
while they grow: the second sale may pay for the first purchase.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.plan.linear.beam.paths import Paths
from engine.plan.linear.beam.terrain import Terrain
from engine.rules.money import payable

AT_ONCE = 2_000
"""Sets that are worked on at once: some megabytes an array."""


@dataclass(frozen=True, slots=True, eq=False)
class SwapSets:
    """Squads after some exchanges: row i of every array is one set."""

    codes: np.ndarray  # (p, size)
    origin: np.ndarray  # (p,) path it started from
    last: np.ndarray  # (p,) place of the last exchange, −1 for none
    worth: np.ndarray  # (p,) Σ worth of the squad at prices

    def __len__(self) -> int:
        return len(self.codes)

    def only(self, keep: np.ndarray) -> SwapSets:
        """Return some of the sets."""
        return SwapSets(self.codes[keep], self.origin[keep], self.last[keep], self.worth[keep])


@dataclass(frozen=True, slots=True, eq=False)
class Exchanging:
    """What a search for one more exchange looks at."""

    buys: np.ndarray  # rows of men who may come
    most: int  # sets that are kept
    least: float  # of a path's value, the squad's worth and what the exchanges bring: less is hopeless
    tail: np.ndarray  # (p, m + 1) by path what this and 0, 1 … more exchanges bring: hits, and transfers left after
    back: bool = False  # whether men may come whom the path itself held: they were never sold then
    proving: bool = False  # whether to end once there are more


@dataclass(frozen=True, slots=True, eq=False)
class Grown:
    """Sets with one exchange more: those that can be paid, and those of most worth whether they can or not."""

    paid: SwapSets
    growing: SwapSets
    whole: bool  # whether none with hope was left out


def no_swap(ground: Terrain, column: int, paths: Paths) -> SwapSets:
    """Return every squad as it is."""
    size = len(paths)
    worth = ground.worth[column][paths.codes].sum(axis=1)
    return SwapSets(paths.codes, np.arange(size), np.full(size, -1), worth)


def one_more(ground: Terrain, column: int, paths: Paths, sets: SwapSets, search: Exchanging) -> Grown:
    """Return the sets with one more exchange of the highest hope, as many as the search looks at, none without hope."""
    parts, count = list[Exchanges](), 0
    for start in range(0, max(len(sets), 1), AT_ONCE):
        some = sets.only(np.arange(start, min(start + AT_ONCE, len(sets))))
        parts.append(_exchanges(ground, column, paths, some, search, start))
        count += len(parts[-1].hope)
        if search.proving and count > search.most:
            break
    found = Exchanges(*(np.concatenate([getattr(part, name) for part in parts]) for name in Exchanges.__slots__))
    fits = np.flatnonzero(payable(found.cost, float(ground.problem.purse[column])) & (found.complete >= search.least))
    paid = found.made(sets, fits[_highest(found.complete[fits], search.most)])
    grown = found.made(sets, _highest(found.hope, search.most))
    return Grown(paid, grown, count <= search.most)


@dataclass(frozen=True, slots=True, eq=False)
class Exchanges:
    """One more exchange of sets: row i of every array is one."""

    which: np.ndarray  # set
    place: np.ndarray  # of who goes
    code: np.ndarray  # who comes
    gain: np.ndarray  # worth at prices
    complete: np.ndarray  # what the path brings if it is the last
    hope: np.ndarray  # the most that it brings with others after it
    cost: np.ndarray  # millions of the squad

    def made(self, sets: SwapSets, rows: np.ndarray) -> SwapSets:
        """Return the sets after some of the exchanges."""
        which, place = self.which[rows], self.place[rows]
        codes = sets.codes[which]
        codes[np.arange(len(rows)), place] = self.code[rows]
        return SwapSets(codes, sets.origin[which], place, sets.worth[which] + self.gain[rows])


def _exchanges(ground: Terrain, column: int, paths: Paths, sets: SwapSets, search: Exchanging, start: int) -> Exchanges:
    """Return every exchange with hope; `start` is the number of the first set."""
    worth, position = ground.worth[column], ground.problem.frame.position[search.buys]
    blocks, tail = _blocks(ground.problem.frame.shape), search.tail[sets.origin]
    value, spent = sets.worth + paths.value[sets.origin], ground.cost[sets.codes].sum(axis=1)
    coming = [_coming(paths, sets, search.buys[position == at], block, search.back) for at, block in enumerate(blocks)]
    offered = [np.where(known, -np.inf, worth[codes]) for codes, known in coming]
    best = np.repeat(
        np.stack([men.max(axis=1, initial=-np.inf) for men in offered], axis=1), [*map(len, blocks)], axis=1
    )
    best = best - worth[sets.codes]
    more = _best_after(best, tail)
    open_ = (value[:, None] + best + more >= search.least) & np.isfinite(best)
    open_ &= sets.last[:, None] < np.arange(best.shape[1])
    parts = []
    for (codes, _), men, block in zip(coming, offered, blocks, strict=True):
        which, place = np.nonzero(open_[:, block])
        place = block[place]
        gain = men[which] - worth[sets.codes[which, place]][:, None]
        pair, buy = np.nonzero(
            (gain >= (search.least - value[which] - more[which, place])[:, None]) & np.isfinite(gain)
        )
        parts.append((which[pair], place[pair], codes[which[pair], buy], gain[pair, buy]))
    which, place, code, gain = (np.concatenate(part) for part in zip(*parts, strict=True))
    return Exchanges(
        which=which + start,
        place=place,
        code=code,
        gain=gain,
        complete=value[which] + gain + tail[which, 0],
        hope=value[which] + gain + more[which, place],
        cost=spent[which] + ground.cost[code] - ground.cost[sets.codes[which, place]],
    )


def _blocks(shape: tuple[int, ...]) -> list[np.ndarray]:
    """Return the places of each position in a squad."""
    return np.split(np.arange(sum(shape)), np.cumsum(shape)[:-1])


def _coming(
    paths: Paths, sets: SwapSets, buys: np.ndarray, block: np.ndarray, back: bool
) -> tuple[np.ndarray, np.ndarray]:
    """(p, c) codes of the men of a position who may come, and whether they are there already."""
    first_squad = not paths.codes.shape[1]
    before = paths.codes[sets.origin][:, block[:0] if first_squad else block]
    known = _has(sets.codes[:, block] >> 1, buys)
    if not back:
        known |= _has(before >> 1, buys)
    return buys * 2 + _has(before, buys * 2 + 1), known


def _best_after(best: np.ndarray, tail: np.ndarray) -> np.ndarray:
    """(p, places) the most that exchanges in later places can add after one in each, what their number costs included.

    `best` (p, places) is the most that an exchange in a place adds, `tail` (p, m + 1) what m more of them bring.
    """
    size, most = best.shape[1], tail.shape[1] - 1
    found = np.empty_like(best)
    top = np.full((len(best), most), -np.inf)  # the highest of the places after, in falling order
    for place in reversed(range(size)):
        sums = np.concatenate([np.zeros((len(best), 1)), top.cumsum(axis=1)], axis=1)
        found[:, place] = (sums + tail).max(axis=1)
        if most:
            both = np.concatenate([top, best[:, place : place + 1]], axis=1)
            top = -np.sort(-both, axis=1)[:, :most]
    return found


def _has(squads: np.ndarray, men: np.ndarray) -> np.ndarray:
    """(p, c) whether a squad (p, size) has each of some men."""
    return np.asarray((squads[:, :, None] == men).any(axis=1))


def _highest(key: np.ndarray, most: int) -> np.ndarray:
    """Return the places of the highest keys, in order, none that is −inf.

    A set that still holds somebody barred ranks last but counts: a later exchange may sell him.
    """
    if len(key) > most:
        best = np.argpartition(-key, most - 1)[:most]
        best = best[np.lexsort((best, -key[best]))]
    else:
        best = np.argsort(-key, kind="stable")
    return np.asarray(best[np.isfinite(key[best])])
