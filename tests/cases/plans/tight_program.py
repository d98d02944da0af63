"""A plan without boosters as a programme whose relaxation is tight: HiGHS proves eight rounds of it in seconds.

Written from the rulebook alone, as `plan_program` is, in another way: who starts, comes in first and comes in second
are levels below being held, free transfers are a path through (left, made), and prices stand still, so that one row
tells the money of each round. Being held and the path are whole numbers; line-ups then come out whole by themselves.
"""

from __future__ import annotations

from itertools import product

import numpy as np

from data.rules import UNLIMITED
from tests.cases.plans.plan_program import Programme, Situation, Solved

ELEVEN = 11

Terms = list[tuple[int, float]]


def solve_tight(case: Situation, seconds: float = 120.0, gap: float = 0.0) -> Solved:
    """Return the best plan's value, where it `fits`."""
    assert fits(case)
    writer = _Writer(case)
    writer.write()
    x, value, bound, proved = writer.programme.solve(seconds, gap)
    if not len(x):
        return Solved(value, bound, np.zeros((0, 0), dtype=int), proved)
    held = [
        [i for i in range(writer.n) if sum(x[column] for column, _ in writer.held(i, t)) > 0.5] for t in range(writer.t)
    ]
    return Solved(value, bound, np.array(held), proved)


def fits(case: Situation) -> bool:
    """Return whether a case is one of these: a squad is held, no booster, no round with free moves for everybody.

    The rules' shapes have to be all of those between the fewest and the most of each line, and the bench not keepers
    alone.
    """
    following = [number for number in (*case.rounds, case.rounds[-1] + 1) if number <= case.rules.rounds]
    limited = all(case.rules.stage(number).free_transfers != UNLIMITED for number in following)
    least, most = _lines(case)
    shapes = [one for one in product(*map(range, least, most + 1)) if sum(one) == ELEVEN]
    boxed = sorted(shapes) == sorted(tuple(int(count) for count in one) for one in case.rules.squad.lineups)
    plain = bool(case.squad) and case.free is not None and not case.offers and not case.gone
    return plain and limited and boxed and sum(case.rules.squad.places[1:]) >= ELEVEN


def _lines(case: Situation) -> tuple[np.ndarray, np.ndarray]:
    """Return the fewest and the most starters of each position."""
    lines = np.array(case.rules.squad.lineups)
    return lines.min(axis=0), lines.max(axis=0)


