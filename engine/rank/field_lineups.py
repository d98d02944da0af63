"""Elevens, benches and armbands of a field: everybody starts whom he likes, and captains as the field is known to.

A man is started by his owner's liking plus a taste of the owner's own, logistic; the formation is the one with the most
liking. Where it is known how often owners start each man, and who wears the armbands, the likings are fitted until the
field does the same.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from engine.rank.field_draw import Tastes
from models.signals import Signals

START_STEPS = 12
START_PACE = 0.8
"""Of the gap in log-odds closed by a step. With 12 the exposure of the real best 10,000 is met to a correlation of
.994 to .998; without the fit, by expected points alone, to .974."""
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
    start: np.ndarray | None = None,
) -> LinedUp:
    """Return the line-ups of squads (m, s) by position, from log-odds (n,) of starting and of captaining a player.

    `captained` (n,) are known shares of the armbands and `start` (n,) known shares of a man's owners who start him;
    the likings are fitted to them.
    """
    own = _own(tastes.for_starting, signals, squads)
    liked = liking if start is None else _fitted_starts(signals, squads, liking, own, start)
    starters, bench = worthiest_elevens(signals, squads, liked[squads] + own)
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


def _fitted_starts(
    signals: Signals, squads: np.ndarray, liking: np.ndarray, taste: np.ndarray, start: np.ndarray
) -> np.ndarray:
    """Return log-odds (n,) under which the owners of a man start him as often as known (n,)."""
    owners = np.maximum(np.bincount(squads.ravel(), minlength=len(liking)), 1)
    least = 1 / (2 * owners + 2)  # a share that so few owners cannot show: keeps log-odds finite
    wanted, weight = _log_odds(start, least), liking.copy()
    for _ in range(START_STEPS):
        starters, _ = worthiest_elevens(signals, squads, weight[squads] + taste)
        found = np.bincount(starters.ravel(), minlength=len(weight)) / owners
        weight += START_PACE * (wanted - _log_odds(found, least))
    return weight


def _log_odds(share: np.ndarray, least: np.ndarray) -> np.ndarray:
    inside = np.clip(share, least, 1 - least)
    return np.asarray(np.log(inside / (1 - inside)))


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
