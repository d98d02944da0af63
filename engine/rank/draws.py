"""Simulated rounds as the signals believe them: dealt by the models, then bent to a manager's own projections.

The deal knows matches, goals and minutes, not the points a manager typed in. A player with a projection of his own
keeps his place in every simulation, his best round stays his best round, but his points are those of the
distribution he was given; so he still moves with his team.
"""

from __future__ import annotations

import numpy as np

from models.players.points import GRID
from models.signals import Signals
from models.together.deal import Deal, deal


def draw_rounds(signals: Signals, n: int, rng: np.random.Generator, wanted: np.ndarray | None = None) -> Deal:
    """Return `n` simulated rounds of all players; the same generator state gives the same bytes.

    Where only some are `wanted` (player rows), points of the others are not drawn.
    """
    drawn = deal(signals.chances, signals.rules, n, rng, owned=signals.owned, wanted=wanted)
    given = signals.overridden.get("xev")
    if given is None or not given.any():
        return drawn
    points, played = drawn.points.copy(), drawn.played.copy()
    bent = np.flatnonzero(given)
    for player in bent if wanted is None else np.intersect1d(bent, wanted):
        points[:, player] = _bent(points[:, player], signals.points.mass[player], rng)
        played[:, player] |= points[:, player] != 0  # who earned points took the field
    return Deal(points=points, played=played, full=drawn.full.copy(), scores=drawn.scores.copy())


def _bent(points: np.ndarray, mass: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Return points (n,) of another distribution in the same order, ties broken at random."""
    n = len(points)
    order = np.lexsort((rng.random(n), points))
    level = np.empty(n)
    level[order] = (np.arange(n) + rng.random()) / n
    place = np.searchsorted(mass.cumsum(), level, side="right")
    return GRID[np.minimum(place, len(GRID) - 1)].astype(points.dtype)
