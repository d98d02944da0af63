"""The problems of SquadBench have a proved optimum, and a goal a thousandth of the points below it."""

from __future__ import annotations

import pytest

from data.errors import InputError
from engine.bench.problems import Problem, is_diverse, pose
from engine.bench.run import BenchSettings

PROBLEM = Problem(world="wc2026", round=1, theta="neutral", optimum=80.0, bound=80.1, points=75.0)


def test_the_goal_misses_a_thousandth_of_the_expected_points_of_the_best() -> None:
    assert PROBLEM.goal == pytest.approx(80.0 - 0.075)
    assert PROBLEM.gap(79.25) == pytest.approx(0.01)
    assert PROBLEM.gap(81.0) == 0.0


def test_an_answer_is_confirmed_by_the_bound_not_by_what_was_found() -> None:
    assert not PROBLEM.confirms(80.0)
    assert PROBLEM.confirms(80.03)


def test_a_bound_below_what_was_found_is_refused() -> None:
    with pytest.raises(InputError, match="makes no problem"):
        Problem(world="wc2026", round=1, theta="gain", optimum=80.0, bound=79.0, points=75.0)


def test_every_round_meets_every_objective() -> None:
    assert BenchSettings(rounds=(1, 4), thetas=("gain", "protect")).places == [
        ("wc2026", 1, "gain"), ("wc2026", 1, "protect"), ("wc2026", 4, "gain"), ("wc2026", 4, "protect"),
    ]  # fmt: skip


@pytest.mark.soak
def test_matchday_1_is_proved_and_its_squads_are_looked_at_for_variety() -> None:
    problem = pose(("wc2026", 1, "neutral"))
    assert problem.confirms(problem.optimum)
    assert problem.bound - problem.optimum < 1e-3
    pool = problem.arena.judge.pool
    assert not is_diverse(problem, pool[-1:])  # one squad is no choice
    assert is_diverse(problem, pool)
