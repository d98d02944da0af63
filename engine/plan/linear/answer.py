"""The answer to a linear problem: plans best first, and a bound that no plan of the full pool exceeds."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

from engine.plan.moves import Plan


@dataclass(frozen=True, slots=True)
class ValuedPlan:
    """A plan with its value under the linear problem, exact line-ups included."""

    plan: Plan
    value: float


@dataclass(frozen=True, slots=True)
class LinearAnswer:
    """What a search found: plans with different first moves, and how far from the best they can be."""

    plans: tuple[ValuedPlan, ...]  # the best first
    bound: float  # no plan of the full pool is worth more
    closed: bool = False  # whether the best plan is proved: nothing is worth more but for rounding
    placed_bound: float = inf  # no plan with its boosters in its rounds is worth more

    @property
    def best(self) -> ValuedPlan:
        """The plan of the highest value."""
        return self.plans[0]

    @property
    def gap(self) -> float:
        """Points that a better plan could bring at most."""
        return max(0.0, self.bound - self.best.value)
