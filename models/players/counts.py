"""Small distributions of counts, one row per player, cut where nothing is left and summing to 1."""

from __future__ import annotations

import numpy as np
from scipy.special import gammaln, xlogy

LONGEST = 60
TAIL_SPREADS = 6.0  # Poisson counts are kept up to the mean, this many standard deviations
TAIL_COUNTS = 8.0  # and so many more, since a small mean's tail is long beside its spread: below 1e-10 lies beyond


def bernoulli(chance: np.ndarray) -> np.ndarray:
    """Return P(0, 1) of an event that happens at most once, shape (r, 2)."""
    happens = np.clip(chance, 0.0, 1.0)
    return np.stack([1 - happens, happens], axis=1)


def binomial(trials: int, chance: np.ndarray) -> np.ndarray:
    """Return P(0 … trials) of so many independent tries, shape (r, trials + 1)."""
    count = np.arange(trials + 1)
    ways = np.exp(gammaln(trials + 1) - gammaln(count + 1) - gammaln(trials - count + 1))
    p = np.clip(chance, 0.0, 1.0)[:, None]
    return np.asarray(ways * p**count * (1 - p) ** (trials - count))


def poisson(mean: np.ndarray) -> np.ndarray:
    """Return P(0, 1, …) of rare independent events, cut and renormalised, shape (r, c)."""
    top = mean + TAIL_SPREADS * np.sqrt(mean) + TAIL_COUNTS
    count = np.arange(int(np.clip(np.ceil(top.max(initial=1.0)), 1, LONGEST)) + 1)
    return _normalised(xlogy(count, mean[:, None]) - mean[:, None] - gammaln(count + 1))


def negative_binomial(mean: np.ndarray, size: float) -> np.ndarray:
    """Return P(0 … longest) of counts with variance mean + mean²/size, renormalised: their tail is long."""
    count = np.arange(LONGEST + 1)
    success = (mean / (mean + size))[:, None]
    ways = gammaln(count + size) - gammaln(size) - gammaln(count + 1)
    return _normalised(ways + size * np.log1p(-success) + xlogy(count, success))


def _normalised(log_mass: np.ndarray) -> np.ndarray:
    mass = np.exp(log_mass)
    return np.asarray(mass / mass.sum(axis=1, keepdims=True))
