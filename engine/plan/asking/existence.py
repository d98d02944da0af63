"""Is there any plan? A program without a goal: squads, transfers, money and caps of every round, wildcard and free hit.

It asks only whether a plan exists, so of those whom nobody asks for the cheapest of each position do.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

import numpy as np
from scipy.sparse import csc_matrix

from data.errors import SolverError
from data.rules import BoosterEffect
from engine.plan.linear.problem import NOBODY, PlanProblem
from engine.rules.money import tenths_down, tenths_up
from engine.rules.solver import SparseProgram, solve_sparse

SECONDS = 10.0
"""The solver's time for one answer; most take some hundredths of a second."""

CHEAPEST = 10
"""Men of a position that are looked at beside those who are asked about: the cheapest, and those of as many teams."""


def plan_exists(problem: PlanProblem) -> bool:
    """Return whether any plan keeps all rules and locks: without boosters that nobody asked for, else with them.

    Without a goal HiGHS was seen to call a program impossible that has solutions. So it looks for cheap squads, money
    is counted in whole tenths, and a "no" has to be said twice, of two goals.
    """
    if _solvable(_Existence(_asked_only(problem)).program()):
        return True
    program = _Existence(problem).program()
    return any(_solvable(replace(program, value=goal)) for goal in (program.value, _uneven(program.value)))


def _asked_only(problem: PlanProblem) -> PlanProblem:
    """Return the problem without the boosters that no round has to have."""
    asked = tuple(offer for offer in problem.chips if offer.key in problem.locks.chip_in)
    return replace(problem, chips=asked)


def _solvable(program: SparseProgram) -> bool:
    answer = solve_sparse(program, SECONDS, gap=1.0)
    if not answer.x.size and not answer.proved:
        raise SolverError(f"The solver found no plan in {SECONDS:g} seconds, and no proof. Ask for less, or try again.")
    return bool(answer.x.size)


def _uneven(value: np.ndarray) -> np.ndarray:
    """Return a goal that no two columns share: the golden section's multiples, as evenly spread as numbers can be."""
    return np.asarray((np.arange(len(value)) * 0.6180339887498949) % 1.0)


@dataclass(eq=False)
class _Rows:
    """Rows and columns of a program in the making."""

    row: list[np.ndarray] = field(default_factory=list)
    column: list[np.ndarray] = field(default_factory=list)
    factor: list[np.ndarray] = field(default_factory=list)
    low: list[float] = field(default_factory=list)
    high: list[float] = field(default_factory=list)
    columns: int = 0

    def new(self, count: int) -> np.ndarray:
        """Return new columns."""
        self.columns += count
        return np.arange(self.columns - count, self.columns)

    def add(self, parts: Iterable[tuple[np.ndarray, np.ndarray | float]], low: float, high: float) -> None:
        """Add the row low ≤ Σ factor · column ≤ high."""
        for columns, factor in parts:
            self.row.append(np.full(columns.size, len(self.low)))
            self.column.append(columns.ravel())
            self.factor.append(np.broadcast_to(factor, columns.shape).ravel().astype(float))
        self.low.append(low)
        self.high.append(high)


