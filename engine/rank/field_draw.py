"""Whole squads for thousands of managers at once: everybody buys what he likes best for his money.

A manager likes player i by appeal_i + his own taste for i (a Gumbel number), and takes the best of each position, so
that over many managers men are owned in proportion to e^appeal, without replacement. Money enters as a price: each
manager counts a million against a player by his own thrift, the least that keeps him within what he wants to spend.
Too many men of a team: he gives up the one he likes least. What all this does to ownership is undone by fitting the
appeal, until managers own what they are known to own.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.fitness.reference import CHEAPEST_BENCH
from engine.rules.count_rules import too_many
from engine.rules.dominance import seldom_beaten
from engine.rules.money import payable
from engine.rules.pool import Pool

FIT_MANAGERS = 600
"""Managers the appeal is fitted on; it is then good for any number."""
FIT_STEPS = 15
FIT_PACE = 0.8
"""Share of the gap in log-odds that one step closes: a whole one overshoots, since men of a position compete."""
WARM_STEPS = 3
"""Halvings of thrift in a step of the fit, around the last one: appeal moves little from step to step."""
THRIFT = 4.0
"""Log-appeal that a million counts at most, for or against: e to the fourth decides anything."""
THRIFT_STEPS = 14
"""Halvings of thrift: to 5e-4, less than any two tastes differ."""
TOP_UPS = 2
"""Swaps that spend what thrift leaves: at MD1 they take the mean price from 97.4 to 98.5, and a third adds nothing."""
CAP_ROUNDS = 8
"""Times a manager gives up a man of a team he has too many of."""
RARE = 0.2
"""Owners, of those the appeal is fitted on, below which a share counts as this many: keeps log-odds finite."""
SHARP_THRIFT = 3.0
"""Points that a million counts at most to a sharp manager; at MD1 about 0.5 spend the budget."""
BEATEN = 25
"""A man whom so many beat at his price or below comes into no sharp squad."""
NEVER = -1e9
OWNING, STARTING, LEADING, JUDGING, SPENDING = range(5)
"""What a taste is for: whom one likes to own, start and captain are three things."""


@dataclass(frozen=True, slots=True)
class Tastes:
    """Whom each manager likes more than others do: the same for the same seed, manager and player, in any round."""

    seed: int

    def for_owning(self, player_id: np.ndarray, managers: int) -> np.ndarray:
        """Return (m, n) Gumbel numbers: the largest sums with log-weights are a draw by those weights."""
        tastes = [self._rng(OWNING, player).gumbel(size=managers) for player in player_id]
        return np.stack(tastes, axis=1).astype(np.float32)

    def for_starting(self, player_id: np.ndarray, managers: int) -> np.ndarray:
        """Return (m, n) logistic numbers: a sum with log-odds is above 0 by those odds."""
        return np.stack([self._rng(STARTING, player).logistic(size=managers) for player in player_id], axis=1)

    def for_leading(self, player_id: np.ndarray, managers: int) -> np.ndarray:
        """Return (m, n) Gumbel numbers for the armband."""
        return np.stack([self._rng(LEADING, player).gumbel(size=managers) for player in player_id], axis=1)

    def for_judging(self, player_id: np.ndarray, managers: int) -> np.ndarray:
        """Return (m, n) standard normal numbers: whom a manager rates higher than others do."""
        return np.stack([self._rng(JUDGING, player).standard_normal(managers) for player in player_id], axis=1)

    def spared(self, managers: int) -> np.ndarray:
        """Return (m,) how much money a manager leaves, in units of the mean over all."""
        return self._rng(SPENDING, 0).exponential(size=managers)

    def _rng(self, purpose: int, player_id: int) -> np.random.Generator:
        return np.random.default_rng([self.seed, purpose, int(player_id)])


@dataclass(frozen=True, slots=True, eq=False)
class _Market:
    """What managers may buy, and for how much; liking as one block (m, men) per position."""

    pool: Pool
    liking: tuple[np.ndarray, ...]  # float32
    purse: np.ndarray  # (m,) millions a manager wants to spend at most

    @classmethod
    def of(cls, pool: Pool, liking: np.ndarray, purse: np.ndarray) -> _Market:
        return cls(pool, tuple(np.ascontiguousarray(liking[:, men]) for men in pool.men), purse)

    def only(self, managers: np.ndarray) -> _Market:
        """Return the market of some managers alone."""
        return _Market(self.pool, tuple(block[managers] for block in self.liking), self.purse[managers])

    def squads(self, thrift: np.ndarray) -> np.ndarray:
        """Return (m, s) the best men of each position when a million counts `thrift` (m,) against a man."""
        parts, counted = [], thrift[:, None].astype(np.float32)
        for men, block, count in zip(self.pool.men, self.liking, self.pool.shape, strict=True):
            against = counted * self.pool.price[men].astype(np.float32) - block
            parts.append(men[np.argpartition(against, count - 1, axis=1)[:, :count]])
        return np.concatenate(parts, axis=1)

    def settled(self, low: np.ndarray, high: np.ndarray, steps: int) -> np.ndarray:
        """Return (m,) the least thrift between two that keeps each manager within his purse."""
        for _ in range(steps):
            middle = (low + high) / 2
            paid = payable(self.pool.price[self.squads(middle)].sum(axis=1), self.purse)
            high, low = np.where(paid, middle, high), np.where(paid, low, middle)
        return high

    def bought(self) -> np.ndarray:
        """Return (m, s) what each manager buys for his purse."""
        ends = np.full(len(self.purse), THRIFT)
        return self.topped_up(self.squads(self.settled(-ends, ends, THRIFT_STEPS)))

    def topped_up(self, squads: np.ndarray) -> np.ndarray:
        """Return squads (m, s), columns by position, after swaps for men liked better whom the rest of a purse buys.

        Thrift moves whole men, so it leaves two millions more than managers do.
        """
        for _ in range(TOP_UPS):
            left = self.purse - self.pool.price[squads].sum(axis=1)
            gain, newcomer = self._better(squads, left)
            column = gain.argmax(axis=1)
            better = np.flatnonzero(gain[np.arange(len(squads)), column] > 0)
            if not better.size:
                break
            squads[better, column[better]] = newcomer[better, column[better]]
        return squads

    def _better(self, squads: np.ndarray, left: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return (m, s) how much better the best man is liked whom a manager can pay instead of each, and who it is."""
        gain, newcomer = np.empty(squads.shape, dtype=np.float32), np.empty_like(squads)
        everybody, places = np.arange(len(squads)), _place_in_position(self.pool)
        for place, (men, block) in enumerate(zip(self.pool.men, self.liking, strict=True)):
            columns = np.flatnonzero(self.pool.place_of == place)
            free = block.copy()
            np.put_along_axis(free, places[squads[:, columns]], NEVER, axis=1)
            for column in columns:
                out = squads[:, column]
                paid = payable(self.pool.price[men], (self.pool.price[out] + left)[:, None])
                best = np.where(paid, free, NEVER).argmax(axis=1)
                gain[:, column] = np.where(paid[everybody, best], free[everybody, best], NEVER)
                gain[:, column] -= block[everybody, places[out]]
                newcomer[:, column] = men[best]
        return gain, newcomer

    def give_up(self, squads: np.ndarray) -> np.ndarray:
        """Strike the least liked men of every group that has too many in a squad; return the managers it befell."""
        places = _place_in_position(self.pool)
        liked = np.empty(squads.shape, dtype=np.float32)
        for column, place in enumerate(self.pool.place_of):
            liked[:, column] = self.liking[place][np.arange(len(squads)), places[squads[:, column]]]
        managers, men = too_many(self.pool.counted, squads, liked)
        for manager, man in zip(managers.tolist(), men.tolist(), strict=True):
            self.liking[self.pool.position[man]][manager, places[man]] = NEVER
        return np.unique(managers)


