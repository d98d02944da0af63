"""The first squad of a search: what climbing finds in a fraction of a second, before anything is bred.

No solver, no reference pool. It is a seed of the search, so a board is never worse than it.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from data.errors import ModelError
from engine.fitness.judge import Objective, named_objective
from engine.fitness.squad_view import SquadView
from engine.fitness.standard_form import StandardForm, standard_form
from engine.rules.conflicts import Demands, Names
from engine.rules.repair import repair
from engine.search.climbing.limits import Limits
from engine.search.climbing.start import QuickSettings, search_form

SEARCH = QuickSettings(limits=Limits(kicks=20, stalled=30), starts=4, elite=1)
"""How hard the search tries: a tenth of a second in the World Cup."""

STAND_IN = "neutral"
"""Objective whose standard form serves a spec that has none."""


def first_squad(view: SquadView, objective: Objective, rng: np.random.Generator, demands: Demands) -> np.ndarray:
    """Return a legal squad (15,) near the best of the standard form; demands that no squad can meet are an error."""
    form, demands = nearest_form(view, objective), held(view, demands)
    start = _dearest_points(view, demands)
    allowed = demands.allowed(len(form))
    found = search_form(form, rng, SEARCH, allowed=allowed, kept=demands.wanted, begin=start[None, :]).squads[0]
    return _mended(view, found, demands)


def nearest_form(view: SquadView, objective: Objective) -> StandardForm:
    """Return the standard form of a fitness, or that of the stand-in for one that has none."""
    form = standard_form(view, objective) or standard_form(view, named_objective(STAND_IN, view))
    if form is None:
        raise ModelError(f"The shipped spec {STAND_IN} has no standard form. Restore it.")
    return form


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