class _Existence:
    """The program of one problem."""

    def __init__(self, problem: PlanProblem) -> None:
        self.problem, self.frame, self.locks = problem, problem.frame, problem.locks
        self.rows, self.rounds = _Rows(), range(len(problem.rounds))
        self.men = _looked_at(problem)
        own = self.frame.owned[self.men]
        self.held = np.flatnonzero(own)  # places of men who cost their selling price as long as they stay
        # A man of the start squad may be bought back at his full price: he has a second place for that.
        again = self.men[own & self.frame.buyable[self.men]]
        self.man = np.concatenate([self.men, again])
        price = np.where(own, self.frame.selling[self.men], self.frame.price[self.men])
        self.price = tenths_up(np.concatenate([price, self.frame.price[again]])).astype(float)
        self.most = np.ones(0)

    def program(self) -> SparseProgram:
        """Return it as arrays."""
        size, rows = len(self.man), self.rows
        self.kept = [rows.new(size) for _ in self.rounds]
        self.bought = [rows.new(size) for _ in self.rounds]
        self.chip = {offer.key: rows.new(len(self.rounds)) for offer in self.problem.chips if offer.free_transfers}
        self.loan = {column: rows.new(size) for column in self.rounds if self._hits(column)}
        self.closed: list[int] = []
        for column in self.rounds:
            self._squad(self.kept[column], column, None)
            self._bought(column)
            self._locked(column)
        for column, men in self.loan.items():
            self._squad(men, column, self._hits(column))
        self._boosters()
        self._transfers()
        most = np.ones(rows.columns)
        most[self.closed] = 0.0
        table = csc_matrix(
            (np.concatenate(rows.factor), (np.concatenate(rows.row), np.concatenate(rows.column))),
            shape=(len(rows.low), rows.columns),
        )
        none, whole = np.zeros(rows.columns), np.ones(rows.columns, dtype=bool)
        whole[np.concatenate(self.bought)] = False
        cheap = none.copy()
        cheap[np.concatenate(self.kept)] = -np.tile(self.price, len(self.kept))
        return SparseProgram(cheap, table, np.array(rows.low), np.array(rows.high), none, most, whole)

    def _hits(self, column: int) -> list[int]:
        """Return the columns of free hits that a round may have."""
        return self._flags(column, BoosterEffect.FREE_HIT)

    def _flags(self, column: int, *effects: BoosterEffect) -> list[int]:
        offers = [offer for offer in self.problem.chips if offer.effect in effects and offer.key in self.chip]
        return [int(self.chip[offer.key][column]) for offer in offers if offer.allowed[column]]

    def _squad(self, men: np.ndarray, column: int, only_with: list[int] | None) -> None:
        """Shape, caps, money, nobody twice; a loaned squad only where its booster is played."""
        frame, rows = self.frame, self.rows
        flag = np.array(only_with or [], dtype=np.int64)
        fixed = only_with is None

        def row(chosen: np.ndarray, factor: np.ndarray | float, low: float, high: float) -> None:
            lower = [(chosen, factor), (flag, -low)]
            if fixed or low == high:
                rows.add(lower, low if fixed else 0.0, high if fixed else 0.0)
            else:
                rows.add([(chosen, factor), (flag, -high)], -np.inf, 0.0)

        for place, count in enumerate(frame.shape):
            row(men[frame.position[self.man] == place], 1.0, count, count)
        for team in np.unique(frame.team[self.man]):
            if team >= 0:
                row(men[frame.team[self.man] == team], 1.0, 0.0, float(frame.team_cap[column]))
        row(men, self.price, 0.0, float(tenths_down(self.problem.purse[column])))
        for place in self.held.tolist():
            both = np.flatnonzero(self.man == self.man[place])
            if len(both) > 1:
                rows.add([(men[both], 1.0)], 0.0, 1.0)

    def _bought(self, column: int) -> None:
        """A man is bought who was not there before; who is held from the start only leaves."""
        rows, now, first = self.rows, self.kept[column], len(self.men)
        if column == 0 and self.frame.first_squad:
            self.closed += self.bought[0].tolist()
            return
        held = np.zeros(len(self.man), dtype=bool)
        held[self.held] = True
        left_list = ~self.frame.buyable[self.man] & ~held
        self.closed += now[left_list].tolist()
        for place in range(len(self.man)):
            before = [] if column == 0 else [(self.kept[column - 1][[place]], -1.0)]
            at_start = 1.0 if column == 0 and held[place] and place < first else 0.0
            if held[place]:
                rows.add([(now[[place]], 1.0), *before], -np.inf, at_start)
            else:
                rows.add([(now[[place]], 1.0), *before, (self.bought[column][[place]], -1.0)], -np.inf, 0.0)

    def _locked(self, column: int) -> None:
        """Who must and must not play the round; who is never sold is kept."""
        rows, locks, flags = self.rows, self.locks, np.array(self._hits(column), dtype=np.int64)
        must = locks.must[:, column].copy()
        if locks.captain[column] != NOBODY:
            must[locks.captain[column]] = True
        for man in np.flatnonzero(must):
            places = np.flatnonzero(self.man == man)
            rows.add([(self.kept[column][places], 1.0), (flags, 1.0)], 1.0, np.inf)
            if column in self.loan:
                rows.add([(self.loan[column][places], 1.0), (flags, -1.0)], 0.0, np.inf)
        for place in np.flatnonzero(locks.never[self.man, column]):
            rows.add([(self.kept[column][[place]], 1.0), (flags, -1.0)], -np.inf, 0.0)
            if column in self.loan:
                self.closed.append(int(self.loan[column][place]))
        for place in self.held[locks.never_sell[self.man[self.held]]]:
            rows.add([(self.kept[column][[place]], 1.0)], 1.0, 1.0)
        if column in self.loan:
            gone = ~self.frame.buyable[self.man] & ~self.frame.owned[self.man]
            self.closed += self.loan[column][gone].tolist()

    def _boosters(self) -> None:
        """One booster a round, each as often as it is left, in its rounds; what is asked for is played."""
        asked = self.locks.chip_in
        for offer in self.problem.chips:
            if offer.key in self.chip:
                flags = self.chip[offer.key]
                self.closed += flags[~offer.allowed].tolist()
                self.rows.add([(flags, 1.0)], 0.0, float(offer.uses))
        for column in self.rounds:
            flags = np.array([int(flags[column]) for flags in self.chip.values()], dtype=np.int64)
            key = asked[column]
            if key in self.chip:
                self.rows.add([(self.chip[key or ""][[column]], 1.0)], 1.0, 1.0)
            self.rows.add([(flags, 1.0)], 0.0, 1.0 if key is None or key in self.chip else 0.0)

    def _transfers(self) -> None:
        """Free transfers as a path of arcs from count to count; wildcard and free hit have arcs of their own."""
        rows, size, counted = self.rows, self.frame.size, list[tuple[np.ndarray, float]]()
        reached: dict[int, list[tuple[np.ndarray, float]]] = {}
        begin = self.frame.transfers.first
        for column in self.rounds:
            leaving, arriving = dict[int, list[tuple[np.ndarray, float]]](), dict[int, list[tuple[np.ndarray, float]]]()
            bought: list[tuple[np.ndarray, np.ndarray | float]] = [(self.bought[column], 1.0)]
            by_chip: list[tuple[np.ndarray, float]] = []
            for count in [begin] if column == 0 else sorted(reached):
                for made, after, kind in self._arcs(column, count):
                    arc = rows.new(1)
                    leaving.setdefault(count, []).append((arc, 1.0))
                    arriving.setdefault(after, []).append((arc, 1.0))
                    bought.append((arc, -float(made)))
                    if kind == "chip":
                        by_chip.append((arc, 1.0))
                    elif count != self.frame.transfers.no_limit:
                        counted.append((arc, float(made)))
            wild = np.array(self._flags(column, BoosterEffect.WILDCARD), dtype=np.int64)
            rows.add([*bought, (wild, -float(size))], -np.inf, 0.0)
            every = np.array([*wild.tolist(), *self._hits(column)], dtype=np.int64)
            rows.add([*by_chip, (every, -1.0)], 0.0, 0.0)
            if column == 0:
                rows.add([part for parts in leaving.values() for part in parts], 1.0, 1.0)
            else:
                for count, parts in leaving.items():
                    rows.add([*parts, *((arc, -1.0) for arc, _ in reached[count])], 0.0, 0.0)
            reached = arriving
        if self.locks.most_in_all is not None and counted:
            rows.add(counted, 0.0, float(self.locks.most_in_all))

    def _arcs(self, column: int, count: int) -> list[tuple[int, int, str]]:
        """Return (transfers at most, count after, kind) of every step from a count."""
        steps, locks, size = self.frame.transfers, self.locks, self.frame.size
        chip = [(0, int(steps.after_chip[column, count]), "chip")]
        if count == steps.no_limit:
            return [(size, int(steps.after[column, count, 0]), "free"), *chip]
        most = min(count + int(locks.most_hits[column]), int(locks.most_transfers[column]), size)
        return [(made, int(steps.after[column, count, made]), "made") for made in range(most + 1)] + chip


def _looked_at(problem: PlanProblem) -> np.ndarray:
    """Return the player rows that decide whether a plan exists."""
    frame, locks = problem.frame, problem.locks
    named = locks.must.any(axis=1) | locks.never_sell | frame.owned
    named[locks.captain[locks.captain != NOBODY]] = True
    free = frame.buyable & ~named & ~locks.never.any(axis=1)
    chosen = named.copy()
    for place in range(len(frame.shape)):
        men = np.flatnonzero(free & (frame.position == place))
        men = men[np.argsort(frame.price[men], kind="stable")]
        _, each_team = np.unique(frame.team[men], return_index=True)
        chosen[men[:CHEAPEST]] = True
        chosen[men[np.sort(each_team)[:CHEAPEST]]] = True
    partly = locks.never.any(axis=1) & ~locks.never.all(axis=1) & frame.buyable
    chosen |= partly
    return np.flatnonzero(chosen)
