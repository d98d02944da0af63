"""How far from the optimum the boards can be: gap and seconds of the bound, captain held and armband moving."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from functools import partial
from statistics import median

import numpy as np

from data.rules import CaptaincyMode
from engine.board import Option, make_board
from engine.bound import Proof
from engine.judge import Judge, aim_at
from engine.polish import PolishLimits, search_fitness
from engine.proof import proof_of_option
from tests.bench_search import QUICK_START, THETAS, is_over, the_view

SEARCHED = 1.0
"""CPU seconds of the search for the squad that is bounded."""

BARS = {CaptaincyMode.LOCKED: 0.01, CaptaincyMode.UNLIMITED: 0.08}
"""Largest gap we want, as a share of expected points: the median with the captain held, all with a moving armband."""


def measure_the_bounds(rounds: Sequence[int] = (1, 2, 3, 4)) -> dict[str, float]:
    """Return gaps and times of the shipped specs at their defaults, each told on standard error as it is known."""
    figures: dict[str, float] = {}
    for mode, bar in BARS.items():
        found = {(number, theta): _bounded(number, theta, mode) for number in rounds for theta in THETAS}
        gaps = [gap for gap, _ in found.values()]
        proved = np.array([proof.proved for _, proof in found.values()])
        closed, first = np.array(gaps) == 0, np.array([number == rounds[0] for number, _ in found])
        figures |= {
            f"{mode}: median gap (bar {bar})": median(gaps),
            f"{mode}: largest gap": max(gaps),
            f"{mode}: seconds of the slowest": max(proof.seconds for _, proof in found.values()),
            f"{mode}: best in the standard form, share": float(proved.mean()),
            f"{mode}: best, or scores no less than its optimum, share": float(closed.mean()),
            f"{mode}: the same in round {rounds[0]}, share": float(closed[first].mean()),
        }
    return figures


def _bounded(number: int, theta: str, mode: CaptaincyMode) -> tuple[float, Proof]:
    view = the_view(number, mode)
    judge, aim = Judge(view, np.random.default_rng(0)), aim_at(theta, view)
    forever, end = PolishLimits(steps=sys.maxsize, patience=sys.maxsize), time.process_time() + SEARCHED
    found = search_fitness(judge, aim, np.random.default_rng(1), QUICK_START, forever, stop=partial(is_over, end))
    option: Option = make_board(judge, aim, found.squads[:1]).options[0]
    proof = proof_of_option(judge, aim, option)
    assert proof is not None
    gap = proof.gap / option.expected
    print(f"{mode} MD{number} {theta}: gap {gap:.3%} in {proof.seconds:.1f} s, {proof.how}", file=sys.stderr)
    return gap, proof
