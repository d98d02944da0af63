"""The whole search on one screen, in the order it runs: the table of contents of this room.

1. Seeding: six convictions solved by PuLP, and a first squad that climbing finds (`seeding`, `climbing.first_squad`).
2. Breeding, the evolution: selection within bands, crossover of blocks, mutation, repair of children (`breeding`).
3. Climbing, a local search: seeds and children are taken to local optima of the standard form (`climbing`).
4. Finishing, a local search: the elite is polished on the exact fitness (`finishing`).
5. Choosing: options that differ, and a wider re-seeding where they are too close (`breeding.governor`, `widening`).

How far the answer can be from the optimum is proved afterwards, in `engine.proof`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

import numpy as np

from engine.fitness.judge import Judge, Objective
from engine.fitness.standard_form import standard_form
from engine.rules.conflicts import Demands
from engine.search.breeding.evolution import Evolution, EvolutionSettings, Progress
from engine.search.breeding.governor import govern
from engine.search.breeding.widening import widened
from engine.search.climbing.first_squad import first_squad
from engine.search.finishing.elite import exact_elite
from engine.search.outcome import Breeding
from engine.search.seeding.archetypes import ARCHETYPE_NAMES, SolvedSquads
from engine.search.seeding.memory import Memory, NullMemory
from engine.search.seeding.seeds import SEED_NAMES, first_children, gathered, latecomer, liking, solved


@dataclass(frozen=True, slots=True, kw_only=True)
class PickSettings:
    """How a board is made."""

    evolution: EvolutionSettings = field(default_factory=EvolutionSettings)
    demands: Demands = field(default_factory=Demands)
    memory: Memory = field(default_factory=NullMemory)


def search_squads(
    judge: Judge,
    objective: Objective,
    rng: np.random.Generator,
    settings: PickSettings,
    *,
    cache: SolvedSquads | None = None,
    stop: Callable[[], bool] = lambda: False,
) -> Iterator[Progress | Breeding]:
    """Yield progress after every generation and all that was bred last; after a stop request the best so far.

    What was bred has genomes, descent, frontier, the options chosen of it, and what a memory may learn.
    """
    glance_rng, search_rng = rng.spawn(2)
    evolution = Evolution(
        judge,
        objective,
        standard_form(judge.view, objective),
        search_rng,
        settings.evolution,
        settings.demands,
        tilt=liking(settings.memory, objective.name),
        stop=stop,
        unconvinced=len(SEED_NAMES) - 1,
    )
    with ThreadPoolExecutor(1) as aside:  # the solver is a process of its own, so both go on at once
        solving = aside.submit(solved, evolution, cache)
        quick = first_squad(judge.view, objective, glance_rng, settings.demands)
        archetypes = solving.result()
    first = gathered(evolution, quick, archetypes)
    first = first if len(first) else latecomer(evolution, quick)
    choice = yield from govern(
        evolution,
        first,
        opening=(first_children, widened),
        closing=(lambda bred: latecomer(bred, quick), exact_elite),
    )
    rows = tuple(int(row) for row in choice.rows)
    yield Breeding(evolution, SEED_NAMES, len(ARCHETYPE_NAMES), rows, choice.diversity.flag)
