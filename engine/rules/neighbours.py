"""Squads one swap away: every legal exchange of one man for another of his position."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.rules.legality import legal
from engine.rules.pool import Pool


@dataclass(frozen=True, slots=True, eq=False)
class Neighbours:
    """Legal squads that differ from one squad by one man: row i of every array is the same squad."""

    squads: np.ndarray  # (q, s) player rows
    out: np.ndarray  # (q,) player row who leaves
    into: np.ndarray  # (q,) player row who comes

    def __len__(self) -> int:
        return len(self.squads)

    def at(self, rows: np.ndarray) -> Neighbours:
        """Return some of them."""
        return Neighbours(self.squads[rows], self.out[rows], self.into[rows])


def neighbours(squad: np.ndarray, pool: Pool, men: np.ndarray, stay: tuple[int, ...] = ()) -> Neighbours:
    """Return every legal squad that has one of `men` (m,) in place of a man of the squad; `stay` never leave."""
    newcomers = np.setdiff1d(men, squad)
    fits = pool.position[squad][:, None] == pool.position[newcomers]
    fits[np.isin(squad, stay)] = False
    column, choice = np.nonzero(fits)
    squads = np.repeat(np.asarray(squad)[None, :], len(column), axis=0)
    squads[np.arange(len(column)), column] = newcomers[choice]
    kept = legal(squads, pool)
    return Neighbours(squads[kept], np.asarray(squad)[column[kept]], newcomers[choice[kept]])
