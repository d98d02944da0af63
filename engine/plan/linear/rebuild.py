"""The best squad of one round from nothing: for a free hit, a wildcard and a first squad."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from data.errors import InfeasibleError
from engine.plan.linear.frame import FreeTransfers
from engine.plan.linear.pricing.guidance import Guided, guided
from engine.plan.linear.pricing.relaxation import write_programme
from engine.plan.linear.problem import Locks, PlanProblem, RoleValues
from engine.plan.linear.round_values import RoundValues, round_values
from engine.plan.linear.solved_before import question_of
from engine.rules.solver import solve_sparse

CANDIDATES = 60
"""Men of lowest loss that a squad is built of: one round's relaxation is so tight that the best is among far fewer."""

SECONDS = 5.0


@dataclass(frozen=True, slots=True, eq=False)
class OneRoundSquad:
    """A squad for one round alone, and what no such squad exceeds."""

    rows: np.ndarray  # (size,) by position
    bound: float  # points of any squad of the full pool at most


def best_squad(
    problem: PlanProblem, column: int, one: RoundValues, cost: np.ndarray, extra: np.ndarray, gap: float = 0.0
) -> OneRoundSquad:
    """Return the best squad of a round, men costing (n,) millions, inf for who cannot be had.

    `extra` (n,) is what holding a man is worth besides his role in this round.
    """
    alone = _alone(problem, column, cost)
    values = replace(one, hold=extra, effect=None if one.free_hit else one.effect, constant=0.0)
    question = question_of(alone.frame, alone.values, alone.locks, values, gap)
    return problem.solved.of(question, lambda: _best_of(alone, values, gap))


def _best_of(problem: PlanProblem, one: RoundValues, gap: float) -> OneRoundSquad:
    found = guided(problem, (one,))
    order = np.argsort(found.guide.loss[0], kind="stable")
    wanted = np.zeros(problem.players, dtype=bool)
    wanted[order[:CANDIDATES]] = True
    wanted[found.relaxation.men[found.relaxation.held(found.solved.x)[0] > 0]] = True
    men = np.flatnonzero(wanted)
    rows, value = _solved(problem, one, found, men, gap)
    left_out = float(np.delete(found.guide.loss[0], men).min(initial=np.inf))
    return OneRoundSquad(rows, max(value, found.guide.bound - left_out))  # whoever is left out costs so much


def free_hit_squad(problem: PlanProblem, column: int, held: np.ndarray | None = None) -> OneRoundSquad:
    """Return the best squad of a free hit in a round.

    `held` (n,) are men of the start squad who stay for their selling price; all of them where it is not given.
    """
    frame = problem.frame
    mine = frame.owned if held is None else held
    cost = np.where(mine, np.minimum(frame.selling, frame.price), frame.price)
    cost = np.where(frame.buyable | mine, cost, np.inf)
    one = round_values(problem, (None,) * len(frame.rounds))[column]
    return best_squad(problem, column, one, cost, np.zeros(len(frame)))


def _solved(
    problem: PlanProblem, one: RoundValues, found: Guided, men: np.ndarray, gap: float
) -> tuple[np.ndarray, float]:
    """Return the best squad of some men, and what none of them exceeds."""
    written = write_programme(problem, (one,), found.path, men)
    answer = solve_sparse(written.program, SECONDS, gap)
    if not len(answer.x):
        raise InfeasibleError("No squad of one round keeps all rules and wishes.")
    rows = men[written.held(answer.x)[0] > 0.5]
    return np.asarray(rows[np.lexsort((rows, problem.frame.position[rows]))]), answer.bound


def _alone(problem: PlanProblem, column: int, cost: np.ndarray) -> PlanProblem:
    """Return a problem of one round in which nobody is held yet."""
    frame, n = problem.frame, problem.players
    none = np.zeros((n, 1))
    return PlanProblem(
        replace(
            frame,
            rounds=frame.rounds[column : column + 1],
            price=np.where(np.isfinite(cost), cost, 0.0),
            selling=np.where(np.isfinite(cost), cost, 0.0),
            owned=np.zeros(n, dtype=bool),
            buyable=np.isfinite(cost),
            wealth=problem.purse[column : column + 1],
            team_cap=frame.team_cap[column : column + 1],
            transfers=FreeTransfers(0, np.zeros((1, 1, frame.size + 1), np.int64), np.zeros((1, 1), np.int64)),
        ),
        RoleValues(none, none, none, none, none[:, 0], (), problem.values.bench_weights, problem.values.keeper_weight),
        locks=Locks.none(n, 1),
    )
