"""The user's own figures: they replace a belief, the distribution follows, and the difference is a line of its own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import pandas as pd

from data.errors import InputError
from models.players.points import GRID, PointDistributions

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
UNSAID = dict.fromkeys(LIMITS, "the model's is kept") | {"captain_share": "nobody captains them"}
"""What an empty cell means, by column."""

LEAST_MASS = 1e-12
"""Rarer scores are rounding of sums, not football: a tilt must not make them likely."""

REACHED = 1e-6  # points: a mean this near the wanted one is the wanted one
TILT_STEPS = 80
LARGEST_TILT = 8.0  # e^8 per point: beyond, the distribution is a single number of points


@dataclass(frozen=True, slots=True, eq=False)
class Overrides:
    """Values by column, aligned with the players; NaN where the user says nothing."""

    players: int
    columns: Mapping[str, np.ndarray] = field(default_factory=dict)  # name → (players,)
    notes: tuple[str, ...] = ()  # what of the table was left to the model

    def given(self, name: str) -> np.ndarray:
        """Return (players,) whether the user gave a value in a column."""
        return ~np.isnan(self.columns[name]) if name in self.columns else np.zeros(self.players, dtype=bool)

    def over(self, name: str, belief: np.ndarray) -> np.ndarray:
        """Return the belief with the user's values in place."""
        return np.where(self.given(name), self.columns[name], belief) if name in self.columns else belief


def read_overrides(frame: pd.DataFrame | None, player_ids: np.ndarray) -> Overrides:
    """Return the overrides of a frame indexed by player_id; a bad value is refused by player and column."""
    if frame is None:
        return Overrides(len(player_ids))
    _check_rows(frame, player_ids)
    columns, notes = {}, []
    for name in [name for name in LIMITS if name in frame.columns]:
        values = pd.to_numeric(frame[name], errors="coerce")
        _check_values(name, values, frame[name])
        columns[name] = values.reindex(player_ids).to_numpy(dtype=float)
        if values.isna().any():
            notes.append(f"Your {name} is empty for {values.isna().sum()} of {len(frame)} players: {UNSAID[name]}.")
    return Overrides(len(player_ids), columns, tuple(notes))


def _check_rows(frame: pd.DataFrame, player_ids: np.ndarray) -> None:
    if not set(LIMITS) & set(frame.columns):
        raise InputError(f"Your table has none of the columns {', '.join(LIMITS)}. Name at least one.")
    strangers = frame.index[~frame.index.isin(player_ids)]
    if len(strangers):
        raise InputError(f"Your table names player {strangers[0]}, who cannot be picked in this round. Remove the row.")
    twice = frame.index[frame.index.duplicated()]
    if len(twice):
        raise InputError(f"Your table names player {twice[0]} more than once. Keep one row for him.")


def _check_values(name: str, values: pd.Series, written: pd.Series) -> None:
    low, high = LIMITS[name]
    bad = (written.notna() & values.isna()) | (values < low) | (values > high)
    if bad.any():
        player = bad.idxmax()
        cell = written[player]
        shown = repr(cell) if isinstance(cell, str) else str(cell)
        unit = " Percent? Divide by 100." if high == 1 and values[player] > 1 else ""
        raise InputError(
            f"Your {name} of player {player} is {shown}; a number from {low:g} to {high:g} is needed.{unit}"
        )


def tilted(points: PointDistributions, wanted: np.ndarray) -> tuple[PointDistributions, np.ndarray]:
    """Return the distributions moved to the wanted means (NaN = leave), and (n,) who could not be moved.

    Each mass function is tilted exponentially: no score becomes possible that was impossible, and of all distributions
    with that mean it is the one nearest to the model's. A player who cannot score (no match) cannot be moved.
    """
    chosen = np.flatnonzero(~np.isnan(wanted))
    mass = points.mass[chosen]
    possible = mass > LEAST_MASS
    low = np.where(possible, GRID, np.inf).min(axis=1)
    high = np.where(possible, GRID, -np.inf).max(axis=1)
    able = (wanted[chosen] > low) & (wanted[chosen] < high)
    moved = points.mass.copy()
    moved[chosen[able]] = _tilt(np.where(possible, mass, 0.0)[able], wanted[chosen[able]])
    stuck = np.abs(moved @ GRID - wanted) > REACHED  # NaN compares false: nothing was asked
    moved[stuck] = points.mass[stuck]
    changed = moved @ GRID - points.mean
    return PointDistributions(moved, dict(points.lines) | {OVERRIDE_LINE: changed}), stuck


def chance_after(before: PointDistributions, after: PointDistributions, plays: np.ndarray) -> np.ndarray:
    """Return P(plays) that goes with tilted points: absence scores 0, so it grows or shrinks as the mass there does."""
    nil = int(np.flatnonzero(GRID == 0)[0])
    zero = before.mass[:, nil]
    ratio = np.divide(after.mass[:, nil], zero, out=np.ones_like(zero), where=zero > 0)
    return np.asarray(np.clip(1 - (1 - plays) * ratio, 0.0, 1.0))


def _tilt(mass: np.ndarray, mean: np.ndarray) -> np.ndarray:
    """Find by bisection the tilt of each row that gives its mean."""
    logs = np.where(mass > 0, np.log(np.maximum(mass, 1e-300)), -np.inf)
    low, high = np.full(len(mass), -LARGEST_TILT), np.full(len(mass), LARGEST_TILT)
    for _ in range(TILT_STEPS):
        middle = (low + high) / 2
        below = _with_tilt(logs, middle) @ GRID < mean
        low, high = np.where(below, middle, low), np.where(below, high, middle)
    return _with_tilt(logs, (low + high) / 2)


def _with_tilt(logs: np.ndarray, tilt: np.ndarray) -> np.ndarray:
    """Return the mass functions of some logarithms, each tilted by its own strength."""
    weight = logs + tilt[:, None] * GRID
    weight -= weight.max(axis=1, keepdims=True, initial=-1e9)
    np.exp(weight, out=weight)
    return np.asarray(weight / weight.sum(axis=1, keepdims=True))
