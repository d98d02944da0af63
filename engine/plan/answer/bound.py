"""How far from the best plan an answer can be: what is proved of its linear part, and what of the whole objective."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

ROUNDING = 1e-6
LEAST_TOLD = 0.0001
"""Shares below which a gap is told as this one: rounded it would look like none."""


@dataclass(frozen=True, slots=True)
class PlanBound:
    """A plan beside the bound of its linear part: points by role with each man's own swing, the full pool of players.

    What men of one match share, a moving armband and the chances of a bench are in the full objective only: of that no
    bound is known, and the plan is the best of all that were scored by it.
    """

    value: float  # of the plan's linear part
    bound: float  # no plan of the full pool has more
    points: float  # expected points of the plan: what a gap is a share of
    closed: bool = False  # whether nothing with more exists but for rounding
    scored: int = 0  # plans scored by the full objective
    placed: float = inf  # no plan with the same boosters in the same rounds has more

    @property
    def gap(self) -> float:
        """Points by which a better linear part could be higher at most."""
        return max(0.0, self.bound - self.value)

    @property
    def share(self) -> float:
        """The gap as a share of the plan's expected points."""
        return self.gap / self.points if self.points > 0 else 0.0

    def __str__(self) -> str:
        counted = f"{self.scored:,} plan{'s' * (self.scored != 1)}"
        full = f"By the full objective it is the best of {counted} scored; no bound is known there."
        if self.closed and self.gap <= 1e-6 * max(1.0, abs(self.bound)):
            return f"In its linear part nothing better exists. {full}"
        return f"{self._linear} {full}"

    def _told(self, bound: float) -> str:
        """Return what lies between the plan and a bound, as a share and in points."""
        gap = max(0.0, bound - self.value)
        share = max(gap / self.points if self.points > 0 else 0.0, LEAST_TOLD)
        return f"{share:.2%} ({gap:.1f} points)"

    @property
    def _linear(self) -> str:
        """What is proved of the linear part: with boosters where they are first, if that is more."""
        if self.placed >= self.bound - ROUNDING:
            return f"In its linear part no plan beats this by more than {self._told(self.bound)}."
        return (
            f"In its linear part no plan with boosters in the same rounds beats this by more than "
            f"{self._told(self.placed)}; wherever they are played, {self._told(self.bound)} is proved."
        )
