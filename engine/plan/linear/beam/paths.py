"""Paths: squads on their way through the rounds, many at once, and how they became what they are.

A man in a squad is a code: twice his row, and one more while he is held from the start at his selling price.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.plan.linear.frame import Frame

MIX = np.uint64(0x9E3779B97F4A7C15)
SHIFT = np.uint64(29)


@dataclass(frozen=True, slots=True, eq=False)
class Paths:
    """Squads after a round: row i of every array is path i."""

    codes: np.ndarray  # (p, size) by position in blocks, GK first
    count: np.ndarray  # (p,) free transfers before the next round
    value: np.ndarray  # (p,) points so far, exact line-ups, hits taken off
    spent: np.ndarray  # (p,) transfers that count towards a limit over all rounds
    parent: np.ndarray  # (p,) path of the round before
    made: np.ndarray  # (p,) transfers before this round
    guess: np.ndarray  # (p,) points so far and what prices say of the rest: no path through here brings more

    def __len__(self) -> int:
        return len(self.codes)

    @property
    def rows(self) -> np.ndarray:
        """(p, size) player rows."""
        return np.asarray(self.codes >> 1)

    def only(self, keep: np.ndarray) -> Paths:
        """Return some of the paths."""
        return Paths(*(getattr(self, name)[keep] for name in self.__slots__))

    def distinct(self) -> Paths:
        """Return the paths by guess, the highest first, each squad with the same transfers left once."""
        order = np.argsort(-self.guess, kind="stable")
        marks = fingerprints(self.codes, self.count + 64 * self.spent)
        _, first = np.unique(marks[order], return_index=True)
        return self.only(order[np.sort(first)])

    def best(self, most: int) -> Paths:
        """Return the distinct paths of the highest guess."""
        found = self.distinct()
        return found.only(np.arange(min(len(found), most)))


def fingerprints(codes: np.ndarray, more: np.ndarray) -> np.ndarray:
    """(p,) numbers that are equal for the same men in any order with the same other number."""
    marks = (codes.astype(np.uint64) + np.uint64(1)) * MIX
    marks ^= marks >> SHIFT
    marks *= MIX
    marks ^= marks >> SHIFT
    return np.asarray(marks.sum(axis=1, dtype=np.uint64) + more.astype(np.uint64) * MIX)


def codes_of(rows: np.ndarray, old: np.ndarray) -> np.ndarray:
    """Return codes of player rows and whether each is held from the start."""
    return np.asarray(rows.astype(np.int64) * 2 + old)


def start_path(frame: Frame) -> Paths:
    """Return the one path before the coming round; an empty squad where there is none yet."""
    rows = frame.start_squad
    zero, none = np.zeros(1), np.zeros(1, dtype=np.int64)
    codes = codes_of(rows, np.ones(len(rows), dtype=bool))[None, :]
    return Paths(codes, np.array([frame.transfers.first]), zero, none, none, none, zero + np.inf)


def joined(parts: list[Paths]) -> Paths:
    """Return the paths of several groups as one."""
    return Paths(*(np.concatenate([getattr(part, name) for part in parts]) for name in Paths.__slots__))
