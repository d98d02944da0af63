"""What an armband can fetch: E[max(score, level)] of every player, exact on the integer grid of points."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from data.errors import ModelError

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

ROUNDING = 1e-9
"""Differences below this are rounding of sums of about fifty probabilities, never football."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ArmbandTable:
    """Every player's score of the round as the armband sees it: row i of every array is player i.

    A player who does not play scores 0, and `pmf` counts that atom. `slot` numbers the kick-off times in
    order; a player with two matches belongs to the slot of the later one, since only then is his score known.
    Whoever has no match is absent for certain and may stand in any slot.

    E[max(score, level)] is linear in the level between whole points because a score is a whole number. So its
    value at the integers, with P(score ≤ integer) as the slope, is the exact function and no approximation.
    """

    pmf: Floats  # (n, g) probability of each score on the grid
    grid: Ints  # (g,) consecutive whole points, 0 among them
    p_play: Floats  # (n,) probability of playing at all
    slot: Ints  # (n,) kick-off slot, in time order
    absent: Floats = field(init=False)  # (n,) 1 - p_play
    cdf: Floats = field(init=False)  # (n, g) P(score <= grid point)
    at_least: Floats = field(init=False)  # (n, g) E[max(score, grid point)]

    def __post_init__(self) -> None:
        """Check the columns and add up the two tables once."""
        pmf, grid = np.ascontiguousarray(self.pmf, dtype=np.float64), _whole(self.grid, "grid")
        p_play, slot = np.asarray(self.p_play, dtype=np.float64), _whole(self.slot, "slot")
        _check_shapes(pmf, grid, p_play, slot)
        _check_probabilities(pmf, grid, p_play)
        cdf = np.minimum(np.cumsum(pmf, axis=1), 1.0)
        cdf[:, -1] = 1.0
        at_least = np.cumsum(np.column_stack([pmf @ grid, cdf[:, :-1]]), axis=1)
        columns = {"pmf": pmf, "grid": grid, "p_play": p_play, "slot": slot}
        derived = {"absent": 1.0 - p_play, "cdf": cdf, "at_least": at_least}
        for name, column in (columns | derived).items():
            object.__setattr__(self, name, column)

    @property
    def mean(self) -> Floats:
        """(n,) expected score: the maximum of it and a level nobody can fall under."""
        return self.at_least[:, 0]

    def expected_max(self, rows: Ints, level: Floats) -> Floats:
        """Return E[max(score of the row, level)], broadcast; a level of −inf gives the mean."""
        lowest, highest = float(self.grid[0]), float(self.grid[-1])
        offset = np.clip(level - lowest, 0.0, highest - lowest)
        knot = offset.astype(np.int64)
        cell = rows * self.grid.size + knot
        inside = self.at_least.ravel().take(cell) + (offset - knot) * self.cdf.ravel().take(cell)
        return np.asarray(inside + np.maximum(level - highest, 0.0), dtype=np.float64)

    def surplus_over(self, level: float) -> Floats:
        """Return E[(score − level)+] of every player (n,): his coefficient in the bound of a ladder."""
        everyone = np.arange(len(self.p_play), dtype=np.int64)
        return self.expected_max(everyone, np.full(everyone.size, float(level))) - level


def _whole(values: Any, name: str) -> Ints:
    array = np.asarray(values)
    if not np.issubdtype(array.dtype, np.integer):
        raise ModelError(f"The armband needs whole numbers in `{name}`, not {array.dtype}. Round them on purpose.")
    return array.astype(np.int64)


def _check_shapes(pmf: Floats, grid: Ints, p_play: Floats, slot: Ints) -> None:
    if pmf.ndim != 2 or pmf.shape[0] == 0:
        raise ModelError(f"A mass function per player is a table (players, points), not of shape {pmf.shape}.")
    players = (pmf.shape[0],)
    if p_play.shape != players or slot.shape != players or grid.shape != (pmf.shape[1],):
        raise ModelError(
            f"Columns disagree: pmf {pmf.shape}, grid {grid.shape}, p_play {p_play.shape}, slot {slot.shape}."
            " Give one row per player and one grid point per column of pmf."
        )
    if np.any(np.diff(grid) != 1) or not grid[0] <= 0 <= grid[-1]:
        raise ModelError(f"The points grid must be consecutive and hold 0; it runs {grid[0]}..{grid[-1]}.")


def _check_probabilities(pmf: Floats, grid: Ints, p_play: Floats) -> None:
    # Mass functions come from convolutions of a few dozen lines: their sums drift by far less than this.
    drift = 1e-6
    wrong = ~np.isfinite(pmf).all(axis=1) | (pmf < -drift).any(axis=1) | (np.abs(pmf.sum(axis=1) - 1.0) > drift)
    if wrong.any():
        row = int(np.argmax(wrong))
        raise ModelError(f"The mass function of player row {row} sums to {pmf[row].sum():.6g}; it must sum to 1.")
    idle = pmf[:, np.searchsorted(grid, 0)]
    wrong = ~((p_play >= 0.0) & (p_play <= 1.0)) | (idle < 1.0 - p_play - drift)
    if wrong.any():
        row = int(np.argmax(wrong))
        raise ModelError(
            f"Player row {row} plays with probability {p_play[row]:.6g} but scores 0 with {idle[row]:.6g}. "
            "Absence scores 0, so the mass at 0 must hold it."
        )
