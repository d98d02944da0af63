"""Every eleven that a squad may send out, as columns of a squad sorted by position."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, product

import numpy as np

Lineup = tuple[int, int, int, int]
"""Starters by position: GK, DEF, MID, FWD."""


@dataclass(frozen=True, slots=True, eq=False)
class Elevens:
    """Every eleven of a squad sorted by position; columns are its men."""

    starts: np.ndarray  # (e, s) 1 where he starts
    waiting: np.ndarray  # (e, b) columns of the outfield bench

    def __len__(self) -> int:
        return len(self.starts)

    def best(self, worth: np.ndarray, count: int | None) -> np.ndarray:
        """Return the `count` elevens of squads (p, s) whose men are worth most (p, count); None = all (1, e)."""
        if count is None or count >= len(self):
            return np.arange(len(self))[None, :]
        return np.asarray(np.sort(np.argpartition(worth @ -self.starts.T, count - 1, axis=1)[:, :count], axis=1))


@lru_cache(maxsize=32)
def all_elevens(lineups: tuple[Lineup, ...], shape: Lineup) -> Elevens:
    """Return the elevens of the formations, those of the first one first."""
    first = np.cumsum((0, *shape))
    chosen = [
        sum(parts, ())
        for lineup in lineups
        for parts in product(*(combinations(range(first[p], first[p + 1]), lineup[p]) for p in range(len(shape))))
    ]
    starts = np.zeros((len(chosen), first[-1]))
    np.put_along_axis(starts, np.array(chosen), 1.0, axis=1)
    waiting = np.nonzero(starts[:, shape[0] :] == 0)[1].reshape(len(starts), -1) + shape[0]
    return Elevens(starts, waiting)
