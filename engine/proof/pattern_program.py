"""The last step of a proof: the few patterns left as an integer program, solved by PuLP."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np

from engine.proof.duals import Planes
from engine.proof.squad_rules import SquadRules

EARLY = 0.9
"""Share of its time within which a solver's "infeasible" is taken at its word."""


@dataclass(frozen=True, slots=True, eq=False)
class Settled:
    """What a solver says of a program: its optimum, that it has no solution, or neither in time."""

    proved: bool
    value: float  # of the optimum; −inf where there is no solution, or none is proved
    chosen: np.ndarray  # rows of `Planes`


def undominated(planes: Planes, rules: SquadRules) -> Planes:
    """Leave out a pattern where another of its match takes the same places, uses no more and is worth no less."""
    places = np.column_stack([planes.match, planes.use[:, rules.equal]])
    group = np.unique(places, axis=0, return_inverse=True)[1]
    spent = planes.use[:, ~rules.equal]
    order = np.lexsort((-planes.value, *spent.T[::-1], group))
    ends = np.flatnonzero(np.diff(group[order])) + 1
    kept = [row for rows in np.split(order, ends) for row in _front(rows, planes.value, spent)]
    return planes.only(np.sort(np.array(kept, dtype=np.int64)))


def _front(rows: np.ndarray, value: np.ndarray, spent: np.ndarray) -> Iterator[int]:
    """Yield those rows, the thriftiest first, that none before them beats; a thriftier one always comes first."""
    values, uses = np.full(len(rows), -np.inf), np.empty((len(rows), spent.shape[1]))
    count = 0
    for row in rows.tolist():
        if ((values[:count] >= value[row]) & (uses[:count] <= spent[row]).all(axis=1)).any():
            continue
        values[count], uses[count] = value[row], spent[row]
        count += 1
        yield row


def best_choice(planes: Planes, rules: SquadRules, matches: int, seconds: float) -> Settled:
    """Return the best choice of one pattern per match and a formation under the common rules."""
    import pulp  # costs half a second: only who solves pays it

    started = perf_counter()
    problem = pulp.LpProblem("patterns", pulp.LpMaximize)
    taken = [problem.add_variable(f"p{i}", cat="Binary") for i in range(len(planes))]
    formation = [problem.add_variable(f"f{i}", cat="Binary") for i in range(len(rules.formations))]
    beyond = {
        int(row): problem.add_variable(f"h{row}", lowBound=0) for row in np.flatnonzero(np.isfinite(rules.dearest))
    }
    cost = [(variable, -float(rules.dearest[row])) for row, variable in beyond.items()]
    problem += pulp.LpAffineExpression([*zip(taken, planes.value.tolist(), strict=True), *cost])
    problem += pulp.lpSum(formation) == 1
    for match in range(matches):
        problem += pulp.lpSum(taken[row] for row in np.flatnonzero(planes.match == match)) == 1
    for row, (limit, equal) in enumerate(zip(rules.limit.tolist(), rules.equal.tolist(), strict=True)):
        used = [*_terms(taken, planes.use[:, row]), *_terms(formation, rules.formations[:, row])]
        total = pulp.LpAffineExpression(used + ([(beyond[row], -1.0)] if row in beyond else []))
        problem += (total == limit) if equal else (total <= limit)
    left = seconds - (perf_counter() - started)
    if left <= 0:
        return Settled(False, -np.inf, np.empty(0, dtype=np.int64))
    return _settled(pulp, problem, taken, left)


def _terms(variables: list[Any], factors: np.ndarray) -> list[tuple[Any, float]]:
    return [(variables[row], float(factors[row])) for row in np.flatnonzero(factors)]


def _settled(pulp: Any, problem: Any, taken: list[Any], seconds: float) -> Settled:
    """Solve, and read what was proved: `status` says "Optimal" for any solution in time, `sol_status` does not."""
    started = perf_counter()
    problem.solve(_solver(pulp, seconds))
    # CBC also says "infeasible" when its time ends before the first solution: only an early end is a proof.
    early = perf_counter() - started < EARLY * seconds
    nobody = np.empty(0, dtype=np.int64)
    if problem.status == pulp.LpStatusInfeasible and early:
        return Settled(True, -np.inf, nobody)
    if problem.sol_status != pulp.LpSolutionOptimal:
        return Settled(False, -np.inf, nobody)
    chosen = np.flatnonzero([(variable.varValue or 0.0) > 0.5 for variable in taken])
    return Settled(True, float(pulp.value(problem.objective)), chosen)


def _solver(pulp: Any, seconds: float) -> Any:
    """Return HiGHS where it is installed, else the CBC that PuLP ships."""
    highs = pulp.HiGHS(msg=False, timeLimit=seconds, gapRel=0.0)
    if highs.available():
        return highs
    bundled = pulp.PULP_CBC_CMD.pulp_cbc_path  # the class itself warns of PuLP 4; the solver it ships does not
    return pulp.COIN_CMD(path=bundled, msg=False, timeLimit=seconds, gapRel=0.0)
