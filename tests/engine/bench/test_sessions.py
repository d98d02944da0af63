"""A session is the same wherever it is held, and its file is there whole or not at all."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from data.errors import InputError
from engine.bench.contenders import OnBest
from engine.bench.problems import Problem
from engine.bench.score import Run
from engine.bench.sessions import SessionTask, hold, read_sessions, write_file, write_session
from engine.fitness.standard_form import StandardForm, settled
from tests.cases.bench_cases import stand_in
from tests.cases.objectives.form_cases import all_squads

CAP = 2.0


@pytest.fixture
def problem(monkeypatch: pytest.MonkeyPatch) -> Problem:
    """A small problem in place of a round."""
    return stand_in(monkeypatch)


def a_task(problem: Problem, contender: str = "ours", number: int = 0, runs: int = 3) -> SessionTask:
    return SessionTask(contender=contender, number=number, runs=runs, cap=CAP, seed=7, problems=(problem,))


def test_a_session_has_a_run_for_every_number_and_says_how_its_contender_is_set_up(problem: Problem) -> None:
    session = hold(a_task(problem))
    assert len(session.runs) == 3
    assert "thrifty" in session.configuration
    assert all(run.reached and run.legal and run.confirmed for run in session.runs)
    assert all(run.gap is not None and run.gap <= 0.001 for run in session.runs)


def test_the_same_session_gives_the_same_answers(problem: Problem) -> None:
    one, two = (hold(a_task(problem)) for _ in range(2))
    assert [run.squad for run in one.runs] == [run.squad for run in two.runs]


Told = tuple[float, float, np.ndarray]
"""What a contender reports: seconds, value, squad."""


def held_by(
    problem: Problem, monkeypatch: pytest.MonkeyPatch, reports: Callable[[np.ndarray, np.ndarray], list[Told]]
) -> Run:
    """Hold a run of a contender that reports what it likes of the worst and the best squad, and hands in the last."""

    def solve(_self: object, form: StandardForm, _rng: object, _seconds: float, on_best: OnBest) -> np.ndarray:
        squads = all_squads(form.pool)
        value = settled(form, squads)[2]
        told = reports(squads[int(value.argmin())], squads[int(value.argmax())])
        for one in told:
            on_best(*one)
        return told[-1][2][None, :]

    monkeypatch.setattr("engine.bench.contenders.Contender.solve", solve)
    (run,) = hold(a_task(problem, "greedy", runs=1)).runs
    return run


def test_a_contender_without_an_answer_survives_with_an_empty_hand(
    problem: Problem, monkeypatch: pytest.MonkeyPatch
) -> None:
    def none(*_: object) -> list[Told]:
        raise InputError("nothing found")

    run = held_by(problem, monkeypatch, none)
    assert (run.reached, run.legal, run.gap, run.squad) == (False, False, None, ())


def test_a_contender_that_promises_more_than_it_hands_in_has_not_reached_the_goal(
    problem: Problem, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = held_by(problem, monkeypatch, lambda worst, _: [(0.1, problem.optimum, worst)])
    assert (run.legal, run.reached, run.confirmed) == (True, False, False)


def test_what_comes_after_the_time_does_not_count(problem: Problem, monkeypatch: pytest.MonkeyPatch) -> None:
    run = held_by(problem, monkeypatch, lambda _, best: [(CAP + 0.01, problem.optimum, best)])
    assert (run.reached, run.legal, run.diverse, run.confirmed) == (False,) * 4
    assert (run.gap, run.squad) == (None, ())


def test_the_last_squad_in_time_is_handed_in(problem: Problem, monkeypatch: pytest.MonkeyPatch) -> None:
    run = held_by(problem, monkeypatch, lambda worst, best: [(0.1, 0.0, worst), (CAP + 0.01, problem.optimum, best)])
    assert (run.legal, run.reached, run.confirmed) == (True, False, False)
    assert run.gap is not None
    assert run.gap > 0


def test_problems_take_turns_over_the_sessions(problem: Problem) -> None:
    problems = tuple(replace(problem, round=number) for number in (1, 2, 3))
    tasks = [replace(a_task(problem, runs=2, number=number), problems=problems) for number in (0, 1, 2)]
    assert [task.problem_of(run).round for task in tasks for run in (0, 1)] == [1, 2, 3, 1, 2, 3]


def test_a_session_survives_its_file_but_one_of_another_set_up_or_length_does_not_count(
    problem: Problem, tmp_path: Path
) -> None:
    task, path = a_task(problem, "greedy"), tmp_path / "greedy-000.json"
    assert read_sessions(tmp_path, [task]) == {}
    session = hold(task)
    write_session(path, replace(session, configuration="an older greed"))
    assert read_sessions(tmp_path, [task]) == {}
    write_session(path, session)
    assert read_sessions(tmp_path, [task]) == {path.name: session}
    assert read_sessions(tmp_path, [replace(task, runs=4)]) == {}


@pytest.mark.parametrize("content", ["", "{}", "[1]", '{"runs": [{"squad": 3}]}'])
def test_a_broken_file_is_named(problem: Problem, tmp_path: Path, content: str) -> None:
    (tmp_path / "greedy-000.json").write_text(content)
    with pytest.raises(InputError, match=r"greedy-000\.json is no session"):
        read_sessions(tmp_path, [a_task(problem, "greedy")])


def test_a_folder_that_cannot_be_written_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="file cannot be written to"):
        write_file(tmp_path / "file" / "bench.json", "{}")
