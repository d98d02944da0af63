"""All that a solver is asked before a search can begin: what `thetaxi solve-seeds` solves beforehand."""

from __future__ import annotations

import numpy as np

from engine.fitness.reference import linear_problem, solved_linear
from engine.fitness.squad_view import SquadView
from engine.rules.conflicts import Demands
from engine.search.seeding.archetypes import SECONDS, archetype_problems


def first_squads(view: SquadView, demands: Demands) -> list[tuple[str, np.ndarray]]:
    """Return by its key what the solver says of each archetype, and of the linear optimum of the reference pool."""
    key, values = linear_problem(view.signals, view.pool)
    archetypes = [(one.key, one.solve(SECONDS)) for one in archetype_problems(view, demands)]
    return [*archetypes, (key, solved_linear(view.signals, view.pool, values))]
