"""The one door to PuLP: programs of yes-or-no variables, amounts and rows, solved by the CBC that it ships."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import inf
from time import perf_counter
from typing import Any, Protocol

import numpy as np

EARLY = 0.9
"""Share of its time within which a solver's "infeasible" is a proof: CBC says so too when its time ends before the
first solution."""


class Variable(Protocol):
    """A variable of a program: PuLP has no types of its own."""

    varValue: float | None  # noqa: N815


Terms = Iterable[tuple[Variable, float]]
"""A sum of variables, each times a factor; a variable stands in it once."""


@dataclass(frozen=True, slots=True)
class SolverAnswer:
    """What a solver says of a program; neither found nor proved where its time ran out first."""

    found: bool
    proved: bool  # that nothing is better or, where nothing was found, that there is no solution
    value: float  # of the goal; −inf where nothing was found

    @property
    def impossible(self) -> bool:
        """Whether the program is proved to have no solution."""
        return self.proved and not self.found


NOTHING = SolverAnswer(False, False, -inf)
"""What is known without time."""


class SolverProgram:
    """The most of a sum of variables under rows."""

    def __init__(self) -> None:
        import pulp  # costs half a second: only who solves pays it

        self._pulp, self._problem = pulp, pulp.LpProblem("squads", pulp.LpMaximize)

    def flags(self, names: Iterable[str]) -> list[Variable]:
        """Return new variables that are 0 or 1."""
        return [self._problem.add_variable(name, cat="Binary") for name in names]

    def amount(self, name: str, most: float | None = None) -> Variable:
        """Return a new variable from 0 up."""
        variable: Variable = self._problem.add_variable(name, lowBound=0, upBound=most)
        return variable

    def maximise(self, terms: Terms) -> None:
        """Set the goal."""
        self._problem += self._pulp.LpAffineExpression(list(terms))

    def add(self, terms: Terms, low: float = -inf, high: float = inf) -> None:
        """Add the row low ≤ Σ terms ≤ high."""
        total = self._pulp.LpAffineExpression(list(terms))
        if not total and low <= 0 <= high:
            return  # a rule about nobody at hand
        if low == high:
            self._problem += total == high
            return
        if high < inf:
            self._problem += total <= high
        if low > -inf:
            self._problem += total >= low

    def solve(self, seconds: float, *, exact: bool = False) -> SolverAnswer:
        """Return what is found in time; `exact` leaves no gap to the best, however small."""
        pulp, problem, started = self._pulp, self._problem, perf_counter()
        status = problem.solve(self._solver(seconds, exact))
        early = perf_counter() - started < EARLY * seconds
        # The status is "Optimal" for anything found in time, and without a solution the variables hold the
        # relaxation's fractions: what was found, and what was proved, is in sol_status alone.
        found = problem.sol_status in (pulp.LpSolutionOptimal, pulp.LpSolutionIntegerFeasible)
        proved = problem.sol_status == pulp.LpSolutionOptimal or (status == pulp.LpStatusInfeasible and early)
        return SolverAnswer(found, proved, float(pulp.value(problem.objective) or 0.0) if found else -inf)

    def _solver(self, seconds: float, exact: bool) -> Any:
        pulp, gap = self._pulp, 0.0 if exact else None
        highs = pulp.HiGHS(msg=False, timeLimit=seconds, gapRel=gap)
        if exact and highs.available():
            return highs
        bundled = pulp.PULP_CBC_CMD.pulp_cbc_path  # the class itself warns of PuLP 4; the solver it ships does not
        return pulp.COIN_CMD(path=bundled, msg=False, timeLimit=seconds, gapRel=gap)


def amount_of(variable: Variable) -> float:
    """Return what a solved variable comes to."""
    return float(variable.varValue or 0.0)


def taken(variables: Sequence[Variable]) -> np.ndarray:
    """Return the places of the solved variables that are 1."""
    return np.flatnonzero([amount_of(variable) > 0.5 for variable in variables])
