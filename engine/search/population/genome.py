"""The unit of evolution as people read it: one squad with its scores, where it comes from and what was done to it.

The loop itself works on columns (see `population`); a genome is made of a row when somebody wants to look at it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from numbers import Real
from typing import Any

import numpy as np

from data.domain import POSITIONS
from data.errors import InputError

COMBINED = "combined_score"
ARROW = " → "
LEFT_OUT = "…"
OLDEST_SHOWN = 4
YOUNGEST_SHOWN = 8
"""Ancestors a lineage names at either end: whose conviction it began with, and how it became what it is."""

STAMPS = ("admitted", "eval_failed", "disqualified")
"""Metadata that says how one genome fared: never handed on to a child."""

DIGEST = 12  # hexadecimal digits: two of a million genomes share them with a chance below 1 in 500


@dataclass(frozen=True, slots=True)
class Genome:
    """One candidate and everything needed to select, evaluate and trace it."""

    content: str  # the squad as canonical text
    id: str = ""  # "g000123" in a population; else made of content and parent, so that no counter is hidden anywhere
    parent_id: str | None = None  # the first parent; all of them are in metadata["parents"]
    lineage: str = ""  # the ancestors, oldest first: "g000001 → g000007 → g000042"
    scores: Mapping[str, float] = field(default_factory=dict, hash=False)
    metadata: Mapping[str, Any] = field(default_factory=dict, hash=False)  # archetype, blocks, generation, band, …
    artifacts: Mapping[str, Any] = field(default_factory=dict, hash=False)  # repair log, mutation log, watch

    def __post_init__(self) -> None:
        if not self.content.strip():
            raise InputError("A genome needs a content; it was given none.")
        if COMBINED in self.scores and not _is_number(self.scores[COMBINED]):
            raise InputError(f"The {COMBINED} of a genome is {self.scores[COMBINED]!r}; it must be a number.")
        for name in ("scores", "metadata", "artifacts"):
            object.__setattr__(self, name, dict(getattr(self, name)))
        object.__setattr__(self, "id", self.id or _digest(self.content, self.parent_id))

    @property
    def fitness(self) -> float:
        """The number to compare by: the combined score, else the mean of the numeric scores, else −∞."""
        if COMBINED in self.scores:
            return float(self.scores[COMBINED])
        numbers = [float(value) for value in self.scores.values() if _is_number(value)]
        return sum(numbers) / len(numbers) if numbers else float("-inf")

    def child(self, content: str, *others: Genome, id: str = "", **metadata: Any) -> Genome:
        """Return a descendant, unscored; `others` are its further parents, `metadata` replaces what it inherits."""
        inherited = {name: value for name, value in self.metadata.items() if name not in STAMPS}
        parents = (self.id, *(other.id for other in others))
        return Genome(
            content=content,
            id=id,
            parent_id=self.id,
            lineage=extended_lineage(self.lineage, self.id),
            metadata=inherited | {"parents": parents} | metadata,
        )


def genome_id(row: int) -> str:
    """Return the id of a row of the population."""
    return f"g{row:06d}"


def lineage_text(ancestors: Sequence[str]) -> str:
    """Return ancestors, oldest first, joined by arrows; of a very long line the middle is left out."""
    if len(ancestors) > OLDEST_SHOWN + YOUNGEST_SHOWN:
        ancestors = [*ancestors[:OLDEST_SHOWN], LEFT_OUT, *ancestors[-YOUNGEST_SHOWN:]]
    return ARROW.join(ancestors)


def extended_lineage(lineage: str, genome: str) -> str:
    """Return a lineage with one more ancestor, the youngest."""
    return lineage_text([*lineage.split(ARROW), genome]) if lineage else genome


def squad_text(squad: np.ndarray, captain: int | None, names: Sequence[str] | np.ndarray, position: np.ndarray) -> str:
    """Return a squad as canonical text, the same whatever the order its player rows come in."""
    men = np.sort(squad)
    lines = {place: men[position[men] == number] for number, place in enumerate(POSITIONS)}
    text = "; ".join(f"{place}: {', '.join(names[row] for row in rows)}" for place, rows in lines.items())
    return text if captain is None else f"{text}; C: {names[captain]}"


def _is_number(value: object) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool)


def _digest(content: str, parent: str | None) -> str:
    return "h" + sha256(f"{parent or ''}\n{content}".encode()).hexdigest()[:DIGEST]