def squads_by_appeal(appeal: np.ndarray, pool: Pool, taste: np.ndarray, purse: np.ndarray) -> np.ndarray:
    """Return (m, s) what managers buy who like players by appeal (n,) and taste (m, n) and spend at most a purse (m,).

    A few squads may break a rule that the draw could not keep.
    """
    market = _Market.of(pool, taste + appeal.astype(np.float32), purse)
    squads = market.bought()
    for _ in range(CAP_ROUNDS):
        again = market.give_up(squads)
        if not again.size:
            break
        squads[again] = market.only(again).bought()
    return pool.by_position(squads)


def fit_appeal(owned: np.ndarray, pool: Pool, taste: np.ndarray, purse: np.ndarray) -> np.ndarray:
    """Return the appeal (n,) under which managers of taste (m, n) and purse (m,) own players as `owned` (n,) says."""
    managers = len(taste)
    least = RARE / managers
    target = _log_odds(owned, least)
    appeal = np.log(np.maximum(owned, least))
    thrift, width = np.zeros(managers), THRIFT
    for step in range(FIT_STEPS):
        market = _Market.of(pool, taste + appeal.astype(np.float32), purse)
        thrift = market.settled(thrift - width, thrift + width, WARM_STEPS if step else THRIFT_STEPS)
        squads = market.topped_up(market.squads(thrift))
        again = market.give_up(squads)
        squads[again] = market.only(again).squads(thrift[again])
        found = np.bincount(squads.ravel(), minlength=len(owned)) / managers
        appeal += FIT_PACE * (target - _log_odds(found, least))
        width = THRIFT / 2**WARM_STEPS
    return np.asarray(appeal)


