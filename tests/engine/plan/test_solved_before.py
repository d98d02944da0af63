"""What was solved before is not solved again, and a number that differs makes another question."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pytest

from engine.fitness.judge import Objective
from engine.plan.fitness.rounds import PlanRounds
from engine.plan.fitness.values import plan_problem
from engine.plan.linear import solved_before
from engine.plan.linear.rebuild import free_hit_squad
from engine.plan.linear.solved_before import SolvedBefore, question_of


@dataclass(frozen=True)
class Asked:
    """A question in parts."""

    points: np.ndarray
    places: tuple[int, ...] = (2, 5)


def test_a_question_is_known_by_its_numbers_not_by_who_holds_them() -> None:
    points = np.arange(6.0)
    question = question_of(Asked(points), 0.0)
    assert question_of(Asked(points.copy()), 0.0) == question
    others = (Asked(points + 1e-12), Asked(points, (5, 2)), Asked(points.reshape(2, 3)), Asked(points.astype(int)))
    assert question not in {question_of(other, 0.0) for other in others}
    assert question_of((1, 2), (3,)) != question_of((1,), (2, 3))


def test_an_answer_is_worked_out_once_and_the_latest_used_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    solved, known = list[bytes](), SolvedBefore()

    def ask(question: bytes) -> int:
        return known.of(question, lambda: solved.append(question) or len(solved))  # type: ignore[func-returns-value]

    monkeypatch.setattr(solved_before, "MOST", 2)
    assert [ask(one) for one in (b"a", b"b", b"a", b"c", b"a", b"b")] == [1, 2, 1, 3, 1, 4]


def test_an_error_is_raised_anew() -> None:
    known = SolvedBefore()
    for _ in range(2):
        with pytest.raises(ZeroDivisionError):
            known.of(b"a", lambda: 1 // 0)


def test_the_same_squad_is_found_for_who_asks_the_same_rounds_again(rounds: PlanRounds, objective: Objective) -> None:
    problem = plan_problem(rounds, objective)
    first = free_hit_squad(problem, 0)
    assert free_hit_squad(plan_problem(rounds, objective), 0) is first
    alone = free_hit_squad(replace(problem, solved=SolvedBefore()), 0)
    assert alone.rows.tolist() == first.rows.tolist()
    assert alone.bound == first.bound
    never = problem.locks.never.copy()
    never[first.rows[-1], 0] = True
    assert first.rows[-1] not in free_hit_squad(problem.asking(never=never), 0).rows
