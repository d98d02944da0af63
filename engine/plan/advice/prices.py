"""Prices of wishes: what each thing that is asked of a plan costs, by the best plan that need not do it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile

from data.errors import InfeasibleError
from engine.fitness.judge import Objective
from engine.plan.answer.plan_board import PlanOption
from engine.plan.asking.conflicts import WishedProblem
from engine.plan.asking.wishes import Wish, WishKind
from engine.plan.fitness.plan_fitness import score_plans
from engine.plan.fitness.rounds import PlanRounds
from engine.plan.linear.answer import ROUNDING
from engine.plan.linear.chips import solve_linear
from engine.plan.linear.plans import plan_value
from engine.plan.linear.search import DEFAULT, LinearSettings, solve_placed
from engine.plan.moves.moves import Plan

ABOUT_BOOSTERS = (WishKind.CHIP, WishKind.NO_CHIP)


@dataclass(frozen=True, slots=True)
class WishPrice:
    """One wish and what it costs."""

    wish: Wish
    words: str  # such as "Saka never sold"
    cost: float  # points of fitness over the plan; 0 where the best plan does it anyway


@dataclass(frozen=True, slots=True)
class WishPrices:
    """What all that is asked costs."""

    each: tuple[WishPrice, ...] = ()  # all the other wishes kept
    together: float = 0.0  # against the best plan without any wish


def wish_prices(
    rounds: PlanRounds,
    wished: WishedProblem,
    parts: Sequence[Wish],
    objective: Objective,
    best: PlanOption,
    settings: LinearSettings = DEFAULT,
    *,
    stop: Callable[[], bool] = lambda: False,
) -> WishPrices:
    """Return what each wish costs, and all of them; `best` is the plan that meets them all.

    Boosters stay in the rounds where that plan has them, unless a wish is about boosters. After a stop request only
    those are told that were priced before it.
    """
    if not parts:
        return WishPrices()
    left_out = [*((wish,) for wish in parts), *([tuple(parts)] if len(parts) > 1 else [])]
    tried = takewhile(lambda _: not stop(), left_out)
    plans = [_without(wished, parts, left, best.plan, settings) or best.plan for left in tried]
    if not plans:
        return WishPrices()
    scores = score_plans(rounds, plans, objective, sent_out=True).fitness
    costs = [max(0.0, float(score) - best.table.total) for score in scores]
    each = (WishPrice(wish, wished.wish_words(wish), cost) for wish, cost in zip(parts, costs, strict=False))
    return WishPrices(tuple(each), max(costs))


def _without(
    wished: WishedProblem, parts: Sequence[Wish], left: Sequence[Wish], best: Plan, settings: LinearSettings
) -> Plan | None:
    """Return the best plan that need not meet some wishes; None where there is no other."""
    problem = wished.met([one for one in parts if one not in left])
    alone = replace(settings, plans=1)
    try:
        if any(wish.kind in ABOUT_BOOSTERS for wish in left):
            return solve_linear(problem, alone).best.plan
        least = plan_value(problem, best) - ROUNDING
        return solve_placed(problem.holding(best.chips), best.chips, alone, least).best.plan
    except InfeasibleError:
        return None
