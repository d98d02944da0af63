"""A search on the command line: live progress, Ctrl-C for the best so far, memory."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event
from typing import TYPE_CHECKING

from data.errors import InputError
from ui.terminal.console import progress, say, warn

if TYPE_CHECKING:
    from engine.board.board import Board
    from engine.desk import Desk
    from engine.fitness.judge import Objective
    from engine.search.seeding.memory import BlockMemory


def search_board(
    desk: Desk, objective: Objective, seconds: float, generations: int, *, remember: bool = False
) -> Board:
    """Return the board of an objective, that of the best so far after Ctrl-C; `remember` uses and keeps its lessons."""
    from engine.board.board import Board
    from engine.search.seeding.memory import read_memory

    memory = read_memory() if remember else None
    warn([memory.note] if memory and memory.note else [])
    desk.judge.yardstick(objective)  # now, so that a wish to stop the search never waits for it
    say(f"Searching squads for {objective.name} …", style="dim")
    with stoppable() as stop, progress(f"Searching {objective.name}", total=generations) as show:
        for step in desk.search(objective, generations=generations, seconds=seconds, memory=memory, stop=stop):
            if isinstance(step, Board):
                if memory is not None:
                    _learn(memory, objective, step)
                return step
            show(completed=step.generation, description=f"Searching {objective.name}: best {step.best:.2f}")
    raise InputError("The search ended without a board.")


def _learn(memory: BlockMemory, objective: Objective, board: Board) -> None:
    from engine.search.seeding.memory import keep_memory

    if bred := board.breeding:
        try:
            keep_memory(memory.learned(objective.name, f"{board.world}/{board.round}", bred.learned_from, bred.wins))
        except OSError as error:
            warn([f"What this search taught cannot be kept: {error}"])


@contextmanager
def stoppable() -> Iterator[Callable[[], bool]]:
    """Turn Ctrl-C into a wish to stop: the board of the best so far is still made."""
    wished = Event()
    before = signal.signal(signal.SIGINT, lambda *_: wished.set())
    try:
        yield wished.is_set
    finally:
        signal.signal(signal.SIGINT, before)
