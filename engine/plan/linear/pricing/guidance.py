"""Guidance of a search: the relaxation on some ninety men, priced for everybody, widened where somebody is missing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from data.errors import InfeasibleError, SolverError
from engine.plan.linear.pricing.bound import Guide, guide
from engine.plan.linear.pricing.prices import Prices, prices_of
from engine.plan.linear.pricing.relaxation import Relaxation, write_programme
from engine.plan.linear.pricing.transfer_path import TransferPath, transfer_path
from engine.plan.linear.problem import PlanProblem
from engine.plan.linear.round_values import RoundValues
from engine.rules.solver import SparseAnswer, relaxed

BY_VALUE = (8, 22, 22, 14)
"""Men of each position with the most points over the horizon who are looked at first."""

BY_MONEY = 6
CHEAPEST = 3
"""Men of each position by points per million, and the cheapest: every squad needs a bench that costs little."""

WIDER = 1e-4
"""Share of the bound by which the full pool may exceed the men at hand before more are taken in."""

WANTED = 1e-9
"""Loss of a man up to which the prices want him: the pool exceeds the men at hand by who is wanted and not there."""

WIDENINGS = 6


@dataclass(frozen=True, slots=True, eq=False)
class Guided:
    """A problem under one placement of boosters, with what its relaxation says."""

    rounds: tuple[RoundValues, ...]
    path: TransferPath
    relaxation: Relaxation
    solved: SparseAnswer
    prices: Prices
    guide: Guide


def guided(problem: PlanProblem, rounds: Sequence[RoundValues]) -> Guided:
    """Return the relaxation's guidance; an `InfeasibleError` where rules and wishes leave no plan at all."""
    path, men = transfer_path(problem, rounds), first_men(problem, rounds)
    for _ in range(WIDENINGS):
        written = write_programme(problem, rounds, path, men)
        answer = relaxed(written.program)
        if not len(answer.x):
            if len(men) < problem.players:
                men = np.arange(problem.players)
                continue
            if answer.proved:
                raise InfeasibleError("No plan keeps all rules and wishes. Ask for less, or allow more transfers.")
            raise SolverError("The relaxed plan was not solved in time. Ask for fewer rounds, or try again.")
        prices = prices_of(written, answer.duals)
        found = guide(problem, rounds, path, prices)
        excess = found.bound - written.constant - answer.value
        missing = np.setdiff1d(np.flatnonzero(found.loss.min(axis=0) <= WANTED), men)
        if excess <= WIDER * abs(found.bound) or not len(missing):
            break
        men = np.union1d(men, missing)
    return Guided(tuple(rounds), path, written, answer, prices, found)


def first_men(problem: PlanProblem, rounds: Sequence[RoundValues]) -> np.ndarray:
    """Return the men a relaxation begins with: those held or asked for, and the best by points, by money, by price."""
    frame = problem.frame
    worth = np.sum([one.start + one.hold for one in rounds], axis=0) + problem.values.final
    chosen = frame.owned | np.any([one.must for one in rounds], axis=0)
    for place, count in enumerate(BY_VALUE):
        men = np.flatnonzero((frame.position == place) & frame.buyable)
        for rank, most in (
            (-worth[men], count),
            (-worth[men] / frame.price[men], BY_MONEY),
            (frame.price[men], CHEAPEST),
        ):
            chosen[men[np.lexsort((-worth[men], rank))[:most]]] = True
    for one in rounds:
        if one.outside is not None:
            chosen[np.argsort(-one.outside, kind="stable")[: frame.size + 1]] = True
    return np.flatnonzero(chosen)
