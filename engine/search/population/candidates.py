"""Scored squads as columns, with where they come from: what the search tells the population, and what it stores."""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np
import numpy.typing as npt

from data.errors import InputError
from engine.fitness.scoring import ScoredSquads
from engine.lineup.lineups import NOBODY

PARENTS = 2
NO_PARENT = -1
PRICE_DECIMALS = 6
"""Prices are whole tenths; sums of floats differ behind that, and would hide that two squads cost the same."""

DTYPES: dict[str, type[np.generic]] = {
    "squads": np.int32,
    "score": np.float64,
    "variance": np.float64,
    "price": np.float64,
    "changes": np.float64,
    "disqualified": np.bool_,
    "captain": np.int32,
    "parent": np.int32,
    "operator": np.uint8,
    "generation": np.int32,
    "archetype": np.uint8,
    "band": np.uint8,
}
"""112 bytes for a candidate of 15 players: 200,000 take 22 megabytes, 29 with the room to grow."""


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

    def __post_init__(self) -> None:
        if self.squads.ndim != 2:
            raise InputError(f"Squads come as a table, a row for each; this array has {self.squads.ndim} dimension(s).")
        for name in DTYPES:
            values: np.ndarray = getattr(self, name)
            expected = _shape(name, *self.squads.shape)
            if values.shape != expected or values.dtype != DTYPES[name]:
                raise InputError(
                    f"Column {name!r} has shape {values.shape} of {values.dtype}; {expected} of "
                    f"{np.dtype(DTYPES[name])} was expected. Build candidates with `candidates(…)`."
                )

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


def candidates(
    squads: npt.ArrayLike,
    score: npt.ArrayLike,
    *,
    variance: npt.ArrayLike = 0.0,
    price: npt.ArrayLike = 0.0,
    changes: npt.ArrayLike = 0.0,
    disqualified: npt.ArrayLike = False,
    captain: npt.ArrayLike = NOBODY,
    parent: npt.ArrayLike = NO_PARENT,
    operator: npt.ArrayLike = 0,
    generation: npt.ArrayLike = 0,
    archetype: npt.ArrayLike = 0,
    band: npt.ArrayLike = 0,
) -> Candidates:
    """Return candidates of squads (p, 15); every other column is given for each of them, or once for all."""
    table = np.asarray(squads)
    if table.ndim != 2:
        raise InputError(f"Squads come as a table, a row for each; this array has {table.ndim} dimension(s).")
    given = {
        "squads": table,
        "score": score,
        "variance": variance,
        "price": price,
        "changes": changes,
        "disqualified": disqualified,
        "captain": captain,
        "parent": parent,
        "operator": operator,
        "generation": generation,
        "archetype": archetype,
        "band": band,
    }
    return Candidates(**{name: _column(name, value, *table.shape) for name, value in given.items()})


def scored_candidates(
    scored: ScoredSquads,
    *,
    band: npt.ArrayLike,
    parent: npt.ArrayLike = NO_PARENT,
    operator: npt.ArrayLike = 0,
    generation: npt.ArrayLike = 0,
    archetype: npt.ArrayLike = 0,
) -> Candidates:
    """Return scored squads as candidates."""
    return candidates(
        scored.squads,
        scored.fitness,
        variance=scored.figures["variance"],
        price=np.round(scored.figures["price"], PRICE_DECIMALS),
        changes=scored.figures["changes"],
        disqualified=scored.disqualified,
        captain=scored.lineups.captain,
        parent=parent,
        operator=operator,
        generation=generation,
        archetype=archetype,
        band=band,
    )


def empty_candidates(capacity: int, size: int) -> Candidates:
    """Return room for candidates of squads of some size, all zero."""
    return Candidates(**{name: np.zeros(_shape(name, capacity, size), dtype) for name, dtype in DTYPES.items()})


def _shape(name: str, many: int, size: int) -> tuple[int, ...]:
    return {"squads": (many, size), "parent": (many, PARENTS)}.get(name, (many,))


def _column(name: str, value: npt.ArrayLike, many: int, size: int) -> np.ndarray:
    """Return a value as the column of that name; what the column cannot hold is refused, not wrapped round."""
    given, shape = np.asarray(value), _shape(name, many, size)
    with np.errstate(invalid="ignore"):
        held = given.astype(DTYPES[name])
    if not np.issubdtype(held.dtype, np.floating) and not np.array_equal(held, given):
        wrong = given[held != given].flat[0]
        raise InputError(f"Column {name!r} holds {held.dtype} and cannot take {wrong!r}.")
    try:
        return np.ascontiguousarray(np.broadcast_to(held, shape))
    except ValueError:
        raise InputError(f"Column {name!r} has shape {given.shape}; {shape} was expected.") from None
