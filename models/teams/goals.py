"""The goals of a match: one grid of score probabilities answers every question, so no two answers differ."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import gammaln, xlogy

from data.errors import ModelError

Side = Literal["home", "away"]

MAX_GOALS = 10
"""Goals per side on the grid. At 4 expected goals .3 % lies beyond, and is shared out by renormalising."""

HIGHEST_RATE = 40.0
"""No side expects more goals; beyond, the grid would hold nothing but rounding."""

EXTRA_TIME_SHARE = 1 / 3
"""Extra time lasts 30 minutes of a match's 90."""

SUM_TOLERANCE = 1e-9


@dataclass(frozen=True, slots=True, eq=False)
class ScoreGrid:
    """Joint probabilities of home and away goals, for one match or for a whole batch of them."""

    probability: np.ndarray  # (..., g, g): [..., h, a] = P(home scores h, away scores a), sums to 1 over both

    def __post_init__(self) -> None:
        p = self.probability
        if p.ndim < 2 or p.shape[-1] != p.shape[-2]:
            raise ModelError(f"A score grid needs two equal last axes (home goals, away goals), not shape {p.shape}.")
        if not (np.isfinite(p).all() and (p >= 0).all()):
            raise ModelError("A score grid holds a negative or missing probability.")
        if np.abs(p.sum(axis=(-2, -1)) - 1).max(initial=0.0) > SUM_TOLERANCE:
            raise ModelError(f"A score grid must sum to 1, not {p.sum(axis=(-2, -1)).ravel()[:3]}. Normalise it first.")
        p.setflags(write=False)

    @property
    def max_goals(self) -> int:
        """The most goals a side can score on this grid."""
        return int(self.probability.shape[-1]) - 1

    def outcome(self) -> np.ndarray:
        """Return P(home win, draw, away win), shape (..., 3)."""
        lead = np.subtract.outer(np.arange(self.max_goals + 1), np.arange(self.max_goals + 1))
        parts = [self.probability.sum(axis=(-2, -1), where=where) for where in (lead > 0, lead == 0, lead < 0)]
        return np.stack(parts, axis=-1)

    def clean_sheet(self, side: Side) -> np.ndarray:
        """Return P(this side concedes nothing)."""
        return np.asarray(self.probability.sum(axis=-2 if side == "home" else -1)[..., 0])

    def sample(self, rng: np.random.Generator, n: int) -> np.ndarray:
        """Draw `n` scores of every match, shape (n, ..., 2) with home goals first.

        The matches' cumulative probabilities are laid end to end, each raised by its number, so that one
        sorted search serves the whole batch.
        """
        size = self.max_goals + 1
        cumulative = self.probability.reshape(-1, size * size).cumsum(axis=-1)
        cumulative /= cumulative[:, -1:]
        match = np.arange(len(cumulative))
        steps = (cumulative + match[:, None]).ravel()
        cell = np.searchsorted(steps, rng.random((n, len(match))) + match, side="right")
        # A draw within rounding of 1 may land on the next match's first cell; it means this match's last.
        cell = np.minimum(cell - match * size * size, size * size - 1)
        return np.stack(np.divmod(cell, size), axis=-1).reshape(n, *self.probability.shape[:-2], 2)


def score_grid(
    home_rate: ArrayLike, away_rate: ArrayLike, rho: ArrayLike = 0.0, max_goals: int = MAX_GOALS
) -> ScoreGrid:
    """Return the grid of two Poisson rates with the Dixon–Coles correction of low scores.

    Arrays of rates give a batch. A negative `rho` makes 0–0 and 1–1 likelier, 1–0 and 0–1 rarer, and leaves
    each side's own goals as they are.
    """
    home, away, tie = np.broadcast_arrays(*(np.asarray(value, dtype=float) for value in (home_rate, away_rate, rho)))
    _check_rates(home)
    _check_rates(away)
    joint = poisson_mass(home, max_goals)[..., :, None] * poisson_mass(away, max_goals)[..., None, :]
    joint[..., :2, :2] *= dixon_coles(home, away, tie)
    return ScoreGrid(joint / joint.sum(axis=(-2, -1), keepdims=True))


def dixon_coles(home_rate: np.ndarray, away_rate: np.ndarray, rho: np.ndarray) -> np.ndarray:
    """Return the factors on the scores 0–0, 0–1, 1–0 and 1–1, shape (..., 2, 2); never below 0."""
    factors = np.empty((*np.broadcast_shapes(home_rate.shape, away_rate.shape, rho.shape), 2, 2))
    factors[..., 0, 0] = 1 - home_rate * away_rate * rho
    factors[..., 0, 1] = 1 + home_rate * rho
    factors[..., 1, 0] = 1 + away_rate * rho
    factors[..., 1, 1] = 1 - rho
    return np.maximum(factors, 0.0)


def poisson_mass(rate: np.ndarray, most: int) -> np.ndarray:
    """Return P(0 … most) of independent rare events, shape (..., most + 1); what lies beyond is left out."""
    count = np.arange(most + 1)
    return np.asarray(np.exp(xlogy(count, rate[..., None]) - rate[..., None] - gammaln(count + 1)))


def _check_rates(rate: np.ndarray) -> None:
    bad = rate[~((rate >= 0) & (rate <= HIGHEST_RATE))]
    if bad.size:
        raise ModelError(
            f"A goal rate of {bad.flat[0]} makes no sense; give expected goals from 0 to {HIGHEST_RATE:g}."
        )
