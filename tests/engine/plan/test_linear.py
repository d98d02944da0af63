"""The linear plan is the best there is: as every plan tried one by one says, and a programme written by other hands."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from data.errors import InfeasibleError
from engine.plan.linear.answer import LinearAnswer
from engine.plan.linear.beam.beam import BeamSettings
from engine.plan.linear.chips import solve_linear
from engine.plan.linear.closing import close
from engine.plan.linear.plans import plan_value
from engine.plan.linear.problem import PlanProblem
from engine.plan.linear.search import LinearSettings, PlacedSearch, solve_placed
from tests.cases.plans.plan_brute import EveryPlan
from tests.cases.plans.plan_cases import problem_of, small_situation
from tests.cases.plans.plan_program import Situation, solve
from tests.cases.plans.tight_program import fits, solve_tight
from tests.conftest import in_a_soak

THOROUGH = LinearSettings(
    narrow=BeamSettings(width=100), wide=BeamSettings(width=600, buys=60), placements=300, most_chips=8
)
ROUNDING = 1e-5

ONLY_TOGETHER = 298
"""A case in which nothing is legal without a booster, and the best plan plays one that is not legal alone."""

STAYS = 24
"""A case whose last round has free transfers for everybody while two men must not be sold."""


def a_case(seed: int, rounds: int, extra: int = 1, *, asked: bool = False) -> Situation:
    return small_situation(np.random.default_rng(seed), rounds, extra, asked=asked)


def an_answer(problem: PlanProblem, settings: LinearSettings = THOROUGH) -> LinearAnswer | None:
    try:
        return solve_linear(problem, settings)
    except InfeasibleError:
        return None


def without_chips(case: Situation) -> Situation:
    return replace(case, offers=())


@pytest.mark.parametrize("seed", [0, 10, *in_a_soak([3, 4, *range(11, 60)])])
@pytest.mark.daily("0")
def test_the_best_plan_is_that_of_trying_every_plan(seed: int) -> None:
    case = a_case(seed, 2, asked=seed % 3 == 0)
    best, answer = EveryPlan(case).best(), an_answer(problem_of(case))
    assert (answer is None) == (best == -np.inf)
    if answer is not None:
        assert answer.best.value == pytest.approx(best, abs=ROUNDING)
        assert answer.bound >= best - ROUNDING


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(7, 30))
def test_three_rounds_without_boosters_are_that_of_trying_every_plan(seed: int) -> None:
    case = without_chips(a_case(seed, 3, asked=seed % 2 == 0))
    best, answer = EveryPlan(case).best(), an_answer(problem_of(case))
    assert (answer is None) == (best == -np.inf)
    if answer is not None:
        assert answer.best.value == pytest.approx(best, abs=ROUNDING)


@pytest.mark.parametrize("seed", [*range(112, 117), ONLY_TOGETHER, *in_a_soak(set(range(200, 400)) - {ONLY_TOGETHER})])
def test_no_plan_beats_a_programme_written_by_other_hands_and_its_bound_holds(seed: int) -> None:
    case = a_case(seed, 2 + seed % 3, 1 + seed % 2, asked=seed % 2 == 0)
    other, answer = solve(case, 20.0), an_answer(problem_of(case))
    if not other.proved:
        return  # out of time
    assert (answer is None) == (other.value == -np.inf)
    if answer is not None:
        assert answer.best.value <= other.value + ROUNDING
        assert answer.best.value >= other.value - 0.01 * abs(other.value)
        assert answer.bound >= other.value - ROUNDING
        assert not answer.closed or answer.best.value >= other.value - 2 * ROUNDING


def test_who_must_not_be_sold_stays_where_a_squad_is_built_anew() -> None:
    case = without_chips(a_case(STAYS, 3, asked=True))
    assert case.locks.never_sell.any()
    answer = an_answer(problem_of(case))
    assert answer is not None
    assert answer.best.value == pytest.approx(solve(case, 20.0).value, abs=ROUNDING)


def fitting(seeds: range) -> list[Situation]:
    """Cases without boosters that both programmes can state."""
    cases = [without_chips(a_case(seed, 2 + seed % 2)) for seed in seeds]
    return [case for case in cases if fits(case)]


def test_two_programmes_written_apart_find_the_same_value() -> None:
    cases = fitting(range(40) if not in_a_soak([1]) else range(400))
    assert len(cases) > 5
    for case in cases:
        loose, tight = solve(case, 20.0), solve_tight(case, 20.0)
        assert loose.proved
        assert tight.proved
        assert tight.value == pytest.approx(loose.value, abs=ROUNDING)


@pytest.mark.parametrize("seed", [*range(130, 133), *in_a_soak(range(400, 500))])
@pytest.mark.daily("130")
def test_a_plan_is_called_closed_only_where_the_other_programme_has_nothing_better(seed: int) -> None:
    case = without_chips(a_case(seed, 3, 2))
    found = an_answer(problem_of(case), LinearSettings(narrow=BeamSettings(width=2), wide=BeamSettings(width=2)))
    if found is None:
        return
    answer, other = close(problem_of(case), found, 20.0), solve(case, 20.0)
    assert answer.best.value >= found.best.value
    assert answer.bound <= found.bound + ROUNDING
    assert answer.closed
    assert answer.best.value == pytest.approx(other.value, abs=2 * ROUNDING)


def test_a_closed_answer_is_not_asked_again() -> None:
    case = without_chips(a_case(4, 2))
    answer = close(problem_of(case), solve_linear(problem_of(case)), 20.0)
    assert close(problem_of(case), answer, 20.0) is answer


def test_the_bound_of_any_placement_holds_its_plans() -> None:
    problem = problem_of(a_case(8, 2))
    for offer in problem.chips:
        for column in np.flatnonzero(offer.allowed).tolist():
            placement = tuple(offer.key if at == column else None for at in range(len(problem.rounds)))
            search = PlacedSearch.of(problem, placement)
            search.run(BeamSettings(width=50))
            assert search.bound >= search.floor - ROUNDING


def test_the_value_of_a_plan_is_what_it_is_scored_by_again() -> None:
    problem = problem_of(a_case(5, 3))
    answer = solve_linear(problem)
    assert [plan_value(problem, one.plan) for one in answer.plans] == [one.value for one in answer.plans]


def test_plans_differ_in_their_first_move() -> None:
    answer = solve_linear(problem_of(a_case(13, 3)))
    firsts = [one.plan.first_key() for one in answer.plans]
    assert len(set(firsts)) == len(firsts) > 1
    values = [one.value for one in answer.plans]
    assert values == sorted(values, reverse=True)


def test_the_same_problem_has_the_same_answer_byte_for_byte() -> None:
    case = a_case(14, 3)
    first, second = (solve_linear(problem_of(case)) for _ in range(2))
    assert repr(first) == repr(second)


def test_more_money_and_fewer_wishes_never_hurt() -> None:
    case = without_chips(a_case(13, 3))
    poorer = replace(case, locks=replace(case.locks, least_bank=np.full(3, 0.5)))
    assert solve_linear(problem_of(poorer)).bound <= solve_linear(problem_of(case)).bound + ROUNDING


def test_a_booster_that_is_asked_for_is_played_there() -> None:
    case = a_case(8, 2)
    offer = case.offers[0]
    asked = replace(case.locks, chip_in=(None, offer.key))
    answer = solve_linear(problem_of(replace(case, locks=asked)))
    assert {one.plan.chips[1] for one in answer.plans} == {offer.key}


def test_a_booster_is_kept_where_keeping_it_is_worth_more() -> None:
    case = a_case(8, 2)
    dear = tuple(replace(offer, keeping=np.full(2, 1_000.0)) for offer in case.offers)
    assert solve_linear(problem_of(replace(case, offers=dear))).best.plan.chips == (None, None)


def test_wishes_that_no_plan_keeps_are_an_error() -> None:
    case = a_case(4, 2)
    everybody = np.ones_like(case.locks.never)
    with pytest.raises(InfeasibleError, match="No plan keeps all rules and wishes"):
        solve_placed(problem_of(replace(case, locks=replace(case.locks, never=everybody))), (None, None))
