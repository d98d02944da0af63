"""Bounds of many placements of boosters without solving each: at the prices of a placement that was solved.

Any prices give a valid bound. Those of a round whose booster differs are moved as the booster moves its worth: with a
bench boost everybody counts, so a place in the eleven costs nothing and one in the squad what both did.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from engine.plan.linear.pricing.bound import OLD, OUT, paid_for_rules, round_states, step_back
from engine.plan.linear.pricing.prices import Prices, RoundPrices
from engine.plan.linear.pricing.transfer_path import transfer_path
from engine.plan.linear.problem import PlanProblem
from engine.plan.linear.round_values import Placement, RoundValues, round_values
from engine.plan.linear.search import PlacedSearch

Played = tuple[int, str | None]
"""A round and its booster."""


@dataclass(slots=True, eq=False)
class PlacementBounds:
    """Bounds of a problem's placements; what they have in common is reckoned once."""

    problem: PlanProblem
    solved: dict[Placement, PlacedSearch]
    hits: Mapping[int, float]  # bound of a free hit's squad, by round
    rounds: dict[Played, RoundValues] = field(default_factory=dict)
    prices: dict[tuple[Placement, Played], RoundPrices] = field(default_factory=dict)
    states: dict[tuple[Placement, Played], np.ndarray] = field(default_factory=dict)

    def bound(self, placement: Placement) -> float:
        """Return what no plan with these boosters in these rounds exceeds."""
        if placement in self.solved:
            return self.solved[placement].bound
        return min(self._at_prices(placement, donor) for donor in self._donors(placement))

    def _donors(self, placement: Placement) -> Iterable[Placement]:
        """Return the solved placement that has most in common with one, free transfers counted first."""

        def shared(other: Placement) -> tuple[int, int]:
            pairs = list(zip(placement, other, strict=True))
            free = [one == two for one, two in pairs if self._frees(one) or self._frees(two)]
            return sum(free) - len(free), sum(one == two for one, two in pairs)

        return [max(self.solved, key=shared)]

    def _frees(self, key: str | None) -> bool:
        return key is not None and self.problem.chip(key).free_transfers

    def _at_prices(self, placement: Placement, donor: Placement) -> float:
        problem, given = self.problem, self.solved[donor].guided.prices
        follows, total, worth = np.zeros((3, problem.players)), 0.0, np.zeros(len(placement))
        for played in reversed(list(enumerate(placement))):
            values, price, states = self._round(played, donor, given)
            follows = step_back(states + follows, np.inf if values.free_hit else price.transfer)
            total += paid_for_rules(problem, values, price, played[0])
            total += self.hits[played[0]] if values.free_hit else 0.0
            worth[played[0]] = price.transfer
        path = transfer_path(problem, [self.rounds[played] for played in enumerate(placement)])
        total += float(path.best_from(worth, given.in_all)[0, path.first])
        most = problem.locks.most_in_all
        total += 0.0 if most is None else given.in_all * most
        return total + float(np.where(problem.frame.owned, follows[OLD], follows[OUT]).sum())

    def _round(self, played: Played, donor: Placement, given: Prices) -> tuple[RoundValues, RoundPrices, np.ndarray]:
        column, key = played
        if played not in self.rounds:
            alone = (*(None,) * column, key, *(None,) * (len(donor) - column - 1))
            self.rounds[played] = round_values(self.problem, alone)[column]
        values, at = self.rounds[played], (donor, played)
        if at not in self.states:
            before = self.solved[donor].guided.rounds[column]
            self.prices[at] = _moved(given.rounds[column], before, values)
            self.states[at] = round_states(self.problem, values, self.prices[at], column)
        return values, self.prices[at], self.states[at]


def _moved(price: RoundPrices, before: RoundValues, now: RoundValues) -> RoundPrices:
    """Return the prices of a round as another booster would have them, roughly."""
    if before.effect is now.effect:
        return price
    if now.all_count and not before.all_count:
        price = replace(price, shape=price.shape + price.lines, lines=0 * price.lines, levels=0 * price.levels)
    top = float(before.captain.max())
    factor = float(now.captain.max()) / top if top > 0 else 1.0
    outside = 0.0 if now.outside is None else float(np.sort(now.outside)[-min(4, len(now.outside))])
    return replace(price, captain=price.captain * factor, outside=outside)
