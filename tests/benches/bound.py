"""How far from the optimum the boards can be: gap and seconds of the bound, captain held and armband moving."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from statistics import fmean, median

import numpy as np

from data.rules import CaptaincyMode
from engine.board.board import Option, make_board
from engine.board.claim import proof_of_option
from engine.fitness.judge import Judge, named_objective
from engine.proof.bound import Proof
from engine.search.finishing.polish import PolishLimits, search_fitness
from tests.benches.search import QUICK_START, THETAS, is_over, the_view

SEARCHED = 1.0
"""CPU seconds of the search for the squad that is bounded."""

BARS = {CaptaincyMode.LOCKED: 0.01, CaptaincyMode.UNLIMITED: 0.08}
"""Largest gap we want, as a share of expected points: the median with the captain held, all with a moving armband."""


@dataclass(frozen=True, slots=True)
class Bounded:
    """A squad and how far it is from the best."""

    number: int  # of the round
    gap: float  # share of expected points, in the standard form
    proof: Proof
    closed: bool  # best in the form, or scores no less than the form's optimum


def measure_the_bounds(rounds: Sequence[int] = (1, 2, 3, 4)) -> dict[str, float]:
    """Return gaps and times of the shipped specs at their defaults, each told on standard error as it is known."""
    figures: dict[str, float] = {}
    for mode, bar in BARS.items():
        found = [_bounded(number, theta, mode) for number in rounds for theta in THETAS]
        first = [one.closed for one in found if one.number == rounds[0]]
        figures |= {
            f"{mode}: median gap (bar {bar})": median(one.gap for one in found),
            f"{mode}: largest gap": max(one.gap for one in found),
            f"{mode}: seconds of the slowest": max(one.proof.seconds for one in found),
            f"{mode}: best in the standard form, share": fmean(one.proof.proved for one in found),
            f"{mode}: best, or scores no less than its optimum, share": fmean(one.closed for one in found),
            f"{mode}: the same in round {rounds[0]}, share": fmean(first),
        }
    return figures


def _bounded(number: int, theta: str, mode: CaptaincyMode) -> Bounded:
    view = the_view(number, mode)
    judge, objective = Judge(view, np.random.default_rng(0)), named_objective(theta, view)
    forever, end = PolishLimits(steps=sys.maxsize, patience=sys.maxsize), time.process_time() + SEARCHED
    found = search_fitness(judge, objective, np.random.default_rng(1), QUICK_START, forever, stop=partial(is_over, end))
    option: Option = make_board(judge, objective, found.squads[:1]).options[0]
    proof = proof_of_option(judge, objective, option)
    assert proof is not None
    gap, closed = proof.gap / option.expected, proof.proved or option.decomposition.fitness >= proof.bound
    told = f"{mode} MD{number} {theta}: gap {gap:.3%} in {proof.seconds:.1f} s, {proof.how}{', closed' * closed}"
    print(told, file=sys.stderr)
    return Bounded(number, gap, proof, closed)