def purses(pool: Pool, tastes: Tastes, managers: int, spent: float) -> np.ndarray:
    """Return (m,) what each manager wants to spend at most, when all spend `spent` millions on average."""
    left = max(pool.budget - spent, 0.0) * tastes.spared(managers)
    return np.asarray(pool.budget - left)


def sharp_squads(
    value: np.ndarray, xev: np.ndarray, pool: Pool, lineups: tuple[tuple[int, int, int, int], ...]
) -> np.ndarray:
    """Return (m, s) for each manager a squad near the most points by his own values (m, n), over all formations."""
    men = seldom_beaten(xev, pool, BEATEN)
    seen = value[:, men]
    market = pool.only(men)
    squads = _best_formation(seen, market, lineups)
    for _ in range(CAP_ROUNDS):
        again, columns = too_many(market.counted, squads, np.take_along_axis(seen, squads, axis=1))
        if not again.size:
            break
        seen[again, columns] = NEVER
        again = np.unique(again)
        squads[again] = _best_formation(seen[again], market, lineups)
    return pool.by_position(men[squads])


def _best_formation(value: np.ndarray, market: Pool, lineups: tuple[tuple[int, int, int, int], ...]) -> np.ndarray:
    """Return (m, s) each manager's squad under the formation in which he sees the most points."""
    tried = [_thriftiest(value, market, lineup) for lineup in lineups]
    best = np.stack([points for _, points in tried]).argmax(axis=0)
    return np.asarray(np.stack([squads for squads, _ in tried])[best, np.arange(len(value))])


def _thriftiest(value: np.ndarray, market: Pool, lineup: tuple[int, int, int, int]) -> tuple[np.ndarray, np.ndarray]:
    """Return each manager's squad under a formation, as columns of `value`, and the points he sees in it."""
    low, high = np.zeros(len(value)), np.full(len(value), SHARP_THRIFT)
    for _ in range(THRIFT_STEPS):
        middle = (low + high) / 2
        paid = payable(market.price[_roles_filled(value, market, lineup, middle)].sum(axis=1), market.budget)
        high, low = np.where(paid, middle, high), np.where(paid, low, middle)
    squads = _roles_filled(value, market, lineup, high)
    starting = np.concatenate([np.arange(count) < start for count, start in zip(market.shape, lineup, strict=True)])
    return squads, (np.take_along_axis(value, squads, axis=1) * np.where(starting, 1.0, CHEAPEST_BENCH)).sum(axis=1)


def _roles_filled(value: np.ndarray, market: Pool, lineup: tuple[int, int, int, int], thrift: np.ndarray) -> np.ndarray:
    """Return (m, s) the best starters and the best of the rest as bench, position by position."""
    parts, everybody = [], np.arange(len(value))[:, None]
    for men, count, start in zip(market.men, market.shape, lineup, strict=True):
        cost = thrift[:, None] * market.price[men]
        first = np.argpartition(cost - value[:, men], start - 1, axis=1)[:, :start]
        parts.append(men[first])
        if count > start:
            against = cost - CHEAPEST_BENCH * value[:, men]
            against[everybody, first] = -NEVER
            parts.append(men[np.argpartition(against, count - start - 1, axis=1)[:, : count - start]])
    return np.concatenate(parts, axis=1)


def _place_in_position(pool: Pool) -> np.ndarray:
    """Return (n,) the place of each player among those of his position."""
    places = np.empty(len(pool.position), dtype=np.int64)
    for men in pool.men:
        places[men] = np.arange(len(men))
    return places


def _log_odds(share: np.ndarray, least: float) -> np.ndarray:
    share = np.clip(share, least, 1.0 - least)
    return np.asarray(np.log(share / (1.0 - share)))
