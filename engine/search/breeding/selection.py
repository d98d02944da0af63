"""Who breeds: parents are drawn by rank within their variance band, and every band that has somebody keeps a share.

θ pulls the best squads towards one end of the variance spectrum. Left alone, the search would breed only there, and a
board that spans the spectrum could not be made. So the bands share the places: a floor for each, the rest by where the
best squads are.
"""

from __future__ import annotations

import numpy as np

from data.errors import InputError

BANDS = 3  # low, medium, high
FLOOR = 0.15
"""Share of the parents that each band with a viable candidate has at least."""

ELITE = 0.25
"""Share of the viable candidates, the best, by whose bands the places above the floors are shared."""

PRESSURE = 1.8
"""Times the best of a band is drawn for once its average man is; the worst for 2 − pressure (linear ranking)."""


def select_parents(
    score: np.ndarray,
    bands: np.ndarray,
    disqualified: np.ndarray,
    count: int,
    rng: np.random.Generator,
    liking: np.ndarray | None = None,
) -> np.ndarray:
    """Return (count,) rows of parents in random order, drawn with replacement.

    Row i of `score`, `bands` (0 low, 1 medium, 2 high) and `disqualified` is candidate i. Disqualified ones, and those
    whose score is no number, are never drawn. With fewer places than bands the higher shares come first. `liking` (p,)
    makes each so many times likelier within its band.
    """
    viable = np.flatnonzero(~disqualified & np.isfinite(score))
    if not viable.size:
        raise InputError(f"None of {len(score)} candidates is viable, so nobody can breed. Seed the search anew.")
    ranked = viable[np.argsort(-score[viable], kind="stable")]
    places = _places(band_shares(bands[ranked]), count)
    weight = np.ones(len(score)) if liking is None else liking
    drawn = [_by_rank(ranked[bands[ranked] == band], int(places[band]), rng, weight) for band in range(BANDS)]
    return np.asarray(rng.permutation(np.concatenate(drawn)))


def band_shares(ranked_bands: np.ndarray) -> np.ndarray:
    """Return (3,) the share of each band, given the bands of the viable candidates from best to worst."""
    alive = np.bincount(ranked_bands, minlength=BANDS) > 0
    elite = ranked_bands[: max(1, round(ELITE * len(ranked_bands)))]
    pull = np.bincount(elite, minlength=BANDS) / len(elite)
    return np.asarray(FLOOR * alive + (1 - FLOOR * alive.sum()) * pull)


def _places(shares: np.ndarray, count: int) -> np.ndarray:
    """Return (3,) whole places in these shares; one at least for each band alive, if there are so many."""
    places: np.ndarray = np.floor(shares * count).astype(np.int64)
    rest = np.argsort(places - shares * count, kind="stable")[: count - places.sum()]
    places[rest] += 1
    alive = np.flatnonzero(shares > 0)
    for band in alive[places[alive] == 0][: max(count - len(alive) + 1, 0)]:
        places[band] += 1
        places[places.argmax()] -= 1
    return places


def _by_rank(ranked: np.ndarray, places: int, rng: np.random.Generator, liking: np.ndarray) -> np.ndarray:
    if not ranked.size or not places:
        return ranked[:0]
    rank = np.linspace(1.0, -1.0, len(ranked)) if len(ranked) > 1 else np.zeros(1)
    chance = (1 + (PRESSURE - 1) * rank) * liking[ranked]
    return np.asarray(rng.choice(ranked, size=places, p=chance / chance.sum()))
