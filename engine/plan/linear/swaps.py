"""Swaps before a round: sets of 0, 1, 2 … exchanges of many squads, the most promising at the shadow prices.

Sets grow by one exchange at a time, in order of places, so that no set comes twice. Sets that cannot be paid are kept
while they grow: the second sale may pay for the first purchase.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.plan.linear.paths import Paths
from engine.plan.linear.terrain import Terrain


@dataclass(frozen=True, slots=True, eq=False)
class SwapSets:
    """Squads after some exchanges: row i of every array is one set."""

    codes: np.ndarray  # (p, size)
    origin: np.ndarray  # (p,) path it started from
    last: np.ndarray  # (p,) place of the last exchange, −1 for none
    worth: np.ndarray  # (p,) Σ worth of the squad at prices

    def only(self, keep: np.ndarray) -> SwapSets:
        """Return some of the sets."""
        return SwapSets(self.codes[keep], self.origin[keep], self.last[keep], self.worth[keep])


def no_swap(ground: Terrain, column: int, paths: Paths) -> SwapSets:
    """Return every squad as it is."""
    size = len(paths)
    worth = ground.worth[column][paths.codes].sum(axis=1)
    return SwapSets(paths.codes, np.arange(size), np.full(size, -1), worth)


def one_more(
    ground: Terrain, column: int, paths: Paths, sets: SwapSets, buys: np.ndarray, most: int, *, back: bool = False
) -> SwapSets:
    """Return the sets with one more exchange of the highest worth together with their path's value, `most` of them.

    `buys` are the rows who may come; with `back` also men whom the path itself held, who then were never sold.
    """
    value = sets.worth + paths.value[sets.origin]
    found = [
        _exchanges(
            ground.worth[column], paths, sets, value, buys[ground.problem.frame.position[buys] == place], block, back
        )
        for place, block in enumerate(_blocks(ground.problem.frame.shape))
    ]
    key, which, place, code = (np.concatenate(part) for part in zip(*found, strict=True))
    best = _highest(key, most)
    which, place = which[best], place[best]
    codes = sets.codes[which]
    codes[np.arange(len(which)), place] = code[best]
    return SwapSets(codes, sets.origin[which], place, sets.worth[which] + key[best] - value[which])


def _blocks(shape: tuple[int, ...]) -> list[np.ndarray]:
    """Return the places of each position in a squad."""
    return np.split(np.arange(sum(shape)), np.cumsum(shape)[:-1])


def _exchanges(
    worth: np.ndarray,
    paths: Paths,
    sets: SwapSets,
    value: np.ndarray,
    buys: np.ndarray,
    block: np.ndarray,
    back: bool,
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return every exchange of one position: what it makes of a set's value, the set, the place, and who comes."""
    first_squad = not paths.codes.shape[1]
    before = paths.codes[sets.origin][:, block[:0] if first_squad else block]
    inside = sets.codes[:, block]
    codes_in = buys * 2 + _has(before, buys * 2 + 1)
    known = _has(inside >> 1, buys)
    if not back:
        known |= _has(before >> 1, buys)
    gain = np.where(known, -np.inf, worth[codes_in])[:, None, :] - worth[inside][:, :, None]
    key = gain + value[:, None, None]
    key[sets.last[:, None] >= block[None, :]] = -np.inf
    open_ = np.flatnonzero(np.isfinite(key))
    which, place, buy = np.unravel_index(open_, key.shape)
    return key.ravel()[open_], which, block[place], codes_in[which, buy]


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
