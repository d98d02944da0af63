"""The answer to a linear problem: plans best first, and a bound that no plan of the full pool exceeds."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

from engine.plan.moves.moves import Plan

ROUNDING = 1e-5
"""Points between a plan and its bound that are rounding: a solver keeps its rows to a millionth."""


@dataclass(frozen=True, slots=True)
class ValuedPlan:
    """A plan with its value under the linear problem, exact line-ups included."""

    plan: Plan
    value: float


@dataclass(frozen=True, slots=True)
class SingleGain:
    """What one booster in one round adds to the plan without it, its keeping value taken off."""

    key: str
    column: int
    points: float


@dataclass(frozen=True, slots=True)
class LinearAnswer:
    """What a search found: plans with different first moves, and how far from the best they can be."""

    plans: tuple[ValuedPlan, ...]  # the best first
    placed_bound: float  # no plan with the best one's boosters in its rounds is worth more
    elsewhere: float = -inf  # no plan with other boosters, or with them in other rounds, is worth more
    gains: tuple[SingleGain, ...] = ()  # of boosters that were free to choose

    @property
    def best(self) -> ValuedPlan:
        """The plan of the highest value."""
        return self.plans[0]

    @property
    def bound(self) -> float:
        """What no plan of the full pool exceeds."""
        return max(self.placed_bound, self.elsewhere)

    @property
    def gap(self) -> float:
        """Points that a better plan could bring at most."""
        return max(0.0, self.bound - self.best.value)

    @property
    def closed(self) -> bool:
        """Whether the best plan is proved: nothing is worth more but for rounding."""
        return self.gap <= ROUNDING
