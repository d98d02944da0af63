"""The relaxed programme of a plan on some of the players: sparse columns and rows for HiGHS, and the duals it gives.

Per man and round: held from the start, or bought; in the eleven, or called up to the first, second … place of the
bench (each level contains the one before); captain; bought before this round. Only who is held, the arcs of free
transfers and formations have to be whole: eleven, bench order and armband then come out whole by themselves.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from data.rules import STARTERS
from engine.plan.linear.pricing.sparse_writing import NO_COLUMN, SparseWriting
from engine.plan.linear.pricing.transfer_path import TransferPath
from engine.plan.linear.problem import PlanProblem
from engine.plan.linear.round_values import RoundValues
from engine.rules.money import SLACK
from engine.rules.solver import SparseProgram


@dataclass(slots=True, eq=False)
class RoundColumns:
    """Columns of one round: entry i is man i of those at hand, NO_COLUMN where he has none."""

    old: np.ndarray  # held from the start
    new: np.ndarray  # bought
    levels: list[np.ndarray]  # eleven, then one level per place of the bench but the last
    captain: np.ndarray
    outside: np.ndarray
    shapes: np.ndarray  # one per formation


@dataclass(slots=True, eq=False)
class RoundRows:
    """Rows of one round whose duals the bound needs; NO_COLUMN where a round has none."""

    shape: np.ndarray  # (4,)
    caps: np.ndarray  # (teams,)
    money: int
    lines: np.ndarray  # (4,) starters of each position
    levels: list[int]
    captain: int
    outside: int
    bought: int


@dataclass(frozen=True, slots=True, eq=False)
class Relaxation:
    """A written programme: which men it knows, and where their columns and the rounds' rows are."""

    program: SparseProgram
    men: np.ndarray  # (m,) player rows
    columns: tuple[RoundColumns, ...]
    rows: tuple[RoundRows, ...]
    arcs: np.ndarray  # (a,) columns of the transfer arcs
    in_all: int  # row of the limit on all transfers, or NO_COLUMN
    constant: float  # what the columns do not hold

    def held(self, x: np.ndarray) -> np.ndarray:
        """(r, m) how much of each man is held in each round."""
        padded = np.append(x, 0.0)
        return np.array([padded[one.old] + padded[one.new] for one in self.columns])


def write_programme(
    problem: PlanProblem, rounds: Sequence[RoundValues], path: TransferPath, men: np.ndarray
) -> Relaxation:
    """Return the programme of some men over all rounds; a free hit's one-round squad is not part of it."""
    writing = SparseWriting()
    columns, rows = list[RoundColumns](), list[RoundRows]()
    buying = list[np.ndarray]()
    for column, one in enumerate(rounds):
        made = _columns(writing, problem, one, men, last=column == len(rounds) - 1)
        buying.append(_moves(writing, problem, one, men, made, columns[-1] if columns else None))
        rows.append(_squad_rows(writing, problem, one, men, made, column))
        columns.append(made)
    arcs, in_all = _arc_rows(writing, problem, path, buying, rows)
    return Relaxation(
        writing.program(), men, tuple(columns), tuple(rows), arcs, in_all, sum(one.constant for one in rounds)
    )


def _columns(
    writing: SparseWriting, problem: PlanProblem, one: RoundValues, men: np.ndarray, *, last: bool
) -> RoundColumns:
    frame = problem.frame
    kept_worth = one.hold[men] + (problem.values.final[men] if last else 0.0)
    none = np.full(len(men), NO_COLUMN)
    plays = not one.free_hit
    if plays:
        kept_worth = (
            kept_worth + np.where(frame.position[men] == 0, one.keeper_weight, _last(one.weights)) * one.bench[men]
        )
    barred = one.never[men] & plays
    stays = problem.locks.never_sell[men] & frame.owned[men]
    old, new = none.copy(), none.copy()
    mine, market = np.flatnonzero(frame.owned[men]), np.flatnonzero(frame.buyable[men])
    old[mine] = writing.add_columns(kept_worth[mine], least=stays[mine], most=~barred[mine], whole=True)
    new[market] = writing.add_columns(kept_worth[market], most=~barred[market] & ~stays[market], whole=True)
    found = RoundColumns(old, new, [], none.copy(), none.copy(), none[:0])
    if plays:
        _role_columns(writing, problem, one, men, found)
    return found


