"""The best exchange of any number of men at once: a knapsack over the tenths a squad may spend more or less.

A single swap cannot move money across a squad, and trying all pairs or triples is slow. Taken as independent, swaps
of all columns are one knapsack: column after column, for every sum spent so far, the best man to take or to keep.
Noise on what men bring makes each exchange another one. What the sum leaves aside, men of one match, caps and
duplicates, is seen when the new squad is valued as a whole.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import inf

import numpy as np

from engine.lineup.elevens import all_elevens
from engine.rules.count_rules import admitted
from engine.rules.money import tenths_down, tenths_up
from engine.search.climbing.shelves import Shelves, Spots

FURTHEST = 40
"""Tenths that a squad may be dearer or cheaper half-way through an exchange."""

CANDIDATES = 8
"""Men who may come into a column: the best when a tenth has its price."""

PROMISING = 250
"""Single swaps, the best, of which pairs are made."""

THRIFT = 0.05
"""Points that a tenth is worth, about: at MD1 half a point buys a million."""

THRIFT_RANGE = (0.6, 1.5)
"""By how much that price is varied from exchange to exchange."""


CAUTIOUS, FEW_LEAVE = 0.3, 0.3
"""Share of exchanges in which not everybody may leave, and who may then: where teams are few, many newcomers at once
would break a cap."""


OTHER_ROLES, ANY_ELEVEN = 0.35, 0.5
"""Share of exchanges that begin with another eleven, and of those in which it may be any; in the others one man of the
bench starts."""

ROLE_NOISE = 1.5
"""Points of noise, about, on what men bring when that eleven is drawn."""


@dataclass(frozen=True, slots=True, eq=False)
class _Offers:
    """What each column may do: option 0 keeps its man."""

    men: np.ndarray  # (b, s, o) player rows
    gain: np.ndarray  # (b, s, o) points
    dearer: np.ndarray  # (b, s, o) tenths


@dataclass(frozen=True, slots=True, eq=False)
class Counter:
    """Where squads are exchanged for others: the shelves, and who may not leave."""

    shelves: Shelves
    stay: np.ndarray  # (n,) bool: who never leaves
    tenths: np.ndarray  # (n,) price

    @classmethod
    def of(cls, shelves: Shelves, stay: np.ndarray) -> Counter:
        """Open a counter; prices that are no whole tenths are rounded up, so that no exchange is too dear."""
        return cls(shelves, stay, tenths_up(shelves.form.pool.price))

    def exchanged(self, spots: Spots, rng: np.random.Generator, heat: np.ndarray) -> np.ndarray:
        """Return (b, s) other squads, each the best exchange of its own under noise of `heat` (b,) points.

        They fit the budget; whether they are legal in all else, and what they are worth, is for the caller to see.
        """
        offers = self._offers(self._other_roles(spots, rng), rng, heat)
        return _knapsack(offers, np.minimum(self._slack(spots.squads), FURTHEST))

    def neighbours(self, spots: Spots, most: int) -> np.ndarray:
        """Return (k, s) squads one swap or two away from the first of some that promise most within the budget.

        As many of each kind at most. What they promise is the sum of what each man brings alone, without any noise.
        """
        spot, place = spots.at(np.zeros(1, dtype=np.int64)), self.shelves.place
        squad, gain = spot.squads[0], self.shelves.gains(spot)[0]
        gain[~self._open(spot.squads)[0]] = -inf
        best = np.argsort(-gain, axis=None, kind="stable")[:PROMISING]
        column, man = np.unravel_index(best[np.isfinite(gain.flat[best])], gain.shape)
        men, worth = self.shelves.men[place[column], man], gain[column, man]
        dearer = self.tenths[men] - self.tenths[squad[column]]
        slack = self._slack(spot.squads)[0]
        alone = np.flatnonzero(dearer <= slack)[:most]
        one, other = np.triu_indices(len(men), 1)
        fits = (dearer[one] + dearer[other] <= slack) & (column[one] != column[other]) & (men[one] != men[other])
        one, other = one[fits], other[fits]
        pairs = np.argsort(-(worth[one] + worth[other]), kind="stable")[:most]
        swapped = np.repeat(squad[None, :], len(alone) + len(pairs), axis=0)
        for rows in (np.concatenate([alone, one[pairs]]), np.concatenate([alone, other[pairs]])):
            swapped[np.arange(len(rows)), column[rows]] = men[rows]
        return swapped

    def _slack(self, squads: np.ndarray) -> np.ndarray:
        """Return (b,) the tenths that squads may spend more."""
        return np.asarray(tenths_down(self.shelves.form.pool.budget) - self.tenths[squads].sum(axis=1))

    def _other_roles(self, spots: Spots, rng: np.random.Generator) -> Spots:
        """Return the squads, some of them with another eleven in which the captain starts.

        Without it a starter only makes room for a starter, and money hardly moves from the eleven to the bench.
        """
        form, each = self.shelves.form, np.arange(len(spots))
        every = all_elevens(form.lineups, form.pool.shape)
        scale = rng.exponential(ROLE_NOISE, len(spots))[:, None]
        worth = (form.linear + form.starting)[spots.squads] + scale * rng.standard_normal(spots.squads.shape)
        near = spots.starts.astype(float) @ every.starts.T == spots.starts[0].sum() - 1
        open_to = (near | (rng.random(len(spots)) < ANY_ELEVEN)[:, None]) & (every.starts.T[spots.captain] > 0)
        drawn = np.where(open_to, worth @ every.starts.T, -inf).argmax(axis=1)
        moved = open_to[each, drawn] & (rng.random(len(spots)) < OTHER_ROLES)
        return replace(spots, starts=np.where(moved[:, None], every.starts[drawn] > 0, spots.starts))

    def _offers(self, spots: Spots, rng: np.random.Generator, heat: np.ndarray) -> _Offers:
        shelves, squads = self.shelves, spots.squads
        gain = shelves.gains(spots) + self._noise(rng, heat)[:, shelves.place]
        gain[~(self._assigned(spots, rng) & self._open(squads) & _loose(squads, rng))] = -inf
        dearer = self.tenths[shelves.men][shelves.place] - self.tenths[squads][:, :, None]
        gain[dearer > FURTHEST] = -inf
        dearer = np.minimum(dearer, FURTHEST)
        thrift = THRIFT * rng.uniform(*THRIFT_RANGE, len(spots))[:, None, None]
        count = min(CANDIDATES, gain.shape[2])
        best = np.argpartition(thrift * dearer - gain, count - 1, axis=2)[:, :, :count]
        men = np.take_along_axis(np.broadcast_to(shelves.men[shelves.place], gain.shape), best, axis=2)
        keep = heat[:, None] * rng.standard_normal(squads.shape)
        saved = np.maximum(np.take_along_axis(dearer, best, axis=2), -FURTHEST)  # more is left in the purse
        return _Offers(
            np.concatenate([squads[:, :, None], men], axis=2),
            np.concatenate([keep[:, :, None], np.take_along_axis(gain, best, axis=2)], axis=2),
            np.concatenate([np.zeros_like(squads)[:, :, None], saved], axis=2),
        )

    def _noise(self, rng: np.random.Generator, heat: np.ndarray) -> np.ndarray:
        """Return (b, 4, m) points of noise: half of the variance a man's own, half that of his team.

        Team-mates so come in together: what they bring as a pair is not in the sum of the two.
        """
        men, team = self.shelves.men, self.shelves.form.pool.team
        teams = len(self.shelves.form.pool.caps)
        own = rng.standard_normal((len(heat), *men.shape))
        shared = rng.standard_normal((len(heat), teams))
        return np.asarray(heat[:, None, None] * (own + shared[:, team[men]]))

    def _assigned(self, spots: Spots, rng: np.random.Generator) -> np.ndarray:
        """Return (b, s, m) who stands at which column: of his position, one that starts and one that does not.

        Drawn anew each time. At all columns at once a good man would come in twice.
        """
        rank, many = np.empty(spots.squads.shape, dtype=np.int64), np.empty(spots.squads.shape, dtype=np.int64)
        place = self.shelves.place
        for shelf in range(place.max() + 1):
            starts = spots.starts[:, place == shelf]
            alike = np.stack([starts, ~starts])  # (2, b, columns)
            rank[:, place == shelf] = (alike.cumsum(axis=2) * alike).sum(axis=0) - 1
            many[:, place == shelf] = (alike.sum(axis=2, keepdims=True) * alike).sum(axis=0)
        drawn = rng.random((len(spots), *self.shelves.men.shape))[:, place]
        return np.asarray((drawn * many[:, :, None]).astype(np.int64) == rank[:, :, None])

    def _open(self, squads: np.ndarray) -> np.ndarray:
        """Return (b, s, m) who may come in for whom, one swap at a time."""
        shelves, place = self.shelves, self.shelves.place
        fits = admitted(shelves.form.pool.counted, squads, squads, shelves.men[place][None])
        return np.asarray(fits & shelves.stocked[place] & ~self.stay[squads][:, :, None])


def _loose(squads: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Return (b, s, 1) who may leave: in some exchanges everybody, in others a few."""
    few = rng.random(len(squads)) < CAUTIOUS
    return np.asarray((rng.random(squads.shape) < np.where(few, FEW_LEAVE, 1.0)[:, None])[:, :, None])


