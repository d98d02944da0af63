"""Plans written out: from the squads of every round to moves with money, free transfers and hits, and their value."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set

import numpy as np

from engine.plan.linear.beam.lineups import exact_value, round_lineups
from engine.plan.linear.problem import PlanProblem
from engine.plan.linear.round_values import round_values
from engine.plan.moves.moves import Plan, RoundMoves

NO_SQUADS: Mapping[int, np.ndarray] = {}


def held_from_start(problem: PlanProblem, kept: np.ndarray) -> np.ndarray:
    """(r, n) who is in the kept squads (r, size) of all rounds up to each: he still costs his selling price."""
    held, owned = list[np.ndarray](), problem.frame.owned
    for squad in kept:
        still = np.zeros_like(owned)
        still[squad] = owned[squad]
        held.append(owned := still)
    return np.array(held)


def costs(problem: PlanProblem, kept: np.ndarray) -> np.ndarray:
    """(r, n) millions that each man costs his manager in each round."""
    frame = problem.frame
    return np.where(held_from_start(problem, kept), frame.selling, frame.price)


def plan_of(
    problem: PlanProblem,
    chips: Sequence[str | None],
    kept: np.ndarray,
    one_round: Mapping[int, np.ndarray] = NO_SQUADS,
) -> Plan:
    """Return the plan of kept squads (r, size) with the boosters of each round.

    `one_round` are the squads of free-hit rounds, by column. Whether it keeps the rules is for `breaches` to say.
    """
    frame, steps = problem.frame, problem.frame.transfers
    ordered = [_ordered(problem, squad) for squad in kept]
    before, count, moves = tuple(frame.start_squad.tolist()), steps.first, []
    held = set(before)
    for column, squad in enumerate(ordered):
        held &= set(squad)
        key = chips[column]
        free_chip = key is not None and problem.chip(key).free_transfers
        plays = _ordered(problem, one_round[column]) if column in one_round else squad
        out, into = _exchanged(problem, before, plays)
        made = 0 if column in one_round else len(into)
        free = steps.free(count)
        counted = 0 if free_chip or free is None or not before else max(0, made - free)
        bank = round(float(frame.wealth[column] - _cost(problem, squad, held)), 1) + 0.0  # never −0
        moves.append(
            RoundMoves(
                round=frame.rounds[column],
                out=out,
                into=into,
                chip=key,
                squad=plays,
                kept=squad,
                free=free,
                hits=counted,
                bank=bank,
            )
        )
        count = int(steps.after_chip[column, count] if free_chip else steps.after[column, count, made])
        before = squad
    return Plan(tuple(moves))


def plan_value(problem: PlanProblem, plan: Plan) -> float:
    """Return the value of a plan under a problem, every eleven, bench order and captain tried."""
    frame, values = problem.frame, problem.values
    total = -frame.hit_cost * plan.hits
    for column, (move, one) in enumerate(zip(plan.moves, round_values(problem, plan.chips), strict=True)):
        lineups = round_lineups(one, frame)
        total += exact_value(lineups, np.array(move.squad)) + float(one.hold[list(move.kept)].sum()) + one.constant
        last = column == len(plan.moves) - 1
        total += float(values.final[list(move.kept)].sum()) if last else 0.0
    after = _count_after(problem, plan)
    return total + (0.0 if after == frame.transfers.no_limit else values.spare_value(after))


def _count_after(problem: PlanProblem, plan: Plan) -> int:
    """Return the count of free transfers after the last round."""
    steps, last, column = problem.frame.transfers, plan.moves[-1], len(plan.moves) - 1
    count = steps.no_limit if last.free is None else last.free
    if last.chip is not None and problem.chip(last.chip).free_transfers:
        return int(steps.after_chip[column, count])
    return int(steps.after[column, count, len(last.into)])


def _cost(problem: PlanProblem, squad: tuple[int, ...], held: Set[int]) -> float:
    """Return the millions that a squad costs with those still held from the start at their selling prices."""
    rows, frame = list(squad), problem.frame
    return float(np.where([man in held for man in squad], frame.selling[rows], frame.price[rows]).sum())


def _ordered(problem: PlanProblem, squad: np.ndarray) -> tuple[int, ...]:
    """Return player rows by position and row."""
    if not len(squad):
        return ()
    rows = np.asarray(squad, dtype=np.int64)
    return tuple(rows[np.lexsort((rows, problem.frame.position[rows]))].tolist())


def _exchanged(
    problem: PlanProblem, before: tuple[int, ...], after: tuple[int, ...]
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return who goes and who comes, both by position: so each comes in the place of the man beside him."""
    out = [man for man in before if man not in after]
    into = [man for man in after if man not in before]
    return _ordered(problem, np.array(out)), _ordered(problem, np.array(into))
