"""The last program: dominated patterns never matter, and nothing is proved without the solver's word."""

from __future__ import annotations

import numpy as np
import pytest

from engine.fitness.standard_form import StandardForm
from engine.proof.duals import PatternForm, Planes, bound_at, planes_of
from engine.proof.pattern_program import best_choice, undominated
from tests.cases.objectives.form_cases import all_squads, best_value
from tests.cases.pattern_cases import a_problem, a_wide_form

ALL = -1e3
"""A level every pattern of a small match reaches."""


def every_plane(problem: PatternForm) -> Planes:
    """Return all patterns of all matches."""
    price = np.zeros(len(problem.rules.limit))
    _, found = bound_at(problem, price, np.full(len(problem.matches), ALL), 10**6)
    return planes_of(problem, found, price)


def solvable(seeds: range, **options: object) -> list[StandardForm]:
    forms = [a_wide_form(seed, players=11, cap=2, **options) for seed in seeds]  # type: ignore[arg-type]
    return [form for form in forms if len(all_squads(form.pool))]


@pytest.mark.parametrize("hit", [False, True])
def test_the_program_of_all_patterns_has_the_best_squad_as_its_optimum(hit: bool) -> None:
    form = solvable(range(40), hit=hit)[0]
    problem = a_problem(form)
    planes = undominated(every_plane(problem), problem.rules)
    settled = best_choice(planes, problem.rules, len(problem.matches), 20.0)
    assert settled.proved
    assert settled.value + form.constant == pytest.approx(best_value(form, all_squads(form.pool)), abs=1e-5)
    assert planes.value[settled.chosen].sum() >= settled.value - 1e-6


def test_whoever_is_left_out_is_beaten_by_one_who_stays() -> None:
    problem = a_problem(solvable(range(40))[1])
    planes, rules = every_plane(problem), problem.rules
    kept = undominated(planes, rules)
    assert 0 < len(kept) < len(planes)
    for row in np.random.default_rng(0).choice(len(planes), 50, replace=False):
        same = (kept.match == planes.match[row]) & (kept.use[:, rules.equal] == planes.use[row, rules.equal]).all(
            axis=1
        )
        thrifty = (kept.use[:, ~rules.equal] <= planes.use[row, ~rules.equal] + 1e-12).all(axis=1)
        assert (kept.value[same & thrifty] >= planes.value[row]).any()


def test_a_program_without_solution_is_proved_empty() -> None:
    problem = a_problem(solvable(range(40))[0])
    planes = every_plane(problem)
    nobody = planes.only(np.flatnonzero([not men.size for men in planes.men]))
    settled = best_choice(nobody, problem.rules, len(problem.matches), 20.0)
    assert settled.proved
    assert settled.value == -np.inf


@pytest.mark.parametrize("seconds", [0.0, 1e-3])
def test_without_time_nothing_is_proved(seconds: float) -> None:
    problem = a_problem(solvable(range(40))[0])
    assert not best_choice(every_plane(problem), problem.rules, len(problem.matches), seconds).proved
