"""Two plans side by side: where they part, week by week, and each under both objectives."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from engine.fitness.judge import Objective
from engine.plan.answer.plan_board import PlanOption, move_words
from engine.plan.fitness.plan_fitness import PlanTable, score_plans
from engine.plan.fitness.rounds import PlanRounds


@dataclass(frozen=True, slots=True)
class Week:
    """One round of two plans."""

    round: int
    title: str
    first_moves: str
    second_moves: str
    only_first: tuple[str, ...]  # names of who plays this round in the first plan alone
    only_second: tuple[str, ...]
    captains: tuple[str, str]
    expected: tuple[float, float]  # points as the game counts them
    parted: bool  # whether anything differs


@dataclass(frozen=True, slots=True)
class PlanComparison:
    """Two plans by the names of their objectives."""

    names: tuple[str, str]
    first: PlanOption
    second: PlanOption
    weeks: tuple[Week, ...]
    crossed: dict[str, dict[str, PlanTable]]  # plan → objective → its table

    @property
    def parts_in(self) -> int | None:
        """The first round in which they differ; None where they are the same."""
        return next((week.round for week in self.weeks if week.parted), None)

    def summary(self) -> str:
        """Return where the plans part and what lies between them, in one sentence."""
        if self.parts_in is None:
            return f"{self.names[0]} and {self.names[1]} plan the same."
        parted = next(week for week in self.weeks if week.parted)
        gap = self.first.table.points - self.second.table.points
        side = "more" if gap >= 0 else "fewer"
        return (
            f"They part in {parted.title}; {self.names[0]} expects {abs(gap):.1f} points {side} than {self.names[1]} "
            f"over {len(self.weeks)} round{'s' * (len(self.weeks) != 1)}."
        )


def compare_plans(
    rounds: PlanRounds, first: tuple[PlanOption, Objective], second: tuple[PlanOption, Objective]
) -> PlanComparison:
    """Return two plans of the same rounds side by side, each with the objective it was made for."""
    (one, wanted), (other, asked) = first, second
    names = (wanted.name, asked.name) if wanted.name != asked.name else (f"{wanted.name} 1", f"{asked.name} 2")
    plans = [one.plan, other.plan]
    scored = [score_plans(rounds, plans, objective, sent_out=True) for objective in (wanted, asked)]
    crossed = {
        plan: {name: score.table(row) for name, score in zip(names, scored, strict=True)}
        for row, plan in enumerate(names)
    }
    return PlanComparison(names, one, other, tuple(_weeks(one, other)), crossed)


def _weeks(one: PlanOption, other: PlanOption) -> list[Week]:
    weeks = []
    for mine, yours in zip(one.cards, other.cards, strict=True):
        left, right = ({man.row: man.short for man in card.men} for card in (mine, yours))
        captains = (mine.captain.short, yours.captain.short)
        moves = (move_words(mine), move_words(yours))
        only_left = tuple(left[row] for row in left if row not in right)
        only_right = tuple(right[row] for row in right if row not in left)
        parted = bool(only_left or only_right) or captains[0] != captains[1] or mine.chip != yours.chip
        expected = (mine.expected, yours.expected)
        weeks.append(Week(mine.round, mine.title, *moves, only_left, only_right, captains, expected, parted))
    return weeks


def comparison_dict(found: PlanComparison) -> dict[str, object]:
    """Return a comparison as plain values."""
    return {
        "summary": found.summary(),
        "parts_in": found.parts_in,
        "weeks": [asdict(week) for week in found.weeks],
        "under_both": {
            plan: {name: table.by_term | dict(table.lines) | {"fitness": table.total} for name, table in under.items()}
            for plan, under in found.crossed.items()
        },
    }