def _knapsack(offers: _Offers, slack: np.ndarray) -> np.ndarray:
    """Return (b, s) the men of the best option of every column that together cost at most `slack` (b,) tenths more."""
    batch, columns = offers.gain.shape[:2]
    size, pad = 2 * FURTHEST + 1, FURTHEST
    worth = np.full((batch, size + 2 * pad), -inf)  # of each sum spent so far, between pads that nobody reaches
    worth[:, pad + FURTHEST] = 0.0
    cell = (np.arange(batch) * worth.shape[1] + pad)[:, None, None] + np.arange(size)
    taken = np.empty((columns, batch, size), dtype=np.int64)
    for column in range(columns):
        tried = worth.ravel()[cell - offers.dearer[:, column, :, None]] + offers.gain[:, column, :, None]
        taken[column] = tried.argmax(axis=1)
        worth[:, pad:-pad] = np.take_along_axis(tried, taken[column][:, None], axis=1)[:, 0]
    affordable = np.arange(size) <= FURTHEST + slack[:, None]
    return _walked_back(offers, taken, np.where(affordable, worth[:, pad:-pad], -inf).argmax(axis=1))


def _walked_back(offers: _Offers, taken: np.ndarray, spent: np.ndarray) -> np.ndarray:
    """Return (b, s) the men who were taken on the way to each sum (b,)."""
    each, squads = np.arange(len(spent)), np.empty_like(offers.men[:, :, 0])
    for column in range(squads.shape[1] - 1, -1, -1):
        option = taken[column, each, spent]
        squads[:, column] = offers.men[each, column, option]
        spent = spent - offers.dearer[each, column, option]
    return squads
