"""Sessions of SquadBench: runs of one contender, each with a seed of its own, and their record as a file.

A session's file appears whole when the session is finished, or not at all: whatever is there need not be done again.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from math import inf
from pathlib import Path

import numpy as np
from pydantic.dataclasses import dataclass as checked

from data.errors import InputError, ThetaXIError
from data.storage.files import replace_file
from engine.bench.contenders import Contender, cpu_seconds, find_contenders
from engine.bench.problems import Problem, is_diverse
from engine.bench.score import Run
from engine.proof.bound import settled_value
from engine.rules.legality import legal

ROUNDING = 1e-9
"""Points by which two ways to sum up the same squad may differ."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionTask:
    """What a worker needs to hold one session."""

    contender: str
    number: int  # from 0
    runs: int
    cap: float  # CPU seconds of a run
    seed: int
    problems: tuple[Problem, ...]

    @property
    def searcher(self) -> Contender:
        """Who holds it."""
        return find_contenders([self.contender])[0]

    @property
    def file_name(self) -> str:
        """Name of the session's file."""
        return f"{self.contender}-{self.number:03d}.json"

    def problem_of(self, run: int) -> Problem:
        """Return the problem of a run: they take turns, on from where the session before ended."""
        return self.problems[(self.number * self.runs + run) % len(self.problems)]


@checked(frozen=True, slots=True, kw_only=True)
class Session:
    """A finished session."""

    contender: str
    configuration: str
    number: int
    runs: tuple[Run, ...]


def hold(task: SessionTask) -> Session:
    """Hold a session: every run has the generator of its seed, session and number, so it is the same anywhere."""
    contender = task.searcher
    runs = tuple(_run(task, contender, number) for number in range(task.runs))
    return Session(contender=task.contender, configuration=contender.configuration, number=task.number, runs=runs)


def _run(task: SessionTask, contender: Contender, number: int) -> Run:
    problem = task.problem_of(number)
    form = problem.arena.form
    rng = np.random.default_rng([task.seed, task.number, number])
    trail, started = _Trail(problem, task.cap), cpu_seconds()
    try:
        answers = contender.solve(form, rng, task.cap, trail)
    except ThetaXIError:
        answers = np.empty((0, form.pool.size), dtype=np.int64)
    spent = trail.seconds if trail.reached else cpu_seconds() - started
    return _judged(problem, answers, trail, spent)


@dataclass(slots=True, eq=False)
class _Trail:
    """Listens to a contender until the goal is reached or the time is over."""

    problem: Problem
    cap: float  # CPU seconds after which nothing counts
    seconds: float = 0.0
    value: float = -inf
    squad: np.ndarray | None = None  # the last that was reported in time

    def __call__(self, seconds: float, value: float, squad: np.ndarray) -> bool:
        if seconds <= self.cap:
            self.seconds, self.value, self.squad = seconds, value, squad.copy()
        return self.reached

    @property
    def reached(self) -> bool:
        return self.value >= self.problem.goal


def _judged(problem: Problem, answers: np.ndarray, trail: _Trail, seconds: float) -> Run:
    """Return the run as the judge sees it: what counts is what the squad handed in is worth, not what was said.

    Handed in is the best squad reported in time, if the contender answered at all.
    """
    form = problem.arena.form
    squad = np.empty(0, dtype=np.int64) if trail.squad is None or not len(answers) else trail.squad
    fine = len(squad) > 0 and bool(legal(squad[None, :], form.pool)[0])
    worth = settled_value(form, squad) if fine else -inf
    return Run(
        problem=problem.name,
        seconds=seconds,
        reached=trail.reached and worth >= problem.goal - ROUNDING,
        legal=fine,
        diverse=fine and is_diverse(problem, answers),
        confirmed=problem.confirms(worth),
        gap=problem.gap(worth) if fine else None,
        squad=tuple(squad.tolist()) if fine else (),
    )


def write_session(path: Path, session: Session) -> None:
    """Write a finished session's file."""
    write_file(path, json.dumps(asdict(session), indent=1, allow_nan=False))


def write_file(path: Path, text: str) -> None:
    """Write a file of a bench, whole or not at all."""
    try:
        replace_file(path, text.encode())
    except OSError as error:
        raise InputError(f"{path.parent} cannot be written to: {error.strerror}. Choose another --out.") from None


def read_sessions(folder: Path, tasks: Iterable[SessionTask]) -> dict[str, Session]:
    """Return the finished sessions of these tasks by file name; those of another configuration do not count."""
    found: dict[str, Session] = {}
    for task in tasks:
        path = folder / task.file_name
        if path.exists():
            session = _read(path)
            if session.configuration == task.searcher.configuration and len(session.runs) == task.runs:
                found[path.name] = session
    return found


def _read(path: Path) -> Session:
    try:
        return Session(**json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError) as error:
        raise InputError(f"{path} is no session of SquadBench: {error}. Remove it; it will be done again.") from None
