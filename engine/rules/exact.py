"""What a solver proves: the optimum of the linear part of the fitness, by PuLP."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from data.errors import ModelError
from engine.rules.conflict_words import conflict_error
from engine.rules.conflicts import Demands
from engine.rules.legality import Pool
from engine.rules.pool_rows import add_rows, pool_rows

SECONDS = 30.0


@dataclass(frozen=True, slots=True, eq=False)
class LinearValues:
    """What each player adds by role, in points: row i of every array is player i."""

    start: np.ndarray  # (n,)
    bench: np.ndarray  # (n,)
    captain: np.ndarray  # (n,) on top of starting


@dataclass(frozen=True, slots=True, eq=False)
class LinearOptimum:
    """The best squad of a linear objective, with its proof."""

    squad: np.ndarray  # (size,) player rows, by position
    starters: np.ndarray  # (11,)
    captain: int
    value: float
    proved: bool  # False when the time ran out first


def linear_optimum(
    values: LinearValues, pool: Pool, lineups: tuple[tuple[int, int, int, int], ...], *, seconds: float = SECONDS
) -> LinearOptimum:
    """Return the squad, eleven and captain that maximise a linear value under the rows of the pool and formations.

    When `seconds` end first, it is the best squad found so far, not proved; when none was found, a `ModelError`.
    """
    import pulp  # costs half a second: only who solves pays it

    rows = range(len(pool.price))
    problem = pulp.LpProblem("squad", pulp.LpMaximize)
    chosen = [problem.add_variable(f"x{i}", cat="Binary") for i in rows]
    starts = [problem.add_variable(f"s{i}", cat="Binary") for i in rows]
    leads = [problem.add_variable(f"c{i}", cat="Binary") for i in rows]
    form = [problem.add_variable(f"f{i}", cat="Binary") for i in range(len(lineups))]
    extra = values.start - values.bench
    terms = [(chosen, values.bench), (starts, extra), (leads, values.captain)]
    problem += pulp.LpAffineExpression(
        [
            (variable, float(worth))
            for variables, worths in terms
            for variable, worth in zip(variables, worths, strict=True)
        ]
    )
    add_rows(pulp, problem, dict(enumerate(chosen)), pool_rows(pool))
    problem += pulp.lpSum(leads) == 1
    problem += pulp.lpSum(form) == 1
    for i in rows:
        problem += starts[i] <= chosen[i]
        problem += leads[i] <= starts[i]
    for place in range(len(pool.shape)):
        needed = pulp.lpSum(lineup[place] * form[f] for f, lineup in enumerate(lineups))
        problem += pulp.lpSum(starts[i] for i in np.flatnonzero(pool.position == place)) == needed
    bundled = pulp.PULP_CBC_CMD.pulp_cbc_path  # the class itself warns of PuLP 4; the solver it ships does not
    status = problem.solve(pulp.COIN_CMD(path=bundled, msg=False, timeLimit=seconds))
    # CBC also says "integer infeasible" when its time ends before the first squad: only an early end is a proof.
    if status == pulp.LpStatusInfeasible and problem.solutionTime < seconds:
        raise conflict_error(pool, Demands())
    # The status is "Optimal" for any squad found in time, and without one the variables hold the relaxation's
    # fractions: what was found, and what was proved, is in sol_status alone.
    if problem.sol_status not in (pulp.LpSolutionOptimal, pulp.LpSolutionIntegerFeasible):
        raise ModelError(f"The solver found no squad in {seconds:g} seconds. Give it more.")
    return _read(problem.sol_status == pulp.LpSolutionOptimal, chosen, starts, leads, values, pool)


def _read(
    proved: bool, chosen: list[object], starts: list[object], leads: list[object], values: LinearValues, pool: Pool
) -> LinearOptimum:
    picked, eleven, captains = (
        np.flatnonzero([(getattr(variable, "varValue", 0) or 0) > 0.5 for variable in variables])
        for variables in (chosen, starts, leads)
    )
    squad = picked[np.lexsort((picked, pool.position[picked]))]
    bench = np.setdiff1d(picked, eleven)
    value = values.start[eleven].sum() + values.bench[bench].sum() + values.captain[captains].sum()
    return LinearOptimum(
        squad, eleven[np.lexsort((eleven, pool.position[eleven]))], int(captains[0]), float(value), proved
    )
