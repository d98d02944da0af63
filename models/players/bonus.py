"""The Premier League's bonus: one to three more points for the best of a match, by his goals, assists and clean sheet.

Ordered logits by position, fitted on whole seasons by `thetaxi fit-lines` and shipped as `bonus.csv`.
"""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.special import expit

from data.domain import POSITIONS

MOST = 3
STEPS = ("one", "two", "three")
"""Log odds that lie between a bonus of fewer points and one of so many."""

EVENTS = ("involved", "goals", "assists", "sheet", "sheet_involved", "short")
"""What moves the odds: a goal or an assist at all, each of them, a clean sheet, both, and fewer than 60 minutes."""

MOST_GOALS, MOST_ASSISTS = 3, 2  # more of them make no bonus surer
ODDS = Path(__file__).with_name("bonus.csv")


def bonus_events(goals: np.ndarray, assists: np.ndarray, sheet: np.ndarray, full: np.ndarray) -> np.ndarray:
    """(…, EVENTS) what moves the odds of a bonus; `sheet` counts for who plays the full hour."""
    goals, assists, sheet, full = np.broadcast_arrays(goals, assists, sheet, full)
    involved, kept = (goals + assists) > 0, (sheet > 0) & (full > 0)
    columns = (
        involved,
        np.minimum(goals, MOST_GOALS),
        np.minimum(assists, MOST_ASSISTS),
        kept,
        kept & involved,
        full == 0,
    )
    return np.stack([np.asarray(column, dtype=float) for column in columns], axis=-1)


def bonus_from_odds(events: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """(…, 4) P(0, 1, 2, 3 bonus points) of events (…, EVENTS) under weights (…, STEPS and EVENTS)."""
    odds = (events * weights[..., len(STEPS) :]).sum(axis=-1)
    reached = [expit(odds - weights[..., step]) for step in range(len(STEPS))]
    at_least = [np.ones_like(odds), *reached, np.zeros_like(odds)]
    return np.stack([here - above for here, above in pairwise(at_least)], axis=-1)


@cache
def shipped_bonus() -> np.ndarray:
    """(positions, STEPS and EVENTS) the weights that come with the project."""
    table = pd.read_csv(ODDS, index_col="position").loc[list(POSITIONS), [*STEPS, *EVENTS]]
    weights = table.to_numpy(dtype=float)
    weights.setflags(write=False)
    return np.asarray(weights)


@cache
def bonus_table() -> np.ndarray:
    """P(0, 1, 2, 3 bonus points) by position, full hour, goals, assists and clean sheet, up to the most that count."""
    full, goals, assists, sheet = np.ogrid[:2, : MOST_GOALS + 1, : MOST_ASSISTS + 1, :2]
    chances = bonus_from_odds(
        bonus_events(goals, assists, sheet, full)[None], shipped_bonus()[:, None, None, None, None]
    )
    chances.setflags(write=False)
    return chances


def bonus_chances(
    position: np.ndarray, full: np.ndarray, goals: np.ndarray, assists: np.ndarray, sheet: np.ndarray
) -> np.ndarray:
    """(…, 4) P(0, 1, 2, 3 bonus points); position 0 GK to 3 FWD, `full` an hour, `sheet` nothing conceded: 0 or 1."""
    goals, assists = np.minimum(goals, MOST_GOALS), np.minimum(assists, MOST_ASSISTS)
    return np.asarray(bonus_table()[position, full, goals, assists, sheet])
