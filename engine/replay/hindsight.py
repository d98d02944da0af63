"""The best that could have been done: squads picked after the fact, under the same rules, by a solver.

Where squads are built anew every round is solved alone. Under real limits the rounds between two free rebuilds are one
problem: who is in which squad, who starts, who leads, how many transfers are made, saved and paid for. It is solved
over the men whom few others beat at their price; nobody would need the rest. Moving prices are left out: where a game
has them the optimum is that of new squads every round, which real limits cannot reach.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from data.errors import SolverError
from data.rules import UNLIMITED, GameRules
from engine.replay.ledger import TransferMode
from engine.replay.rounds import PlayedRound
from engine.rules.exact import LinearValues, RoleVariables, linear_optimum
from engine.rules.pool import Pool, pool_of
from engine.rules.pool_rows import pool_rows
from engine.rules.solver import SolverProgram, Variable, amount_of

SECONDS = 60.0
"""For the solver on the rounds between two rebuilds; the World Cup's three matchdays take two."""
BEATEN = 12
"""A man beaten in every round by so many who cost no more is left out: five of a position and five full teams leave
two of them free."""


@dataclass(frozen=True, slots=True)
class Hindsight:
    """Points of the best squads after the fact, by round, hits taken off."""

    points: tuple[int, ...]
    proved: bool
    limits: TransferMode  # of the problem solved: real limits are not solved where prices move


def hindsight(rounds: Sequence[PlayedRound], mode: TransferMode, *, seconds: float = SECONDS) -> Hindsight:
    """Return the optimum of rounds that follow one another."""
    rules = rounds[0].matchday.signals.rules
    limits = mode if rules.transfers.prices_fixed else TransferMode.UNLIMITED
    alone = limits is TransferMode.UNLIMITED
    parts = [[one] for one in rounds] if alone else _between_rebuilds(rounds, rules)
    solved = [_together(part, rules, seconds) if len(part) > 1 else _alone(part[0], seconds) for part in parts]
    points = tuple(one for found, _ in solved for one in found)
    return Hindsight(points, all(sure for _, sure in solved), limits)


def _between_rebuilds(rounds: Sequence[PlayedRound], rules: GameRules) -> list[list[PlayedRound]]:
    parts: list[list[PlayedRound]] = []
    for one in rounds:
        if not parts or rules.stage(one.matchday.signals.round).free_transfers == UNLIMITED:
            parts.append([])
        parts[-1].append(one)
    return parts


def _alone(played: PlayedRound, seconds: float) -> tuple[list[int], bool]:
    signals = played.matchday.signals
    values = _values(played.official.points[0], signals.rules)
    best = linear_optimum(values, pool_of(signals), signals.rules.squad.lineups, seconds=seconds)
    return [round(best.value)], best.proved


@dataclass(frozen=True, slots=True, eq=False)
class _Men:
    """Players of several rounds as columns: row i of every array is the same man."""

    points: np.ndarray  # (rounds, n)
    pools: tuple[Pool, ...]  # of each round, its rows those of `points`

    @classmethod
    def of(cls, part: list[PlayedRound]) -> _Men:
        """Return the men who could be picked in all of the rounds, without those whom many beat."""
        ids = [one.matchday.signals.player_id for one in part]
        everywhere = ids[0][np.all([np.isin(ids[0], other) for other in ids], axis=0)]
        rows = [np.searchsorted(known, everywhere) for known in ids]
        points = np.stack([one.official.points[0][men] for one, men in zip(part, rows, strict=True)])
        pools = tuple(pool_of(one.matchday.signals).only(men) for one, men in zip(part, rows, strict=True))
        kept = np.flatnonzero(_beaten(points, pools[0]) < BEATEN)
        return cls(points[:, kept], tuple(pool.only(kept) for pool in pools))


def _beaten(points: np.ndarray, pool: Pool) -> np.ndarray:
    """Return (n,) how many men of his position cost no more than a man and score no less in every round."""
    count, worth = np.zeros(points.shape[1], dtype=np.int64), np.vstack([-pool.price, points])
    for men in pool.men:
        beats = (worth[:, men, None] >= worth[:, None, men]).all(axis=0)
        count[men] = (beats & ~np.tril(beats.T)).sum(axis=0)  # of equals the earlier beats the later
    return count


def _together(part: list[PlayedRound], rules: GameRules, seconds: float) -> tuple[list[int], bool]:
    """Solve the rounds between two rebuilds as one problem."""
    men, program, cost = _Men.of(part), SolverProgram(), float(rules.transfers.hit_cost)
    everybody, values = np.arange(men.points.shape[1]), [_values(points, rules) for points in men.points]
    squads = [
        RoleVariables.of(program, pool, everybody, pool_rows(pool), rules.squad.lineups, str(number))
        for number, pool in enumerate(men.pools)
    ]
    for squad in squads:
        squad.one_leads(program)
    hits = _hits(program, [squad.chosen for squad in squads], [one.matchday.signals.round for one in part], rules)
    earned = (term for squad, worth in zip(squads, values, strict=True) for term in squad.worth(worth))
    program.maximise([*earned, *((hit, -cost) for hit in hits)])
    answer = program.solve(seconds)
    if not answer.found:
        raise SolverError(f"The solver found no squads after the fact in {seconds:g} seconds. Give it more.")
    paid = [0.0, *(cost * amount_of(hit) for hit in hits)]
    return [round(s.value(v) - p) for s, v, p in zip(squads, values, paid, strict=True)], answer.proved


def _values(points: np.ndarray, rules: GameRules) -> LinearValues:
    """Return what players were worth after the fact."""
    scored = points.astype(float)
    return LinearValues(scored, np.zeros(len(scored)), (rules.captaincy.multiplier - 1) * scored)


def _hits(program: SolverProgram, squads: list[list[Variable]], numbers: list[int], rules: GameRules) -> list[Variable]:
    """Add transfers between the rounds; return the hits of each round but the first."""
    hits: list[Variable] = []
    used: list[tuple[Variable, float]] = []  # transfers of the round before that are neither paid for nor brought along
    free = 0
    for turn, (before, after) in enumerate(pairwise(squads)):
        stage = rules.stage(numbers[turn + 1])
        new = [program.amount(f"t{turn}_{man}", 1) for man in range(len(after))]
        for change, now, then in zip(new, after, before, strict=True):
            program.add([(change, 1.0), (now, -1.0), (then, 1.0)], low=0)
        hit, brought = program.amount(f"h{turn}"), program.amount(f"b{turn}", stage.carry_in)
        program.add([(brought, 1.0), *used], high=free)
        used, free = [*((change, 1.0) for change in new), (hit, -1.0), (brought, -1.0)], int(stage.free_transfers)
        program.add(used, high=free)
        hits.append(hit)
    return hits