def _last(weights: tuple[float, ...]) -> float:
    return weights[-1] if weights else 0.0


def level_values(one: RoundValues, men: np.ndarray, keeper: np.ndarray) -> list[np.ndarray]:
    """Return what each level adds to the one around it: the eleven first, then the places of the bench but the last.

    A man of the squad has the last place's weight anyway; a goalkeeper is in the eleven or not.
    """
    weights = one.weights or (0.0,)
    bench = one.bench[men]
    first = np.where(keeper, one.start[men] - one.keeper_weight * bench, one.start[men] - weights[0] * bench)
    return [
        first,
        *(np.where(keeper, 0.0, (above - below) * bench) for above, below in pairwise(weights)),
    ]


def _role_columns(
    writing: SparseWriting, problem: PlanProblem, one: RoundValues, men: np.ndarray, found: RoundColumns
) -> None:
    keeper = problem.frame.position[men] == 0
    for number, worth in enumerate(level_values(one, men, keeper)):
        level = np.full(len(men), NO_COLUMN)
        there = np.flatnonzero(~keeper) if number else np.arange(len(men))
        level[there] = writing.add_columns(worth[there])
        found.levels.append(level)
    leads = np.flatnonzero(one.leads()[men])
    found.captain[leads] = writing.add_columns(one.captain[men[leads]])
    if one.outside is not None:
        found.outside = writing.add_columns(one.outside[men])
    lineups = len(problem.frame.lineups)
    found.shapes = writing.add_columns(np.zeros(lineups), whole=not box_shaped(problem.frame.lineups))


def box_shaped(lineups: Sequence[Sequence[int]]) -> bool:
    """Whether formations are all that keep to the least and the most of each position: then nothing need be whole."""
    table = np.array(lineups)[:, 1:]
    low, high = table.min(axis=0), table.max(axis=0)
    ranges = [range(a, b + 1) for a, b in zip(low, high, strict=True)]
    all_of_them = {(a, b, c) for a in ranges[0] for b in ranges[1] for c in ranges[2] if a + b + c == STARTERS - 1}
    return all_of_them == {tuple(line) for line in table.tolist()}


def _moves(
    writing: SparseWriting,
    problem: PlanProblem,
    one: RoundValues,
    men: np.ndarray,
    made: RoundColumns,
    before: RoundColumns | None,
) -> np.ndarray:
    """Write who may stay, leave and come; return the columns of purchases."""
    owned = problem.frame.owned[men]
    size = len(men)
    both = np.flatnonzero((made.old != NO_COLUMN) & (made.new != NO_COLUMN))
    rows = writing.add_rows(len(both), -np.inf, 1.0)
    writing.put(rows, made.old[both])
    writing.put(rows, made.new[both])
    bought = writing.add_columns(np.zeros(size), most=0.0 if one.free_hit else 1.0)
    leaving = writing.add_rows(size, -1.0 * owned if one.free_hit else -np.inf, 0.0)
    coming = writing.add_rows(size, 0.0 if one.free_hit else -np.inf, 0.0)
    writing.put(leaving, made.old)
    writing.put(coming, made.new)
    writing.put(coming, bought, -1.0)
    if before is not None:
        writing.put(leaving, before.old, -1.0)
        writing.put(coming, before.new, -1.0)
        if one.free_hit:
            writing.low[-2] = np.zeros(size)
    else:
        writing.high[-2] = owned.astype(float)
        if one.free_hit:
            writing.low[-2] = owned.astype(float)
    return bought


def _squad_rows(
    writing: SparseWriting, problem: PlanProblem, one: RoundValues, men: np.ndarray, made: RoundColumns, column: int
) -> RoundRows:
    frame = problem.frame
    position, team = frame.position[men], frame.team[men]
    shape = writing.add_rows(4, np.array(frame.shape), np.array(frame.shape))
    caps = writing.add_rows(int(frame.team.max()) + 1, -np.inf, float(frame.team_cap[column]))
    money = int(writing.add_rows(1, -np.inf, float(problem.purse[column]) + SLACK)[0])
    capped = team >= 0
    for side, price in ((made.old, frame.selling), (made.new, frame.price)):
        writing.put(shape[position], side)
        writing.put(caps[team[capped]], side[capped])
        writing.put(money, side, price[men])
    rows = RoundRows(shape, caps, money, np.full(4, NO_COLUMN), [], NO_COLUMN, NO_COLUMN, NO_COLUMN)
    if not one.free_hit:
        _must_rows(writing, one, men, made)
        _lineup_rows(writing, problem, one, men, made, rows)
    return rows


