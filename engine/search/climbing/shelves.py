"""Who may come into squads, laid out by position, and what each would bring in every place of many squads at once.

Squads are sorted by position, so a column always shops at the same shelf: for 16 squads of 15 men and shelves of 80 a
swap of each man for each costs some ten steps over 20,000 numbers.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from engine.fitness.standard_form import LAST_OF_SPINE, StandardForm, role_weights
from engine.search.climbing.swaps import short_market

BENCH_DEPTH = 0.5
"""Depth of the shelves for men of the bench, as a share of that for starters: they decide tenths of a point."""


@dataclass(frozen=True, slots=True, eq=False)
class Spots:
    """Squads with their roles: row i of every array is squad i."""

    squads: np.ndarray  # (b, s) player rows by position
    starts: np.ndarray  # (b, s) bool
    captain: np.ndarray  # (b,) column
    value: np.ndarray  # (b,)

    def __len__(self) -> int:
        return len(self.squads)

    def where(self, chosen: np.ndarray, other: Spots) -> Spots:
        """Return these where `chosen` (b,), the other ones elsewhere."""
        columns = zip(self._columns, other._columns, strict=True)
        return Spots(*(np.where(chosen if one.ndim == 1 else chosen[:, None], one, two) for one, two in columns))

    def joined(self, others: Spots) -> Spots:
        """Return these, then the others."""
        return Spots(*map(np.concatenate, zip(self._columns, others._columns, strict=True)))

    def at(self, rows: np.ndarray) -> Spots:
        """Return some of them, any number of times."""
        return Spots(*(column[rows] for column in self._columns))

    @property
    def best(self) -> int:
        """The row with the highest value."""
        return int(self.value.argmax())

    @property
    def _columns(self) -> tuple[np.ndarray, ...]:
        return self.squads, self.starts, self.captain, self.value


More = Callable[[Spots, np.ndarray, np.ndarray], np.ndarray]
"""(b, s, m) points that the men (4, m) of the shelves add in the place of each man, `place` (s,) naming his shelf."""


@dataclass(frozen=True, slots=True, eq=False)
class Shelves:
    """The men worth looking at by position, padded to one length."""

    form: StandardForm
    men: np.ndarray  # (4, m) player rows
    stocked: np.ndarray  # (4, m) bool: a man, not padding
    place: np.ndarray  # (s,) the shelf of each column of a squad
    known: np.ndarray  # (n,) line of each player in `shared`, −1 for who is neither stocked nor in a squad
    shared: np.ndarray  # (k, 4, m) covariance of the known with the men
    own: np.ndarray  # (4, m) their variance
    more: More | None = None  # what newcomers bring that the form does not see

    @classmethod
    def of(cls, form: StandardForm, squads: np.ndarray, allowed: np.ndarray, depth: int) -> Shelves:
        """Stock the men of the squads, and of those `allowed` (n,) the ones worth it."""
        inside = np.unique(squads)
        stock = np.union1d(worth_stocking(form, allowed, depth), inside[allowed[inside]])
        men, stocked = _by_place(form, stock)
        everybody = np.union1d(stock, inside)
        known = np.full(len(form), -1)
        known[everybody] = np.arange(len(everybody))
        shared = form.covariance[everybody[:, None], men.ravel()].reshape(len(everybody), *men.shape)
        return cls(form, men, stocked, form.pool.place_of, known, shared, form.covariance[men, men])

    def gains(self, spots: Spots) -> np.ndarray:
        """Return (b, s, m) what each man of a column's shelf brings in the place and role of the column's man."""
        form, squads, men, place = self.form, spots.squads, self.men, self.place
        each, leads = np.arange(len(spots)), np.arange(squads.shape[1]) == spots.captain[:, None]
        weight = role_weights(form, squads, spots.starts)
        held = weight + (form.multiplier - 1) * leads
        gain = weight[:, :, None] * form.linear[men][place] + form.squad[men][place]
        gain[each, spots.captain] += form.captain[men][place[spots.captain]]
        brought = weight * form.linear[squads] + form.squad[squads] + leads * form.captain[squads]
        if form.starting.any():
            gain += spots.starts[:, :, None] * form.starting[men][place]
            brought += spots.starts * form.starting[squads]
        if form.risk:
            risky, risked = self._variance(squads, held)
            gain -= form.risk * risky
            brought -= form.risk * risked
        if form.stack:
            lifts, lifted = self._stacks(spots)
            gain[:, : lifts.shape[1]] += form.stack * lifts
            brought[:, : lifts.shape[1]] += form.stack * lifted
        gain -= brought[:, :, None]
        if form.current.size and np.isfinite(form.free):
            gain -= self._hits(squads)
        if self.more is not None:
            gain += self.more(spots, men, place)
        return np.asarray(gain)

    def _variance(self, squads: np.ndarray, held: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the variance that newcomers would bring (b, s, m), and that which the squad's men bring (b, s)."""
        shared = self.shared[self.known[squads]]  # (b, s, 4, m)
        pull = (held[:, None, :] @ shared.reshape(*squads.shape, -1)).reshape(len(squads), *self.men.shape)
        count = held[:, :, None]
        rest = pull[:, self.place] - count * shared[:, np.arange(squads.shape[1]), self.place]
        pairs = self.form.covariance[squads[:, :, None], squads[:, None, :]]
        alone = np.diagonal(pairs, axis1=1, axis2=2)
        others = (pairs @ count)[:, :, 0] - held * alone
        return count * (2 * rest + count * self.own[self.place]), held * (2 * others + held * alone)

    def _stacks(self, spots: Spots) -> tuple[np.ndarray, np.ndarray]:
        """Return what newcomers would add to a spine's shared swing (b, k, m), and what its men add (b, k)."""
        form, team = self.form, self.form.pool.team
        place = self.place[self.place <= LAST_OF_SPINE]
        spine, column = spots.squads[:, : len(place)], np.arange(len(place))
        plays = spots.starts[:, : len(place)]
        swing = form.swing[spine] * plays
        shelf = self.men[: LAST_OF_SPINE + 1]
        of_mate = np.where(team[spine][:, :, None, None] == team[shelf], swing[:, :, None, None], 0.0)
        largest, most = of_mate.argmax(axis=1), of_mate.max(axis=1)
        np.put_along_axis(of_mate, largest[:, None], 0.0, axis=1)
        best = np.where(largest[:, place] == column[:, None], of_mate.max(axis=1)[:, place], most[:, place])
        mates = (team[spine][:, :, None] == team[spine][:, None, :]) & (column[:, None] != column)
        lifted = plays * np.minimum(form.swing[spine], np.where(mates, swing[:, None, :], 0.0).max(axis=2))
        return plays[:, :, None] * np.minimum(form.swing[shelf][place], best), lifted

    def _hits(self, squads: np.ndarray) -> np.ndarray:
        """Return (b, s, m) what one change more or less costs, all others as they are."""
        form = self.form
        new = form.newcomer
        count = new[squads].sum(axis=1)[:, None, None]
        after = count - new[squads][:, :, None] + new[self.men][self.place]
        return np.asarray(form.hit * (np.maximum(after - form.free, 0.0) - np.maximum(count - form.free, 0.0)))


def worth_stocking(form: StandardForm, allowed: np.ndarray, depth: int) -> np.ndarray:
    """Return the player rows whom few of those `allowed` (n,) beat at their price, as starters or on a bench."""
    rows = np.flatnonzero(allowed)
    bench = form.usual_bench
    sitting = replace(form, linear=bench * form.linear, starting=np.zeros(0), risk=bench**2 * form.risk)
    few = max(1, round(BENCH_DEPTH * depth)) if depth else 0
    return np.union1d(short_market(form, rows, depth), short_market(sitting, rows, few))


def _by_place(form: StandardForm, stock: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return (4, m) the men of each position, and which of them are not padding."""
    lists = [stock[form.pool.position[stock] == place] for place in range(len(form.pool.shape))]
    longest = max(1, *(len(men) for men in lists))
    men = np.zeros((len(lists), longest), dtype=np.int64)
    stocked = np.zeros(men.shape, dtype=bool)
    for place, here in enumerate(lists):
        men[place, : len(here)], stocked[place, : len(here)] = here, True
    return men, stocked
