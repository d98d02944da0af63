"""What a plan says to somebody who picks one round: the first move it prefers, and what rolling is worth."""

from __future__ import annotations

from dataclasses import dataclass

from engine.plan.answer.plan_board import PlanBoard
from engine.plan.fitness.plan_fitness import PlanTable


@dataclass(frozen=True, slots=True)
class PlanHint:
    """A plan in three sentences, beside a board of one round."""

    rounds: int
    first_move: str
    rolling: float | None  # fitness that rolling gives up; None where it is no choice
    rolling_words: str
    kept: float  # what the board's squad leaves for later, which its own score does not see

    @property
    def sentences(self) -> tuple[str, ...]:
        """What Pick says of it; the last line is all that a plan of this round would count beyond the board."""
        first = f"Over {self.rounds} rounds the plan's first move is: {self.first_move}"
        return first, self.rolling_words, f"Kept for later, which this board does not count: {self.kept:+.1f}."


def plan_hint(board: PlanBoard, one_round: PlanTable) -> PlanHint:
    """Return the hint of a plan over rounds, beside the table of a board's squad as a plan of one."""
    kept = sum(value for name, value in one_round.lines.items() if name != "carry_beyond")
    best = board.recommended
    return PlanHint(len(best.cards), best.first_move, board.rolling, board.rolling_words, kept)
