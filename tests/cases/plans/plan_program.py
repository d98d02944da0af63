"""A plan as one integer programme, written from the rulebook alone and solved by HiGHS: the oracle of the plan search.

It shares no line with `engine/plan` beyond the values that state a problem. Money flows through a bank, free transfers
are whole numbers, buying a man back is a purchase like any other, and a free-hit squad is a squad of its own.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import inf

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import coo_matrix

from data.rules import UNLIMITED, BoosterEffect, GameRules
from engine.plan.linear.problem import ChipOffer, Locks, RoleValues

FREE = (BoosterEffect.WILDCARD, BoosterEffect.FREE_HIT)
MANY = 20.0
"""More than any number of free transfers and of men in a squad."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Situation:
    """A manager before a round, in the words of the game."""

    rules: GameRules
    rounds: tuple[int, ...]
    position: np.ndarray  # (n,)
    team: np.ndarray  # (n,)
    price: np.ndarray  # (n,)
    squad: tuple[int, ...]  # rows; empty = nobody yet
    selling: dict[int, float]  # by row
    bank: float
    free: int | None
    values: RoleValues
    offers: tuple[ChipOffer, ...]
    locks: Locks
    gone: tuple[int, ...] = ()  # rows that cannot be bought


@dataclass(frozen=True, slots=True)
class Solved:
    """What HiGHS says."""

    value: float
    bound: float
    squads: np.ndarray  # (r, size) rows who play
    proved: bool


@dataclass(slots=True)
class Programme:
    """Columns and rows as they are written down."""

    cost: list[float] = field(default_factory=list)
    upper: list[float] = field(default_factory=list)
    whole: list[int] = field(default_factory=list)
    entries: list[tuple[int, int, float]] = field(default_factory=list)
    low: list[float] = field(default_factory=list)
    high: list[float] = field(default_factory=list)

    def column(self, cost: float = 0.0, upper: float = 1.0, whole: bool = True) -> int:
        self.cost.append(cost)
        self.upper.append(upper)
        self.whole.append(int(whole))
        return len(self.cost) - 1

    def row(self, terms: list[tuple[int, float]], low: float = -inf, high: float = inf) -> None:
        self.entries += [(len(self.low), column, factor) for column, factor in terms]
        self.low.append(low)
        self.high.append(high)

    def solve(self, seconds: float, gap: float) -> tuple[np.ndarray, float, float, bool]:
        rows, columns, factors = zip(*self.entries, strict=True)
        table = coo_matrix((factors, (rows, columns)), shape=(len(self.low), len(self.cost))).tocsr()
        answer = milp(
            -np.array(self.cost),
            constraints=LinearConstraint(table, self.low, self.high),
            integrality=np.array(self.whole),
            bounds=Bounds(0, np.array(self.upper)),
            options={"time_limit": seconds, "mip_rel_gap": gap},
        )
        if answer.x is None:
            return np.zeros(0), -inf, inf, answer.status == 2
        return answer.x, float(-answer.fun), float(-answer.mip_dual_bound), answer.status == 0


def solve(case: Situation, seconds: float = 120.0, gap: float = 0.0) -> Solved:
    """Return the best plan's value."""
    writer = _Writer(case)
    writer.write()
    x, value, bound, proved = writer.programme.solve(seconds, gap)
    if not len(x):
        return Solved(value, bound, np.zeros((0, 0), dtype=int), proved)
    squads = [np.flatnonzero(x[np.array(writer.plays[t])] > 0.5) for t in range(len(case.rounds))]
    return Solved(value, bound, np.array(squads), proved)


