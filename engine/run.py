"""The whole story on one screen: seed with convictions, breed, choose options that differ, put them on a board."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import numpy as np

from engine.archetypes import SolvedSquads, Wishes, archetype_squads
from engine.board import Board, Origin, make_board
from engine.conflicts import Demands
from engine.diversity import measure_diversity, pick_diverse
from engine.evolution import OPERATOR_NAMES, Evolution, EvolutionSettings, Progress, breed
from engine.judge import Aim, Judge
from engine.local_search import Limits, improve
from engine.standard_form import standard_form

CONSIDERED = 400
"""Best candidates that options are chosen from."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PickSettings:
    """How a board is made."""

    evolution: EvolutionSettings = field(default_factory=EvolutionSettings)
    options: int = 4
    demands: Demands = field(default_factory=Demands)


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
    """Yield progress after every generation and the board last; after a stop request it is that of the best so far."""
    view = judge.view
    form = standard_form(view, aim)
    wishes = _wishes(settings.demands, len(view.signals))
    seeds = archetype_squads(view, wishes=wishes, cache=cache)
    squads, archetype = seeds.squads, np.arange(len(seeds.squads))
    if form is not None:
        polished = improve(form, squads, rng, Limits(kicks=1), ~wishes.banned, tuple(settings.demands.must)).squads
        squads, archetype = np.concatenate([squads, polished]), np.tile(archetype, 2)
    squads, first = np.unique(squads, axis=0, return_index=True)
    evolution = Evolution(judge, aim, form, rng, settings.evolution, settings.demands)
    yield from breed(evolution, squads, archetype[first], stop=stop, clock=clock)
    yield _board(evolution, seeds.names, settings)


def _board(evolution: Evolution, archetypes: tuple[str, ...], settings: PickSettings) -> Board:
    judge, aim, population = evolution.judge, evolution.aim, evolution.population
    rows = population.query(top=CONSIDERED)
    scored = judge.score(population.columns.squads[rows], aim)
    yardstick = judge.yardstick(aim)
    chosen = pick_diverse(scored, yardstick, judge.view, count=settings.options)
    diversity = measure_diversity(scored, chosen, yardstick, judge.view)
    flags = (diversity.flag,) if diversity.flag else ()
    origins = [Origin(lineage_in_words(evolution, int(rows[row]), archetypes)) for row in chosen]
    return make_board(judge, aim, scored.squads[chosen], origins=origins, flags=flags)


def lineage_in_words(evolution: Evolution, row: int, archetypes: tuple[str, ...]) -> str:
    """Return how a candidate came about: the conviction it began with, and what was done to it since."""
    columns = evolution.population.columns
    chain = [*evolution.population.ancestors(row), row]
    origin = archetypes[int(columns.archetype[chain[0]])]
    steps = [OPERATOR_NAMES[int(columns.operator[step])] for step in chain[1:]]
    mates = {archetypes[int(columns.archetype[int(mate)])] for mate in columns.parent[chain[1:], 1] if mate >= 0}
    others = sorted(mates - {origin})
    crossed = f", crossed with {' and '.join(others)}" if others else ""
    counted = [f"{name} ×{steps.count(name)}" if steps.count(name) > 1 else name for name in dict.fromkeys(steps)]
    return f"{origin}{crossed}{': ' + ', '.join(counted) if counted else ''}"


def _wishes(demands: Demands, players: int) -> Wishes:
    locked, banned = np.zeros(players, dtype=bool), np.zeros(players, dtype=bool)
    locked[list(demands.must)] = True
    banned[list(demands.never)] = True
    return Wishes(locked, banned)
