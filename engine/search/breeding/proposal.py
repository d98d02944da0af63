"""Squads that a search would like to know the score of, as columns: whose children they are and how they came about."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from engine.search.breeding.mending import Mend
from engine.search.breeding.mutation import OPERATORS
from engine.search.population.ancestry import NEWCOMER, handed_on
from engine.search.population.blocks import ENGINE

SEEDED, CROSSED, POLISHED, WIDENED, EXACT = "seed", "crossover", "local search", "wider search", "exact polish"
OPERATOR_NAMES = (SEEDED, CROSSED, POLISHED, WIDENED, EXACT, *OPERATORS)
"""How a candidate came about; its place is the operator code."""


@dataclass(frozen=True, slots=True, eq=False)
class Proposal:
    """Squads the search would like to know the score of: row i of every array is one of them."""

    squads: np.ndarray  # (c, 15)
    parent: np.ndarray  # (c, 2) rows of the population, −1 for none
    operator: np.ndarray  # (c,) place in OPERATOR_NAMES
    archetype: np.ndarray  # (c,) of the first parent
    tags: np.ndarray  # (c, 15) block each man was bred for
    origin: np.ndarray  # (c, 15) archetype that brought each man, 255 for a newcomer
    repairs: tuple[Mend | None, ...] = ()  # of each, once mended

    def __len__(self) -> int:
        return len(self.squads)

    def at(self, rows: np.ndarray, **changed: Any) -> Proposal:
        """Return some of them, with whole columns replaced where given."""
        columns = {part.name: getattr(self, part.name)[rows] for part in fields(self) if part.name != "repairs"}
        return Proposal(**columns | {"repairs": tuple(self.repairs[row] for row in rows if self.repairs)} | changed)

    def turned_into(self, squads: np.ndarray, **changed: Any) -> Proposal:
        """Return other squads (c, s) in their place; the men who stay keep their blocks and origins."""
        kept = (("tags", self.tags, ENGINE), ("origin", self.origin, NEWCOMER))
        along = {name: handed_on(squads, (self.squads,), (held,), otherwise) for name, held, otherwise in kept}
        return self.at(np.arange(len(self)), squads=squads, **along, **changed)

    @classmethod
    def joined(cls, parts: Sequence[Proposal]) -> Proposal:
        """Return several as one."""
        names = [part.name for part in fields(cls) if part.name != "repairs"]
        columns = {name: np.concatenate([getattr(part, name) for part in parts]) for name in names}
        return cls(**columns, repairs=tuple(one for part in parts for one in part.repairs or (None,) * len(part)))
