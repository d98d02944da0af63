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
from typing import Any

import numpy as np

from data.errors import ModelError
from data.rules import UNLIMITED, GameRules
from engine.replay.ledger import TransferMode
from engine.replay.rounds import PlayedRound
from engine.rules.exact import LinearValues, linear_optimum
from engine.rules.legality import Pool, pool_of

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
    if mode is TransferMode.UNLIMITED or not rules.transfers.prices_fixed:
        solved = [_alone(one, seconds) for one in rounds]
        return Hindsight(tuple(points for points, _ in solved), all(sure for _, sure in solved), TransferMode.UNLIMITED)
    points: list[int] = []
    proved = True
    for part in _between_rebuilds(rounds, rules):
        if len(part) == 1:
            alone, sure = _alone(part[0], seconds)
            found = [alone]
        else:
            found, sure = _together(part, rules, seconds)
        points += found
        proved &= sure
    return Hindsight(tuple(points), proved, mode)


def _between_rebuilds(rounds: Sequence[PlayedRound], rules: GameRules) -> list[list[PlayedRound]]:
    parts: list[list[PlayedRound]] = []
    for one in rounds:
        if not parts or rules.stage(one.matchday.signals.round).free_transfers == UNLIMITED:
            parts.append([])
        parts[-1].append(one)
    return parts


def _alone(played: PlayedRound, seconds: float) -> tuple[int, bool]:
    signals, points = played.matchday.signals, played.official.points[0].astype(float)
    copies = signals.rules.captaincy.multiplier - 1
    values = LinearValues(start=points, bench=np.zeros(len(points)), captain=copies * points)
    best = linear_optimum(values, pool_of(signals), signals.rules.squad.lineups, seconds=seconds)
    return round(best.value), best.proved


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
        pools = tuple(_only(pool_of(one.matchday.signals), men) for one, men in zip(part, rows, strict=True))
        kept = np.flatnonzero(_beaten(points, pools[0]) < BEATEN)
        return cls(points[:, kept], tuple(_only(pool, kept) for pool in pools))


def _only(pool: Pool, men: np.ndarray) -> Pool:
    return Pool(pool.price[men], pool.team[men], pool.position[men], pool.budget, pool.team_cap, pool.shape)


def _beaten(points: np.ndarray, pool: Pool) -> np.ndarray:
    """Return (n,) how many men of his position cost no more than a man and score no less in every round."""
    count = np.zeros(points.shape[1], dtype=np.int64)
    for place in range(len(pool.shape)):
        men = np.flatnonzero(pool.position == place)
        beats = pool.price[men][:, None] <= pool.price[men]
        same = pool.price[men][:, None] == pool.price[men]
        for scored in points[:, men]:
            beats &= scored[:, None] >= scored
            same &= scored[:, None] == scored
        earlier = np.arange(len(men))[:, None] < np.arange(len(men))
        count[men] = (beats & (~same | earlier)).sum(axis=0)
    return count


def _together(part: list[PlayedRound], rules: GameRules, seconds: float) -> tuple[list[int], bool]:
    """Solve the rounds between two rebuilds as one problem."""
    import pulp

    men = _Men.of(part)
    problem = pulp.LpProblem("hindsight", pulp.LpMaximize)
    squads = [_round_rows(pulp, problem, number, men, rules) for number in range(len(part))]
    numbers = [one.matchday.signals.round for one in part]
    hits = [0, *_transfer_rows(pulp, problem, [chosen for chosen, _ in squads], numbers, rules)]
    earned = [worth for _, worth in squads]
    problem += pulp.lpSum(earned) - rules.transfers.hit_cost * pulp.lpSum(hits)
    bundled = pulp.PULP_CBC_CMD.pulp_cbc_path
    problem.solve(pulp.COIN_CMD(path=bundled, msg=False, timeLimit=seconds))
    if problem.sol_status not in (pulp.LpSolutionOptimal, pulp.LpSolutionIntegerFeasible):
        raise ModelError(f"The solver found no squads after the fact in {seconds:g} seconds. Give it more.")
    costs = [rules.transfers.hit_cost * float(pulp.value(hit) or 0.0) for hit in hits]
    found = [round(float(pulp.value(worth)) - cost) for worth, cost in zip(earned, costs, strict=True)]
    return found, problem.sol_status == pulp.LpSolutionOptimal


def _round_rows(pulp: Any, problem: Any, number: int, men: _Men, rules: GameRules) -> tuple[list[Any], Any]:
    """Add who is picked, starts and leads in one round; return who is picked and the points of the eleven."""
    pool, points = men.pools[number], men.points[number].astype(float)
    rows = range(len(points))
    chosen, starts, leads = (
        [problem.add_variable(f"{kind}{number}_{row}", cat="Binary") for row in rows] for kind in ("x", "s", "c")
    )
    lineups = rules.squad.lineups
    form = [problem.add_variable(f"f{number}_{place}", cat="Binary") for place in range(len(lineups))]
    problem += pulp.lpSum(float(pool.price[row]) * chosen[row] for row in rows) <= pool.budget
    for team in np.unique(pool.team):
        problem += pulp.lpSum(chosen[row] for row in np.flatnonzero(pool.team == team)) <= pool.team_cap
    for place, count in enumerate(pool.shape):
        here = np.flatnonzero(pool.position == place)
        problem += pulp.lpSum(chosen[row] for row in here) == count
        problem += pulp.lpSum(starts[row] for row in here) == pulp.lpSum(
            lineup[place] * form[at] for at, lineup in enumerate(lineups)
        )
    problem += pulp.lpSum(form) == 1
    problem += pulp.lpSum(leads) == 1
    for row in rows:
        problem += starts[row] <= chosen[row]
        problem += leads[row] <= starts[row]
    copies = rules.captaincy.multiplier - 1
    return chosen, pulp.lpSum(points[row] * starts[row] + copies * points[row] * leads[row] for row in rows)


def _transfer_rows(pulp: Any, problem: Any, squads: list[list[Any]], numbers: list[int], rules: GameRules) -> list[Any]:
    """Add transfers between the rounds; return the hits of each round but the first."""
    hits: list[Any] = []
    saved: Any = 0
    for turn, (before, after) in enumerate(pairwise(squads)):
        stage = rules.stage(numbers[turn + 1])
        new = [problem.add_variable(f"t{turn}_{row}", lowBound=0, upBound=1) for row in range(len(after))]
        for row, change in enumerate(new):
            problem += change >= after[row] - before[row]
        hit = problem.add_variable(f"h{turn}", lowBound=0)
        brought = problem.add_variable(f"b{turn}", lowBound=0, upBound=stage.carry_in)
        problem += brought <= saved
        free = int(stage.free_transfers) + brought
        problem += hit >= pulp.lpSum(new) - free
        saved = free - pulp.lpSum(new) + hit
        hits.append(hit)
    return hits
