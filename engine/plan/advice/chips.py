"""Boosters now or later: what each adds in every legal round of a plan, what it is worth after, and what is done."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from data.rules import GameRules
from engine.plan.linear.answer import SingleGain
from engine.plan.linear.problem import PlanProblem
from engine.plan.moves.moves import Plan

CLOSE = 0.5
"""Points below which two rounds are told as alike."""


@dataclass(frozen=True, slots=True)
class BoosterRow:
    """One booster over the rounds of a plan."""

    key: str
    title: str
    points: tuple[float | None, ...]  # what it adds in each round; None where it cannot be played
    keeping: float  # what it is worth after the plan
    played: int | None  # column of the round in which the plan plays it; None = kept

    @property
    def now(self) -> float | None:
        """What it adds in the coming round."""
        return self.points[0]

    @property
    def later(self) -> float:
        """The best that waiting brings: a later round of the plan, or what it is worth after it."""
        return max([self.keeping, *(points for points in self.points[1:] if points is not None)])

    @property
    def best(self) -> int | None:
        """Column of its best round; None where keeping it is worth more."""
        known = [(points, -column) for column, points in enumerate(self.points) if points is not None]
        points, column = max(known, default=(self.keeping, 0))
        return -column if known and points > self.keeping else None


def booster_rows(
    problem: PlanProblem, plan: Plan, gains: Sequence[SingleGain], rules: GameRules
) -> tuple[BoosterRow, ...]:
    """Return every booster at hand; `gains` are what each adds in each round, its keeping value taken off."""
    net = {(gain.key, gain.column): gain.points for gain in gains}
    rows = []
    for offer in problem.chips:
        points = tuple(
            net[offer.key, column] + float(offer.keeping[column]) if (offer.key, column) in net else None
            for column in range(len(problem.rounds))
        )
        played = plan.chips.index(offer.key) if offer.key in plan.chips else None
        rows.append(BoosterRow(offer.key, rules.boosters[offer.key].title, points, float(offer.keeping[-1]), played))
    return tuple(rows)


def booster_words(row: BoosterRow, titles: Sequence[str]) -> str:
    """Return one sentence: what the plan does with a booster and why."""
    if row.played is not None:
        points = row.points[row.played]
        told = "" if points is None else f", where it adds {points:.1f}"
        return f"{row.title}: play it in {titles[row.played]}{told}; kept for later it is worth {row.keeping:.1f}."
    if row.best is None:
        here = "" if row.now is None else f" It would add {round(row.now, 1) + 0.0:.1f} now."  # no "-0.0"
        return f"{row.title}: keep it; after these rounds it is worth {row.keeping:.1f}.{here}"
    points = row.points[row.best] or 0.0
    close = " Both are close." if points - row.keeping < CLOSE else " Another booster or plan has the round."
    return f"{row.title}: kept, though it would add {points:.1f} in {titles[row.best]}.{close}"
