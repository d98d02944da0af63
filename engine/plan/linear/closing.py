"""Closing: the exact programme of a plan, solved in the background, until nothing can be better or time is over."""

from __future__ import annotations

import numpy as np

from engine.plan.linear.answer import LinearAnswer, ValuedPlan
from engine.plan.linear.pricing.relaxation import write_programme
from engine.plan.linear.problem import PlanProblem
from engine.plan.linear.search import PlacedSearch
from engine.rules.solver import solve_sparse


def close(problem: PlanProblem, answer: LinearAnswer, seconds: float) -> LinearAnswer:
    """Return an answer with the bound that the exact programme proves in its time, and its plan if that is better.

    The boosters of the best plan stay in their rounds: what others could bring stays as it was bounded.
    """
    if answer.closed:
        return answer
    search = PlacedSearch.of(problem, answer.best.plan.chips)
    men = _not_ruled_out(problem, search, answer.best.value)
    written = write_programme(problem, search.guided.rounds, search.guided.path, men)
    solved = solve_sparse(written.program, seconds)
    fixed = written.constant + sum(squad.bound for squad in search.hits.values())
    plans = answer.plans
    if len(solved.x):
        plans = _with(plans, search.valued(_squads(men, written.held(solved.x))))
    bound = max(min(answer.placed_bound, search.bound, solved.bound + fixed), answer.best.value)
    return LinearAnswer(plans, bound, answer.elsewhere, answer.gains)


def _not_ruled_out(problem: PlanProblem, search: PlacedSearch, value: float) -> np.ndarray:
    """Return the men who may be in a better plan: holding any other even once costs more than the whole gap."""
    loss = search.guided.guide.loss.min(axis=0)
    return np.flatnonzero((loss <= search.bound - value) | problem.frame.owned)


def _squads(men: np.ndarray, held: np.ndarray) -> np.ndarray:
    """(r, size) player rows of the squads that a solution holds."""
    return np.array([men[part > 0.5] for part in held])


def _with(plans: tuple[ValuedPlan, ...], one: ValuedPlan) -> tuple[ValuedPlan, ...]:
    """Return plans, the best first, with one more in the place of that with the same first move."""
    same = [plan for plan in plans if plan.plan.first_key() == one.plan.first_key()]
    others = [plan for plan in plans if plan.plan.first_key() != one.plan.first_key()]
    best = max([one, *same], key=lambda plan: plan.value)
    return tuple(sorted([best, *others], key=lambda plan: -plan.value))
