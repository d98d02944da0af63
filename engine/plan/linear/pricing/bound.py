"""The bound of a plan over the full pool, and what each man is worth from a round on, at given shadow prices.

At any prices the plan falls apart: every man alone chooses when to be held (out, held from the start, bought), the
transfers choose a path of arcs, each round a formation. The sum of these best choices and of what the prices pay for
the rules is never less than any plan. A man of the start squad and his second purchase are one chain of three states:
apart they would make the bound 2 to 4 % too loose.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from data.rules import STARTERS
from engine.plan.linear.pricing.prices import Prices, RoundPrices
from engine.plan.linear.pricing.relaxation import level_values
from engine.plan.linear.pricing.transfer_path import TransferPath
from engine.plan.linear.problem import PlanProblem
from engine.plan.linear.round_values import RoundValues
from engine.rules.money import SLACK

OUT, OLD, NEW = range(3)
"""States of a man: not held, held from the start, bought."""

BARRED = -1e6
"""Points of a state that rules or wishes forbid: less than any plan is worth."""


@dataclass(frozen=True, slots=True, eq=False)
class Guide:
    """What the shadow prices say of every man and of transfers: a bound, and the worth of what follows a round."""

    bound: float
    now: np.ndarray  # (r, 3, n) worth of a state in a round, at prices
    later: np.ndarray  # (r, 3, n) worth of all rounds after it from that state on, at prices
    path: np.ndarray  # (r + 1, counts) worth of the transfers from a count before a round on
    fixed: np.ndarray  # (r + 1,) what the prices of the rounds from one on pay for the rules
    loss: np.ndarray  # (r, n) by how much the bound falls if a man is held in a round


def guide(problem: PlanProblem, rounds: Sequence[RoundValues], path: TransferPath, prices: Prices) -> Guide:
    """Return what prices say of the full pool."""
    now = np.array(
        [
            round_states(problem, one, price, column)
            for column, (one, price) in enumerate(zip(rounds, prices.rounds, strict=True))
        ]
    )
    buy = [np.inf if one.free_hit else price.transfer for one, price in zip(rounds, prices.rounds, strict=True)]
    later, before = _backwards(now, buy)
    fixed = np.zeros(len(rounds) + 1)
    for column in reversed(range(len(rounds))):
        fixed[column] = fixed[column + 1] + paid_for_rules(problem, rounds[column], prices.rounds[column], column)
    worth = path.best_from(np.array([price.transfer for price in prices.rounds]), prices.in_all)
    most = problem.locks.most_in_all
    fixed += 0.0 if most is None else prices.in_all * most
    start = np.where(problem.frame.owned, before[OLD], before[OUT])
    bound = float(start.sum() + worth[0, path.first] + fixed[0])
    return Guide(bound, now, later, worth, fixed, _loss(problem.frame.owned, now, later, buy, start))


def round_states(problem: PlanProblem, one: RoundValues, price: RoundPrices, column: int) -> np.ndarray:
    """(3, n) worth of being out, held from the start or bought in one round, at prices."""
    frame, n = problem.frame, len(problem.frame)
    kept = one.hold - price.shape[frame.position] - np.append(price.caps, 0.0)[frame.team]
    if column == len(frame.rounds) - 1:
        kept = kept + problem.values.final
    states = np.zeros((3, n))
    if not one.free_hit:
        kept = kept + _role_worth(problem, one, price)
        if one.outside is not None:
            states[OUT] = np.maximum(0.0, one.outside - price.outside)
    states[OLD] = kept - price.money * frame.selling
    states[NEW] = kept - price.money * frame.price
    states[OLD, ~frame.owned] = states[NEW, ~frame.buyable] = BARRED
    if not one.free_hit:
        states[OUT, one.must] = BARRED
        states[OLD:, one.never] = BARRED
    stays = problem.locks.never_sell & frame.owned
    states[OUT, stays] = states[NEW, stays] = BARRED
    return states


def _role_worth(problem: PlanProblem, one: RoundValues, price: RoundPrices) -> np.ndarray:
    """(n,) worth of the best role of a man who is held: eleven, armband or a place on the bench."""
    everybody, keeper = np.arange(len(problem.frame)), problem.frame.position == 0
    last = np.where(keeper, one.keeper_weight, one.weights[-1] if one.weights else 0.0) * one.bench
    gains = level_values(one, everybody, keeper)
    start = gains[0] - price.lines[problem.frame.position]
    leads = one.leads()
    start = start + np.where(leads, np.maximum(0.0, one.captain - price.captain), 0.0)
    called, best = np.zeros(len(keeper)), np.zeros(len(keeper))
    for gain, level in zip(reversed(gains[1:]), price.levels[::-1], strict=True):
        called = called + np.where(keeper, 0.0, gain - level)
        best = np.maximum(best, called)
    return np.asarray(last + np.maximum(best, called + start))


def paid_for_rules(problem: PlanProblem, one: RoundValues, price: RoundPrices, column: int) -> float:
    """Return what the prices of a round pay for its rules, and what its booster gives up."""
    frame = problem.frame
    paid = one.constant + price.money * (float(problem.purse[column]) + SLACK)
    paid += float(price.shape @ np.array(frame.shape)) + float(price.caps.sum()) * float(frame.team_cap[column])
    if one.free_hit:
        return paid
    paid += max(float(price.lines @ np.array(line)) for line in frame.lineups)
    paid += float(sum(level * (STARTERS - 1 + place) for place, level in enumerate(price.levels, start=1)))
    return paid + price.captain + price.outside


def _backwards(now: np.ndarray, buy: Sequence[float]) -> tuple[np.ndarray, np.ndarray]:
    """Return (r, 3, n) what follows each round from a state in it, and (3, n) all from a state before the first."""
    later = np.zeros_like(now)
    follows = np.zeros(now.shape[1:])
    for column in reversed(range(len(now))):
        later[column] = follows
        total = now[column] + follows
        follows = step_back(total, buy[column])
    return later, follows


def step_back(total: np.ndarray, buy: float) -> np.ndarray:
    """(3, n) the best of a round and what follows, by the state before it; `buy` is inf where nobody may move."""
    if np.isinf(buy):
        return total
    bought = total[NEW] - buy
    out = np.maximum(total[OUT], bought)
    return np.stack([out, np.maximum(total[OLD], out), np.maximum(total[NEW], total[OUT])])


def _loss(owned: np.ndarray, now: np.ndarray, later: np.ndarray, buy: Sequence[float], start: np.ndarray) -> np.ndarray:
    """(r, n) by how much a man's best falls if he has to be held in a round."""
    reach = np.full(now.shape[1:], -np.inf)
    reach[OLD, owned], reach[OUT, ~owned] = 0.0, 0.0
    loss = np.zeros((len(now), len(owned)))
    for column in range(len(now)):
        if not np.isinf(buy[column]):
            out = np.maximum.reduce([reach[OUT], reach[OLD], reach[NEW]])
            bought = np.maximum(reach[NEW], np.maximum(reach[OUT], reach[OLD]) - buy[column])
            reach = np.stack([out, reach[OLD], bought])
        through = reach + now[column] + later[column]
        loss[column] = start - np.maximum(through[OLD], through[NEW])
        reach = reach + now[column]
    return loss
