"""All candidates of a search: it only grows, it knows every squad it has, and it keeps the frontiers as they come.

Nothing is pruned and nothing is forgotten. A candidate whose evaluation came to nothing (disqualified, or a figure that
is no number) is turned away and changes nothing; only the very first one enters whatever it is worth, so that a search
always has something to start from. But a disqualified candidate is never ranked and never on a frontier, the first one
included: a legal squad may score below its 0.

Each distinct squad is stored once. Proposed again it is reported as a duplicate, with the row it has, and the parents
and lineage of its first arrival stay.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

import numpy as np

from data.errors import InputError
from engine.fitness.explanation import Band
from engine.search.population.candidates import NO_PARENT, Candidates, empty_candidates
from engine.search.population.frontier import Frontier
from engine.search.population.genome import COMBINED, Genome, genome_id, lineage_text, squad_text

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


@dataclass(frozen=True, slots=True, eq=False)
class Legend:
    """What the numbers of the columns stand for."""

    players: Sequence[str]  # (n,) display names, no two alike
    position: np.ndarray  # (n,) 0 GK … 3 FWD
    operators: Sequence[str]  # by code
    archetypes: Sequence[str]  # by code


@dataclass(eq=False)
class Population:
    """An append-only store of candidates as columns, with a frontier of score against each cost."""

    size: int  # players in a squad
    cost: Cost = Cost.VARIANCE  # the one `best` and `query` use unless told otherwise
    _room: Candidates = field(init=False, repr=False)
    _row_of: dict[bytes, int] = field(default_factory=dict, init=False, repr=False)
    _count: int = field(default=0, init=False)
    _frontiers: dict[Cost, Frontier] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        if self.size < 1:
            raise InputError(f"A squad of {self.size} players makes no sense; 1 is the least.")
        self._room = empty_candidates(FIRST_ROOM, self.size)
        self._frontiers = {cost: Frontier() for cost in Cost}

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

    def seen(self, squads: np.ndarray) -> np.ndarray:
        """Return (b,) whether each squad is stored already."""
        return np.asarray(self.rows_of(squads) >= 0)

    def all(self) -> np.ndarray:
        """Return the rows of all candidates as they came, a disqualified first one included."""
        return np.arange(self._count, dtype=np.int32)

    def frontier(self, cost: Cost | None = None) -> np.ndarray:
        """Return the rows of the frontier, the highest score first; of equal scores and costs the earlier first."""
        return self._frontiers[cost or self.cost].rows.copy()

    def best(self, cost: Cost | None = None) -> int | None:
        """Return the frontier's first row: the highest score, then the lower cost; None before the first legal one."""
        rows = self._frontiers[cost or self.cost].rows
        return int(rows[0]) if rows.size else None

    def query(self, *, frontier: bool = False, top: int | None = None, cost: Cost | None = None) -> np.ndarray:
        """Return the rows of the frontier, or of all ranked candidates by score; of these the first `top`, if given."""
        if top is not None and top < 1:
            raise InputError(f"The best {top} were asked for; 1 is the least, and none given means all.")
        return self.frontier(cost)[:top] if frontier else self._ranked(top)

    def ancestors(self, row: int) -> list[int]:
        """Return the first parent's line of a candidate, oldest first, itself left out."""
        parent, line = self._room.parent[:, 0], []
        self._known(row)
        while (row := int(parent[row])) != NO_PARENT:
            line.append(row)
        return line[::-1]

    def materialise(
        self, row: int, legend: Legend, *, blocks: Sequence[str] = (), artifacts: Mapping[str, Any] | None = None
    ) -> Genome:
        """Return a candidate as a genome; its id is its row, so it is the same one whenever it is asked for."""
        one = self._room.at(slice(self._known(row), row + 1))
        captain, parents = int(one.captain[0]), [int(parent) for parent in one.parent[0] if parent != NO_PARENT]
        return Genome(
            content=squad_text(one.squads[0], captain if captain >= 0 else None, legend.players, legend.position),
            id=genome_id(row),
            parent_id=genome_id(parents[0]) if parents else None,
            lineage=lineage_text([genome_id(ancestor) for ancestor in self.ancestors(row)]),
            scores={COMBINED: float(one.score[0])} | {cost.value: float(getattr(one, cost)[0]) for cost in Cost},
            metadata={
                "parents": tuple(genome_id(parent) for parent in parents),
                "generation": int(one.generation[0]),
                "operator": _named(legend.operators, int(one.operator[0]), "operator"),
                "archetype": _named(legend.archetypes, int(one.archetype[0]), "archetype"),
                "variance_band": _named(tuple(Band), int(one.band[0]), "variance band"),
                "blocks": tuple(blocks),
                "admitted": True,
                "disqualified": bool(one.disqualified[0]),
            },
            artifacts=artifacts or {},
        )

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
        start, end = self._count, self._count + len(new)
        self._make_room(end)
        failed = new.failed
        for name, values in new.columns().items():
            getattr(self._room, name)[start:end] = values
        self._room.score[start:end][failed] = 0.0  # an invalid first candidate is worth 0, and marked
        self._room.disqualified[start:end] = failed
        rows, ranked = np.arange(start, end)[~failed], new.at(~failed)
        frontiers = {
            cost: kept.extended(rows, ranked.score, getattr(ranked, cost)) for cost, kept in self._frontiers.items()
        }
        self._count, self._frontiers = end, frontiers

    def _make_room(self, needed: int) -> None:
        room = len(self._room)
        if needed <= room:
            return
        while room < needed:
            room *= 2
        larger = empty_candidates(room, self.size)
        for name, values in larger.columns().items():
            values[: self._count] = getattr(self._room, name)[: self._count]
        self._room = larger

    def _ranked(self, top: int | None) -> np.ndarray:
        """Return rows by score, the earlier of equals first; only what can be among the first `top` is sorted."""
        rows = np.flatnonzero(~self._room.disqualified[: self._count]).astype(np.int32)
        score = self._room.score[rows]
        if top is not None and top < len(rows):
            contending = score >= np.partition(score, len(rows) - top)[len(rows) - top]
            rows, score = rows[contending], score[contending]
        return np.asarray(rows[np.argsort(-score, kind="stable")][:top])

    def _known(self, row: int) -> int:
        if not 0 <= row < self._count:
            raise InputError(f"There is no candidate {row}; rows run from 0 to {self._count - 1}.")
        return row


def _keys(squads: np.ndarray) -> list[bytes]:
    """Return what tells squads apart, whatever the order of their men: their sorted rows, byte for byte."""
    return [men.tobytes() for men in np.sort(np.asarray(squads, dtype=np.int32), axis=1)]


def _named(names: Sequence[str], code: int, what: str) -> str:
    if code >= len(names):
        raise InputError(f"The legend names {len(names)} {what}s, but a candidate has number {code}.")
    return str(names[code])
