"""Advice on plans: options differ, forecasts are shaken, boosters have rows, moves have prices, news has words."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from data.errors import InputError
from engine.fitness.judge import Objective
from engine.plan.advice.changes import plan_changes
from engine.plan.advice.chips import booster_rows, booster_words
from engine.plan.advice.options import (
    Against,
    FirstMove,
    apart_words,
    differing,
    first_move,
    kinds_apart,
    objection_words,
    objections,
    timing_words,
    waiting_costs,
)
from engine.plan.advice.sensitivity import PAYS, HitVerdict, firmness, hit_verdict, shaken, shaken_values
from engine.plan.advice.why import Question, why_not
from engine.plan.fitness.plan_fitness import score_plans
from engine.plan.fitness.rounds import PlanRounds
from engine.plan.fitness.values import plan_problem
from engine.plan.linear.answer import LinearAnswer
from engine.plan.linear.chips import single_gains, solve_linear
from engine.plan.linear.problem import PlanProblem
from engine.plan.linear.search import LinearSettings, solve_placed
from engine.plan.moves.legality import breaches
from engine.plan.moves.moves import Plan

SEARCH = LinearSettings(plans=6)


@pytest.fixture(scope="module")
def problem(rounds: PlanRounds, objective: Objective) -> PlanProblem:
    return plan_problem(rounds, objective)


@pytest.fixture(scope="module")
def quiet(problem: PlanProblem) -> PlanProblem:
    """Without boosters and hits."""
    return replace(problem, chips=()).asking(most_hits=np.zeros_like(problem.locks.most_hits))


@pytest.fixture(scope="module")
def found(quiet: PlanProblem) -> LinearAnswer:
    return solve_linear(quiet, SEARCH)


@pytest.fixture(scope="module")
def titles(rounds: PlanRounds) -> list[str]:
    return [rounds.signals[0].rules.round_title(number) for number in rounds.rounds]


def test_options_differ_in_their_first_moves(found: LinearAnswer, quiet: PlanProblem) -> None:
    plans, value = [one.plan for one in found.plans], [one.value for one in found.plans]
    chosen = differing(plans, value, quiet)
    assert chosen[0] == 0
    assert 2 <= len(chosen) <= 4
    assert len({plans[place].first_key() for place in chosen}) == len(chosen)


def test_rolling_and_moving_are_both_looked_for(found: LinearAnswer, quiet: PlanProblem) -> None:
    plans = kinds_apart(quiet, found.best.plan, SEARCH)
    assert {first_move(plan, quiet) for plan in plans} == {FirstMove.ROLL, FirstMove.ONE}


def test_kinds_of_first_moves_come_before_more_of_one_kind(found: LinearAnswer, quiet: PlanProblem) -> None:
    plans = [*(one.plan for one in found.plans), *kinds_apart(quiet, found.best.plan, SEARCH)]
    kinds = {first_move(plan, quiet) for plan in plans}
    assert len(kinds) > 1
    level = [0.0] * len(plans)
    assert {first_move(plans[place], quiet) for place in differing(plans, level, quiet)} == kinds


def test_beside_a_squad_built_anew_stands_one_with_other_men(found: LinearAnswer, quiet: PlanProblem) -> None:
    best = found.best.plan
    men = np.setdiff1d(np.flatnonzero(quiet.frame.buyable), best.moves[0].squad)[:3].tolist()

    def with_new(count: int) -> Plan:
        squad = (*men[:count], *best.moves[0].squad[count:])
        first = replace(best.moves[0], squad=squad, kept=squad, into=squad, out=(), chip=None)
        return Plan((first, *best.moves[1:]))

    plans = [with_new(count) for count in range(4)]
    assert differing(plans, [9.0, 8.0, 7.0, 6.0], quiet) == (0, 3)
    assert differing(plans, [9.0, 8.0, 7.0, -6.0], quiet) == (0, 1)
    names = [f"man {row}" for row in range(quiet.players)]
    leaves = best.moves[0].squad[0]
    assert apart_words(plans[1], plans[0], names) == f"with man {men[0]} instead of man {leaves}"
    assert apart_words(plans[0], plans[0], names) == ""


def test_what_is_said_against_a_plan_is_the_heaviest_first(
    found: LinearAnswer, quiet: PlanProblem, rounds: PlanRounds, objective: Objective, titles: list[str]
) -> None:
    plans = [one.plan for one in found.plans][:2]
    scored = score_plans(rounds, plans, objective)
    tables = [scored.table(int(row)) for row in scored.ranking]
    worse = plans[int(scored.ranking[1])]
    said = objections(worse, tables[1], tables[0], tables[0], None, quiet)
    assert said[0].points == max(one.points for one in said)
    behind = next(one for one in said if one.kind is Against.BEHIND)
    assert behind.points == pytest.approx(tables[0].total - tables[1].total)
    assert f"{behind.points:.1f} points behind" in objection_words(behind, titles)


def test_a_first_move_that_is_far_ahead_is_firm_and_shares_sum_to_one(found: LinearAnswer) -> None:
    plans = [one.plan for one in found.plans]
    ahead = np.zeros((50, len(plans)))
    ahead[:, 0] = 1.0
    assert firmness(plans, ahead)[0].share == 1.0
    assert firmness(plans, ahead)[0].rival is None
    mixed = np.eye(len(plans))[np.arange(50) % len(plans)]
    assert sum(one.share for one in firmness(plans, mixed)) == pytest.approx(1.0)


def test_forecasts_are_shaken_about_their_mean_and_the_same_way_by_the_same_seed(quiet: PlanProblem) -> None:
    draws = [one.values.start for one in shaken(quiet, np.random.default_rng(1), 300)]
    again = [one.values.start for one in shaken(quiet, np.random.default_rng(1), 3)]
    assert all(np.array_equal(first, second) for first, second in zip(draws, again, strict=False))
    top = quiet.values.start > 1
    assert np.mean(draws, axis=0)[top] == pytest.approx(quiet.values.start[top], rel=0.05)
    assert not np.allclose(draws[0], quiet.values.start)


def test_the_best_plan_wins_more_draws_than_rolling(found: LinearAnswer, quiet: PlanProblem) -> None:
    plans = [found.plans[0].plan, kinds_apart(quiet, found.best.plan, SEARCH)[0]]
    values = shaken_values(quiet, plans, np.random.default_rng(2), 20)
    assert values.shape == (20, 2)
    assert (values[:, 0] > values[:, 1]).mean() >= 0.5


def test_hits_pay_only_where_nearly_all_forecasts_agree(quiet: PlanProblem) -> None:
    assert not HitVerdict(2, 5.0, PAYS - 0.01).pays
    assert HitVerdict(2, 0.1, PAYS).pays
    assert not HitVerdict(0, 0.0, 1.0).pays
    free = replace(quiet, frame=replace(quiet.frame, hit_cost=0.0))
    verdict = hit_verdict(free, SEARCH, np.random.default_rng(3))
    assert verdict.gain >= 0
    none = quiet.asking(most_hits=np.zeros_like(quiet.locks.most_hits))
    without = solve_placed(none, none.locks.chip_in, SEARCH).best.value
    dearer = hit_verdict(free, SEARCH, np.random.default_rng(3), without)
    assert dearer == verdict
    assert hit_verdict(free, SEARCH, np.random.default_rng(3), np.inf).hits == 0
    dear = replace(quiet, frame=replace(quiet.frame, hit_cost=50.0))
    assert hit_verdict(dear, SEARCH, np.random.default_rng(3)).hits == 0


def test_every_booster_has_a_row_of_what_it_adds_and_what_is_done(
    problem: PlanProblem, rounds: PlanRounds, titles: list[str]
) -> None:
    rules, best = rounds.signals[0].rules, solve_linear(problem, SEARCH).best.plan
    rows = booster_rows(problem, best, single_gains(problem), rules)
    assert {row.key for row in rows} == {offer.key for offer in problem.chips}
    for row in rows:
        offer = problem.chip(row.key)
        assert [points is not None for points in row.points] == offer.allowed.tolist()
        assert row.played == (best.chips.index(row.key) if row.key in best.chips else None)
        assert booster_words(row, titles).startswith(row.title)
    triple = next(row for row in rows if "triple" in row.key)
    assert triple.now is not None
    assert triple.now > 0
    kept = replace(triple, keeping=99.0, played=None)
    assert kept.best is None
    assert "keep it" in booster_words(kept, titles)


def test_not_doing_what_is_best_has_a_price_that_its_terms_sum_to(
    found: LinearAnswer, quiet: PlanProblem, rounds: PlanRounds, objective: Objective
) -> None:
    best = max(
        (one.plan for one in found.plans), key=lambda plan: float(score_plans(rounds, [plan], objective).fitness[0])
    )
    man = int(quiet.frame.start_squad[np.argmax(quiet.values.start[quiet.frame.start_squad].sum(axis=1))])
    why = why_not(rounds, quiet, objective, best, Question.SELL, man, settings=SEARCH)
    assert not why.done
    assert man not in why.other.moves[0].kept
    assert sum(why.terms.values()) == pytest.approx(-why.cost)
    assert why.cost > 0
    assert why.sentence("Selling him").startswith("Selling him costs")
    assert breaches(why.other, rounds.state, rounds.signals[0]) == ()


def test_a_booster_where_it_is_not_allowed_has_no_price(
    found: LinearAnswer, problem: PlanProblem, rounds: PlanRounds, objective: Objective
) -> None:
    barred = [offer for offer in problem.chips if not offer.allowed.all()]
    for offer in barred[:1]:
        column = int(np.flatnonzero(~offer.allowed)[0])
        with pytest.raises(InputError, match="cannot be played"):
            why_not(rounds, problem, objective, found.best.plan, Question.CHIP, offer.key, column=column)


def test_a_plan_that_stands_changes_nothing_and_another_is_told_by_its_moves(
    found: LinearAnswer, quiet: PlanProblem, rounds: PlanRounds, objective: Objective, titles: list[str]
) -> None:
    names, best = rounds.signals[0].short, found.plans[0].plan
    same = plan_changes(rounds, quiet, objective, best, best)
    assert same.words(names, titles, {}) == ("Nothing changes: the plan stands.",)
    assert same.cost == pytest.approx(0.0)
    other = next(one.plan for one in found.plans if one.plan.first_key() != best.first_key())
    changes = plan_changes(rounds, quiet, objective, other, best)
    assert changes.first_changed
    said = changes.words(names, titles, {})
    assert said[0].startswith(titles[0])
    assert "Holding on" in said[-1]


def test_what_can_wait_is_told_apart_from_what_cannot(
    found: LinearAnswer, quiet: PlanProblem, rounds: PlanRounds, titles: list[str]
) -> None:
    moving = next(one.plan for one in found.plans if first_move(one.plan, quiet) is FirstMove.ONE)
    waiting = waiting_costs(quiet, moving)
    assert [(one.out, one.into) for one in waiting] == list(zip(moving.moves[0].out, moving.moves[0].into, strict=True))
    said = timing_words(moving, waiting, rounds.signals[0].short, titles)
    assert said[0].startswith("Can wait" if waiting[0].can_wait else "Decide now")
