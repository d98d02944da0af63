"""What the commands that choose have on their table: signals, judge and wishes, and a search with live progress."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from rich.progress import BarColumn, Progress, TextColumn

from data.errors import InputError
from data.library import find_world
from data.rules import CaptaincyMode, load_rules
from engine.cli_models import own_projections
from engine.cli_wishes import StatedWishes, read_wishes
from engine.console import notes

if TYPE_CHECKING:
    from engine.archetypes import SolvedSquads
    from engine.board import Board
    from engine.conflicts import Demands
    from engine.judge import Aim, Judge
    from engine.memory import BlockMemory
    from engine.run import PickSettings


class Table:
    """Everything a choice needs, laid out once: signals, judge, demands and the generator."""

    def __init__(self, judge: Judge, demands: Demands, rng: np.random.Generator, cache: SolvedSquads) -> None:
        self.judge, self._demands, self._rng, self._cache = judge, demands, rng, cache
        self._memory: BlockMemory | None = None

    @classmethod
    def laid(
        cls,
        world: str,
        round_number: int,
        captaincy: CaptaincyMode | None,
        seed: int,
        stated: StatedWishes,
        projections: Path | None,
    ) -> Table:
        """Build the signals, read the wishes and refuse those that cannot hold together."""
        from engine.archetypes import SolvedSquads
        from engine.conflict_words import refuse_impossible
        from engine.judge import Judge
        from engine.scene import SquadView
        from models.signals import build_signals

        snapshot = find_world(world).at(round_number)
        rules = load_rules(snapshot.rulebook)
        rules = rules.with_captaincy(captaincy) if captaincy else rules
        model_rng, pool_rng, search_rng = np.random.default_rng(seed).spawn(3)
        notes().print("Rating teams and players …", style="dim")
        overrides = own_projections(projections, snapshot)
        signals = build_signals(snapshot, rules, rng=model_rng, overrides=overrides)
        wishes = read_wishes(stated, snapshot, signals)
        for line in wishes.remarks:
            notes().print(line, style="yellow", markup=False)
        view = SquadView(wishes.signals, wishes.settings)
        refuse_impossible(view, wishes.demands)
        return cls(Judge(view, pool_rng), wishes.demands, search_rng, SolvedSquads())

    def aim(self, theta: str | None, k: float | None, w: float | None) -> Aim:
        """Return the aim a user names, its warnings told."""
        from engine.judge import aim_at

        aim = aim_at(theta, self.judge.view, k=k, w=w)
        for line in aim.warnings:
            notes().print(line, style="yellow", markup=False)
        self.judge.yardstick(aim)  # now, so that a wish to stop the search never waits for it
        return aim

    def board(self, aim: Aim, seconds: float, generations: int) -> Board:
        """Search with live progress and return the board, that of the best so far after Ctrl-C."""
        from engine.board import Board
        from engine.evolution import EvolutionSettings
        from engine.memory import NullMemory
        from engine.run import PickSettings, pick

        evolution = EvolutionSettings(seconds=seconds, generations=generations)
        settings: PickSettings = PickSettings(
            evolution=evolution, demands=self._demands, memory=self._memory or NullMemory()
        )
        notes().print(f"Breeding squads for {aim.name} …", style="dim", markup=False)
        with _stoppable() as stop, _bar(aim.name, generations) as show:
            for step in pick(self.judge, aim, self._rng.spawn(1)[0], settings, cache=self._cache, stop=stop):
                if isinstance(step, Board):
                    self._learn(aim, step)
                    return step
                show(step.generation, step.best)
        raise InputError("The search ended without a board.")

    def remember(self) -> None:
        """Use and keep what searches teach from now on."""
        from engine.memory import read_memory

        self._memory = read_memory()
        if self._memory.note:
            notes().print(self._memory.note, style="yellow", markup=False)

    def _learn(self, aim: Aim, board: Board) -> None:
        from engine.memory import keep_memory

        if self._memory is None or board.breeding is None:
            return
        bred = board.breeding
        self._memory = self._memory.learned(aim.name, f"{board.world}/{board.round}", bred.learned_from, bred.wins)
        keep_memory(self._memory)

    def proved(self, board: Board, aim: Aim) -> Board:
        """Return the board with what can be proved about its recommended option."""
        from engine.proof import proof_in_words

        return replace(board, proof=proof_in_words(self.judge, aim, board.recommended, self._demands))


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
