"""How strongly points of two players of one match go together, by what they are to each other."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from data.domain import Position
from data.errors import ModelError
from models.players.chances import Chances
from models.together.deal import Deal

_CODES = {position: code for code, position in enumerate(Position)}
ATTACKERS = (Position.MID, Position.FWD)


@dataclass(frozen=True, slots=True)
class PairClass:
    """Pairs of players of one match, by position and by side."""

    title: str
    one: tuple[Position, ...]
    other: tuple[Position, ...]
    same_team: bool

    def holds(self, position: np.ndarray, away: np.ndarray) -> np.ndarray:
        """Return which ordered pairs of a match's players belong to the class, (k, k)."""
        first, second = (np.isin(position, [_CODES[name] for name in names]) for names in (self.one, self.other))
        side = (away[:, None] == away[None, :]) == self.same_team
        return np.asarray(first[:, None] & second[None, :] & side & ~np.eye(len(position), dtype=bool))


PAIR_CLASSES = (
    PairClass("goalkeeper and defender", (Position.GK,), (Position.DEF,), same_team=True),
    PairClass("attackers of one team", ATTACKERS, ATTACKERS, same_team=True),
    PairClass("defender and opposing attacker", (Position.DEF,), ATTACKERS, same_team=False),
)


def conditional_correlations(deal: Deal, chances: Chances, mean: np.ndarray | None = None) -> dict[str, float]:
    """Return the correlation of points by title of pair class, over pairs that both play 60 minutes.

    Points are residuals from each player's `mean` (players,), by default that of the simulations; all pairs and
    simulations of a class are pooled. A real round is a deal of one simulation, with the model's mean, and is so
    measured alike. Players with two matches in the round are left out: their points belong to both. A class
    without such pairs, or whose points never vary, is missing.
    """
    if mean is None:
        mean = deal.points.mean(axis=0)
    if mean.shape != deal.points.shape[1:]:
        raise ModelError(f"The deal has {deal.points.shape[1]} players, but means come for {mean.shape}.")
    sums = {kind.title: np.zeros(6) for kind in PAIR_CLASSES}
    once = np.bincount(chances.player, minlength=len(mean))[chances.player] == 1
    for match in np.unique(chances.match):
        rows = np.flatnonzero((chances.match == match) & once)
        moments = _moments(deal, chances.player[rows], mean)
        for kind in PAIR_CLASSES:
            sums[kind.title] += moments[:, kind.holds(chances.position[rows], chances.away[rows])].sum(axis=1)
    return {title: found for title, total in sums.items() if (found := _correlation(total)) is not None}


def _moments(deal: Deal, players: np.ndarray, mean: np.ndarray) -> np.ndarray:
    """Return over simulations with both on the pitch: count, Σx, Σy, Σx², Σy², Σxy of each pair, (6, k, k)."""
    on = deal.full[:, players].astype(float)
    residual = on * (deal.points[:, players] - mean[players])
    first, second = residual.T @ on, (residual**2).T @ on
    return np.stack([on.T @ on, first, first.T, second, second.T, residual.T @ residual])


def _correlation(sums: np.ndarray) -> float | None:
    count, x, y, xx, yy, xy = sums
    if not count:
        return None
    spread = (xx - x * x / count) * (yy - y * y / count)
    return float((xy - x * y / count) / np.sqrt(spread)) if spread > 0 else None
