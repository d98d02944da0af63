"""How sure a simulated figure is: Wilson intervals, paired differences, and Holm's correction for many of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import ndtr, ndtri, stdtr, stdtrit

LEVEL = 0.95
"""Of all intervals."""

ERRORS = float(ndtri((1 + LEVEL) / 2))
"""Standard errors either side of a mean that hold it with that probability."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A simulated share with its 95 % interval."""

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.value:.1%} ({self.low:.1%}–{self.high:.1%})"


@dataclass(frozen=True, slots=True)
class Difference:
    """A paired difference of two means: the same simulations for both."""

    value: float
    low: float
    high: float
    p: float  # two-sided: how likely a difference as large is by luck alone


def estimate(outcomes: np.ndarray) -> Estimate:
    """Return the mean of outcomes (n,) between 0 and 1 with its Wilson interval.

    An outcome may be a share itself, as of managers beaten in a simulation. It varies less than a yes or no of the
    same mean, and counts as so many more of those.
    """
    n, value = len(outcomes), float(outcomes.mean())
    variance = float(outcomes.var())
    yes_or_no = value * (1.0 - value)
    return wilson(value, n * yes_or_no / variance if variance > 0 and yes_or_no > 0 else n)


def wilson(share: float, n: float) -> Estimate:
    """Return the Wilson interval of a share of n independent trials."""
    z = ERRORS
    middle = (share + z**2 / (2 * n)) / (1 + z**2 / n)
    half = z / (1 + z**2 / n) * float(np.sqrt(share * (1 - share) / n + z**2 / (4 * n**2)))
    return Estimate(share, max(0.0, min(middle - half, share)), min(1.0, max(middle + half, share)))


def paired(first: np.ndarray, second: np.ndarray) -> Difference:
    """Return how much the second outcomes (n,) are above the first, simulation by simulation."""
    gaps = second - first
    value, error = float(gaps.mean()), float(gaps.std(ddof=1) / np.sqrt(len(gaps)))
    if error == 0.0:
        return Difference(value, value, value, 1.0 if value == 0.0 else 0.0)
    half = ERRORS * error
    return Difference(value, value - half, value + half, float(2 * ndtr(-abs(value) / error)))


def paired_over_runs(first: np.ndarray, second: np.ndarray) -> Difference:
    """Return how much the second outcomes (runs, n) are above the first, for any run and any simulation.

    Simulations are the same for all, so they are paired; runs of one number hold the same view, and a policy that plays
    once meets every run of the other. Both are a sample, and the fewer of them decide the degrees of freedom (Welch).
    """
    gaps = second - first
    by_draw, by_run = gaps.mean(axis=0), gaps.mean(axis=1)
    parts = [(_squared_error(by_draw), len(by_draw) - 1), (_squared_error(by_run), len(by_run) - 1)]
    value, squared = float(gaps.mean()), sum(part for part, _ in parts)
    if squared == 0.0:
        return Difference(value, value, value, 1.0 if value == 0.0 else 0.0)
    freedom = squared**2 / sum(part**2 / degrees for part, degrees in parts if degrees)
    error = float(np.sqrt(squared))
    half = float(stdtrit(freedom, (1 + LEVEL) / 2)) * error
    return Difference(value, value - half, value + half, float(2 * stdtr(freedom, -abs(value) / error)))


def _squared_error(means: np.ndarray) -> float:
    """Return the squared standard error of the mean of these; 0 where there is only one."""
    return float(means.var(ddof=1)) / len(means) if len(means) > 1 else 0.0


def holm(p: np.ndarray) -> np.ndarray:
    """Return p-values corrected for all of them being looked at, by Holm: the smallest counts n times, and so on."""
    order = np.argsort(p, kind="stable")
    steps = np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1))
    corrected = np.empty(len(p))
    corrected[order] = np.minimum(steps, 1.0)
    return corrected
