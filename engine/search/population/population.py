"""All candidates of a search: it only grows, knows every squad it has, and tells the best trade-offs among them.

Nothing is pruned and nothing is forgotten. A candidate whose evaluation came to nothing (disqualified, or a figure that
is no number) is turned away and changes nothing; only the very first one enters whatever it is worth, so that a search
always has something to start from. But a disqualified candidate is never ranked and never on a frontier, the first one
included: a legal squad may score below its 0.

Each distinct squad is stored once. Proposed again it is reported as a duplicate, with the row it has, and the parents
and lineage of its first arrival stay.

The frontier is that of a sorted sweep: order all ranked candidates by score (highest first), then cost (lowest first),
then arrival; keep one while its cost is at most the lowest so far. So equal costs are kept whatever their score, equal
points are all kept, and of equal scores only the cheapest.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import StrEnum

import numpy as np

from data.errors import InputError
from engine.search.population.candidates import NO_PARENT, Candidates, candidates

FIRST_ROOM = 1024
"""Candidates there is room for at first; the room doubles whenever it is full."""


class Cost(StrEnum):
    """What a frontier weighs the score against; less is better."""

    VARIANCE = "variance"
    PRICE = "price"
    CHANGES = "changes"


@dataclass(frozen=True, slots=True, eq=False)
class Admission:
    """What became of a batch: row i of every array is its candidate i."""

    row: np.ndarray  # (b,) where it is stored, now or since it first came; −1 where it was turned away
    admitted: np.ndarray  # (b,) newly stored
    duplicate: np.ndarray  # (b,) the same squad is stored already, maybe from earlier in this batch
    eval_failed: np.ndarray  # (b,) turned away


@dataclass(eq=False)
class Population:
    """An append-only store of candidates as columns, with a frontier of score against each cost."""

    size: int  # players in a squad
    _room: Candidates = field(init=False, repr=False)
    _row_of: dict[bytes, int] = field(default_factory=dict, init=False, repr=False)
    _count: int = field(default=0, init=False)

    def __post_init__(self) -> None:
        blank = candidates(np.zeros((FIRST_ROOM, self.size), dtype=np.int32), 0.0)
        self._room = blank.at(np.arange(FIRST_ROOM))  # a copy, to be written in

    def __len__(self) -> int:
        return self._count

    @property
    def columns(self) -> Candidates:
        """All candidates, read-only; a later `add` does not show in it."""
        stored = self._room.at(slice(self._count))
        for values in stored.columns().values():
            values.flags.writeable = False
        return stored

    def add(self, new: Candidates) -> Admission:
        """Take in a batch, in its order, and say what became of each."""
        self._check(new)
        failed = new.failed
        if not len(self):
            failed[:1] = False
        keys = _keys(new.squads)
        row, fresh = self._rows_for(keys, failed)
        admitted = np.zeros(len(new), dtype=bool)
        admitted[list(fresh.values())] = True
        self._store(new.at(admitted))
        self._row_of.update((key, int(row[place])) for key, place in fresh.items())
        return Admission(row, admitted, ~admitted & ~failed, failed)

    def rows_of(self, squads: np.ndarray) -> np.ndarray:
        """Return (b,) the row each squad is stored in, whatever the order of its men; −1 for a new one."""
        return np.array([self._row_of.get(key, -1) for key in _keys(squads)], dtype=np.int32)

    def all(self) -> np.ndarray:
        """Return the rows of all candidates as they came, a disqualified first one included."""
        return np.arange(self._count, dtype=np.int32)

    def frontier(self, cost: Cost = Cost.VARIANCE) -> np.ndarray:
        """Return the rows of the frontier, the highest score first; of equal scores and costs the earlier first."""
        rows = self._legal
        paid = getattr(self._room, cost)[rows]
        order = np.lexsort((paid, -self._room.score[rows]))  # stable, so of equal points the earlier stays first
        paid = paid[order]
        return np.asarray(rows[order[paid <= np.minimum.accumulate(paid)]])

    def best(self, cost: Cost = Cost.VARIANCE) -> int | None:
        """Return the frontier's first row: the highest score, then the lower cost; None before the first legal one."""
        rows = self.frontier(cost)
        return int(rows[0]) if rows.size else None

    def query(self, *, frontier: bool = False, top: int | None = None, cost: Cost = Cost.VARIANCE) -> np.ndarray:
        """Return the rows of the frontier, or of all ranked candidates by score; of these the first `top`, if given."""
        if top is not None and top < 1:
            raise InputError(f"The best {top} were asked for; 1 is the least, and none given means all.")
        return self.frontier(cost)[:top] if frontier else self._ranked(top)

    def ancestors(self, row: int) -> list[int]:
        """Return the first parent's line of a candidate, oldest first, itself left out."""
        if not 0 <= row < self._count:
            raise InputError(f"There is no candidate {row}; rows run from 0 to {self._count - 1}.")
        parent, line = self._room.parent[:, 0], []
        while (row := int(parent[row])) != NO_PARENT:
            line.append(row)
        return line[::-1]

    def _check(self, new: Candidates) -> None:
        if new.squads.shape[1] != self.size:
            raise InputError(f"Squads of {new.squads.shape[1]} came to a population of squads of {self.size}.")
        first, second = new.parent.T
        unknown = new.parent[(new.parent < NO_PARENT) | (new.parent >= self._count)]
        if unknown.size:
            raise InputError(
                f"Row {int(unknown[0])} was named as a parent, but only {self._count} candidates are stored. A parent "
                "must have been added before its children; −1 means none."
            )
        if ((first == NO_PARENT) & (second != NO_PARENT)).any():
            raise InputError("A candidate has a second parent but no first one; a lone parent comes first.")

    def _rows_for(self, keys: list[bytes], failed: np.ndarray) -> tuple[np.ndarray, dict[bytes, int]]:
        """Return (b,) the row of each, and the new squads with their place in the batch; nothing is changed yet."""
        row = [-1] * len(keys)
        fresh: dict[bytes, int] = {}
        for place in np.flatnonzero(~failed).tolist():
            key = keys[place]
            known = self._row_of.get(key)
            if known is None and key not in fresh:
                row[place] = self._count + len(fresh)
                fresh[key] = place
            else:
                row[place] = row[fresh[key]] if known is None else known
        return np.array(row, dtype=np.int32), fresh

    def _store(self, new: Candidates) -> None:
        """Write behind the last row first and count afterwards: who is interrupted here still has all he had."""
        start, end, failed = self._count, self._count + len(new), new.failed
        while end > len(self._room):
            self._room = self._room.at(np.tile(np.arange(len(self._room)), 2))  # a copy, twice as long
        marked = replace(new, score=np.where(failed, 0.0, new.score), disqualified=failed)  # the first may be invalid
        for name, values in marked.columns().items():
            getattr(self._room, name)[start:end] = values
        self._count = end

    def _ranked(self, top: int | None) -> np.ndarray:
        """Return rows by score, the earlier of equals first; only what can be among the first `top` is sorted."""
        rows = self._legal
        score = self._room.score[rows]
        if top is not None and top < len(rows):
            contending = score >= np.partition(score, len(rows) - top)[len(rows) - top]
            rows, score = rows[contending], score[contending]
        return np.asarray(rows[np.argsort(-score, kind="stable")][:top])

    @property
    def _legal(self) -> np.ndarray:
        """The rows of all that are ranked, as they came."""
        return np.flatnonzero(~self._room.disqualified[: self._count]).astype(np.int32)


def _keys(squads: np.ndarray) -> list[bytes]:
    """Return what tells squads apart, whatever the order of their men: their sorted rows, byte for byte."""
    return [men.tobytes() for men in np.sort(np.asarray(squads, dtype=np.int32), axis=1)]
