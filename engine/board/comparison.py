"""Two plans side by side: what they share, what each swap costs, and what each is worth to the other's objective."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from data.domain import POSITIONS
from engine.board.board import Man, Option
from engine.board.notebook import comparison_html
from engine.fitness.explanation import Decomposition
from engine.fitness.judge import Judge, Objective


@dataclass(frozen=True, slots=True)
class Swap:
    """A man of the one plan in the place of a man of the other."""

    position: str
    first: Man
    second: Man

    @property
    def points(self) -> float:
        """Expected points the second plan gains by it."""
        return self.second.xev - self.first.xev

    @property
    def owned(self) -> float:
        """Change of ownership, as a share."""
        return self.second.owned - self.first.owned

    @property
    def swing(self) -> float:
        """Change of the points between floor and ceiling: how much wider the second plan's man swings."""
        return (self.second.ceiling - self.second.floor) - (self.first.ceiling - self.first.floor)

    @property
    def price(self) -> float:
        """Millions it costs."""
        return self.second.price - self.first.price


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two options and how they differ."""

    first: Option
    second: Option
    shared: tuple[str, ...]  # names of the men in both
    swaps: tuple[Swap, ...]
    crossed: Mapping[str, Mapping[str, Decomposition]]  # plan → objective → decomposition, both ways

    def summary(self) -> str:
        """Return the comparison in one sentence."""
        one, other = (option.decomposition.spec for option in (self.first, self.second))
        return (
            f"They share {len(self.shared)} of {len(self.first.men)} players; {one} expects {self.first.expected:.1f} "
            f"points, {other} {self.second.expected:.1f}."
        )

    def _repr_html_(self) -> str:
        return comparison_html(self)


def compare(judge: Judge, first: tuple[Option, Objective], second: tuple[Option, Objective]) -> Comparison:
    """Compare two options, each with the objective it was made for."""
    (one, one_objective), (other, other_objective) = first, second
    held = {man.row for man in one.men} & {man.row for man in other.men}
    plans = _apart(one.decomposition.spec, other.decomposition.spec)
    objectives = dict(
        zip(_apart(one_objective.name, other_objective.name), (one_objective, other_objective), strict=True)
    )
    crossed = {
        plan: {name: judge.decompose(np.array(option.rows), objective) for name, objective in objectives.items()}
        for plan, option in zip(plans, (one, other), strict=True)
    }
    return Comparison(
        one,
        other,
        tuple(man.name for man in one.men if man.row in held),
        swaps_between(one, other),
        crossed,
    )


def _apart(one: str, other: str) -> tuple[str, str]:
    """Return two names, told apart where they are the same."""
    return one, other if one != other else f"{other} (2)"


def swaps_between(one: Option, other: Option) -> tuple[Swap, ...]:
    """Return who stands for whom: those of one option only, by position, the most expected points first."""
    held, swaps = {man.row for man in one.men} & {man.row for man in other.men}, []
    for position in POSITIONS:
        left, right = (
            sorted(
                (man for man in option.men if man.position == position and man.row not in held), key=lambda m: -m.xev
            )
            for option in (one, other)
        )
        swaps += [Swap(position, a, b) for a, b in zip(left, right, strict=True)]
    return tuple(swaps)
