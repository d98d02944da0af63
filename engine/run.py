"""The whole story on one screen: seed with convictions, breed, choose options that differ, put them on a board."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace

import numpy as np

from engine.archetypes import ARCHETYPE_NAMES, SolvedSquads
from engine.board import Board, Origin, make_board
from engine.breeding import Breeding
from engine.conflicts import Demands
from engine.diversity import MOST_OPTIONS
from engine.evolution import Evolution, EvolutionSettings, Progress
from engine.finishing import exact_elite
from engine.glance import first_squad
from engine.governor import Choice, govern
from engine.judge import Aim, Judge
from engine.memory import Memory, NullMemory
from engine.seeding import SEED_NAMES, first_children, gathered, latecomer, liking, solved
from engine.standard_form import standard_form
from engine.widening import widened


@dataclass(frozen=True, slots=True, kw_only=True)
class PickSettings:
    """How a board is made."""

    evolution: EvolutionSettings = field(default_factory=EvolutionSettings)
    options: int = MOST_OPTIONS
    demands: Demands = field(default_factory=Demands)
    memory: Memory = field(default_factory=NullMemory)


def pick(
    judge: Judge,
    aim: Aim,
    rng: np.random.Generator,
    settings: PickSettings,
    *,
    cache: SolvedSquads | None = None,
    stop: Callable[[], bool] = lambda: False,
    clock: Callable[[], float] = time.perf_counter,
) -> Iterator[Progress | Board]:
    """Yield progress after every generation and the board last; after a stop request it is that of the best so far.

    The board's `breeding` has all that was bred: genomes, descent, frontier, and what a memory may learn.
    """
    glance_rng, search_rng = rng.spawn(2)
    evolution = Evolution(
        judge,
        aim,
        standard_form(judge.view, aim),
        search_rng,
        settings.evolution,
        settings.demands,
        tilt=liking(settings.memory, aim.name),
        stop=stop,
        unconvinced=len(SEED_NAMES) - 1,
    )
    with ThreadPoolExecutor(1) as aside:  # the solver is a process of its own, so both go on at once
        solving = aside.submit(solved, evolution, cache)
        quick = first_squad(judge.view, aim, glance_rng, settings.demands)
        seeds = gathered(evolution, quick, solving.result())
    first = evolution.mended(evolution.seeded(seeds.squads, seeds.archetype))
    first = first if len(first) else latecomer(evolution, quick)
    history: list[Progress] = []
    search = govern(
        evolution,
        first,
        settings.options,
        opening=(first_children, widened),
        closing=(lambda bred: latecomer(bred, quick), exact_elite),
        clock=clock,
    )
    while True:
        try:
            progress = next(search)
        except StopIteration as finished:
            yield _board(evolution, finished.value, tuple(history))
            return
        history.append(progress)
        yield progress


def _board(evolution: Evolution, choice: Choice, history: tuple[Progress, ...]) -> Board:
    rows = tuple(int(row) for row in choice.rows)
    bred = Breeding(evolution, SEED_NAMES, len(ARCHETYPE_NAMES), history, rows, choice.reruns)
    flags = (choice.diversity.flag,) if choice.diversity.flag else ()
    origins = [Origin(bred.lineage(row), bred.repair_log(row)) for row in rows]
    squads = evolution.population.columns.squads[choice.rows]
    board = make_board(evolution.judge, evolution.aim, squads, origins=origins, flags=flags)
    return replace(board, breeding=bred)
