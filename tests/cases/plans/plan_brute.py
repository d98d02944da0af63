"""Every plan there is, tried one after the other: the oracle of small plans."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np

from data.rules import BoosterEffect
from engine.plan.linear.problem import ChipOffer
from tests.cases.plans.plan_program import Situation

Held = tuple[frozenset[int], frozenset[int], int | None, tuple[str, ...], int]
"""Kept squad, who of it is held from the start, free transfers, boosters played, transfers counted."""


class EveryPlan:
    """All squads of a pool, and all ways from one to the next."""

    def __init__(self, case: Situation) -> None:
        self.case = case
        blocks = [
            list(combinations(np.flatnonzero(case.position == place).tolist(), count))
            for place, count in enumerate(case.rules.squad.places)
        ]
        self.squads = [frozenset(man for part in parts for man in part) for parts in product(*blocks)]
        self.points: dict[tuple[frozenset[int], int, str], float] = {}

    def best(self) -> float:
        """Return the value of the best plan; −inf where there is none."""
        case = self.case
        start = frozenset(case.squad)
        states: dict[Held, float] = {(start, start, case.free if start else None, (), 0): 0.0}
        for t in range(len(case.rounds)):
            states = self._round(t, states)
        return max((value + self._ended(state) for state, value in states.items()), default=-np.inf)

    def _ended(self, state: Held) -> float:
        squad, _, free, _, _ = state
        spare = self.case.values.spare
        left = 0.0 if free is None else spare[min(free, len(spare) - 1)]
        return left + float(sum(self.case.values.final[man] for man in squad))

    def _round(self, t: int, states: dict[Held, float]) -> dict[Held, float]:
        found: dict[Held, float] = {}
        legal = [squad for squad in self.squads if self._within_cap(squad, t)]
        for state, value in states.items():
            for offer in [None, *self._playable(t, state)]:
                for after, gained in self._moves(t, state, offer, legal):
                    if value + gained > found.get(after, -np.inf):
                        found[after] = value + gained
        return found

    def _playable(self, t: int, state: Held) -> list[ChipOffer]:
        return [one for one in self.case.offers if one.allowed[t] and state[3].count(one.key) < one.uses]

    def _within_cap(self, squad: frozenset[int], t: int) -> bool:
        cap = self.case.rules.stage(self.case.rounds[t]).team_cap
        return bool(np.bincount(self.case.team[sorted(squad)]).max() <= cap)

    def _cost(self, squad: frozenset[int], held: frozenset[int]) -> float:
        return sum(self.case.selling[man] if man in held else float(self.case.price[man]) for man in squad)

    def _purse(self, t: int) -> float:
        case = self.case
        stages = [case.rules.stage(case.rounds[at]).budget for at in (t, 0)]
        worth = case.bank + sum(case.selling.values()) + stages[0] - stages[1]
        return worth - float(case.locks.least_bank[t]) + 1e-6

    def _wished(self, squad: frozenset[int], t: int) -> bool:
        must, never = self.case.locks.must[:, t], self.case.locks.never[:, t]
        leader = int(self.case.locks.captain[t])
        asked = set(np.flatnonzero(must).tolist()) | ({leader} if leader >= 0 else set())
        return asked <= squad and not squad & set(np.flatnonzero(never).tolist())

    def _moves(
        self, t: int, state: Held, offer: ChipOffer | None, legal: list[frozenset[int]]
    ) -> list[tuple[Held, float]]:
        if self.case.locks.chip_in[t] is not None and (offer is None or offer.key != self.case.locks.chip_in[t]):
            return []
        effect = None if offer is None else offer.effect
        played = state[3] if offer is None else (*state[3], offer.key)
        if effect is BoosterEffect.FREE_HIT:
            return self._hit(t, state, played, legal)
        return [move for squad in legal if (move := self._move(t, state, offer, played, squad)) is not None]

    def _move(
        self, t: int, state: Held, offer: ChipOffer | None, played: tuple[str, ...], squad: frozenset[int]
    ) -> tuple[Held, float] | None:
        case, (before, held, free, _, counted) = self.case, state
        held = held & squad
        stays = set(np.flatnonzero(case.locks.never_sell).tolist()) & set(case.squad)
        if not stays <= held or not self._wished(squad, t) or self._cost(squad, held) > self._purse(t):
            return None
        made = len(squad - before)
        wild = offer is not None and offer.effect is BoosterEffect.WILDCARD
        hits = 0 if wild or free is None else max(0, made - free)
        limited = not wild and free is not None
        if hits > case.locks.most_hits[t] or (limited and made > case.locks.most_transfers[t]):
            return None
        counted += made if limited else 0
        if case.locks.most_in_all is not None and counted > case.locks.most_in_all:
            return None
        gained = self._value(squad, t, offer) + self._held_value(squad, t) - hits * case.rules.transfers.hit_cost
        left = case.rules.free_transfers_after(case.rounds[t], free, made, played_free_chip=wild)
        return (squad, held, left, played, counted), gained

    def _hit(
        self, t: int, state: Held, played: tuple[str, ...], legal: list[frozenset[int]]
    ) -> list[tuple[Held, float]]:
        before, held, free, _, counted = state
        if not before or before not in legal or self._cost(before, held) > self._purse(t):
            return []
        offer = next(one for one in self.case.offers if one.effect is BoosterEffect.FREE_HIT)
        squads = [one for one in legal if self._wished(one, t) and self._cost(one, held & one) <= self._purse(t)]
        if not squads:
            return []
        best = max(self._value(one, t, offer) for one in squads)
        left = self.case.rules.free_transfers_after(self.case.rounds[t], free, 0, played_free_chip=True)
        return [((before, held, left, played, counted), best + self._held_value(before, t))]

    def _held_value(self, squad: frozenset[int], t: int) -> float:
        return float(sum(self.case.values.hold[man, t] for man in squad))

    def _value(self, squad: frozenset[int], t: int, offer: ChipOffer | None) -> float:
        key = (squad, t, "" if offer is None else offer.key)
        if key not in self.points:
            self.points[key] = self._lineup(squad, t, offer)
        return self.points[key]

    def _lineup(self, squad: frozenset[int], t: int, offer: ChipOffer | None) -> float:
        values = self.case.values
        start, captain, bench = values.start[:, t], values.captain[:, t], values.bench[:, t]
        weights, keeper, more = values.bench_weights, values.keeper_weight, 0.0
        if offer is not None:
            more -= float(offer.keeping[t])
            if offer.effect is BoosterEffect.BENCH_BOOST:
                bench, weights, keeper = start, (1.0,) * len(weights), 1.0
            if offer.effect is BoosterEffect.TRIPLE_CAPTAIN and offer.captain is None:
                captain = 2 * captain
            captain = captain if offer.captain is None else captain + offer.captain[:, t]
            start = start if offer.start is None else start + offer.start[:, t]
            if offer.outside is not None:
                more += max(float(offer.outside[man, t]) for man in range(len(start)) if man not in squad)
        return more + max(
            self._eleven(squad, eleven, t, (start, captain, bench), weights, keeper) for eleven in self._elevens(squad)
        )

    def _elevens(self, squad: frozenset[int]) -> list[tuple[int, ...]]:
        lines = [[man for man in sorted(squad) if self.case.position[man] == place] for place in range(4)]
        return [
            tuple(man for part in parts for man in part)
            for lineup in self.case.rules.squad.lineups
            for parts in product(*(combinations(line, count) for line, count in zip(lines, lineup, strict=True)))
        ]

    def _eleven(
        self,
        squad: frozenset[int],
        eleven: tuple[int, ...],
        t: int,
        roles: tuple[np.ndarray, np.ndarray, np.ndarray],
        weights: tuple[float, ...],
        keeper: float,
    ) -> float:
        start, captain, bench = roles
        rest = sorted(squad - set(eleven))
        leader = int(self.case.locks.captain[t])
        if leader >= 0 and leader not in eleven:
            return -np.inf
        armband = float(captain[leader]) if leader >= 0 else max(float(captain[man]) for man in eleven)
        called = sorted((float(bench[man]) for man in rest if self.case.position[man] != 0), reverse=True)
        total = sum(float(start[man]) for man in eleven) + armband
        total += sum(weight * points for weight, points in zip(weights, called, strict=True))
        return total + keeper * sum(float(bench[man]) for man in rest if self.case.position[man] == 0)
