"""The one door to solvers: programs of yes-or-no variables, amounts and rows.

PuLP writes them down. CBC, a process of its own, solves them first; HiGHS does where CBC fails, and has to agree where
CBC says that there is no solution. What either finds is held against every row before anybody sees it.

Programs that are written as sparse arrays go to HiGHS at once, in this process: `relaxed` and `solve_sparse`.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from math import inf
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event
from time import perf_counter
from types import ModuleType
from typing import Any, Protocol

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import csc_matrix, csr_matrix

from data.errors import SolverError
from engine.rules.cbc import CbcAnswer, OverdueError, run_cbc

EARLY = 0.9
"""Share of its time within which a solver's "infeasible" is a proof: CBC says so too when its time ends before the
first solution."""

ROUNDING = 1e-4
"""By how much a solution may miss a row or a whole number: more than rounding, less than a tenth of a million."""

CBC_HANGS = Event()
"""Set once CBC had to be killed: nobody waits for it a second time."""


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


WAY_OUT = "If this goes on, install both anew: pip install --force-reinstall pulp highspy."
"""Closes every sentence about a solver that failed."""

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
        """Return what is found in time; `exact` leaves no gap to the best, however small.

        Where neither solver gives an answer that holds, it is a `SolverError`.
        """
        gap = 0.0 if exact else None
        try:
            answer = self._by_cbc(seconds, gap)
        except SolverError as error:
            return self._instead(str(error), seconds, gap)
        return self._confirmed(seconds, gap) if answer.impossible else answer

    def _by_cbc(self, seconds: float, gap: float | None) -> SolverAnswer:
        if CBC_HANGS.is_set():
            raise SolverError("it did not end in time before")
        path, started = self._pulp.PULP_CBC_CMD.pulp_cbc_path, perf_counter()
        try:
            said = self._asked(path, seconds, gap)
        except OverdueError:
            CBC_HANGS.set()
            raise
        except OSError as error:
            raise SolverError(f"no file can be written for it ({error.strerror})") from None
        early = perf_counter() - started < EARLY * seconds
        return self._checked(said.found, said.optimal or (said.infeasible and early))

    def _asked(self, path: str, seconds: float, gap: float | None) -> CbcAnswer:
        """Let CBC solve the program and take over its values."""
        with TemporaryDirectory(prefix="thetaxi-") as folder:
            file = Path(folder, "squads.mps")
            variables, names, *_ = self._problem.writeMPS(str(file), rename=1)
            said = run_cbc(path, file, seconds, gap)
        self._problem.assignVarsVals({one.name: said.values.get(names[one.name], 0.0) for one in variables})
        return said

    def _by_highs(self, seconds: float, gap: float | None) -> SolverAnswer:
        pulp, problem = self._pulp, self._problem
        try:
            status = problem.solve(pulp.HiGHS(msg=False, timeLimit=seconds, gapRel=gap))
        except (pulp.PulpError, IndexError) as error:
            raise SolverError(str(error)) from None
        best = problem.sol_status == pulp.LpSolutionOptimal
        found = best or problem.sol_status == pulp.LpSolutionIntegerFeasible
        return self._checked(found, best or status == pulp.LpStatusInfeasible)

    def _checked(self, found: bool, proved: bool) -> SolverAnswer:
        """Return an answer once its solution, if it has one, is seen to keep every row."""
        if not found:
            return SolverAnswer(False, proved, -inf)
        if not self._problem.valid(ROUNDING):
            raise SolverError("its squad breaks the rules it was given")
        return SolverAnswer(True, proved, float(self._pulp.value(self._problem.objective) or 0.0))

    def _confirmed(self, seconds: float, gap: float | None) -> SolverAnswer:
        """Return what HiGHS makes of a program that CBC calls impossible."""
        answer = self._by_highs(seconds, gap)
        if answer.found:
            _tell("it calls possible squads impossible")
        return answer

    def _instead(self, reason: str, seconds: float, gap: float | None) -> SolverAnswer:
        """Return the answer of HiGHS where CBC has failed for a reason."""
        try:
            answer = self._by_highs(seconds, gap)
        except SolverError as error:
            raise SolverError(f"No solver answers. CBC: {reason}. HiGHS: {error}. {WAY_OUT}") from None
        _tell(reason)
        return answer


@cache
def _tell(reason: str) -> None:
    """Say once that CBC cannot be relied on."""
    logging.getLogger(__name__).warning("The solver CBC failed: %s. HiGHS solved in its place. %s", reason, WAY_OUT)


def least_sum(
    cost: np.ndarray, table: np.ndarray, low: Sequence[float], high: Sequence[float], seconds: float
) -> float | None:
    """Return the least Σ cost (n,) of some of n things under rows low ≤ table (r, n) ≤ high; None where none do."""
    chosen = cheapest_choice(cost, table, low, high, seconds)
    return None if chosen is None else float(cost[chosen].sum())


def cheapest_choice(
    cost: np.ndarray, table: np.ndarray, low: Sequence[float], high: Sequence[float], seconds: float
) -> np.ndarray | None:
    """Return which (n,) of n things cost least under rows low ≤ table (r, n) ≤ high; None where none keep them.

    Solved in this process by the HiGHS in SciPy: some hundredths of a second.
    """
    rows, all_whole = LinearConstraint(csr_matrix(table), low, high), np.ones(len(cost))
    answer = milp(cost, constraints=rows, integrality=all_whole, bounds=Bounds(0, 1), options={"time_limit": seconds})
    if answer.status not in (0, 2):
        raise SolverError(f"The solver found no answer in {seconds:g} seconds. Ask for less, or try again.")
    return np.asarray(answer.x > 0.5) if answer.status == 0 else None


@dataclass(frozen=True, slots=True, eq=False)
class SparseProgram:
    """The most of value · x under low ≤ table · x ≤ high and least ≤ x ≤ most, as arrays."""

    value: np.ndarray  # (c,)
    table: csc_matrix  # (r, c)
    low: np.ndarray  # (r,)
    high: np.ndarray  # (r,)
    least: np.ndarray  # (c,)
    most: np.ndarray  # (c,)
    whole: np.ndarray  # (c,) bool: whether x is a whole number


@dataclass(frozen=True, slots=True, eq=False)
class SparseAnswer:
    """What HiGHS says of a sparse program."""

    x: np.ndarray  # (c,); empty where nothing was found
    value: float  # −inf where nothing was found
    bound: float  # nothing is worth more; inf where nothing is known
    duals: np.ndarray  # (r,) worth of one more of each row, of a relaxed program
    proved: bool  # that nothing is better or, where nothing was found, that there is no solution


def relaxed(program: SparseProgram, seconds: float = 60.0) -> SparseAnswer:
    """Return the best of a program whose variables need not be whole, with the duals of its rows."""
    return _by_sparse_highs(replace(program, whole=np.zeros_like(program.whole)), seconds, 0.0, None)


def solve_sparse(
    program: SparseProgram, seconds: float, gap: float = 0.0, start: np.ndarray | None = None
) -> SparseAnswer:
    """Return the best that is found in time, and the bound that is proved by then; `start` (c,) is a solution known."""
    return _by_sparse_highs(program, seconds, gap, start)


def _by_sparse_highs(program: SparseProgram, seconds: float, gap: float, start: np.ndarray | None) -> SparseAnswer:
    import highspy

    highs = highspy.Highs()  # type: ignore[no-untyped-call]
    for option, setting in (("output_flag", False), ("threads", 1), ("time_limit", seconds), ("mip_rel_gap", gap)):
        highs.setOptionValue(option, setting)
    if not program.whole.any():
        highs.setOptionValue("presolve", "off")  # these are solved in hundredths of a second, half of it to presolve
    highs.passModel(_highs_model(highspy, program))
    if start is not None:
        known = highspy.HighsSolution()
        known.col_value = start.tolist()
        highs.setSolution(known)
    highs.run()
    said, info, statuses = highs.getModelStatus(), highs.getInfo(), highspy.HighsModelStatus
    best = said == statuses.kOptimal
    if info.primal_solution_status != highspy.SolutionStatus.kSolutionStatusFeasible:
        return SparseAnswer(np.zeros(0), -inf, inf, np.zeros(0), said == statuses.kInfeasible)
    solution = highs.getSolution()
    x, duals = np.array(solution.col_value), np.array(solution.row_dual)
    value = float(program.value @ x)
    bound = float(info.mip_dual_bound) if program.whole.any() else (value if best else inf)
    return SparseAnswer(x, value, bound, duals, best)


def _highs_model(highspy: ModuleType, program: SparseProgram) -> Any:
    model = highspy.HighsLp()
    model.num_col_, model.num_row_ = len(program.value), len(program.low)
    model.sense_ = highspy.ObjSense.kMaximize
    model.col_cost_, model.col_lower_, model.col_upper_ = program.value, program.least, program.most
    model.row_lower_, model.row_upper_ = program.low, program.high
    model.a_matrix_.format_ = highspy.MatrixFormat.kColwise
    model.a_matrix_.start_ = program.table.indptr
    model.a_matrix_.index_ = program.table.indices
    model.a_matrix_.value_ = program.table.data
    if program.whole.any():
        kinds = highspy.HighsVarType
        model.integrality_ = [kinds.kInteger if one else kinds.kContinuous for one in program.whole.tolist()]
    return model


def amount_of(variable: Variable) -> float:
    """Return what a solved variable comes to."""
    return float(variable.varValue or 0.0)


def taken(variables: Sequence[Variable]) -> np.ndarray:
    """Return the places of the solved variables that are 1."""
    return np.flatnonzero([amount_of(variable) > 0.5 for variable in variables])
