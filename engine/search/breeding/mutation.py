"""Small changes to squads, each within a block: one swap, or two linked ones.

A newcomer has the position of the man he replaces, is not in the squad, can be paid for and keeps what the rules and
the manager limit: players of a team, changes from the squad he has. So a child of a legal squad is legal. Where no
newcomer fits among those drawn the squad stays as it is; the population knows it already and says so.

- differential swap: a man of the differential pod (without one: of the mid engine) for a differential;
- enabler nudge: a man of the bench for one of about his price;
- ladder shift: a man of the captain core for an armband candidate who kicks off at another time;
- formation flex: money moves to another position, by a cheaper man in one and a dearer in the other;
- transfer swing: two men of one block for two others, who together cost about the same.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from engine.fitness.squad_view import SquadView
from engine.rules.count_rules import admitted
from engine.rules.money import payable
from engine.rules.pool import Pool
from engine.search.population.blocks import BENCH, CORE, ENGINE, POD

OPERATORS = ("differential swap", "enabler nudge", "ladder shift", "formation flex", "transfer swing")
DIFFERENTIAL_SWAP, ENABLER_NUDGE, LADDER_SHIFT, FORMATION_FLEX, TRANSFER_SWING = range(len(OPERATORS))
CHANCES = (0.2, 0.15, 0.15, 0.2, 0.3)
"""How often each is drawn. The swing reaches most squads, so it leads."""

MOST_STEPS = 3
DRAWS = 16
"""Newcomers looked at per swap. Of random squads of the World Cup about one in eight then stays as it was."""

APPETITE = 1.0
"""Points of worth that make a newcomer e times likelier to be drawn: the widest the reference pool is drawn with."""

NUDGE = 0.5  # millions an enabler may differ in price from the man he replaces
LOAN = 2.0  # millions the first man of a swing may cost beyond the budget, to be paid back by the second
CHANGE = 0.5  # millions a swing may leave in the bank


@dataclass(frozen=True, slots=True, eq=False)
class _Draw:
    """Newcomers to draw from, by position: row i of every array is one of them."""

    rows: np.ndarray  # player rows, ordered by position
    reach: np.ndarray  # cumulated weight of their chances, and 0 before the first
    first: np.ndarray  # (positions + 1,) where each position begins

    @classmethod
    def of(cls, weight: np.ndarray, pool: Pool) -> _Draw:
        """Prepare the draw of players by weights (n,); 0 for whoever may not come."""
        rows = np.flatnonzero(weight > 0)
        rows = rows[np.argsort(pool.position[rows], kind="stable")]
        reach = np.concatenate([[0.0], np.cumsum(weight[rows])])
        return cls(rows, reach, np.searchsorted(pool.position[rows], np.arange(len(pool.shape) + 1)))

    def players(self, position: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        """Return (c, draws) player rows for the positions (c,); −1 where a position has nobody to draw."""
        low, high = self.first[position], self.first[position + 1]
        spread = self.reach[high] - self.reach[low]
        level = self.reach[low][:, None] + spread[:, None] * rng.random((len(position), DRAWS))
        place = np.clip(np.searchsorted(self.reach, level, side="right") - 1, low[:, None], high[:, None] - 1)
        drawn = np.append(self.rows, -1)[place]
        return np.asarray(np.where((high > low)[:, None], drawn, -1))


@dataclass(frozen=True, slots=True, eq=False)
class _Breeder:
    """What every operator needs: the rules of the pool, the newcomers of each kind, who has to stay."""

    pool: Pool
    slot: np.ndarray  # (n,) kick-off slot
    anybody: _Draw
    differentials: _Draw
    leaders: _Draw
    stays: np.ndarray  # (n,) whether he may not be swapped out
    rng: np.random.Generator

    def column(self, squads: np.ndarray, eligible: np.ndarray) -> np.ndarray:
        """Return (c,) a random eligible column of each squad, −1 where there is none."""
        eligible = eligible & ~self.stays[squads]
        key = np.where(eligible, self.rng.random(squads.shape), -1.0)
        return np.where(eligible.any(axis=1), key.argmax(axis=1), -1)

    def money(self, squads: np.ndarray) -> np.ndarray:
        """Return (c,) millions left to spend; 0 for a squad that is too dear already."""
        return np.asarray(np.maximum(self.pool.budget - self.pool.price[squads].sum(axis=1), 0.0))

    def swap(self, squads: np.ndarray, column: np.ndarray, draw: _Draw, fits: _Fits) -> tuple[np.ndarray, np.ndarray]:
        """Return squads with the man of a column replaced by the first newcomer that fits, and (c,) whether one did.

        `fits(newcomers (c, d), leaver (c, 1))` says who is welcome; all rules but that on money are kept here.
        """
        everyone = np.arange(len(squads))
        leaver = squads[everyone, column]
        drawn = draw.players(self.pool.position[leaver], self.rng)
        open_to = admitted(self.pool.counted, squads, leaver[:, None], drawn[:, None, :])[:, 0]
        welcome = (drawn >= 0) & fits(drawn, leaver[:, None]) & open_to
        done = welcome.any(axis=1) & (column >= 0)
        swapped = squads.copy()
        swapped[everyone[done], column[done]] = drawn[done, welcome[done].argmax(axis=1)]
        return swapped, done


_Fits = Callable[[np.ndarray, np.ndarray], np.ndarray]
_Operator = Callable[[_Breeder, np.ndarray, np.ndarray], np.ndarray]


def mutate(
    squads: np.ndarray,
    tags: np.ndarray,
    view: SquadView,
    rng: np.random.Generator,
    strength: float,
    *,
    worth: np.ndarray,
    allowed: np.ndarray,
    locked: np.ndarray,
) -> tuple[np.ndarray, np.ndarray]:
    """Return children (c, s) of squads (c, s) with their block tags (c, s), and (c,) uint8 the operator of each.

    `strength` from 0 to 1 is the chance that a child takes another step of its operator, three in all at most. `worth`
    (n,) is what newcomers are drawn by; `allowed` (n,) who may come, `locked` (n,) who may not go.
    """
    operator = rng.choice(len(OPERATORS), size=len(squads), p=CHANCES).astype(np.uint8)
    breeder = _breeder(view, rng, worth, allowed, locked)
    children, steps = squads.astype(np.int64), np.ones(len(squads), dtype=bool)
    for _ in range(MOST_STEPS):
        for code, change in _CHANGES.items():
            rows = np.flatnonzero(steps & (operator == code))
            children[rows] = change(breeder, children[rows], tags[rows])
        steps &= rng.random(len(squads)) < strength
    return breeder.pool.by_position(children), operator


def _breeder(
    view: SquadView, rng: np.random.Generator, worth: np.ndarray, allowed: np.ndarray, locked: np.ndarray
) -> _Breeder:
    signals, exposure = view.signals, view.field_exposure
    liking = np.exp((worth - worth.max()) / APPETITE)
    rare = exposure.differential * np.maximum(signals.ceiling, 0.0) * (1 - np.minimum(exposure.eo, 1.0))
    return _Breeder(
        pool=view.wished,
        slot=signals.slot,
        anybody=_Draw.of(allowed * liking, view.pool),
        differentials=_Draw.of(allowed * rare, view.pool),
        leaders=_Draw.of(allowed * signals.armband.surplus_over(float(signals.xev.max())), view.pool),
        stays=locked,
        rng=rng,
    )


def _differential_swap(breeder: _Breeder, squads: np.ndarray, tags: np.ndarray) -> np.ndarray:
    pod = (tags == POD) & ~breeder.stays[squads]
    column = breeder.column(squads, np.where(pod.any(axis=1, keepdims=True), pod, tags == ENGINE))
    return breeder.swap(squads, column, breeder.differentials, _paid(breeder, breeder.money(squads)))[0]


def _enabler_nudge(breeder: _Breeder, squads: np.ndarray, tags: np.ndarray) -> np.ndarray:
    paid, price = _paid(breeder, breeder.money(squads)), breeder.pool.price

    def fits(newcomer: np.ndarray, leaver: np.ndarray) -> np.ndarray:
        near = payable(np.abs(price[newcomer] - price[leaver]), NUDGE)
        return np.asarray(near & paid(newcomer, leaver))

    return breeder.swap(squads, breeder.column(squads, tags == BENCH), breeder.anybody, fits)[0]


def _ladder_shift(breeder: _Breeder, squads: np.ndarray, tags: np.ndarray) -> np.ndarray:
    paid = _paid(breeder, breeder.money(squads))

    def fits(newcomer: np.ndarray, leaver: np.ndarray) -> np.ndarray:
        return np.asarray((breeder.slot[newcomer] != breeder.slot[leaver]) & paid(newcomer, leaver))

    return breeder.swap(squads, breeder.column(squads, tags == CORE), breeder.leaders, fits)[0]


def _formation_flex(breeder: _Breeder, squads: np.ndarray, tags: np.ndarray) -> np.ndarray:
    price, position = breeder.pool.price, breeder.pool.position
    cheapest = np.array([price[position == place].min() for place in range(len(breeder.pool.shape))])
    seller = breeder.column(squads, (tags != CORE) & ~payable(price[squads], cheapest[position[squads]]))
    here = position[squads] == position[squads[np.arange(len(squads)), seller]][:, None]
    buyer = breeder.column(squads, (tags != CORE) & ~here)
    cheaper, sold = breeder.swap(squads, seller, breeder.anybody, lambda new, old: ~payable(price[old], price[new]))
    paid = _paid(breeder, breeder.money(cheaper))

    def dearer(newcomer: np.ndarray, leaver: np.ndarray) -> np.ndarray:
        return np.asarray(~payable(price[newcomer], price[leaver]) & paid(newcomer, leaver))

    flexed, bought = breeder.swap(cheaper, buyer, breeder.anybody, dearer)
    return np.where((sold & bought)[:, None], flexed, squads)


def _transfer_swing(breeder: _Breeder, squads: np.ndarray, tags: np.ndarray) -> np.ndarray:
    price, everyone = breeder.pool.price, np.arange(len(squads))
    mates = (tags[:, :, None] == tags[:, None, :]).sum(axis=2)
    first = breeder.column(squads, mates > 1)
    linked = (tags == tags[everyone, first][:, None]) & (np.arange(squads.shape[1]) != first[:, None])
    second = breeder.column(squads, linked)
    money, before = breeder.money(squads), price[squads].sum(axis=1)
    one, left = breeder.swap(squads, first, breeder.anybody, _paid(breeder, money + LOAN))
    spent = price[one].sum(axis=1) - before

    def level(newcomer: np.ndarray, leaver: np.ndarray) -> np.ndarray:
        rest = (money - spent)[:, None] - (price[newcomer] - price[leaver])
        stranger = newcomer != squads[everyone, first][:, None]  # else the man just sold could come back
        return np.asarray(stranger & payable(0.0, rest) & payable(rest, money[:, None] + CHANGE))

    both, came = breeder.swap(one, second, breeder.anybody, level)
    return np.where((left & came)[:, None], both, squads)


_CHANGES: dict[int, _Operator] = {
    DIFFERENTIAL_SWAP: _differential_swap,
    ENABLER_NUDGE: _enabler_nudge,
    LADDER_SHIFT: _ladder_shift,
    FORMATION_FLEX: _formation_flex,
    TRANSFER_SWING: _transfer_swing,
}


def _paid(breeder: _Breeder, money: np.ndarray) -> _Fits:
    """Return the condition that a newcomer costs no more than his leaver and what the squads (c,) have left."""
    price = breeder.pool.price
    return lambda newcomer, leaver: payable(price[newcomer], price[leaver] + money[:, None])
