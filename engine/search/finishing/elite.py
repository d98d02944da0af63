"""The last steps of a search: the elite is polished on the exact fitness, where the standard form was only near it."""

from __future__ import annotations

import numpy as np

from engine.search.breeding.evolution import Evolution
from engine.search.breeding.proposal import EXACT, Proposal
from engine.search.climbing.limits import Limits
from engine.search.climbing.start import QuickSettings
from engine.search.finishing.polish import PolishLimits, search_fitness

ELITE = 12
"""Best candidates that the polish starts from."""

SEARCH = QuickSettings(limits=Limits(kicks=10, stalled=30), starts=4)
POLISH = PolishLimits(steps=36, patience=14)
"""How hard the elite is polished, beside squads that a quick search finds: a third of a second in the World Cup."""


def exact_elite(evolution: Evolution) -> Proposal:
    """Return what the best candidates become on the exact fitness, each as a child of the one it shares most with."""
    rows = evolution.population.query(top=ELITE)
    if evolution.stop() or not len(rows):
        return evolution.descended(evolution.population.columns.squads[rows[:0]], rows[:0], EXACT)
    starts = evolution.population.columns.squads[rows]
    found = search_fitness(
        evolution.judge,
        evolution.objective,
        evolution.rng,
        SEARCH,
        POLISH,
        allowed=evolution.allowed,
        kept=evolution.kept,
        begin=starts,
        stop=evolution.stop,
    ).squads
    shared = np.stack([np.isin(starts, squad).sum(axis=1) for squad in found])
    return evolution.mended(evolution.descended(found, rows[shared.argmax(axis=1)], EXACT))
