"""A first look: the best squad that a local search finds in a fraction of a second, before anything is bred.

No solver, no reference pool. The same squad is a seed of the search, so a board is never worse than its first look.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from engine.board import swing_around
from engine.conflicts import Demands, Names
from engine.judge import Aim, Judge, aim_at
from engine.local_search import Limits
from engine.repair import repair
from engine.scene import SquadView
from engine.search_start import QuickSettings, search_form
from engine.standard_form import standard_form

SEARCH = QuickSettings(limits=Limits(kicks=20, stalled=30), starts=4, elite=1)
"""How hard the search tries: a tenth of a second in the World Cup."""

STAND_IN = "neutral"
"""Objective whose standard form serves a spec that has none."""


@dataclass(frozen=True, slots=True)
class Glance:
    """The first squad found for an objective, and what a card shows of it."""

    rows: tuple[int, ...]  # player rows by position
    captain: int  # player row
    formation: str
    fitness: float
    expected: float  # points of the round: raw_xev + captaincy_uplift
    swing: tuple[float, float]  # eight times in ten the points lie between
    price: float


def first_glance(judge: Judge, aim: Aim, rng: np.random.Generator, demands: Demands | None = None) -> Glance:
    """Return what a board of the same seed will at least be worth."""
    squad = first_squad(judge.view, aim, rng.spawn(1)[0], demands or Demands())
    scored = judge.score(squad[None, :], aim)
    lineups = scored.lineups
    expected = float(lineups.raw_xev[0] + lineups.captaincy_uplift[0])
    return Glance(
        rows=tuple(squad.tolist()),
        captain=int(lineups.captain[0]),
        formation=judge.view.signals.rules.squad.formations[int(lineups.formation[0])],
        fitness=float(scored.fitness[0]),
        expected=expected,
        swing=swing_around(expected, float(scored.figures["variance"][0])),
        price=float(scored.figures["price"][0]),
    )


def first_squad(view: SquadView, aim: Aim, rng: np.random.Generator, demands: Demands) -> np.ndarray:
    """Return a legal squad (15,) near the best of the standard form; demands that no squad can meet are an error."""
    form = standard_form(view, aim) or standard_form(view, aim_at(STAND_IN, view))
    demands = held(view, demands)
    start = _dearest_points(view, demands)
    if form is None:
        return start
    allowed = np.ones(len(form), dtype=bool)
    allowed[list(demands.never)] = False
    found = search_form(form, rng, SEARCH, allowed=allowed, kept=demands.wanted, begin=start[None, :]).squads[0]
    return _mended(view, found, demands)


def held(view: SquadView, demands: Demands) -> Demands:
    """Return the demands with the captain and the formation that the manager holds among them."""
    return replace(demands, captain=view.settings.captain, lineups=view.formations)


def _dearest_points(view: SquadView, demands: Demands) -> np.ndarray:
    """Return the most expected points by position, brought within all rules."""
    pool, xev = view.wished, view.signals.xev
    best = np.lexsort((-xev, pool.position))
    first = np.searchsorted(pool.position[best], np.arange(len(pool.shape)))
    rows = np.concatenate([best[start : start + count] for start, count in zip(first, pool.shape, strict=True)])
    return _mended(view, rows, demands)


def _mended(view: SquadView, rows: np.ndarray, demands: Demands) -> np.ndarray:
    return repair(rows, view.wished, view.signals.xev, demands, names=Names.of(view.signals)).squad
