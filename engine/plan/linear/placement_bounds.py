"""Bounds of many placements of boosters without solving each: at the prices of a placement that was solved.

Any prices give a valid bound. Those of a round whose booster differs are moved as the booster moves its worth: with a
bench boost everybody counts, so a place in the eleven or on the bench costs nothing and one in the squad what all did.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from data.rules import BoosterEffect
from engine.plan.linear.pricing.bound import OLD, OUT, paid_for_rules, round_states, step_back
from engine.plan.linear.pricing.prices import RoundPrices
from engine.plan.linear.pricing.transfer_path import TransferPath, transfer_path
from engine.plan.linear.problem import PlanProblem
from engine.plan.linear.round_values import Placement, RoundValues, round_values
from engine.plan.linear.search import PlacedSearch

Played = tuple[int, str | None]
"""A round and its booster."""


@dataclass(frozen=True, slots=True, eq=False)
class _PricedRound:
    """A round with its booster, at the prices of a placement that was solved."""

    price: RoundPrices
    states: np.ndarray  # (3, n) worth of being out, held from the start or bought
    paid: float  # for the rules
    buy: float  # price of a transfer; inf where nobody may move


@dataclass(eq=False)
class PlacementBounds:
    """Bounds of a problem's placements; what they have in common is reckoned once."""

    problem: PlanProblem
    solved: dict[Placement, PlacedSearch]
    hits: Mapping[int, float]  # bound of a free hit's squad, by round
    rounds: dict[Played, RoundValues] = field(default_factory=dict)
    priced: dict[tuple[Placement, Played], _PricedRound] = field(default_factory=dict)
    ends: dict[tuple[Placement, Placement], tuple[np.ndarray, float]] = field(default_factory=dict)
    paths: dict[tuple[BoosterEffect | None, ...], TransferPath] = field(default_factory=dict)

    def bound(self, placement: Placement) -> float:
        """Return what no plan with these boosters in these rounds exceeds."""
        if placement in self.solved:
            return self.solved[placement].bound
        return self._at_prices(placement, self._donor(placement))

    def _donor(self, placement: Placement) -> Placement:
        """Return the solved placement that has most in common with one, free transfers counted first."""

        def shared(other: Placement) -> tuple[int, int]:
            pairs = list(zip(placement, other, strict=True))
            apart = sum(one != two and (one in self._free or two in self._free) for one, two in pairs)
            return -apart, sum(one == two for one, two in pairs)

        return max(self.solved, key=shared)

    @cached_property
    def _free(self) -> frozenset[str | None]:
        """Boosters that make transfers free."""
        return frozenset(offer.key for offer in self.problem.chips if offer.free_transfers)

    def _at_prices(self, placement: Placement, donor: Placement) -> float:
        problem, given = self.problem, self.solved[donor].guided.prices
        follows, total = self._from(0, placement, donor)
        worth = np.array([self._round(played, donor).price.transfer for played in enumerate(placement)])
        path = self._path(placement)
        total += float(path.best_from(worth, given.in_all)[0, path.first])
        most = problem.locks.most_in_all
        total += 0.0 if most is None else given.in_all * most
        return total + float(np.where(problem.frame.owned, follows[OLD], follows[OUT]).sum())

    def _from(self, column: int, placement: Placement, donor: Placement) -> tuple[np.ndarray, float]:
        """Return (3, n) the best from a round on by the state before it, and what prices pay for the rules from it on.

        Ends of a plan, which many placements share, are kept.
        """
        if column == len(placement):
            return np.zeros((3, self.problem.players)), 0.0
        key = (donor, placement[column:])
        if key in self.ends:
            return self.ends[key]
        after, total = self._from(column + 1, placement, donor)
        one = self._round((column, placement[column]), donor)
        found = step_back(one.states + after, one.buy), total + one.paid
        if 2 * column >= len(placement):
            self.ends[key] = found
        return found

    def _path(self, placement: Placement) -> TransferPath:
        """Return the arcs of transfers; they depend on nothing but the rounds whose transfers are free."""
        effects = tuple(None if key not in self._free else self.problem.chip(key or "").effect for key in placement)
        if effects not in self.paths:
            self.paths[effects] = transfer_path(self.problem, [self.rounds[played] for played in enumerate(placement)])
        return self.paths[effects]

    def _round(self, played: Played, donor: Placement) -> _PricedRound:
        if (donor, played) not in self.priced:
            column, key = played
            if played not in self.rounds:
                alone = (*(None,) * column, key, *(None,) * (len(donor) - column - 1))
                self.rounds[played] = round_values(self.problem, alone)[column]
            values, given = self.rounds[played], self.solved[donor].guided
            price = _moved(given.prices.rounds[column], given.rounds[column], values)
            paid = paid_for_rules(self.problem, values, price, column) + (self.hits[column] if values.free_hit else 0.0)
            states = round_states(self.problem, values, price, column)
            self.priced[donor, played] = _PricedRound(
                price, states, paid, np.inf if values.free_hit else price.transfer
            )
        return self.priced[donor, played]


def _moved(price: RoundPrices, before: RoundValues, now: RoundValues) -> RoundPrices:
    """Return the prices of a round as another booster would have them, roughly."""
    if before.effect is now.effect:
        return price
    if now.all_count and not before.all_count:
        bench = float(price.levels.sum()) * (np.arange(len(price.shape)) > 0)  # goalkeepers have no place on it
        everybody = price.shape + price.lines + bench
        price = replace(price, shape=everybody, lines=0 * price.lines, levels=0 * price.levels)
    top = float(before.captain.max())
    factor = float(now.captain.max()) / top if top > 0 else 1.0
    outside = 0.0 if now.outside is None else float(np.sort(now.outside)[-min(4, len(now.outside))])
    return replace(price, captain=price.captain * factor, outside=outside)
