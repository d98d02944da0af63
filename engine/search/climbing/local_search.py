"""From a squad to a local optimum of the standard form: exchanges, then swaps and pairs valued by their change.

Roles belong to the squad here, as in the standard form: who starts, who sits where, who leads. Squads first go through
exchanges side by side (`herd`). At the end each goes through four neighbourhoods, back to the first after every step
up: a man for a man in his role; the best roles of the fifteen; a man for a man while one other role moves (the new man
starts, or leads); two men for two.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from math import inf
from typing import NamedTuple

import numpy as np

from engine.fitness.standard_form import StandardForm, settled
from engine.rules.legality import legal
from engine.rules.money import payable
from engine.search.climbing.herd import STEP, Herd
from engine.search.climbing.limits import Limits
from engine.search.climbing.shelves import Spots
from engine.search.climbing.swaps import SwapMarket, SwapRows


class ClimbedSpot(NamedTuple):
    """One squad with its roles."""

    squad: np.ndarray  # (s,) by position
    starts: np.ndarray  # (s,) bool
    captain: int
    value: float


@dataclass(slots=True, eq=False)
class LocalSearch:
    """Improves squads of one standard form; players outside `allowed` never come in, `kept` never leave."""

    form: StandardForm
    allowed: np.ndarray | None = None  # (n,) bool; None = everybody
    kept: tuple[int, ...] = ()  # player rows
    limits: Limits = field(default_factory=Limits)
    clock: Callable[[], float] = time.perf_counter
    stop: Callable[[], bool] = lambda: False
    market: SwapMarket = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self.market = SwapMarket.of(self.form, self.allowed, self.kept, 0)

    def over(self, until: float) -> bool:
        """Return whether the time is up or a stop was asked for."""
        return self.stop() or self.clock() >= until

    def settled(self, squad: np.ndarray) -> ClimbedSpot:
        """Return a squad, its columns by position, with its best roles."""
        rows = np.asarray(squad)[np.argsort(self.form.pool.position[squad], kind="stable")]
        starts, captain, value = settled(self.form, rows[None, :])
        return ClimbedSpot(rows, starts[0], int(captain[0]), float(value[0]))

    def climbed(self, spot: ClimbedSpot, until: float = inf) -> ClimbedSpot:
        """Return the end of single swaps and role exchanges: no one of them is a step up."""
        while len(self.market.men) and not self.over(until):
            better = self._swapped(spot)
            if better.value <= spot.value + STEP:
                better = self._swapped_with_roles(spot)
            if better.value <= spot.value + STEP:
                break
            spot = better
        return spot

    def paired(self, spot: ClimbedSpot, until: float = inf) -> ClimbedSpot:
        """Return the end of single swaps, role exchanges and pairs of swaps over short price lists."""
        while len(self.market.men) and not self.over(until):
            better = self._swapped_twice(spot)
            if better.value <= spot.value + STEP:
                break
            spot = self.climbed(better, until)
        return spot

    def finished(self, squads: np.ndarray, until: float = inf) -> list[ClimbedSpot]:
        """Return the local optimum above each squad, by pairs of swaps too where it is near the best."""
        spots = [self.climbed(self.settled(squad), until) for squad in squads]
        best = max(spot.value for spot in spots)
        near = best - self.limits.pairs_within * abs(best)
        return [self.paired(spot, until) if spot.value > near else spot for spot in spots]

    def _swapped(self, spot: ClimbedSpot) -> ClimbedSpot:
        """Swap a man for a man, each in the role of who leaves, while that is a step up; then settle the roles."""
        squad, rows, moved = spot.squad, SwapRows.kept(self.form, spot.squad, spot.starts, spot.captain), False
        while True:
            gain = self.market.gains(squad, rows)
            out, into = divmod(int(gain.argmax()), gain.shape[1])
            if not gain[out, into] > STEP:
                break
            squad, moved = squad.copy(), True
            squad[out] = self.market.men[into]
        return max(spot, self.settled(squad), key=_value) if moved else spot

    def _swapped_with_roles(self, spot: ClimbedSpot) -> ClimbedSpot:
        rows = SwapRows.moved(self.form, spot.squad, spot.starts, spot.captain)
        if not len(rows.out):  # a captain held and nobody on the bench who could start
            return spot
        gain = self.market.gains(spot.squad, rows) + (rows.value - spot.value)[:, None]
        row, into = divmod(int(gain.argmax()), gain.shape[1])
        if not gain[row, into] > STEP:
            return spot
        squad = spot.squad.copy()
        squad[rows.out[row]] = self.market.men[into]
        return max(spot, self.settled(squad), key=_value)

    def _swapped_twice(self, spot: ClimbedSpot) -> ClimbedSpot:
        squads = self._pairs(spot)
        if not len(squads):
            return spot
        starts, captain, value = settled(self.form, squads)
        best = int(value.argmax())
        return max(spot, ClimbedSpot(squads[best], starts[best], int(captain[best]), float(value[best])), key=_value)

    def _pairs(self, spot: ClimbedSpot) -> np.ndarray:
        """Return (q, s) the most promising legal squads two swaps away."""
        form, pool, squad = self.form, self.form.pool, spot.squad
        rows = SwapRows.kept(form, squad, spot.starts, spot.captain)
        gain = self.market.gains(squad, rows, budget=False, caps=False)
        lists = self._price_lists(gain)  # (s, l)
        worth, price = np.take_along_axis(gain, lists, axis=1), pool.price[self.market.men[lists]]
        one, two = np.triu_indices(len(squad), 1)
        total = worth[one][:, :, None] + worth[two][:, None, :]
        paid = price[one][:, :, None] + price[two][:, None, :]
        purse = pool.budget - pool.price[squad].sum() + pool.price[squad[one]] + pool.price[squad[two]]
        pair, first, second = np.nonzero(payable(paid, purse[:, None, None]) & (total > -self._most_shared()))
        a, b = one[pair], two[pair]
        c, d = self.market.men[lists[a, first]], self.market.men[lists[b, second]]
        shared = form.covariance
        cross = shared[c, d] - shared[c, squad[b]] - shared[squad[a], d] + shared[squad[a], squad[b]]
        value = total[pair, first, second] - 2 * form.risk * rows.held[0, a] * rows.held[0, b] * cross
        promising = np.flatnonzero((value > STEP) & (c != d))
        promising = promising[np.argsort(-value[promising], kind="stable")][: self.limits.promising]
        squads = np.repeat(squad[None, :], len(promising), axis=0)
        squads[np.arange(len(squads)), a[promising]] = c[promising]
        squads[np.arange(len(squads)), b[promising]] = d[promising]
        return np.asarray(squads[legal(squads, pool)][: self.limits.verified])

    def _most_shared(self) -> float:
        """Return what two swaps can bring together beyond their sum: about the covariance of two men of a match."""
        return 2.0 * abs(self.form.risk) * float(self.market.own.max())

    def _price_lists(self, gain: np.ndarray) -> np.ndarray:
        """Return (s, l) for each column the men of the market whom few cheaper ones beat, padded with the best."""
        left, chosen = gain.copy(), np.zeros(gain.shape, dtype=bool)
        for _ in range(self.limits.depth):
            best = np.maximum.accumulate(left, axis=1)
            front = left[:, 1:] > best[:, :-1]
            front = np.concatenate([left[:, :1] > -inf, front], axis=1)
            chosen |= front
            left[front] = -inf
        worth = np.where(chosen, gain, -inf)
        order = np.argsort(-worth, axis=1, kind="stable")[:, : self.limits.longest_list]
        kept = np.isfinite(np.take_along_axis(worth, order, axis=1))
        return np.asarray(np.where(kept, order, order[:, :1]))


def improve(
    form: StandardForm,
    squads: np.ndarray,
    rng: np.random.Generator,
    limits: Limits | None = None,
    allowed: np.ndarray | None = None,
    kept: tuple[int, ...] = (),
    *,
    stop: Callable[[], bool] = lambda: False,
) -> Spots:
    """Improve legal squads (p, s): exchanges as often as `kicks` says, then each to a local optimum, the best by pairs.

    With a bound on time alone the outcome depends on the machine; bounded by `kicks` it is the same every time. A stop
    request ends it within a step.
    """
    limits = limits or Limits()
    search = LocalSearch(form, allowed, kept, limits, stop=stop)
    until = search.clock() + limits.seconds
    begin = np.stack([search.settled(squad).squad for squad in squads])
    if limits.kicks and len(search.market.men):
        herd = Herd.of(form, begin, allowed, search.market.stay, limits)
        for _ in range(limits.kicks):
            if search.over(until):
                break
            herd.step(rng)
        begin = herd.best.squads
    return together(search.finished(begin, until))


def together(spots: list[ClimbedSpot]) -> Spots:
    """Return spots as columns."""
    return Spots(*map(np.array, zip(*spots, strict=True)))


def _value(spot: ClimbedSpot) -> float:
    return spot.value
