"""One round as its booster makes it: what roles are worth there, who must play, and how transfers are counted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from data.rules import BoosterEffect
from engine.plan.linear.problem import NOBODY, ChipOffer, PlanProblem

Placement = tuple[str | None, ...]
"""The booster of each round."""


@dataclass(frozen=True, slots=True, eq=False)
class RoundValues:
    """What counts in one round: row i is player i."""

    start: np.ndarray  # (n,)
    captain: np.ndarray  # (n,)
    bench: np.ndarray  # (n,)
    hold: np.ndarray  # (n,) of the kept squad
    outside: np.ndarray | None  # (n,) of the best man outside the squad
    weights: tuple[float, ...]  # of the outfield bench
    keeper_weight: float
    constant: float  # what the booster gives up by being played
    must: np.ndarray  # (n,) bool
    never: np.ndarray  # (n,) bool
    leader: int  # row of the man who has to wear the armband, or NOBODY
    effect: BoosterEffect | None

    @property
    def wildcard(self) -> bool:
        """Whether transfers to keep are free."""
        return self.effect is BoosterEffect.WILDCARD

    @property
    def free_hit(self) -> bool:
        """Whether the squad is for this round alone."""
        return self.effect is BoosterEffect.FREE_HIT

    @property
    def all_count(self) -> bool:
        """Whether the bench counts like the eleven."""
        return self.effect is BoosterEffect.BENCH_BOOST

    def leads(self) -> np.ndarray:
        """(n,) bool: who may wear the armband."""
        rows = np.arange(len(self.start))
        return np.asarray(rows == self.leader if self.leader != NOBODY else rows >= 0)


def round_values(problem: PlanProblem, placement: Sequence[str | None]) -> tuple[RoundValues, ...]:
    """Return every round of a problem under the boosters of a placement."""
    return tuple(
        _one_round(problem, column, None if key is None else problem.chip(key)) for column, key in enumerate(placement)
    )


def _one_round(problem: PlanProblem, column: int, offer: ChipOffer | None) -> RoundValues:
    values, locks = problem.values, problem.locks
    start, captain, bench = (table[:, column] for table in (values.start, values.captain, values.bench))
    weights, keeper = values.bench_weights, values.keeper_weight
    if offer is not None:
        more = captain if offer.effect is BoosterEffect.TRIPLE_CAPTAIN and offer.captain is None else None
        captain = captain + (_column(offer.captain, column) if more is None else more)
        if offer.effect is BoosterEffect.BENCH_BOOST:
            bench, weights, keeper = start, (1.0,) * len(weights), 1.0
        start = start + _column(offer.start, column)
    leader = int(locks.captain[column])
    must = locks.must[:, column].copy()
    if leader != NOBODY:
        must[leader] = True
    return RoundValues(
        start=start,
        captain=captain,
        bench=bench,
        hold=values.hold[:, column],
        outside=None if offer is None or offer.outside is None else offer.outside[:, column],
        weights=weights,
        keeper_weight=keeper,
        constant=0.0 if offer is None else -float(offer.keeping[column]),
        must=must,
        never=locks.never[:, column],
        leader=leader,
        effect=None if offer is None else offer.effect,
    )


def _column(table: np.ndarray | None, column: int) -> np.ndarray | float:
    return 0.0 if table is None else table[:, column]
