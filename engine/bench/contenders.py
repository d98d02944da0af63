"""Who competes in the search for a squad: one interface, one clock, the same standard form for all.

A contender is given a form, a generator and CPU seconds. It reports every new best on its way and hands in its answers.
CPU seconds are counted, those of started solvers included: a busy machine slows nobody's figures.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib.util import find_spec
from math import inf
from typing import Protocol

import numpy as np

from data.errors import InputError, UnknownError, did_you_mean
from engine.fitness.standard_form import StandardForm, form_value, roles_for

OnBest = Callable[[float, float, np.ndarray], bool]
"""Told CPU seconds so far, value and squad (s,) of every new best; says whether that is good enough to stop."""

MOST_ANSWERS = 240
"""Squads that a contender hands in at most, the best first: as many as a board's options are chosen from."""

APART = 3
"""Men in whom two squads handed in differ at least: nearer ones are no choice on a board either."""

SEEN_KEPT = 10_000
"""Squads that a race remembers besides its bests: the first ones, which differ the most."""


class Contender(Protocol):
    """A way to search; `configuration` says in words how it is set up."""

    @property
    def name(self) -> str:
        """How it is called on the leaderboard."""
        ...

    @property
    def configuration(self) -> str:
        """What it does and with which settings, in one line."""
        ...

    @property
    def library(self) -> str:
        """The optional library it needs; empty for none."""
        ...

    def solve(self, form: StandardForm, rng: np.random.Generator, seconds: float, on_best: OnBest) -> np.ndarray:
        """Return (a, s) the squads it hands in, the best first, within so many CPU seconds."""
        ...


def cpu_seconds() -> float:
    """Return the CPU seconds of this process and of every child that has ended, such as a solver."""
    children = os.times()
    return time.process_time() + children.children_user + children.children_system


def never_enough(seconds: float, value: float, squad: np.ndarray) -> bool:  # noqa: ARG001
    """Listen to nothing: search until the time is over."""
    return False


@dataclass(slots=True, eq=False)
class Race:
    """One run in progress: its clock, what was found, and whether it is over."""

    form: StandardForm
    seconds: float
    on_best: OnBest
    clock: Callable[[], float] = cpu_seconds
    best: float = -inf
    lead: np.ndarray | None = None  # (s,) the best squad
    seen: list[tuple[np.ndarray, np.ndarray]] = field(default_factory=list)  # squads (p, s) and values (p,) offered
    remembered: int = 0
    enough: bool = False
    started: float = field(init=False)

    def __post_init__(self) -> None:
        self.started = self.clock()

    @property
    def spent(self) -> float:
        """CPU seconds since the start."""
        return self.clock() - self.started

    @property
    def over(self) -> bool:
        """Whether to stop: somebody said enough, or the time has run out."""
        return self.enough or self.spent >= self.seconds

    def offer(self, squads: np.ndarray, values: np.ndarray) -> None:
        """Take note of legal squads (p, s), worth at least their values; report the best if it beats all before."""
        row = int(values.argmax())
        better = values[row] > self.best
        if self.remembered < SEEN_KEPT or better:
            self.seen.append((np.array(squads), np.array(values)))
            self.remembered += len(squads)
        if better:
            self.best, self.lead = float(values[row]), np.array(squads[row])
            self.enough = self.on_best(self.spent, self.best, self.lead)

    def answers(self) -> np.ndarray:
        """Return (a, s) the best squad, then the best of those offered that are apart from all before."""
        if self.lead is None:
            return np.empty((0, self.form.pool.size), dtype=np.int64)
        values = np.concatenate([values for _, values in self.seen])
        order = np.argsort(-values, kind="stable")
        left = np.concatenate([squads for squads, _ in self.seen])[order[np.isfinite(values[order])]]
        holds = np.zeros((len(left), len(self.form)), dtype=bool)
        np.put_along_axis(holds, left, True, axis=1)
        chosen, apart = [self.lead], np.ones(len(left), dtype=bool)
        while len(chosen) < MOST_ANSWERS:
            apart &= holds[:, chosen[-1]].sum(axis=1) <= self.form.pool.size - APART
            if not apart.any():
                break
            chosen.append(left[apart.argmax()])
        return np.stack(chosen)


def settled_value(form: StandardForm, squad: np.ndarray) -> float:
    """Return what a squad (s,) is worth in its best roles."""
    rows = squad[None, :]
    return float(form_value(form, rows, *roles_for(form, rows))[0])


def contenders() -> tuple[Contender, ...]:
    """Return all who compete, ours first."""
    from engine.bench.genetic import peers
    from engine.bench.plain import Annealing, Greedy, LinearSolver, Ours, RandomRepair

    return (Ours(), RandomRepair(), Greedy(), LinearSolver(), *peers(), Annealing())


def installed(contender: Contender) -> bool:
    """Return whether the library that a contender needs is there."""
    return not contender.library or find_spec(contender.library) is not None


def find_contenders(names: list[str] | None = None) -> tuple[Contender, ...]:
    """Return the contenders of these names, all where none is given."""
    known = {contender.name: contender for contender in contenders()}
    for name in names or []:
        if name not in known:
            raise UnknownError(f"Nobody called {name!r} competes. {did_you_mean(name, known)}")
    return tuple(known[name] for name in dict.fromkeys(names or known))


def competing(names: list[str] | None = None) -> tuple[Contender, ...]:
    """Return who can compete here: all whose library is installed, or those named, who must be able to."""
    chosen = find_contenders(names)
    absent = [one for one in chosen if not installed(one)]
    if names and absent:
        raise missing_library(absent[0].library)
    return tuple(one for one in chosen if one not in absent)


def missing_library(library: str) -> InputError:
    """Return the error that says how to get an optional library."""
    return InputError(
        f"{library} is not installed, so its contender cannot compete. "
        "Leave it out, or install it with: pip install 'thetaxi[peers]'."
    )
