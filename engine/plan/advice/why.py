"""Why not sell, buy or play it? The best plan that does so against the best plan, priced over the rounds by term."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np

from data.errors import InfeasibleError, InputError
from engine.board.board import CLOSE
from engine.fitness.explanation import PLAIN
from engine.fitness.judge import Objective
from engine.plan.fitness.plan_fitness import PlanTable, score_plans
from engine.plan.fitness.rounds import PlanRounds
from engine.plan.linear.chips import solve_linear
from engine.plan.linear.problem import PlanProblem
from engine.plan.linear.search import DEFAULT, LinearSettings
from engine.plan.moves.moves import Plan


class Question(StrEnum):
    """What is asked about."""

    SELL = "sell"  # a man of the start squad goes before the coming round and does not come back
    BUY = "buy"  # a man comes before the coming round and stays
    CHIP = "chip"  # a booster is played in a round


@dataclass(frozen=True, slots=True)
class PlanWhy:
    """What a move costs: two plans that differ by it."""

    question: Question
    done: bool  # the best plan does it already, so `other` is the best one that does not
    best: Plan
    other: Plan
    best_table: PlanTable
    other_table: PlanTable

    @property
    def terms(self) -> Mapping[str, float]:
        """What the other plan brings more or less by term, and by line of what is kept; they sum to −cost."""
        ours = {**self.best_table.by_term, **self.best_table.lines}
        theirs = {**self.other_table.by_term, **self.other_table.lines}
        return {name: theirs[name] - value for name, value in ours.items()}

    @property
    def by_round(self) -> tuple[float, ...]:
        """What the other plan brings more or less in each round."""
        return tuple(b - a for a, b in zip(self.best_table.by_round, self.other_table.by_round, strict=True))

    @property
    def cost(self) -> float:
        """Points of fitness by which the other plan falls short."""
        return self.best_table.total - self.other_table.total

    def sentence(self, what: str) -> str:
        """Return the answer; `what` names the move, such as "Selling Salah"."""
        price = f"{self.cost:.1f} points over the plan" if self.cost >= CLOSE else "next to nothing"
        moved = sorted(self.terms.items(), key=lambda term: -abs(term[1]))
        reasons = ", ".join(
            f"{points:+.1f} {PLAIN.get(name, name.replace('_', ' '))}"
            for name, points in moved[:4]
            if abs(points) >= CLOSE
        )
        told = f"{price}: {reasons}" if reasons else price
        return f"The best plan does it already. Without it: {told}." if self.done else f"{what} costs {told}."


def why_not(
    rounds: PlanRounds,
    problem: PlanProblem,
    objective: Objective,
    best: Plan,
    question: Question,
    subject: int | str,
    *,
    column: int = 0,
    settings: LinearSettings = DEFAULT,
) -> PlanWhy:
    """Return what a move costs over the plan; `subject` is a player row, or the key of a booster for its round."""
    done = _does(best, question, subject, column)
    asked = _turned(problem, question, subject, column) if done else _asked(problem, question, subject, column)
    other = _solved(asked, settings)
    scored = score_plans(rounds, [best, other], objective, sent_out=True)
    return PlanWhy(question, done, best, other, scored.table(0), scored.table(1))


def _does(plan: Plan, question: Question, subject: int | str, column: int) -> bool:
    first = plan.moves[0]
    match question:
        case Question.SELL:
            return subject not in first.kept
        case Question.BUY:
            return subject in first.kept
        case Question.CHIP:
            return plan.chips[column] == subject


def _asked(problem: PlanProblem, question: Question, subject: int | str, column: int) -> PlanProblem:
    """Return the problem in which it is done."""
    if question is Question.CHIP:
        offer = problem.chip(str(subject))
        if not offer.allowed[column]:
            raise InputError(f"{offer.key} cannot be played in round {problem.rounds[column]}.")
        chips = (*problem.locks.chip_in[:column], offer.key, *problem.locks.chip_in[column + 1 :])
        return problem.asking(chip_in=chips)
    name = "never" if question is Question.SELL else "must"
    return _locked(problem, int(subject), name)


def _turned(problem: PlanProblem, question: Question, subject: int | str, column: int) -> PlanProblem:
    """Return the problem in which it is not done."""
    if question is Question.CHIP:
        offers = []
        for offer in problem.chips:
            allowed = offer.allowed.copy()
            allowed[column] &= offer.key != subject
            offers.append(replace(offer, allowed=allowed))
        return replace(problem, chips=tuple(offers))
    first = np.arange(len(problem.rounds)) == 0
    return _locked(problem, int(subject), "must" if question is Question.SELL else "never", first)


def _locked(problem: PlanProblem, row: int, name: str, columns: np.ndarray | None = None) -> PlanProblem:
    table = getattr(problem.locks, name).copy()
    table[row, slice(None) if columns is None else columns] = True
    return problem.asking(**{name: table})


def _solved(problem: PlanProblem, settings: LinearSettings) -> Plan:
    """Return the best plan; where it takes a transfer beyond the free ones, the hit is part of the price."""
    with suppress(InfeasibleError):
        return solve_linear(problem, settings).best.plan
    hits = problem.locks.most_hits.copy()
    hits[0] += 1
    return solve_linear(problem.asking(most_hits=hits), settings).best.plan
