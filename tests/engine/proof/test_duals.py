"""Any prices bound every squad; sharper ones do it more tightly."""

from __future__ import annotations

from time import perf_counter

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.proof.duals import Planes, bound_at, first_prices, near_the_best, planes_of, sharpened
from tests.cases.objectives.form_cases import all_squads, best_value
from tests.cases.pattern_cases import a_problem, a_wide_form

SEEDS = st.integers(0, 10_000)
PLENTY = 10**5


@given(SEEDS, SEEDS, st.booleans(), st.sampled_from([3, PLENTY]))
@settings(max_examples=30, deadline=None)
def test_any_prices_bound_the_best_squad(seed: int, draw: int, hit: bool, limit: int) -> None:
    form = a_wide_form(seed, hit=hit)
    squads = all_squads(form.pool)
    if not len(squads):
        return
    problem, rng = a_problem(form), np.random.default_rng(draw)
    drawn = rng.normal(0, 2, len(problem.rules.limit))
    price = np.clip(drawn, problem.rules.cheapest, problem.rules.dearest)
    proved, _ = bound_at(problem, price, near_the_best(problem, price), limit)
    assert proved.bound + form.constant >= best_value(form, squads) - 1e-9


@given(SEEDS)
@settings(max_examples=15, deadline=None)
def test_sharpening_never_loosens_the_bound_and_never_cuts_off_the_best(seed: int) -> None:
    form = a_wide_form(seed)
    squads = all_squads(form.pool)
    if not len(squads):
        return
    problem = a_problem(form)
    price = first_prices(problem)
    first, _ = bound_at(problem, price, near_the_best(problem, price), PLENTY)
    sharp = sharpened(problem, -np.inf, perf_counter() + 5.0)
    assert sharp.bound <= first.bound + 1e-9
    assert sharp.bound + form.constant >= best_value(form, squads) - 1e-9


def test_an_early_deadline_leaves_the_first_prices() -> None:
    problem = a_problem(a_wide_form(4))
    assert (sharpened(problem, -np.inf, perf_counter()).price == first_prices(problem)).all()


def test_planes_know_their_value_whatever_the_prices() -> None:
    problem = a_problem(a_wide_form(4))

    def values(price: np.ndarray) -> dict[tuple[int, ...], float]:
        _, found = bound_at(problem, price, near_the_best(problem, price) - 3.0, PLENTY)
        planes: Planes = planes_of(problem, found, price)
        return {tuple(sorted(men.tolist())): value for men, value in zip(planes.men, planes.value, strict=True)}

    one, other = values(first_prices(problem)), values(first_prices(problem) * 0.9)
    shared = one.keys() & other.keys()
    assert len(shared) > 5
    assert all(abs(one[men] - other[men]) < 1e-9 for men in shared)
