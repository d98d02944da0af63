"""Commands that choose: a board of squads for an objective, and protect against gain."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import numpy as np
import typer
from rich.progress import BarColumn, Progress, TextColumn

from data.errors import InputError
from data.library import DEFAULT_WORLD, find_world
from data.rules import CaptaincyMode, load_rules
from engine.cli_board import print_board, print_comparison, print_comparison_json, write_csv
from engine.cli_data import JsonOption, RoundOption, SeedOption, WorldOption
from engine.cli_fitness import (
    LeadOption,
    LeverageOption,
    RoundsLeftOption,
    StrengthOption,
    ThetaOption,
    stated_objective,
)
from engine.cli_models import ProjectionsOption, own_projections
from engine.cli_wishes import (
    AtLeastOption,
    AtMostOption,
    BanOption,
    BudgetOption,
    CaptainOption,
    ChangesOption,
    FormationOption,
    FreeOption,
    FromOption,
    LockOption,
    StatedWishes,
    read_wishes,
)
from engine.console import notes, print_json

if TYPE_CHECKING:
    from engine.archetypes import SolvedSquads
    from engine.board import Board
    from engine.conflicts import Demands
    from engine.judge import Aim, Judge
    from engine.memory import BlockMemory
    from engine.run import PickSettings

SecondsOption = Annotated[float, typer.Option(min=0.1, max=600, help="Most seconds to breed.")]
MemoryOption = Annotated[
    bool,
    typer.Option(
        help="Seed more from the archetypes whose blocks won in your earlier searches, and learn from this one. "
        "The same seed then gives the same board only with the same memory."
    ),
]
ModeOption = Annotated[CaptaincyMode | None, typer.Option(help="When the armband may move, if not as shipped.")]


def add_pick_commands(app: typer.Typer) -> None:
    """Add this file's commands to the command line."""
    app.command("pick")(pick)
    app.command("compare")(compare)


def pick(
    round_number: RoundOption,
    theta: ThetaOption = None,
    k: StrengthOption = None,
    w: LeverageOption = None,
    lead: LeadOption = None,
    rounds_left: RoundsLeftOption = None,
    world: WorldOption = DEFAULT_WORLD,
    projections: ProjectionsOption = None,
    squad: FromOption = None,
    free_transfers: FreeOption = None,
    lock: LockOption = None,
    ban: BanOption = None,
    changes: ChangesOption = None,
    budget: BudgetOption = None,
    formation: FormationOption = None,
    captain: CaptainOption = None,
    at_least: AtLeastOption = None,
    at_most: AtMostOption = None,
    captaincy: ModeOption = None,
    seconds: SecondsOption = 10.0,
    generations: Annotated[int, typer.Option(min=1, max=1000, help="Most generations to breed.")] = 10,
    prove: Annotated[
        bool, typer.Option(help="Say how far from the optimum it can be; takes some seconds more.")
    ] = True,
    csv: Annotated[Path | None, typer.Option(help="Write the recommended line-up to this file.")] = None,
    memory: MemoryOption = False,
    seed: SeedOption = 0,
    json: JsonOption = False,
) -> None:
    """Pick a squad for a round: two to four options across the spectrum, one recommended, every score decomposed.

    Example: [bold]thetaxi pick --round 1 --theta protect --lock "Harry Kane" --csv lineup.csv[/bold]

    Ctrl-C ends the search and shows the best so far. With --seconds above what --generations need, the same seed gives
    the same board.

    JSON: {"world", "round", "title", "aim", "proof", "flags": (texts), "options": [{"formation", "expected", "swing",
    "price", "fitness", "decomposition": {term: points}, "variance", "variance_band", "objective", "disqualified",
    "provisional", "substitution_watch", "men": [{"player_id", "name", "role", "armband", …}], "ladder": (texts),
    "lineage", "repairs", "dissent", "differences"}]}.
    """
    rules = load_rules(find_world(world).rulebook)
    theta, k = stated_objective(theta, k, lead, rounds_left or rules.rounds - round_number + 1)
    wishes = StatedWishes(
        lock=lock,
        ban=ban,
        squad=squad,
        free_transfers=free_transfers,
        changes=changes,
        budget=budget,
        formation=formation,
        captain=captain,
        at_least=at_least,
        at_most=at_most,
    )
    table = _Table.laid(world, round_number, captaincy, seed, wishes, projections)
    if memory:
        table.remember()
    aim = table.aim(theta, k, w)
    board = table.board(aim, seconds, generations)
    if csv:
        write_csv(csv, board.recommended)
    if not json:
        print_board(board)
    board = table.proved(board, aim) if prove else board
    if json:
        from engine.export import board_dict

        print_json(board_dict(board))
    elif prove:
        notes().print(f"The recommended squad is {board.proof}.", markup=False)


def compare(
    round_number: RoundOption,
    world: WorldOption = DEFAULT_WORLD,
    first: Annotated[str, typer.Option(help="Objective of the first plan.")] = "protect",
    second: Annotated[str, typer.Option(help="Objective of the second plan.")] = "gain",
    projections: ProjectionsOption = None,
    squad: FromOption = None,
    free_transfers: FreeOption = None,
    lock: LockOption = None,
    ban: BanOption = None,
    changes: ChangesOption = None,
    budget: BudgetOption = None,
    formation: FormationOption = None,
    captain: CaptainOption = None,
    at_least: AtLeastOption = None,
    at_most: AtMostOption = None,
    captaincy: ModeOption = None,
    seconds: SecondsOption = 10.0,
    generations: Annotated[int, typer.Option(min=1, max=1000, help="Most generations to breed for each.")] = 10,
    seed: SeedOption = 0,
    json: JsonOption = False,
) -> None:
    """Compare two plans for a round: who is in both, what each swap costs, and each squad under both objectives.

    Example: [bold]thetaxi compare --round 1[/bold]

    JSON: {"world", "round", "summary", "shared": (names), "swaps": [{"position", "first", "second", "points", "owned",
    "price"}], "under_both": {plan: {objective: {term: points, "fitness": total}}}, "first": option, "second": option}.
    """
    from engine.comparison import compare as compared

    wishes = StatedWishes(
        lock=lock,
        ban=ban,
        squad=squad,
        free_transfers=free_transfers,
        changes=changes,
        budget=budget,
        formation=formation,
        captain=captain,
        at_least=at_least,
        at_most=at_most,
    )
    if first == second:
        raise InputError(
            f"Both plans would be for {first}. Name two objectives, such as --first protect --second gain."
        )
    table = _Table.laid(world, round_number, captaincy, seed, wishes, projections)
    aims = [table.aim(name, None, None) for name in (first, second)]
    boards = [table.board(aim, seconds, generations) for aim in aims]
    result = compared(table.judge, (boards[0].recommended, aims[0]), (boards[1].recommended, aims[1]))
    if json:
        print_comparison_json(result, boards[0])
    else:
        print_comparison(result, (first, second), (aims[0].name, aims[1].name))


class _Table:
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
    ) -> _Table:
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
        from engine.judge import aim_at

        aim = aim_at(theta, self.judge.view, k=k, w=w)
        for line in aim.warnings:
            notes().print(line, style="yellow", markup=False)
        self.judge.yardstick(aim)  # now, so that a wish to stop the search never waits for it
        return aim

    def board(self, aim: Aim, seconds: float, generations: int) -> Board:
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
