"""Pick a board: search squads under an objective and lay out the options that were chosen."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np

from engine.board.board import Board, make_board
from engine.fitness.judge import Judge, Objective
from engine.search.breeding.evolution import Progress
from engine.search.outcome import Breeding
from engine.search.run import PickSettings, search_squads
from engine.search.seeding.archetypes import SolvedSquads


def pick(
    judge: Judge,
    objective: Objective,
    rng: np.random.Generator,
    settings: PickSettings,
    *,
    cache: SolvedSquads | None = None,
    stop: Callable[[], bool] = lambda: False,
) -> Iterator[Progress | Board]:
    """Yield progress after every generation and the board last; after a stop request it is that of the best so far."""
    for step in search_squads(judge, objective, rng, settings, cache=cache, stop=stop):
        yield bred_board(step) if isinstance(step, Breeding) else step


def bred_board(bred: Breeding) -> Board:
    """Return the board of the options that a search chose, each with its descent and repairs."""
    rows = np.array(bred.options)
    origins = [(bred.lineage(row), bred.repair_log(row)) for row in bred.options]
    flags = (bred.flag,) if bred.flag else ()
    evolution = bred.evolution
    squads = bred.population.columns.squads[rows]
    board = make_board(evolution.judge, evolution.objective, squads, origins=origins, flags=flags)
    return replace(board, breeding=replace(bred, options=_in_order(board, bred)))


def _in_order(board: Board, bred: Breeding) -> tuple[int, ...]:
    """Return the options' rows of the population in the order of the board, which ranks them as they are sent out."""
    squads = bred.population.columns.squads
    rows = {frozenset(squads[row].tolist()): row for row in bred.options}
    return tuple(rows[frozenset(option.rows)] for option in board.options)
