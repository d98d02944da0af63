"""SquadBench's arithmetic: the composite, its gates, bands, levels and intervals."""

from __future__ import annotations

from dataclasses import replace
from math import inf, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from engine.bench.score import (
    CAP,
    WEIGHTS,
    Formula,
    Parts,
    Run,
    band_of,
    composite,
    efficiency,
    fastest_seconds,
    half_interval,
    learning_speed,
    parts_of,
    run_scores,
    stability,
    validation_of,
)

SHARES = st.floats(0, 1)
EXAMPLE = Parts(success_rate=0.92, efficiency=0.78, learning_speed=0.85, stability=0.95)


def a_run(
    seconds: float = 1.0,
    *,
    reached: bool = True,
    problem: str = "round 1 gain",
    legal: bool = True,
    diverse: bool = True,
) -> Run:
    gap = 0.0 if reached else 0.02
    return Run(
        problem=problem, seconds=seconds, reached=reached, legal=legal, diverse=diverse, confirmed=reached, gap=gap,
        squad=(1, 2, 3),
    )  # fmt: skip


def test_the_worked_example_scores_0_867_which_is_excellent() -> None:
    assert composite(EXAMPLE) == pytest.approx(0.867)
    assert band_of(composite(EXAMPLE)) == "Excellent"


@pytest.mark.parametrize("formula", list(Formula))
def test_the_weights_of_every_formula_sum_to_one(formula: Formula) -> None:
    assert sum(WEIGHTS[formula].values()) == pytest.approx(1.0)
    full = Parts(success_rate=1, efficiency=1, learning_speed=1, stability=1)
    assert composite(full, formula) == pytest.approx(1.0)


def test_the_gated_formulas_have_their_own_weights() -> None:
    parts = replace(EXAMPLE, survival=0.9, comfort=0.5)
    legal = 0.50 * 0.92 + 0.20 * 0.9 + 0.20 * 0.78 + 0.05 * 0.85 + 0.05 * 0.95
    diverse = 0.50 * 0.92 + 0.15 * 0.9 + 0.10 * 0.5 + 0.15 * 0.78 + 0.05 * 0.85 + 0.05 * 0.95
    assert composite(parts, Formula.LEGAL) == pytest.approx(legal)
    assert composite(parts, Formula.DIVERSE) == pytest.approx(diverse)


@pytest.mark.parametrize("formula", [Formula.LEGAL, Formula.DIVERSE])
@pytest.mark.parametrize(("survival", "capped"), [(0.0, True), (0.0999, True), (0.1, False), (0.5, False)])
def test_below_a_tenth_of_legal_answers_the_score_is_a_third_of_success_at_most(
    formula: Formula, survival: float, capped: bool
) -> None:
    parts = replace(EXAMPLE, survival=survival)
    assert (composite(parts, formula) == pytest.approx(0.30 * 0.92)) is capped


@given(SHARES, SHARES, SHARES, SHARES, st.floats(0, 0.0999), SHARES)
def test_nobody_without_legal_answers_scores_above_0_30(
    success: float, used: float, speed: float, steady: float, survival: float, comfort: float
) -> None:
    plain = Parts(success_rate=success, efficiency=used, learning_speed=speed, stability=steady)
    parts = replace(plain, survival=survival, comfort=comfort)
    assert composite(parts, Formula.LEGAL) <= 0.30 + 1e-12
    assert composite(parts, Formula.DIVERSE) <= 0.30 + 1e-12
    assert composite(parts) >= 0.40 * success


@given(SHARES, SHARES)
def test_more_success_never_lowers_a_score(one: float, two: float) -> None:
    low, high = sorted((one, two))
    for formula in Formula:
        scores = [composite(replace(EXAMPLE, success_rate=rate), formula) for rate in (low, high)]
        assert scores[0] <= scores[1]


@pytest.mark.parametrize(
    ("score", "band"),
    [
        (1.0, "Exceptional"), (0.90, "Exceptional"), (0.8999, "Excellent"), (0.80, "Excellent"), (0.7999, "Good"),
        (0.70, "Good"), (0.6999, "Acceptable"), (0.60, "Acceptable"), (0.5999, "Below threshold"),
        (0.0, "Below threshold"),
    ],
)  # fmt: skip
def test_bands_begin_where_the_table_says(score: float, band: str) -> None:
    assert band_of(score) == band


