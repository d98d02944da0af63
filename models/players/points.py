"""A player's whole point distribution, from what he may do and what the rulebook pays for it, line by line.

Given his minutes state and the score, his goals and assists, the goals conceded while he is on, and everything else
are independent. So one distribution is put together of three parts: attack by the team's goals, defence by the goals
conceded, and the rest. The lines are means of the very same parts, hence they sum to the mean of the distribution.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from data.errors import ModelError
from data.rules import GameRules
from models.players.chances import Chances
from models.players.payout import LOWEST, WIDTH, match_distributions

GRID = np.arange(LOWEST, LOWEST + WIDTH)
"""Points a player can end a round with. What little lies beyond is counted at the edge."""

LOW_QUANTILE, HIGH_QUANTILE = 0.10, 0.90


@dataclass(frozen=True, slots=True, eq=False)
class PointDistributions:
    """Points of the coming round: row i of every array is player i."""

    mass: np.ndarray  # (n, k) probability of each number of points on GRID
    lines: Mapping[str, np.ndarray]  # expected points by scoring line of the rulebook, each (n,)

    def __post_init__(self) -> None:
        if not np.isfinite(self.mass).all() or np.abs(self.mass.sum(axis=1) - 1).max(initial=0.0) > 1e-9:
            raise ModelError("A distribution of points does not sum to 1.")
        if (self.mass < 0).any():
            raise ModelError(f"A distribution of points holds a probability of {self.mass.min()}, below 0.")

    @property
    def mean(self) -> np.ndarray:
        """(n,) expected points."""
        return np.asarray(self.mass @ GRID)

    @property
    def variance(self) -> np.ndarray:
        """(n,) variance of the points."""
        return np.asarray((self.mass * (GRID - self.mean[:, None]) ** 2).sum(axis=1))

    def quantile(self, level: float) -> np.ndarray:
        """Return the fewest points whose cumulative probability reaches the level, by player."""
        reached = np.cumsum(self.mass, axis=1) >= level - 1e-12
        return np.asarray(GRID[reached.argmax(axis=1)])

    @property
    def floor(self) -> np.ndarray:
        """(n,) points he reaches nine times in ten."""
        return self.quantile(LOW_QUANTILE)

    @property
    def ceiling(self) -> np.ndarray:
        """(n,) points he passes one time in ten."""
        return self.quantile(HIGH_QUANTILE)


def point_distributions(chances: Chances, rules: GameRules, owned: np.ndarray) -> PointDistributions:
    """Return the distribution and the lines of every player; `owned` (n,) decides who may earn a scouting bonus.

    A player without a match scores 0 for sure; one with two matches adds them up.
    """
    players = len(owned)
    mass, lines = match_distributions(chances, rules, owned[chances.player])
    total = np.zeros((players, WIDTH))
    total[:, -LOWEST] = 1.0
    for turn in _turns(chances.player):
        rows = chances.player[turn]
        total[rows] = _added(total[rows], mass[turn])
    summed = {name: np.bincount(chances.player, value, minlength=players) for name, value in lines.items()}
    return PointDistributions(total, summed)


def _turns(player: np.ndarray) -> list[np.ndarray]:
    """Split rows so that no player stands twice in a part: his first matches, his second, …"""
    order = np.argsort(player, kind="stable")
    ranked = player[order]
    first = np.searchsorted(ranked, ranked)
    turn = np.empty(len(player), dtype=int)
    turn[order] = np.arange(len(player)) - first
    return [np.flatnonzero(turn == number) for number in range(turn.max(initial=-1) + 1)]


def _added(left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Return the distribution of the sum of two independent scores, both on the grid."""
    if (left[:, -LOWEST] == 1.0).all():
        return right
    size = 2 * WIDTH
    joint = np.fft.irfft(np.fft.rfft(left, size) * np.fft.rfft(right, size), size)
    joint = np.clip(joint[:, :-1], 0.0, None)
    summed = joint[:, -LOWEST : -LOWEST + WIDTH].copy()
    summed[:, 0] += joint[:, :-LOWEST].sum(axis=1)
    summed[:, -1] += joint[:, -LOWEST + WIDTH :].sum(axis=1)
    return np.asarray(summed / summed.sum(axis=1, keepdims=True))
