"""Stated chances beside what happened: Brier score against a constant, calibration slope and intercept, reliability.

Managers come with several cases, so intervals are drawn again over managers, all of a manager's cases together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from scipy.special import expit, logit

from engine.season.league.league_experiment import HIMSELF, NEUTRAL, OBJECTIVES, Case

DRAWS = 400
"""Leagues drawn again for an interval."""

SUREST = 1e-3
"""Chances nearer to 0 and 1 count as this: a simulation cannot tell them apart."""

BINS = 5
STEPS = 12
FIRM = 1e-6
"""Newton's steps of a fit, and what keeps one possible where all came true or nothing did."""


@dataclass(frozen=True, slots=True)
class Interval:
    """A figure with its 95 % interval over managers."""

    value: float
    low: float
    high: float

    def holds(self, figure: float) -> bool:
        """Whether a figure lies inside."""
        return self.low <= figure <= self.high


@dataclass(frozen=True, slots=True)
class Reliability:
    """Cases of like stated chances: what was stated and what share came true."""

    stated: float
    happened: float
    cases: int


@dataclass(frozen=True, slots=True)
class Calibration:
    """How good the stated chances of one objective were."""

    objective: str
    cases: int
    brier: float
    constant: float  # Brier score of the share that came true, stated for everybody
    slope: Interval
    intercept: Interval
    curve: tuple[Reliability, ...]


@dataclass(frozen=True, slots=True)
class Outcome:
    """How often one objective reached its goal, beside neutral in the same cases."""

    objective: str
    goal: str  # "hold" or "catch up"
    cases: int
    share: Interval
    more: Interval | None  # than neutral; None for neutral itself
    points: float  # mean over the weeks


def calibration(cases: Sequence[Case], objective: str, seed: int = 0) -> Calibration:
    """Return how good the stated chances of an objective were."""
    stated = np.array([case.stated[objective] for case in cases]).clip(SUREST, 1.0 - SUREST)
    came = np.array([case.ahead[objective] for case in cases])
    managers = np.array([case.manager for case in cases])
    fits = np.array([_fit(stated[rows], came[rows]) for rows in _again(managers, seed)])
    (slope, intercept), bounds = _fit(stated, came), np.percentile(fits, [2.5, 97.5], axis=0)
    return Calibration(
        objective=objective,
        cases=len(cases),
        brier=float(np.mean((stated - came) ** 2)),
        constant=float(np.mean((came.mean() - came) ** 2)),
        slope=Interval(slope, *bounds[:, 0].tolist()),
        intercept=Interval(intercept, *bounds[:, 1].tolist()),
        curve=_curve(stated, came),
    )


def outcomes(cases: Sequence[Case], seed: int = 0) -> tuple[Outcome, ...]:
    """Return how often each objective, and the manager himself, held a lead and caught up."""
    found = []
    for goal, holds in (("hold", True), ("catch up", False)):
        some = [case for case in cases if case.holds is holds]
        managers = np.array([case.manager for case in some])
        plain = np.array([case.ahead[NEUTRAL] for case in some])
        for objective in (*OBJECTIVES, HIMSELF):
            came = np.array([case.ahead[objective] for case in some])
            points = float(np.mean([case.points[objective] for case in some]))
            more = None if objective == NEUTRAL else _mean(came - plain, managers, seed)
            found.append(Outcome(objective, goal, len(some), _mean(came, managers, seed), more, points))
    return tuple(found)


def experiment_record(cases: Sequence[Case], digest: str) -> dict[str, Any]:
    """Return what is published of the experiment."""
    return {
        "digest": digest,
        "cases": len(cases),
        "managers": len({case.manager for case in cases}),
        "starts": sorted({case.start for case in cases}),
        "outcomes": [asdict(one) for one in outcomes(cases)],
        "calibration": [asdict(calibration(cases, objective)) for objective in OBJECTIVES],
    }


def _mean(values: np.ndarray, managers: np.ndarray, seed: int) -> Interval:
    again = [float(values[rows].mean()) for rows in _again(managers, seed)]
    low, high = np.percentile(again, [2.5, 97.5])
    return Interval(float(values.mean()), float(low), float(high))


def _again(managers: np.ndarray, seed: int) -> list[np.ndarray]:
    """Return rows of the cases of managers drawn with replacement, again and again."""
    rng, names = np.random.default_rng(seed), np.unique(managers)
    rows = {name: np.flatnonzero(managers == name) for name in names}
    return [np.concatenate([rows[name] for name in rng.choice(names, len(names))]) for _ in range(DRAWS)]


def _fit(stated: np.ndarray, came: np.ndarray) -> tuple[float, float]:
    """Return slope and intercept of what came true on the log-odds that were stated, by Newton's steps."""
    given = np.stack([logit(stated), np.ones(len(stated))], axis=1)
    line = np.array([1.0, 0.0])
    for _ in range(STEPS):
        chance = expit(given @ line)
        weight = chance * (1.0 - chance)
        bend = given.T @ (given * weight[:, None]) + FIRM * np.eye(2)
        line = line + np.linalg.solve(bend, given.T @ (came - chance))
    return float(line[0]), float(line[1])


def _curve(stated: np.ndarray, came: np.ndarray) -> tuple[Reliability, ...]:
    order = np.argsort(stated, kind="stable")
    parts = np.array_split(order, min(BINS, len(order)))
    return tuple(Reliability(float(stated[rows].mean()), float(came[rows].mean()), len(rows)) for rows in parts)