def _must_rows(writing: SparseWriting, one: RoundValues, men: np.ndarray, made: RoundColumns) -> None:
    asked = np.flatnonzero(one.must[men])
    rows = writing.add_rows(len(asked), 1.0, np.inf)
    writing.put(rows, made.old[asked])
    writing.put(rows, made.new[asked])


def _lineup_rows(
    writing: SparseWriting, problem: PlanProblem, one: RoundValues, men: np.ndarray, made: RoundColumns, rows: RoundRows
) -> None:
    position = problem.frame.position[men]
    size = len(men)
    nested = [*made.levels, None]
    for inner, outer in pairwise(nested):
        if inner is None:
            continue
        keeper = position == 0
        inside = writing.add_rows(size, -np.inf, 0.0)
        writing.put(inside, inner)
        outer_is_squad = np.full(size, outer is None) | keeper
        if outer is not None:
            writing.put(inside, np.where(keeper, NO_COLUMN, outer), -1.0)
        writing.put(inside, np.where(outer_is_squad, made.old, NO_COLUMN), -1.0)
        writing.put(inside, np.where(outer_is_squad, made.new, NO_COLUMN), -1.0)
    rows.lines = writing.add_rows(4, 0.0, 0.0)
    writing.put(rows.lines[position], made.levels[0])
    for number, line in enumerate(problem.frame.lineups):
        writing.put(rows.lines, np.full(4, made.shapes[number]), -np.array(line, dtype=float))
    writing.put(int(writing.add_rows(1, 1.0, 1.0)[0]), made.shapes)
    for number, level in enumerate(made.levels[1:], start=1):
        rows.levels.append(int(writing.add_rows(1, STARTERS - 1.0 + number, STARTERS - 1.0 + number)[0]))
        writing.put(rows.levels[-1], np.where(position == 0, NO_COLUMN, level))
    rows.captain = int(writing.add_rows(1, 1.0, 1.0)[0])
    writing.put(rows.captain, made.captain)
    leads = np.flatnonzero(made.captain != NO_COLUMN)
    within = writing.add_rows(len(leads), -np.inf, 0.0)
    writing.put(within, made.captain[leads])
    writing.put(within, made.levels[0][leads], -1.0)
    if one.outside is not None:
        _outside_rows(writing, made, rows)


def _outside_rows(writing: SparseWriting, made: RoundColumns, rows: RoundRows) -> None:
    rows.outside = int(writing.add_rows(1, 1.0, 1.0)[0])
    writing.put(rows.outside, made.outside)
    apart = writing.add_rows(len(made.outside), -np.inf, 1.0)
    for side in (made.outside, made.old, made.new):
        writing.put(apart, side)


def _arc_rows(
    writing: SparseWriting, problem: PlanProblem, path: TransferPath, buying: list[np.ndarray], rows: list[RoundRows]
) -> tuple[np.ndarray, int]:
    arcs = writing.add_columns(path.value, whole=True)
    nodes = writing.add_rows(path.rounds * path.counts, 0.0, 0.0)
    writing.low[-1] = writing.high[-1] = _source(path)
    writing.put(nodes[path.column * path.counts + path.before], arcs)
    inner = path.column < path.rounds - 1
    writing.put(nodes[(path.column[inner] + 1) * path.counts + path.after[inner]], arcs[inner], -1.0)
    for column, bought in enumerate(buying):
        rows[column].bought = int(writing.add_rows(1, -np.inf, 0.0)[0])
        writing.put(rows[column].bought, bought)
        here = path.of(column)
        writing.put(rows[column].bought, arcs[here], -path.made[here].astype(float))
    if problem.locks.most_in_all is None:
        return arcs, NO_COLUMN
    in_all = int(writing.add_rows(1, -np.inf, float(problem.locks.most_in_all))[0])
    writing.put(in_all, arcs, path.counted.astype(float))
    return arcs, in_all


def _source(path: TransferPath) -> np.ndarray:
    """(rounds × counts,) what flows in from outside: one unit at the count before the coming round."""
    flow = np.zeros(path.rounds * path.counts)
    flow[path.first] = 1.0
    return flow
