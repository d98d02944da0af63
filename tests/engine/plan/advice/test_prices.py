"""Prices of wishes: each against the best plan that need not meet it, all the others kept."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engine.fitness.judge import Objective
from engine.plan.advice.prices import WishPrices, wish_prices
from engine.plan.answer.plan_board import PlanOption, plan_options
from engine.plan.asking.conflicts import WishedProblem
from engine.plan.asking.wishes import Have, PlanWishes, Wish, rows_by_id
from engine.plan.fitness.rounds import PlanRounds
from engine.plan.fitness.values import plan_problem
from engine.plan.linear.chips import solve_linear
from engine.plan.linear.search import LinearSettings

QUICK = LinearSettings(plans=1)


@pytest.fixture(scope="module")
def wished(rounds: PlanRounds, objective: Objective) -> WishedProblem:
    problem = replace(plan_problem(rounds, objective), chips=())
    quiet = problem.asking(most_hits=np.zeros_like(problem.locks.most_hits))
    signals = rounds.signals[0]
    return WishedProblem(quiet, rows_by_id(signals, rounds.state), signals.rules, signals.short.tolist())


def best_of(rounds: PlanRounds, objective: Objective, wished: WishedProblem, parts: tuple[Wish, ...]) -> PlanOption:
    plan = solve_linear(wished.met(parts), QUICK).best.plan
    return plan_options(rounds, objective, [plan])[0]


def test_nothing_asked_costs_nothing(rounds: PlanRounds, objective: Objective, wished: WishedProblem) -> None:
    best = best_of(rounds, objective, wished, ())
    assert wish_prices(rounds, wished, (), objective, best, QUICK) == WishPrices()


def test_what_the_plan_does_anyway_is_free_and_rolling_every_round_costs_what_the_moves_bring(
    rounds: PlanRounds, objective: Objective, wished: WishedProblem
) -> None:
    free = best_of(rounds, objective, wished, ())
    bought = next(swap.into.player_id for card in free.cards for swap in card.moves)
    by = next(card.round for card in free.cards if bought in {swap.into.player_id for swap in card.moves})
    kept = PlanWishes(have=(Have(bought, by),)).parts()
    assert wish_prices(rounds, wished, kept, objective, free, QUICK).together == pytest.approx(0.0, abs=1e-9)
    still = PlanWishes(in_all=0).parts()
    rolled = best_of(rounds, objective, wished, still)
    found = wish_prices(rounds, wished, still, objective, rolled, QUICK)
    assert found.together == found.each[0].cost == pytest.approx(free.table.total - rolled.table.total)
    assert found.each[0].words == "at most 0 transfers in all"


def test_each_of_two_wishes_is_priced_with_the_other_kept(
    rounds: PlanRounds, objective: Objective, wished: WishedProblem
) -> None:
    parts = PlanWishes(most_transfers=dict.fromkeys(rounds.rounds[:2], 0)).parts()
    best = best_of(rounds, objective, wished, parts)
    found = wish_prices(rounds, wished, parts, objective, best, QUICK)
    assert [price.wish for price in found.each] == list(parts)
    assert all(0.0 <= price.cost <= found.together + 1e-9 for price in found.each)
