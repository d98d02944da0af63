"""What every board of a round starts from, made ready before anybody asks for one: the same squads, only earlier."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor

from engine.fitness.judge import Judge, Objective
from engine.rules.conflicts import Demands
from engine.search.seeding.archetypes import SolvedSquads, archetype_squads
from engine.search.seeding.seeds import CREW


def make_ready(judge: Judge, objectives: Sequence[Objective], demands: Demands, cache: SolvedSquads) -> Iterator[None]:
    """Solve the archetypes into the cache, then draw the reference pool and score it under each objective.

    In this order, since the solver is a process of its own. Whoever takes the steps may wait between two of them, so
    that a search which has started meanwhile is not held up.
    """
    with ThreadPoolExecutor(CREW) as crew:
        archetype_squads(judge.view, demands=demands, cache=cache, each=crew.map)
    for objective in objectives:
        yield
        judge.yardstick(objective)
