"""Scored squads as columns, with where they come from: what the search tells the population, and what it stores."""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np
import numpy.typing as npt

from data.errors import InputError
from engine.fitness.squad_scoring import ScoredSquads
from engine.lineup.joint import NOBODY

PARENTS = 2
NO_PARENT = -1
PRICE_DECIMALS = 6
"""Prices are whole tenths; sums of floats differ behind that, and would hide that two squads cost the same."""

COLUMNS: dict[str, tuple[type[np.generic], float]] = {
    "squads": (np.int32, 0),
    "score": (np.float64, 0.0),
    "variance": (np.float64, 0.0),
    "price": (np.float64, 0.0),
    "changes": (np.float64, 0.0),
    "disqualified": (np.bool_, False),
    "captain": (np.int32, NOBODY),
    "parent": (np.int32, NO_PARENT),
    "operator": (np.uint8, 0),
    "generation": (np.int32, 0),
    "archetype": (np.uint8, 0),
    "band": (np.uint8, 0),
}
"""What each column holds, and what it says of a candidate of whom nothing is said.

112 bytes for a candidate of 15 players: 200,000 take 22 megabytes, 29 with the room to grow.
"""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Candidates:
    """Candidates as columns: row i of every array is candidate i."""

    squads: np.ndarray  # (p, 15) player rows
    score: np.ndarray  # (p,) higher is better
    variance: np.ndarray  # (p,) points²
    price: np.ndarray  # (p,) millions
    changes: np.ndarray  # (p,) players that are not in the squad one starts from
    disqualified: np.ndarray  # (p,) a gate failed: never ranked
    captain: np.ndarray  # (p,) player row, −1 for not known
    parent: np.ndarray  # (p, 2) rows of the population, −1 for none; the first one leads the lineage
    operator: np.ndarray  # (p,) code of what made it
    generation: np.ndarray  # (p,) 0 for a seed
    archetype: np.ndarray  # (p,) code of the conviction it descends from
    band: np.ndarray  # (p,) of variance: 0 low, 1 medium, 2 high

    def __len__(self) -> int:
        return len(self.squads)

    @property
    def failed(self) -> np.ndarray:
        """(p,) whether the evaluation came to nothing: a gate failed, or a figure is no number."""
        figures = np.stack([self.score, self.variance, self.price, self.changes])
        return np.asarray(self.disqualified | ~np.isfinite(figures).all(axis=0))

    def at(self, rows: np.ndarray | slice) -> Candidates:
        """Return some of them: a view for a slice, a copy for rows or a mask."""
        return Candidates(**{name: values[rows] for name, values in self.columns().items()})

    def columns(self) -> dict[str, np.ndarray]:
        """Return the arrays by name."""
        return {column.name: getattr(self, column.name) for column in fields(self)}


def candidates(squads: npt.ArrayLike, score: npt.ArrayLike, **columns: npt.ArrayLike) -> Candidates:
    """Return candidates of squads (p, 15); every other column is given for each of them, or once for all."""
    given = {name: usual for name, (_, usual) in COLUMNS.items()} | {"squads": squads, "score": score} | columns
    return Candidates(**{name: _column(name, value, np.shape(squads)) for name, value in given.items()})


def scored_candidates(scored: ScoredSquads, **columns: npt.ArrayLike) -> Candidates:
    """Return scored squads as candidates; the other columns say where they come from and how wide they swing."""
    return candidates(
        scored.squads,
        scored.fitness,
        variance=scored.figures["variance"],
        price=np.round(scored.figures["price"], PRICE_DECIMALS),
        changes=scored.figures["changes"],
        disqualified=scored.disqualified,
        captain=scored.lineups.captain,
        **columns,
    )


def _shape(name: str, squads: tuple[int, ...]) -> tuple[int, ...]:
    """Return the shape of a column beside squads of a shape."""
    if len(squads) != 2:
        raise InputError(f"Squads come as a table, a row for each; this array has {len(squads)} dimension(s).")
    return {"squads": squads, "parent": (squads[0], PARENTS)}.get(name, squads[:1])


def _column(name: str, value: npt.ArrayLike, squads: tuple[int, ...]) -> np.ndarray:
    """Return a value as the column of that name; what the column cannot hold is refused, not wrapped round."""
    given, shape = np.asarray(value), _shape(name, squads)
    with np.errstate(invalid="ignore"):
        held = given.astype(COLUMNS[name][0])
    if not np.issubdtype(held.dtype, np.floating) and not np.array_equal(held, given):
        wrong = given[held != given].flat[0]
        raise InputError(f"Column {name!r} holds {held.dtype} and cannot take {wrong!r}.")
    try:
        return np.ascontiguousarray(np.broadcast_to(held, shape))
    except ValueError:
        raise InputError(f"Column {name!r} has shape {given.shape}; {shape} was expected.") from None
