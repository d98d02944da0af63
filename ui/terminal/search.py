"""A search on the command line: live progress, Ctrl-C for the best so far, memory, and what can be proved."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from rich.progress import BarColumn, Progress, TextColumn

from data.errors import InputError
from ui.terminal.console import notes
from ui.terminal.desk import Desk

if TYPE_CHECKING:
    from engine.board.board import Board
    from engine.fitness.judge import Aim
    from engine.search.run import PickSettings
    from engine.search.seeding.memory import BlockMemory


class Search:
    """Searches for boards from one desk; what was solved for one board serves the next."""

    def __init__(self, desk: Desk) -> None:
        from engine.search.seeding.archetypes import SolvedSquads

        self._desk, self._cache = desk, SolvedSquads()
        self._memory: BlockMemory | None = None

    def board(self, aim: Aim, seconds: float, generations: int) -> Board:
        """Search with live progress and return the board, that of the best so far after Ctrl-C."""
        from engine.board.board import Board
        from engine.board.picking import pick
        from engine.search.breeding.evolution import EvolutionSettings
        from engine.search.run import PickSettings
        from engine.search.seeding.memory import NullMemory

        self._desk.judge.yardstick(aim)  # now, so that a wish to stop the search never waits for it
        evolution = EvolutionSettings(seconds=seconds, generations=generations)
        settings: PickSettings = PickSettings(
            evolution=evolution, demands=self._desk.demands, memory=self._memory or NullMemory()
        )
        notes().print(f"Breeding squads for {aim.name} …", style="dim", markup=False)
        with _stoppable() as stop, _bar(aim.name, generations) as show:
            for step in pick(self._desk.judge, aim, self._desk.rng.spawn(1)[0], settings, cache=self._cache, stop=stop):
                if isinstance(step, Board):
                    self._learn(aim, step)
                    return step
                show(step.generation, step.best)
        raise InputError("The search ended without a board.")

    def remember(self) -> None:
        """Use and keep what searches teach from now on."""
        from engine.search.seeding.memory import read_memory

        self._memory = read_memory()
        if self._memory.note:
            notes().print(self._memory.note, style="yellow", markup=False)

    def _learn(self, aim: Aim, board: Board) -> None:
        from engine.search.seeding.memory import keep_memory

        if self._memory is None or board.breeding is None:
            return
        bred = board.breeding
        self._memory = self._memory.learned(aim.name, f"{board.world}/{board.round}", bred.learned_from, bred.wins)
        try:
            keep_memory(self._memory)
        except OSError as error:
            notes().print(f"What this search taught cannot be kept: {error}", style="yellow", markup=False)

    def proved(self, board: Board, aim: Aim) -> Board:
        """Return the board with what can be proved about its recommended option."""
        from engine.board.claim import claim_of

        return replace(board, proof=claim_of(self._desk.judge, aim, board.recommended, self._desk.demands))


@contextmanager
def _stoppable() -> Iterator[_Stop]:
    """Turn Ctrl-C into a wish to stop: the board of the best so far is still made."""
    stop = _Stop()
    before = signal.signal(signal.SIGINT, stop.wish)
    try:
        yield stop
    finally:
        signal.signal(signal.SIGINT, before)


class _Stop:
    """Whether the user asked to stop."""

    def __init__(self) -> None:
        self._wished = False

    def wish(self, *_: object) -> None:
        """Remember the wish."""
        self._wished = True

    def __call__(self) -> bool:
        return self._wished


@contextmanager
def _bar(title: str, generations: int) -> Iterator[_Show]:
    columns = (TextColumn("{task.description}"), BarColumn())
    with Progress(*columns, console=notes(), transient=True) as bar:
        task = bar.add_task(f"Breeding {title}", total=generations)
        yield _Show(bar, task, title)


class _Show:
    """Moves the bar."""

    def __init__(self, bar: Progress, task: object, title: str) -> None:
        self._bar, self._task, self._title = bar, task, title

    def __call__(self, generation: int, best: float) -> None:
        self._bar.update(self._task, completed=generation, description=f"Breeding {self._title}: best {best:.2f}")  # type: ignore[arg-type]
