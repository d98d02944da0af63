"""The user's own figures: they replace a belief, the distribution follows, and the difference is a line of its own."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from data.errors import InputError
from models.points import GRID, PointDistributions

OVERRIDE_LINE = "your_projection"
"""The line that holds what a user's own xEV adds to, or takes from, the model's."""

LIMITS = {
    "xev": (-20.0, 60.0),
    "ceiling": (-20.0, 80.0),
    "floor": (-20.0, 80.0),
    "owned": (0.0, 1.0),
    "captain_share": (0.0, 1.0),
    "p_start": (0.0, 1.0),
}
TILT_STEPS = 80
LARGEST_TILT = 8.0  # e^8 per point: beyond, the distribution is a single number of points


@dataclass(frozen=True, slots=True, eq=False)
class Overrides:
    """Values by column, aligned with the players; NaN where the user says nothing."""

    columns: dict[str, np.ndarray]  # name → (n,)

    def given(self, name: str) -> np.ndarray:
        """Return (n,) whether the user gave a value in a column."""
        return ~np.isnan(self.columns[name]) if name in self.columns else np.zeros(0, dtype=bool)

    def over(self, name: str, belief: np.ndarray) -> np.ndarray:
        """Return the belief with the user's values in place."""
        if name not in self.columns:
            return belief
        return np.where(np.isnan(self.columns[name]), belief, self.columns[name])


def read_overrides(frame: pd.DataFrame | None, player_ids: np.ndarray) -> Overrides:
    """Return the overrides of a frame indexed by player_id; a bad value is refused by player and column."""
    if frame is None:
        return Overrides({})
    strangers = set(frame.index) - set(player_ids.tolist())
    if strangers:
        raise InputError(
            f"Your table names player {min(strangers)}, who cannot be picked in this round. Remove the row."
        )
    columns = {}
    for name in [name for name in LIMITS if name in frame.columns]:
        values = pd.to_numeric(frame[name], errors="coerce")
        _check(name, values, frame[name])
        columns[name] = values.reindex(player_ids).to_numpy(dtype=float)
    return Overrides(columns)


def _check(name: str, values: pd.Series, written: pd.Series) -> None:
    low, high = LIMITS[name]
    bad = (written.notna() & values.isna()) | (values < low) | (values > high)
    if bad.any():
        player = bad.idxmax()
        raise InputError(
            f"Your {name} of player {player} is {written[player]!r}; a number from {low:g} to {high:g} is needed."
        )


def tilted(points: PointDistributions, wanted: np.ndarray) -> tuple[PointDistributions, np.ndarray]:
    """Return the distributions moved to the wanted means (NaN = leave), and (n,) who could not be moved.

    Each mass function is tilted exponentially: no score becomes possible that was impossible, and of all distributions
    with that mean it is the one nearest to the model's. A player who cannot score (no match) cannot be moved.
    """
    chosen = np.flatnonzero(~np.isnan(wanted))
    mass = points.mass[chosen]
    possible = mass > 0
    low = np.where(possible, GRID, np.inf).min(axis=1)
    high = np.where(possible, GRID, -np.inf).max(axis=1)
    able = (wanted[chosen] > low) & (wanted[chosen] < high)
    moved = points.mass.copy()
    moved[chosen[able]] = _tilt(mass[able], wanted[chosen[able]])
    stuck = np.zeros(len(wanted), dtype=bool)
    stuck[chosen[~able]] = True
    changed = moved @ GRID - points.mean
    return PointDistributions(moved, dict(points.lines) | {OVERRIDE_LINE: changed}), stuck


def _tilt(mass: np.ndarray, mean: np.ndarray) -> np.ndarray:
    """Find by bisection the tilt of each row that gives its mean."""
    low, high = np.full(len(mass), -LARGEST_TILT), np.full(len(mass), LARGEST_TILT)
    for _ in range(TILT_STEPS):
        middle = (low + high) / 2
        below = _with_tilt(mass, middle) @ GRID < mean
        low, high = np.where(below, middle, low), np.where(below, high, middle)
    return _with_tilt(mass, (low + high) / 2)


def _with_tilt(mass: np.ndarray, tilt: np.ndarray) -> np.ndarray:
    weight = np.where(mass > 0, np.log(np.maximum(mass, 1e-300)) + tilt[:, None] * GRID, -np.inf)
    weight = np.exp(weight - weight.max(axis=1, keepdims=True, initial=-1e9))
    return np.asarray(weight / weight.sum(axis=1, keepdims=True))
