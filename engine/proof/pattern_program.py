"""The last step of a proof: the few patterns left as an integer program, solved by PuLP."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import inf
from time import perf_counter

import numpy as np

from engine.proof.duals import Planes
from engine.proof.shared_rules import SquadRules
from engine.rules.solver import NOTHING, SolverProgram, Variable, taken


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
    started, program = perf_counter(), SolverProgram()
    chosen = program.flags(f"p{number}" for number in range(len(planes)))
    formation = program.flags(f"f{number}" for number in range(len(rules.formations)))
    beyond = {int(row): program.amount(f"h{row}") for row in np.flatnonzero(np.isfinite(rules.dearest))}
    cost = [(variable, -float(rules.dearest[row])) for row, variable in beyond.items()]
    program.maximise([*zip(chosen, planes.value.tolist(), strict=True), *cost])
    program.add([(one, 1.0) for one in formation], 1, 1)
    for match in range(matches):
        program.add([(chosen[row], 1.0) for row in np.flatnonzero(planes.match == match)], 1, 1)
    for row, (limit, equal) in enumerate(zip(rules.limit.tolist(), rules.equal.tolist(), strict=True)):
        used = [*_terms(chosen, planes.use[:, row]), *_terms(formation, rules.formations[:, row])]
        paid = [(beyond[row], -1.0)] if row in beyond else []
        program.add([*used, *paid], limit if equal else -inf, limit)
    left = seconds - (perf_counter() - started)
    answer = program.solve(left, exact=True) if left > 0 else NOTHING
    if answer.found and answer.proved:
        return Settled(True, answer.value, taken(chosen))
    return Settled(answer.impossible, -inf, np.empty(0, dtype=np.int64))


def _terms(variables: list[Variable], factors: np.ndarray) -> list[tuple[Variable, float]]:
    return [(variables[row], float(factors[row])) for row in np.flatnonzero(factors)]