class _Writer:
    def __init__(self, case: Situation) -> None:
        self.case, self.programme = case, Programme()
        self.plays: list[list[int]] = []  # of each round: the column that says whether a man is in the playing squad
        self.n, self.t = len(case.position), len(case.rounds)

    def write(self) -> None:
        self._chips()
        self._money_and_moves()
        self._free_transfers()
        for t in range(self.t):
            self._squad(self.plays[t], t)
            self._lineup(t)
        self._wishes()

    def _played(self, t: int, *effects: BoosterEffect) -> list[tuple[int, float]]:
        return [(z, 1.0) for (place, at), z in self.chip.items() if at == t and self._effect(place) in effects]

    def _effect(self, place: int) -> BoosterEffect:
        return self.case.offers[place].effect

    def _chips(self) -> None:
        case, make = self.case, self.programme
        self.chip = {
            (place, t): make.column(-float(offer.keeping[t]))
            for place, offer in enumerate(case.offers)
            for t in range(self.t)
            if offer.allowed[t]
        }
        for place, offer in enumerate(case.offers):
            make.row([(z, 1.0) for (one, _), z in self.chip.items() if one == place], high=offer.uses)
        for t in range(self.t):
            make.row([(z, 1.0) for (_, at), z in self.chip.items() if at == t], high=case.rules.boosters_per_round)
            asked = case.locks.chip_in[t]
            if asked is not None:
                place = [offer.key for offer in case.offers].index(asked)
                make.row([(self.chip[place, t], 1.0)], low=1.0)

    def _money_and_moves(self) -> None:
        """Two kinds of holding: from the start, at the selling price, and bought, at today's."""
        case, make = self.case, self.programme
        owned = set(case.squad)
        buyable = [man not in case.gone for man in range(self.n)]
        last = self.t - 1
        hold = case.values.hold
        worth = [
            [float(hold[i, t]) + (float(case.values.final[i]) if t == last else 0.0) for t in range(self.t)]
            for i in range(self.n)
        ]
        self.old = [{i: make.column(worth[i][t]) for i in owned} for t in range(self.t)]
        self.new = [{i: make.column(worth[i][t]) for i in range(self.n) if buyable[i]} for t in range(self.t)]
        self.bought = [{i: make.column() for i in range(self.n) if buyable[i]} for _ in range(self.t)]
        self.sold = [{i: make.column() for i in range(self.n) if buyable[i]} for _ in range(self.t)]
        self.bank = [make.column(upper=inf, whole=False) for _ in range(self.t)]
        for t in range(self.t):
            self._flow(t)
            make.row([(self.bank[t], 1.0)], low=float(case.locks.least_bank[t]) - 1e-6)
            kept = [[(one, 1.0) for one in self._kept(i, t)] for i in range(self.n)]
            for i in range(self.n):
                make.row(kept[i], high=1.0)
            self._shape_and_cap(kept, t)
            self.plays.append(self._playing(kept, t))

    def _kept(self, i: int, t: int) -> list[int]:
        return [side[t][i] for side in (self.old, self.new) if i in side[t]]

    def _flow(self, t: int) -> None:
        case, make = self.case, self.programme
        stage, before = case.rules.stage(case.rounds[t]), case.rules.stage(case.rounds[max(t - 1, 0)])
        money = [(self.bank[t], -1.0)] + ([(self.bank[t - 1], 1.0)] if t else [])
        for i, x in self.old[t].items():
            if t:
                make.row([(x, 1.0), (self.old[t - 1][i], -1.0)], high=0.0)
                money += [(self.old[t - 1][i], case.selling[i])]
            money.append((x, -case.selling[i]))
        for i, x in self.new[t].items():
            earlier = [(self.new[t - 1][i], -1.0)] if t else []
            make.row([(x, 1.0), *earlier, (self.bought[t][i], -1.0), (self.sold[t][i], 1.0)], 0.0, 0.0)
            money += [(self.bought[t][i], -float(case.price[i])), (self.sold[t][i], float(case.price[i]))]
        given = 0.0 if t else case.bank + sum(case.selling[i] for i in case.squad)
        given += stage.budget - before.budget
        make.row(money, -given, -given)

    def _shape_and_cap(self, squad: list[list[tuple[int, float]]], t: int) -> None:
        case, make = self.case, self.programme
        for place, size in enumerate(case.rules.squad.places):
            make.row([x for i in np.flatnonzero(case.position == place) for x in squad[i]], size, size)
        cap = case.rules.stage(case.rounds[t]).team_cap
        for team in np.unique(case.team[case.team >= 0]):
            make.row([x for i in np.flatnonzero(case.team == team) for x in squad[i]], high=cap)

    def _playing(self, kept: list[list[tuple[int, float]]], t: int) -> list[int]:
        """Return the columns of the squad that plays: the kept one, or on a free hit any that the money buys."""
        case, make = self.case, self.programme
        hit = self._played(t, BoosterEffect.FREE_HIT)
        plays = [make.column() for _ in range(self.n)]
        for i in range(self.n):
            if not hit:
                make.row([(plays[i], 1.0), *((x, -1.0) for x, _ in kept[i])], 0.0, 0.0)
                continue
            flag = hit[0][0]
            make.row([(plays[i], 1.0), *((x, -1.0) for x, _ in kept[i]), (flag, -1.0)], high=0.0)
            make.row([(plays[i], 1.0), *((x, -1.0) for x, _ in kept[i]), (flag, 1.0)], low=0.0)
            if i in case.gone:
                make.row([(plays[i], 1.0), *((x, -1.0) for x, _ in kept[i])], high=0.0)
        if hit:
            self._hit_money(plays, hit[0][0], t)
        return plays

    def _hit_money(self, plays: list[int], flag: int, t: int) -> None:
        case, make = self.case, self.programme
        spent: list[tuple[int, float]] = [(self.bank[t], -1.0)]
        for i in range(self.n):
            price = float(case.price[i])
            spent.append((plays[i], price))
            if i in self.old[t]:  # who is still held from the start stays for what he would bring
                stays = make.column()
                make.row([(stays, 1.0), (plays[i], -1.0)], high=0.0)
                make.row([(stays, 1.0), (self.old[t][i], -1.0)], high=0.0)
                spent += [(stays, case.selling[i] - price), (self.old[t][i], -case.selling[i])]
            if i in self.new[t]:
                spent.append((self.new[t][i], -price))
        least = float(case.locks.least_bank[t])
        make.row([*spent, (flag, 500.0)], high=500.0 - least + 1e-6)

    def _free_transfers(self) -> None:
        case, make = self.case, self.programme
        first = not case.squad
        spare = case.values.spare
        step = float(spare[1] - spare[0]) if len(spare) > 1 else 0.0
        count = make.column(upper=MANY)  # free transfers before the round
        if not first and case.free is not None:
            make.row([(count, 1.0)], high=case.free)
        all_made: list[tuple[int, float]] = []
        for t, number in enumerate(case.rounds):
            made = [(u, 1.0) for u in self.bought[t].values()]
            hits = make.column(-float(case.rules.transfers.hit_cost), upper=MANY)
            wild, hit = self._played(t, BoosterEffect.WILDCARD), self._played(t, BoosterEffect.FREE_HIT)
            if hit:  # the kept squad stays as it is
                make.row([*made, (hit[0][0], MANY)], high=MANY)
            stage = case.rules.stage(number)
            no_limit = stage.free_transfers == UNLIMITED or (t == 0 and (first or case.free is None))
            if not no_limit:
                make.row([*made, (count, -1.0), (hits, -1.0), *((z, -MANY) for z, _ in wild)], high=0.0)
                make.row([(hits, 1.0)], high=float(case.locks.most_hits[t]))
                limited = [*made, *((z, -MANY) for z, _ in wild)]
                make.row(limited, high=float(case.locks.most_transfers[t]))
                counted = make.column(upper=MANY)
                make.row([*limited, (counted, -1.0)], high=0.0)
                all_made.append((counted, 1.0))
            count = self._next_count(t, count, made, hits, [*wild, *hit], no_limit)
        if case.locks.most_in_all is not None:
            make.row(all_made, high=case.locks.most_in_all)
        beyond = case.rounds[-1] + 1
        if beyond <= case.rules.rounds and case.rules.stage(beyond).free_transfers != UNLIMITED:
            final = make.column(step, upper=float(len(spare) - 1))
            make.row([(final, 1.0), (count, -1.0)], high=0.0)
            make.cost[final] = step

    def _next_count(
        self,
        t: int,
        count: int,
        made: list[tuple[int, float]],
        hits: int,
        chips: list[tuple[int, float]],
        no_limit: bool,
    ) -> int:
        case, make = self.case, self.programme
        coming = make.column(upper=MANY)
        if case.rounds[t] == case.rules.rounds:
            return coming
        stage = case.rules.stage(case.rounds[t] + 1)
        if stage.free_transfers == UNLIMITED:
            return coming
        granted, most = stage.free_transfers, stage.free_transfers + stage.carry_in
        make.row([(coming, 1.0)], high=most)
        flags = [(z, -MANY) for z, _ in chips]
        over = make.column()  # a hit is paid for a transfer beyond the free ones, and leaves none of them
        make.row([(hits, 1.0), (over, -MANY)], high=0.0)
        make.row([(coming, 1.0), (over, MANY)], high=granted + MANY)
        if no_limit:
            make.row([(coming, 1.0)], high=granted)
            return coming
        # without a chip: what is granted and what was left; with one, what was there, if the rules let it live
        make.row([(coming, 1.0), (count, -1.0), (hits, -1.0), *made, *flags], high=granted)
        if chips:
            kept = make.column()
            make.row([(coming, 1.0), (kept, -MANY), *((z, MANY) for z, _ in chips)], high=granted + MANY)
            make.row([(coming, 1.0), (count, -1.0), (kept, MANY), *((z, MANY) for z, _ in chips)], high=2 * MANY)
            if not case.rules.transfers.chips_keep_saved:
                make.row([(kept, 1.0)], high=0.0)
        return coming

    def _squad(self, plays: list[int], t: int) -> None:
        self._shape_and_cap([[(x, 1.0)] for x in plays], t)

    def _lineup(self, t: int) -> None:
        case, make, values = self.case, self.programme, self.case.values
        plays = self.plays[t]
        keeper = case.position == 0
        start = [make.column(float(values.start[i, t])) for i in range(self.n)]
        armband = [make.column(float(values.captain[i, t])) for i in range(self.n)]
        slots = [
            [make.column(float(weight * values.bench[i, t]), upper=0.0 if keeper[i] else 1.0) for i in range(self.n)]
            for weight in values.bench_weights
        ]
        spare = [
            make.column(float(values.keeper_weight * values.bench[i, t]), upper=float(keeper[i])) for i in range(self.n)
        ]
        for i in range(self.n):
            places = [(start[i], 1.0), (spare[i], 1.0), *((slot[i], 1.0) for slot in slots)]
            make.row([*places, (plays[i], -1.0)], 0.0, 0.0)
            make.row([(armband[i], 1.0), (start[i], -1.0)], high=0.0)
        for slot in slots:
            make.row([(x, 1.0) for x in slot], 1.0, 1.0)
        make.row([(x, 1.0) for x in armband], 1.0, 1.0)
        shapes = [make.column() for _ in case.rules.squad.lineups]
        make.row([(x, 1.0) for x in shapes], 1.0, 1.0)
        for place in range(4):
            men = np.flatnonzero(case.position == place)
            wanted = [(x, -float(line[place])) for x, line in zip(shapes, case.rules.squad.lineups, strict=True)]
            make.row([*((start[i], 1.0) for i in men), *wanted], 0.0, 0.0)
        if case.locks.captain[t] >= 0:
            make.row([(armband[case.locks.captain[t]], 1.0)], low=1.0)
        self._boosted(t, start, armband, slots, spare)

    def _boosted(self, t: int, start: list[int], armband: list[int], slots: list[list[int]], spare: list[int]) -> None:
        """What a booster adds, man by man, where it is played: columns that need both the role and the chip."""
        for (place, at), z in self.chip.items():
            if at == t:
                self._one_boosted(place, t, z, start, armband, slots, spare)

    def _one_boosted(
        self, place: int, t: int, z: int, start: list[int], armband: list[int], slots: list[list[int]], spare: list[int]
    ) -> None:
        case, make, values = self.case, self.programme, self.case.values
        offer = case.offers[place]
        more_start = np.zeros(self.n) if offer.start is None else offer.start[:, t]
        more_captain = np.zeros(self.n) if offer.captain is None else offer.captain[:, t]
        if offer.effect is BoosterEffect.TRIPLE_CAPTAIN and offer.captain is None:
            more_captain = values.captain[:, t]
        pairs = [(float(more_start[i]), start[i]) for i in range(self.n)]
        pairs += [(float(more_captain[i]), armband[i]) for i in range(self.n)]
        if offer.effect is BoosterEffect.BENCH_BOOST:
            for weight, slot in zip(values.bench_weights, slots, strict=True):
                pairs += [(float(values.start[i, t] - weight * values.bench[i, t]), slot[i]) for i in range(self.n)]
            pairs += [
                (float(values.start[i, t] - values.keeper_weight * values.bench[i, t]), spare[i])
                for i in np.flatnonzero(case.position == 0)
            ]
        for worth, role in pairs:
            if worth > 0:
                both = make.column(worth)
                make.row([(both, 1.0), (role, -1.0)], high=0.0)
                make.row([(both, 1.0), (z, -1.0)], high=0.0)
            elif worth < 0:
                both = make.column(worth)
                make.row([(both, 1.0), (role, -1.0), (z, -1.0)], low=-1.0)
        if offer.outside is not None:
            extra = [make.column(float(offer.outside[i, t])) for i in range(self.n)]
            make.row([*((x, 1.0) for x in extra), (z, -1.0)], 0.0, 0.0)
            for i in range(self.n):
                make.row([(extra[i], 1.0), (self.plays[t][i], 1.0)], high=1.0)

    def _wishes(self) -> None:
        case, make = self.case, self.programme
        for t in range(self.t):
            for i in np.flatnonzero(case.locks.must[:, t]):
                make.row([(self.plays[t][i], 1.0)], low=1.0)
            for i in np.flatnonzero(case.locks.never[:, t]):
                make.row([(self.plays[t][i], 1.0)], high=0.0)
            for i in np.flatnonzero(case.locks.never_sell):
                make.row([(self.old[t][i], 1.0)], low=1.0)
