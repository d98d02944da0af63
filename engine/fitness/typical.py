"""A typical squad of a round: the one whose bench chances and vice stand for all others in a standard form."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from engine.rules.pool import Pool
from models.signals import Signals

BENCH_SHARE = 0.1
"""What a typical squad reckons a bench place to be worth, as a share of the xEV: about P(comes in)."""

DEAREST_POINT = 20.0
"""Points of xEV that a million may cost a typical squad at most; at MD1 about 0.5 spend the budget."""

THRIFT_STEPS = 20
"""Halvings of the price of a million: to 2e-5 points."""


def typical_squad(signals: Signals, pool: Pool) -> np.ndarray:
    """Return the squad that spends the budget on xEV: the price of a point is raised until it can be paid for."""
    low, high = 0.0, DEAREST_POINT
    for _ in range(THRIFT_STEPS):
        middle = (low + high) / 2
        squad = np.concatenate(list(_thrifty(signals, pool, middle)))
        low, high = (low, middle) if pool.price[squad].sum() <= pool.budget else (middle, high)
    return np.concatenate(list(_thrifty(signals, pool, high)))


def _thrifty(signals: Signals, pool: Pool, thrift: float) -> Iterator[np.ndarray]:
    """Yield the best men of each position, starters first, when a million costs so many points."""
    xev, cost = signals.xev, thrift * pool.price
    for men, count, start in zip(pool.men, pool.shape, signals.rules.squad.lineups[0], strict=True):
        rows = men[np.argsort(cost[men] - xev[men], kind="stable")]
        first, rest = rows[:start], rows[start:]
        yield first
        yield rest[np.argsort(cost[rest] - BENCH_SHARE * xev[rest], kind="stable")][: count - start]
