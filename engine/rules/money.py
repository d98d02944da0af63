"""Money: can this be paid? Prices are whole tenths of a million, kept as floats, so sums are compared with a slack."""

from __future__ import annotations

import numpy as np

SLACK = 1e-6
"""Millions that a sum of prices may miss its true value by: rounding of floats is less, a tenth is far more."""

TENTHS = 10
"""Steps of a price in a million."""

Millions = np.ndarray | float


def payable(cost: Millions, money: Millions) -> np.ndarray:
    """Return whether the money suffices for each cost."""
    return np.asarray(cost <= money + SLACK)


def tenths_up(millions: Millions) -> np.ndarray:
    """Return whole tenths, rounded up: what a price comes to at most."""
    return np.ceil(np.asarray(millions) * TENTHS - SLACK).astype(np.int64)


def tenths_down(millions: Millions) -> np.ndarray:
    """Return whole tenths, rounded down: what a purse holds at least."""
    return np.floor(np.asarray(millions) * TENTHS + SLACK).astype(np.int64)
