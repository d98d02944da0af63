"""A first look: the best squad that a local search finds in a fraction of a second, before anything is bred.

No solver, no reference pool. The same squad is a seed of the search, so a board is never worse than its first look.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.board.board import swing_around
from engine.fitness.judge import Judge, Objective
from engine.rules.conflicts import Demands
from engine.search.climbing.first_squad import first_squad


@dataclass(frozen=True, slots=True)
class Glance:
    """The first squad found for an objective, and what a card shows of it."""

    rows: tuple[int, ...]  # player rows by position
    captain: int  # player row
    formation: str
    fitness: float
    expected: float  # points of the round: raw_xev + captaincy_uplift, hits taken off
    swing: tuple[float, float]  # eight times in ten the points lie between
    price: float


def first_glance(
    judge: Judge, objective: Objective, rng: np.random.Generator, demands: Demands | None = None
) -> Glance:
    """Return what a board of the same seed will at least be worth."""
    squad = first_squad(judge.view, objective, rng.spawn(1)[0], demands or Demands())
    scored = judge.score(squad[None, :], objective)
    lineups = scored.lineups
    expected = float(lineups.expected[0] - scored.figures["transfer_cost"][0])
    return Glance(
        rows=tuple(squad.tolist()),
        captain=int(lineups.captain[0]),
        formation=judge.view.signals.rules.squad.formations[int(lineups.formation[0])],
        fitness=float(scored.fitness[0]),
        expected=expected,
        swing=swing_around(expected, float(scored.figures["variance"][0])),
        price=float(scored.figures["price"][0]),
    )