class _Writer:
    def __init__(self, case: Situation) -> None:
        self.case, self.programme = case, Programme()
        self.n, self.t = len(case.position), len(case.rounds)
        self.stays: list[dict[int, int]] = []  # of each round: who is there since before the plan
        self.newer: list[dict[int, int]] = []  # who was bought in it

    def held(self, i: int, t: int) -> Terms:
        """Return what says that a man is in the squad."""
        return [(side[i], 1.0) for side in (self.stays[t], self.newer[t]) if i in side]

    def write(self) -> None:
        for t in range(self.t):
            self._hold(t)
            self._squad(t)
            self._lineup(t)
        self._transfers()

    def _hold(self, t: int) -> None:
        case, make = self.case, self.programme
        last = t == self.t - 1
        worth = case.values.hold[:, t] + (case.values.final if last else 0.0)
        self.stays.append({i: make.column(float(worth[i])) for i in case.squad})
        self.newer.append({i: make.column(float(worth[i])) for i in range(self.n)})
        for i, column in self.stays[t].items():
            make.row([(column, 1.0), (self.newer[t][i], 1.0)], high=1.0)
            if t:
                make.row([(column, 1.0), (self.stays[t - 1][i], -1.0)], high=0.0)
        money = [(self.newer[t][i], float(case.price[i])) for i in range(self.n)]
        money += [(column, case.selling[i]) for i, column in self.stays[t].items()]
        given = case.rules.stage(case.rounds[t]).budget - case.rules.stage(case.rounds[0]).budget
        make.row(money, high=case.bank + sum(case.selling.values()) + given + 1e-6)

    def _squad(self, t: int) -> None:
        case, make = self.case, self.programme
        stage = case.rules.stage(case.rounds[t])
        for place, size in enumerate(case.rules.squad.places):
            make.row([x for i in np.flatnonzero(case.position == place) for x in self.held(int(i), t)], size, size)
        for team in np.unique(case.team[case.team >= 0]):
            men = np.flatnonzero(case.team == team)
            make.row([x for i in men for x in self.held(int(i), t)], high=stage.team_cap)

    def _lineup(self, t: int) -> None:
        case, make, values = self.case, self.programme, self.case.values
        keepers, others = np.flatnonzero(case.position == 0), np.flatnonzero(case.position > 0)
        start, bench = values.start[:, t], values.bench[:, t]
        started: dict[int, int] = {}
        for i in map(int, keepers):
            started[i] = make.column(float(start[i] - values.keeper_weight * bench[i]), whole=False)
            self._below(started[i], self.held(i, t))
            self._worth(self.held(i, t), float(values.keeper_weight * bench[i]))
        places = sum(case.rules.squad.places[1:]) - (ELEVEN - 1)  # of outfield men on the bench
        weights = values.bench_weights[:places]
        levels: list[Terms] = [[] for _ in weights]
        for i in map(int, others):
            steps = [start[i] - weights[0] * bench[i], *(-np.diff(weights) * bench[i])]
            columns = [make.column(float(worth), whole=False) for worth in steps]
            above: list[Terms] = [*([(one, 1.0)] for one in columns[1:]), self.held(i, t)]
            for lower, upper in zip(columns, above, strict=True):
                self._below(lower, upper)
            self._worth(self.held(i, t), float(weights[-1] * bench[i]))
            started[i] = columns[0]
            for level, column in zip(levels, columns, strict=True):
                level.append((column, 1.0))
        for already, level in enumerate(levels):
            make.row(level, ELEVEN - 1 + already, ELEVEN - 1 + already)
        self._shape(t, started)

    def _shape(self, t: int, started: dict[int, int]) -> None:
        """The eleven stands in one of the shapes that the rules list, and one of it leads."""
        case, make = self.case, self.programme
        least, most = _lines(case)
        for place in range(len(least)):
            men = np.flatnonzero(case.position == place)
            make.row([(started[int(i)], 1.0) for i in men], int(least[place]), int(most[place]))
        armband = [make.column(float(case.values.captain[i, t]), whole=False) for i in range(self.n)]
        for i, column in enumerate(armband):
            self._below(column, [(started[i], 1.0)])
        make.row([(column, 1.0) for column in armband], 1.0, 1.0)

    def _below(self, column: int, others: Terms) -> None:
        self.programme.row([(column, 1.0), *((other, -factor) for other, factor in others)], high=0.0)

    def _worth(self, held: Terms, points: float) -> None:
        for column, _ in held:
            self.programme.cost[column] += points

    def _transfers(self) -> None:
        """One unit flows from the free transfers at hand through what is left and made in every round."""
        case, make = self.case, self.programme
        assert case.free is not None
        into: dict[int, Terms] = {case.free: []}
        for t, number in enumerate(case.rounds):
            out: dict[int, Terms] = {}
            made: Terms = []
            for left, arrived in into.items():
                leaving: Terms = []
                for count in range(left + int(case.locks.most_hits[t]) + 1):
                    hits = max(count - left, 0)
                    arc = make.column(-float(case.rules.transfers.hit_cost * hits))
                    leaving.append((arc, 1.0))
                    made.append((arc, float(count)))
                    out.setdefault(self._granted(number + 1, max(left - count, 0)), []).append((arc, 1.0))
                given = 1.0 if t == 0 else 0.0
                make.row([*leaving, *((arc, -1.0) for arc, _ in arrived)], given, given)
            self._bought(t, made)
            into = out
        if case.rounds[-1] < case.rules.rounds:
            for left, arrived in into.items():
                for arc, _ in arrived:
                    make.cost[arc] += case.values.spare_value(left)

    def _granted(self, number: int, left: int) -> int:
        """Return the free transfers of a round after so many were left."""
        if number > self.case.rules.rounds:
            return 0
        stage = self.case.rules.stage(number)
        return min(left + stage.free_transfers, stage.free_transfers + stage.carry_in)

    def _bought(self, t: int, made: Terms) -> None:
        make, bought = self.programme, []
        for i in range(self.n):
            column = make.column(whole=False)
            earlier = [(self.newer[t - 1][i], 1.0)] if t else []
            make.row([(self.newer[t][i], 1.0), *((one, -1.0) for one, _ in earlier), (column, -1.0)], high=0.0)
            bought.append((column, 1.0))
        make.row([*bought, *((arc, -count) for arc, count in made)], high=0.0)
