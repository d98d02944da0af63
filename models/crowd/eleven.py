"""The field's average squad and eleven: whom the owners own, start and captain, so that every sum is a legal one.

Every manager owns a legal squad, starts a legal eleven and gives one armband. So over all managers the owned shares
of a position sum to its places in the squad, the started shares to a formation (a mean of formations), the armbands
to one. Three fillings, one after the other, each monotone in what an owner looks at:

- owned: the shares of a position times one factor, nobody above 1;
- started: owned · σ(liking + offset), the same offset for all positions, because a bench is what the squad likes
  least, unless that would break the fewest or most of a position that the formations allow: then its own;
- captained: started · σ(captain's liking + offset). Far below 1 that is a softmax over the starters, near 1 it
  cannot captain a man more often than he is started.

More owned is never less started, whatever the likings: if the offset falls, everybody else of his position is started
less and he takes the place; if it rises, so does he. Where formations are a strict part of the counts between fewest
and most, the mean may lie outside their hull; no game here has that.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt
from scipy.special import expit

from data.errors import ModelError

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Lineup = tuple[int, int, int, int]

CERTAIN = 50.0
"""Log-odds at which a probability is 0 or 1 to all the digits of a float."""
NOBODY = 1e-9
"""A share that no field of managers can show: fewer than one in a billion."""
PRECISION = 1e-13
"""Of an offset: the sums it settles are then far within the 1e-9 they are checked to."""


def fill_squads(owned: Floats, position: Ints, shape: Lineup) -> Floats:
    """Return the shares with each position scaled to its places in a squad; nobody is owned by more than all."""
    filled = np.empty_like(owned)
    for code, places in enumerate(shape):
        of_position = position == code
        filled[of_position] = scaled_to_places(owned[of_position], places)
    return filled


def scaled_to_places(owned: Floats, places: int) -> Floats:
    """Return min(1, factor · owned) with the one factor that makes it sum to the places."""
    owned = np.where(owned < NOBODY, 0.0, owned)
    if np.count_nonzero(owned) < places:
        raise ModelError(
            f"Of a position {np.count_nonzero(owned)} players are owned by anybody, but a squad needs {places}. "
            "Give the whole pool with its ownership."
        )
    # With the k most owned at 1 the factor brings the others to the places left: the right k is the first that fits.
    ranked = np.sort(owned)[::-1]
    left, open_places = np.cumsum(ranked[::-1])[::-1][:places], places - np.arange(places)
    full = int(np.argmax(ranked[:places] * open_places <= left))
    return np.asarray(np.minimum(1.0, owned * (open_places[full] / left[full])), dtype=np.float64)


def fill_elevens(owned: Floats, position: Ints, liking: Floats, lineups: tuple[Lineup, ...]) -> Floats:
    """Return P(an owner starts him) of every player, from log-odds of his appeal; Σ owned · start is a legal eleven."""
    fewest, most = formation_bounds(lineups)

    def starters(shift: float) -> Floats:
        by_position = np.bincount(position, owned * expit(liking + shift), minlength=len(fewest))
        return np.asarray(by_position, dtype=np.float64)

    def reaching(code: int, bound: int) -> float:
        return _offset(lambda shift: float(starters(shift)[code]), liking, bound)

    shared = _offset(lambda shift: float(np.clip(starters(shift), fewest, most).sum()), liking, sum(lineups[0]))
    wanted = starters(shared)
    legal = np.clip(np.rint(wanted), fewest, most).astype(np.int64)
    outside = (wanted < fewest) | (wanted > most)
    offsets = [reaching(code, legal[code]) if outside[code] else shared for code in range(len(fewest))]
    return np.asarray(expit(liking + np.array(offsets)[position]), dtype=np.float64)


def fill_armbands(started: Floats, liking: Floats) -> Floats:
    """Return the share of managers who captain each player: it sums to 1 and never exceeds who starts him."""
    offset = _offset(lambda shift: float(started @ expit(liking + shift)), liking, 1.0)
    return np.asarray(started * expit(liking + offset), dtype=np.float64)


def formation_bounds(lineups: tuple[Lineup, ...]) -> tuple[Ints, Ints]:
    """Return the fewest and the most starters of each position (4,) over the allowed elevens."""
    counts = np.array(lineups, dtype=np.int64)
    return counts.min(axis=0), counts.max(axis=0)


def _offset(filled: Callable[[float], float], liking: Floats, total: float) -> float:
    """Return the offset at which a rising filling reaches its total, or the end where it comes nearest."""
    from scipy.optimize import brentq  # takes as long to load as all of this room: the page is drawn before

    low, high = -float(liking.max()) - CERTAIN, -float(liking.min()) + CERTAIN
    if filled(high) <= total:
        return high
    if filled(low) >= total:
        return low
    return float(brentq(lambda shift: filled(shift) - total, low, high, xtol=PRECISION))
