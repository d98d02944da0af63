"""SquadBench: how good a way to search is, as one score made of named parts.

score = .40 success rate + .30 efficiency + .20 learning speed + .10 stability, each part from 0 to 1. Two further
formulas put legality first: a contender whose squads break the rules gets at most .30 of its success rate.
A run is one search for the squad of one problem; a session is a number of runs; a contender enters with many sessions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from math import ceil, inf, isfinite, sqrt
from statistics import fmean, median, pstdev
from typing import Annotated

from pydantic import Field
from pydantic.dataclasses import dataclass as checked

from models.settings import Share

CAP = 10.0
"""CPU seconds that a run may take."""

LEARNT = 0.8
"""Share of a session's runs that must have reached the goal for the contender to count as quick."""

LEAST_SURVIVAL, CAPPED = 0.1, 0.30
"""Below this share of legal answers the score is capped at this share of the success rate."""

NORMAL_95 = 1.96
"""Standard errors either side of a mean that hold it with a probability of 95 %."""


class Formula(StrEnum):
    """Which parts the score is made of."""

    PLAIN = "plain"
    LEGAL = "legal"  # survival, the share of legal answers, is a gate and a part
    DIVERSE = "diverse"  # and comfort, the share of answers that meet the diversity floors, is a part


WEIGHTS: Mapping[Formula, Mapping[str, float]] = {
    Formula.PLAIN: {"success_rate": 0.40, "efficiency": 0.30, "learning_speed": 0.20, "stability": 0.10},
    Formula.LEGAL: {
        "success_rate": 0.50,
        "survival": 0.20,
        "efficiency": 0.20,
        "learning_speed": 0.05,
        "stability": 0.05,
    },
    Formula.DIVERSE: {
        "success_rate": 0.50,
        "survival": 0.15,
        "comfort": 0.10,
        "efficiency": 0.15,
        "learning_speed": 0.05,
        "stability": 0.05,
    },
}


BANDS = ((0.90, "Exceptional"), (0.80, "Excellent"), (0.70, "Good"), (0.60, "Acceptable"))
"""What a score means from where on."""

LEVELS = ((0.75, "Excellent"), (0.6, "Target"), (0.4, "Minimum"))
"""What to call a share of answers that the exact solver confirms; noted, never part of the score."""


@checked(frozen=True, slots=True, kw_only=True)
class Parts:
    """What a score is made of, each from 0 to 1."""

    success_rate: Share
    efficiency: Share
    learning_speed: Share
    stability: Share
    survival: Share = 1.0  # share of legal answers
    comfort: Share = 1.0  # share of answers that meet the diversity floors


@checked(frozen=True, slots=True, kw_only=True)
class Run:
    """One search and how it ended."""

    problem: str
    seconds: Annotated[
        float, Field(ge=0, allow_inf_nan=False)
    ]  # of CPU until the goal was reached, or until the contender ended
    reached: bool  # 99.9 % of the best known
    legal: bool
    diverse: bool  # whether the squads handed in meet the diversity floors
    confirmed: bool  # whether the exact solver proves that nothing is better by more than 0.1 %
    gap: float | None  # share of the best squad's expected points that is missing; None without an answer
    squad: tuple[int, ...]  # player rows; empty without an answer


def composite(parts: Parts, formula: Formula = Formula.PLAIN) -> float:
    """Return the weighted sum of the parts; under the gated formulas capped where too few answers are legal."""
    score: float = sum(weight * getattr(parts, name) for name, weight in WEIGHTS[formula].items())
    if formula is not Formula.PLAIN and parts.survival < LEAST_SURVIVAL:
        return min(score, CAPPED * parts.success_rate)
    return score


def efficiency(run: Run, fastest: float) -> float:
    """Return the CPU seconds of the best contender over those used, at most 1; nothing where the goal is not reached.

    A road that does not lead there has no length to compare: giving up early must not pay.
    """
    if not run.reached or not isfinite(fastest):
        return 0.0
    return 1.0 if run.seconds <= fastest else fastest / run.seconds


def fastest_seconds(runs: Sequence[Sequence[Run]]) -> dict[str, float]:
    """Return for each problem the median CPU seconds to the goal of the contender that is fastest there; inf for none.

    `runs` holds those of each contender.
    """
    best = {run.problem: inf for own in runs for run in own}
    for own in runs:
        for problem in {run.problem for run in own}:
            reached = [run.seconds for run in own if run.problem == problem and run.reached]
            best[problem] = min(best[problem], median(reached) if reached else inf)
    return best


def learning_speed(runs: Sequence[Run], cap: float = CAP) -> float:
    """Return 1 − t/cap; t is the first CPU second by which 80 % of a session's runs have reached the goal; 0 for never.

    Success rolls along the CPU clock: all runs start at 0 and each joins the successful ones when it gets there.
    """
    times, needed = sorted(run.seconds for run in runs if run.reached), max(ceil(LEARNT * len(runs)), 1)
    return max(0.0, 1.0 - times[needed - 1] / cap) if len(times) >= needed else 0.0


def stability(rates: Sequence[float]) -> float:
    """Return 1 − the coefficient of variation of the sessions' success rates, within 0 and 1; 0 where all are 0."""
    mean = fmean(rates)
    return min(max(1.0 - pstdev(rates) / mean, 0.0), 1.0) if mean > 0 else 0.0


def half_interval(scores: Sequence[float]) -> float:
    """Return half the width of the 95 % interval of a mean: 1.96 · std / √n."""
    return NORMAL_95 * pstdev(scores) / sqrt(len(scores))


def band_of(score: float) -> str:
    """Return what a score means."""
    return next((band for least, band in BANDS if score >= least), "Below threshold")


def validation_of(share: float) -> str:
    """Return the level of a share of confirmed answers."""
    return next((level for least, level in LEVELS if share >= least), "None")


def parts_of(sessions: Sequence[Sequence[Run]], fastest: Mapping[str, float], cap: float = CAP) -> Parts:
    """Return the parts of a contender's score from the runs of each of its sessions."""
    runs = [run for session in sessions for run in session]
    return Parts(
        success_rate=fmean(run.reached for run in runs),
        efficiency=fmean(efficiency(run, fastest[run.problem]) for run in runs),
        learning_speed=fmean(learning_speed(session, cap) for session in sessions),
        stability=stability([fmean(run.reached for run in session) for session in sessions]),
        survival=fmean(run.legal for run in runs),
        comfort=fmean(run.diverse for run in runs),
    )


def run_scores(
    sessions: Sequence[Sequence[Run]], fastest: Mapping[str, float], parts: Parts, cap: float = CAP
) -> list[float]:
    """Return the plain score of each run, its own success and efficiency with its session's speed: the interval's data.

    With sessions of one size their mean is the score itself.
    """
    weight = WEIGHTS[Formula.PLAIN]
    return [
        weight["success_rate"] * run.reached
        + weight["efficiency"] * efficiency(run, fastest[run.problem])
        + weight["learning_speed"] * learning_speed(session, cap)
        + weight["stability"] * parts.stability
        for session in sessions
        for run in session
    ]
