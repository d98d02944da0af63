"""The goals that bookmakers' odds expect: the two rates whose score grid gives outcome and goals as priced."""

from __future__ import annotations

import numpy as np
import pandas as pd

from models.teams.goals import ScoreGrid, score_grid

OUTCOME_ODDS = ["home_odds", "draw_odds", "away_odds"]
TOTAL_ODDS = ["over_odds", "under_odds"]
LINE = 2.5
"""Goals of both sides that over and under are told of."""

START = (1.5, 1.2)
STEPS = 12  # of Gauss and Newton: four settle a usual match, a rout needs eight
LARGEST_STEP = 0.5
NUDGE = 1e-5
DAMPING = 1e-9


def market_chances(matches: pd.DataFrame) -> np.ndarray:
    """Return what odds say of home win, draw and away win (m, 3), the margin taken off in proportion; NaN without."""
    return _fair(matches[OUTCOME_ODDS].to_numpy(dtype=float, na_value=np.nan))


def market_rates(matches: pd.DataFrame, rho: float) -> np.ndarray:
    """Return the expected goals (m, 2) of home and away side that explain the odds best; NaN where there are none.

    Where over and under are not told, the outcome alone decides.
    """
    outcome = market_chances(matches)
    totals = _fair(matches[TOTAL_ODDS].to_numpy(dtype=float, na_value=np.nan))
    priced = ~np.isnan(outcome).any(axis=1)
    said = np.column_stack([outcome[:, [0, 2]], totals[:, 0]])[priced]
    log_rates = np.tile(np.log(START), (len(said), 1))
    for _ in range(STEPS):
        log_rates = log_rates + _step(log_rates, said, rho)
    rates = np.full((len(matches), 2), np.nan)
    rates[priced] = np.exp(log_rates)
    return rates


def _fair(odds: np.ndarray) -> np.ndarray:
    return np.asarray(1 / odds / (1 / odds).sum(axis=1, keepdims=True))


def _step(log_rates: np.ndarray, said: np.ndarray, rho: float) -> np.ndarray:
    """(m, 2) the way to the rates of least squared distance between chances, as far as a straight line goes."""
    here = _chances(log_rates, rho)
    missed = np.nan_to_num(said - here)
    slopes = [(_chances(log_rates + NUDGE * one, rho) - here) / NUDGE for one in np.eye(2)]
    jacobian = np.stack(slopes, axis=2) * ~np.isnan(said)[:, :, None]
    square = np.einsum("mci,mcj->mij", jacobian, jacobian) + DAMPING * np.eye(2)
    step = np.linalg.solve(square, np.einsum("mci,mc->mi", jacobian, missed)[..., None])[..., 0]
    return np.asarray(np.clip(step, -LARGEST_STEP, LARGEST_STEP))


def _chances(log_rates: np.ndarray, rho: float) -> np.ndarray:
    """(m, 3) home win, away win, more goals than the line."""
    grid = score_grid(np.exp(log_rates[:, 0]), np.exp(log_rates[:, 1]), rho)
    return np.column_stack([grid.outcome()[:, [0, 2]], _over(grid)])


def _over(grid: ScoreGrid) -> np.ndarray:
    goals = np.add.outer(np.arange(grid.max_goals + 1), np.arange(grid.max_goals + 1))
    return np.asarray(grid.probability.sum(axis=(-2, -1), where=goals > LINE))
