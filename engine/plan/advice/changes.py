"""What late news changed: a saved plan beside the one that is best now, move by move, and what holding on costs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.fitness.judge import Objective
from engine.plan.breeding.intents import Carrier, intents_of
from engine.plan.fitness.plan_fitness import score_plans
from engine.plan.fitness.rounds import PlanRounds
from engine.plan.linear.problem import PlanProblem
from engine.plan.moves.moves import Plan

CLOSE = 0.05
"""Points that print as 0.0."""


@dataclass(frozen=True, slots=True)
class RoundChange:
    """How the moves of one round differ: player rows who were to go and come, and do now."""

    round: int
    dropped: tuple[tuple[int, int], ...]  # transfers that are not made any more
    added: tuple[tuple[int, int], ...]  # transfers that are new
    chip_before: str | None
    chip_now: str | None

    @property
    def same(self) -> bool:
        """Whether nothing changed."""
        return not self.dropped and not self.added and self.chip_before == self.chip_now


@dataclass(frozen=True, slots=True)
class PlanChanges:
    """A saved plan and the one that is best now."""

    rounds: tuple[RoundChange, ...]
    before: float | None  # fitness of the saved plan, as far as it can still be carried out; None where it cannot
    now: float

    @property
    def cost(self) -> float | None:
        """Points that holding on to the saved plan would cost."""
        return None if self.before is None else self.now - self.before

    @property
    def first_changed(self) -> bool:
        """Whether what has to be done now is another thing."""
        return not self.rounds[0].same

    def words(self, names: Sequence[str], titles: Sequence[str], boosters: dict[str, str]) -> tuple[str, ...]:
        """Return a sentence for each round that changed, and what holding on would cost."""
        said = [
            f"{title}: {'; '.join(_told(change, names, boosters))}."
            for change, title in zip(self.rounds, titles, strict=True)
            if not change.same
        ]
        if not said:
            return ("Nothing changes: the plan stands.",)
        if self.cost is None:
            return (*said, "The saved plan cannot be carried out any more.")
        price = f"{self.cost:.1f} points" if self.cost > CLOSE else "next to nothing"
        return (*said, f"Holding on to the saved plan would cost {price}.")


def plan_changes(rounds: PlanRounds, problem: PlanProblem, objective: Objective, saved: Plan, now: Plan) -> PlanChanges:
    """Return what changed from a saved plan to the best one now; both by the player rows of now."""
    done = Carrier.of(problem).carry_out(intents_of(saved)) if saved.rounds == now.rounds else None
    plans = [now] if done is None else [now, done.plan]
    fitness = score_plans(rounds, plans, objective, sent_out=True).fitness.tolist()
    moves = {move.round: move for move in saved.moves}
    changes = []
    for move in now.moves:
        old = moves.get(move.round)
        before = set() if old is None or old.returns else set(zip(old.out, old.into, strict=False))
        after = set() if move.returns else set(zip(move.out, move.into, strict=False))
        changes.append(
            RoundChange(
                round=move.round,
                dropped=tuple(sorted(before - after)),
                added=tuple(sorted(after - before)),
                chip_before=None if old is None else old.chip,
                chip_now=move.chip,
            )
        )
    return PlanChanges(tuple(changes), fitness[1] if done is not None else None, fitness[0])


def _told(change: RoundChange, names: Sequence[str], boosters: dict[str, str]) -> list[str]:
    said = [f"no longer {names[into]} for {names[out]}" for out, into in change.dropped]
    said += [f"now {names[into]} for {names[out]}" for out, into in change.added]
    if change.chip_before != change.chip_now:
        before, after = (boosters.get(chip or "", "no booster") for chip in (change.chip_before, change.chip_now))
        said.append(f"{after} instead of {before}")
    return said
