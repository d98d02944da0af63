"""Elevens, benches and armbands of a field: everybody starts whom he likes, and captains as the field is known to.

A man is started by his owner's liking plus a taste of the owner's own, logistic, so that over all owners he starts as
often as the model of exposure says; the formation is the one with the most liking. The armband goes to a starter by
weights that are fitted until the field's armbands are shared as they are known to be.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from engine.rank.field_draw import Tastes
from models.signals import Signals

ARMBAND_STEPS = 40
ARMBAND_PACE = 0.7
FEWEST = 1e-6
"""A share of armbands that no field shows: keeps logs finite."""

LinedUp = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]
"""starters (m, 11), bench (m, s − 11), captain (m,), vice (m,): player rows."""


def field_lineups(
    signals: Signals,
    squads: np.ndarray,
    liking: np.ndarray,
    tastes: Tastes,
    leading: np.ndarray,
    captained: np.ndarray | None = None,
) -> LinedUp:
    """Return the line-ups of squads (m, s) by position, from log-odds (n,) of starting and of captaining a player.

    `captained` (n,) are known shares of the armbands; the weights of captaincy are fitted to them.
    """
    seen = liking[squads] + _own(tastes.for_starting, signals, squads)
    starters, bench = worthiest_elevens(signals, squads, seen)
    taste = _own(tastes.for_leading, signals, starters)
    weight = leading if captained is None else _fitted(leading, captained, starters, taste)
    order = np.argsort(-(weight[starters] + taste), axis=1, kind="stable")
    leaders = np.take_along_axis(starters, order[:, :2], axis=1)
    return starters, bench, leaders[:, 0], leaders[:, 1]


def worthiest_elevens(signals: Signals, squads: np.ndarray, liking: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return starters (m, 11) and bench of squads (m, s) in the formation with the most liking (m, s).

    The bench is in its order of liking, goalkeepers last.
    """
    shape = signals.rules.squad.places
    first = np.cumsum([0, *shape])
    order = np.lexsort((-liking, signals.position[squads]), axis=1)
    ranked, liked = np.take_along_axis(squads, order, axis=1), np.take_along_axis(liking, order, axis=1)
    lineups = signals.rules.squad.lineups
    starting = np.zeros((len(lineups), squads.shape[1]), dtype=bool)
    for number, lineup in enumerate(lineups):
        for place, count in enumerate(lineup):
            starting[number, first[place] : first[place] + count] = True
    starts = starting[(liked @ starting.T).argmax(axis=1)]
    keeper = np.arange(squads.shape[1]) < shape[0]
    last = np.where(starts, np.inf, np.where(keeper, 1e6, 0.0) - liked)  # keepers sit last, starters are left out
    seats = np.argsort(last, axis=1, kind="stable")[:, : squads.shape[1] - int(starting[0].sum())]
    return ranked[starts].reshape(len(squads), -1), np.take_along_axis(ranked, seats, axis=1)


def _fitted(liking: np.ndarray, captained: np.ndarray, starters: np.ndarray, taste: np.ndarray) -> np.ndarray:
    """Return log-weights (n,) under which the armbands of these elevens are shared as known."""
    weight, everyone = liking.copy(), np.arange(len(starters))
    least = max(FEWEST, 1 / (4 * len(starters)))
    wanted = np.log(np.maximum(captained, least))
    for _ in range(ARMBAND_STEPS):
        leader = starters[everyone, (weight[starters] + taste).argmax(axis=1)]
        found = np.bincount(leader, minlength=len(weight)) / len(starters)
        weight += ARMBAND_PACE * (wanted - np.log(np.maximum(found, least)))
    return weight


def _own(taste: Callable[[np.ndarray, int], np.ndarray], signals: Signals, men: np.ndarray) -> np.ndarray:
    """Return (m, k) each manager's taste for the men he has."""
    known, places = np.unique(men, return_inverse=True)
    drawn = taste(signals.player_id[known], len(men))
    return np.asarray(np.take_along_axis(drawn, places.reshape(men.shape), axis=1))