@pytest.mark.parametrize(
    ("share", "level"),
    [(0.0, "None"), (0.3999, "None"), (0.4, "Minimum"), (0.5999, "Minimum"), (0.6, "Target"), (0.7499, "Target"),
     (0.75, "Excellent"), (1.0, "Excellent")],
)  # fmt: skip
def test_validation_levels_begin_at_0_4_0_6_and_0_75(share: float, level: str) -> None:
    assert validation_of(share) == level


def test_validation_never_enters_the_score() -> None:
    assert "confirmed" not in {name for weights in WEIGHTS.values() for name in weights}


def test_efficiency_is_the_best_time_over_ones_own_at_most_one_and_nothing_for_giving_up() -> None:
    assert efficiency(a_run(2.0), 0.5) == 0.25
    assert efficiency(a_run(0.2), 0.5) == 1.0
    assert efficiency(a_run(0.0), 0.0) == 1.0
    assert efficiency(a_run(0.001, reached=False), 0.5) == efficiency(a_run(0.001, reached=False), inf) == 0.0


def test_the_best_time_of_a_problem_is_the_median_of_whoever_is_fastest_there() -> None:
    ours = [a_run(0.1), a_run(0.3), a_run(0.2), a_run(5, problem="round 2 gain")]
    theirs = [a_run(0.15, reached=False), a_run(1), a_run(2, problem="round 2 gain")]
    nobody = [a_run(9, reached=False, problem="round 3 gain")]
    assert fastest_seconds([ours, theirs, nobody]) == {"round 1 gain": 0.2, "round 2 gain": 2, "round 3 gain": inf}


def test_learning_speed_looks_at_the_moment_when_four_of_five_runs_are_there() -> None:
    runs = [a_run(seconds) for seconds in (4, 1, 3, 2, 9)]
    assert learning_speed(runs) == pytest.approx(1 - 4 / CAP)
    assert learning_speed(runs, cap=4) == 0.0


def test_who_never_gets_to_80_per_cent_has_no_learning_speed() -> None:
    assert learning_speed([a_run(), a_run(), a_run(), a_run(reached=False)]) == 0.0
    assert learning_speed([a_run()] * 4 + [a_run(reached=False)]) == pytest.approx(0.9)


def test_stability_is_one_less_the_coefficient_of_variation_and_never_below_nothing() -> None:
    assert stability([0.5, 0.5, 0.5]) == 1.0
    assert stability([0.4, 0.6]) == pytest.approx(1 - 0.1 / 0.5)
    assert stability([0.0, 0.0]) == stability([1.0, 0.0, 0.0, 0.0, 0.0, 0.0]) == 0.0


def test_the_interval_is_1_96_standard_errors_either_side() -> None:
    scores = [0.8, 0.9, 1.0, 0.9]
    spread = sqrt(sum((score - 0.9) ** 2 for score in scores) / 4)
    assert half_interval(scores) == pytest.approx(1.96 * spread / 2)
    assert half_interval(scores * 4) == pytest.approx(half_interval(scores) / 2)


def test_the_parts_come_from_the_runs_of_all_sessions() -> None:
    sessions = [
        [a_run(1.0), a_run(2.0)],
        [a_run(4.0), a_run(9.0, reached=False, legal=False, diverse=False)],
    ]
    parts = parts_of(sessions, {"round 1 gain": 1.0})
    assert parts.success_rate == parts.survival == parts.comfort == 0.75
    assert parts.efficiency == pytest.approx((1 + 0.5 + 0.25 + 0) / 4)
    assert parts.learning_speed == pytest.approx((0.8 + 0.0) / 2)
    assert parts.stability == pytest.approx(1 - 0.25 / 0.75)


@given(st.lists(st.lists(st.tuples(st.floats(0, CAP), st.booleans()), min_size=3, max_size=3), min_size=1, max_size=4))
def test_the_mean_score_of_the_runs_is_the_score(drawn: list[list[tuple[float, bool]]]) -> None:
    sessions = [[a_run(seconds, reached=reached) for seconds, reached in session] for session in drawn]
    fastest = fastest_seconds([[run for session in sessions for run in session]])
    parts = parts_of(sessions, fastest)
    scores = run_scores(sessions, fastest, parts)
    assert sum(scores) / len(scores) == pytest.approx(composite(parts))


@pytest.mark.parametrize("name", ["success_rate", "efficiency", "learning_speed", "stability", "survival", "comfort"])
def test_a_part_outside_0_to_1_is_refused(name: str) -> None:
    with pytest.raises(ValidationError, match=name):
        replace(EXAMPLE, **{name: 1.2})


def test_a_run_of_no_sensible_length_is_refused() -> None:
    with pytest.raises(ValidationError, match="seconds"):
        a_run(inf)
