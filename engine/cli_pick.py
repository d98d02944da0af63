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
from data.storage import replace_file
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
from engine.console import notes, print_json, print_table

if TYPE_CHECKING:
    from data.snapshot import Snapshot
    from engine.archetypes import SolvedSquads
    from engine.board import Board, Option
    from engine.judge import Aim, Judge
    from engine.run import PickSettings

LockOption = Annotated[list[str] | None, typer.Option("--lock", help="A player who must be in; may be repeated.")]
BanOption = Annotated[list[str] | None, typer.Option("--ban", help="A player who must not; may be repeated.")]
FromOption = Annotated[
    Path | None, typer.Option("--from", help="The squad you have: transfers and hits are priced in.")
]
FreeOption = Annotated[int | None, typer.Option(min=0, help="Your free transfers, if not those of the stage.")]
SecondsOption = Annotated[float, typer.Option(min=0.1, max=600, help="Most seconds to breed.")]
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
    captaincy: ModeOption = None,
    seconds: SecondsOption = 10.0,
    generations: Annotated[int, typer.Option(min=1, max=1000, help="Most generations to breed.")] = 10,
    prove: Annotated[
        bool, typer.Option(help="Say how far from the optimum it can be; takes some seconds more.")
    ] = True,
    csv: Annotated[Path | None, typer.Option(help="Write the recommended line-up to this file.")] = None,
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
    table = _Table.laid(world, round_number, captaincy, seed, squad, free_transfers, projections)
    aim = table.aim(theta, k, w)
    board = table.board(aim, lock or [], ban or [], seconds, generations)
    if csv:
        _write_csv(csv, board.recommended)
    if not json:
        _print_board(board)
    board = table.proved(board, aim, lock or [], ban or []) if prove else board
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
    from engine.export import option_dict

    table = _Table.laid(world, round_number, captaincy, seed, squad, free_transfers, projections)
    aims = [table.aim(name, None, None) for name in (first, second)]
    boards = [table.board(aim, lock or [], ban or [], seconds, generations) for aim in aims]
    result = compared(table.judge, (boards[0].recommended, aims[0]), (boards[1].recommended, aims[1]))
    swaps = [
        (s.position, s.first.name, s.second.name, f"{s.points:+.1f}", f"{s.owned:+.0%}", f"{s.price:+.1f}")
        for s in result.swaps
    ]
    if json:
        both = {
            plan: {name: dict(found.terms) | {"fitness": found.fitness} for name, found in under.items()}
            for plan, under in result.crossed.items()
        }
        keys = ("position", "first", "second", "points", "owned", "price")
        figures = [(s.position, s.first.name, s.second.name, s.points, s.owned, s.price) for s in result.swaps]
        print_json(
            {
                "world": boards[0].world,
                "round": boards[0].round,
                "summary": result.summary(),
                "shared": list(result.shared),
                "swaps": [dict(zip(keys, row, strict=True)) for row in figures],
                "under_both": both,
                "first": option_dict(result.first),
                "second": option_dict(result.second),
            }
        )
        return
    print_table(result.summary(), ["pos", first, second, "points", "owned", "price"], swaps)
    rows = [(plan, *(f"{found.fitness:.1f}" for found in under.values())) for plan, under in result.crossed.items()]
    print_table("The same squads under both objectives", ["plan", *(aim.name for aim in aims)], rows)


class _Table:
    """Everything a choice needs, laid out once: signals, judge, snapshot and the generator."""

    def __init__(self, judge: Judge, snapshot: Snapshot, rng: np.random.Generator, cache: SolvedSquads) -> None:
        self.judge, self.snapshot, self._rng, self._cache = judge, snapshot, rng, cache

    @classmethod
    def laid(
        cls,
        world: str,
        round_number: int,
        captaincy: CaptaincyMode | None,
        seed: int,
        squad: Path | None,
        free_transfers: int | None,
        projections: Path | None,
    ) -> _Table:
        from engine.archetypes import SolvedSquads
        from engine.judge import Judge
        from engine.scene import SceneSettings, SquadView
        from engine.squad_input import read_squad
        from models.signals import build_signals

        snapshot = find_world(world).at(round_number)
        rules = load_rules(snapshot.rulebook)
        rules = rules.with_captaincy(captaincy) if captaincy else rules
        model_rng, pool_rng, search_rng = np.random.default_rng(seed).spawn(3)
        notes().print("Rating teams and players …", style="dim")
        overrides = own_projections(projections, snapshot)
        signals = build_signals(snapshot, rules, rng=model_rng, overrides=overrides)
        current: tuple[int, ...] = ()
        if squad is not None:
            rows, remarks = read_squad(squad, snapshot, signals)
            current = tuple(int(row) for row in rows)
            for line in remarks:
                notes().print(line, style="yellow", markup=False)
        settings = SceneSettings(current=current, free_transfers=free_transfers)
        return cls(Judge(SquadView(signals, settings), pool_rng), snapshot, search_rng, SolvedSquads())

    def aim(self, theta: str | None, k: float | None, w: float | None) -> Aim:
        from engine.judge import aim_at

        aim = aim_at(theta, self.judge.view, k=k, w=w)
        for line in aim.warnings:
            notes().print(line, style="yellow", markup=False)
        return aim

    def board(self, aim: Aim, lock: list[str], ban: list[str], seconds: float, generations: int) -> Board:
        from engine.board import Board
        from engine.conflicts import Demands
        from engine.evolution import EvolutionSettings
        from engine.run import PickSettings, pick

        demands = Demands(must=self._rows(lock), never=self._rows(ban))
        evolution = EvolutionSettings(seconds=seconds, generations=generations)
        settings: PickSettings = PickSettings(evolution=evolution, demands=demands)
        notes().print(f"Breeding squads for {aim.name} …", style="dim", markup=False)
        with _stoppable() as stop, _bar(aim.name, generations) as show:
            for step in pick(self.judge, aim, self._rng.spawn(1)[0], settings, cache=self._cache, stop=stop):
                if isinstance(step, Board):
                    return step
                show(step.generation, step.best)
        raise InputError("The search ended without a board.")

    def proved(self, board: Board, aim: Aim, lock: list[str], ban: list[str]) -> Board:
        """Return the board with what can be proved about its recommended option."""
        from engine.conflicts import Demands
        from engine.proof import proof_in_words

        demands = Demands(must=self._rows(lock), never=self._rows(ban))
        return replace(board, proof=proof_in_words(self.judge, aim, board.recommended, demands))

    def _rows(self, names: list[str]) -> tuple[int, ...]:
        from data.sources.squad_table import read_names

        if not names:
            return ()
        found = read_names("\n".join(names), self.snapshot.players, teams=self.snapshot.teams, strict=True)
        return tuple(self.judge.view.signals.row_of(player) for player in found.player_ids)


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


def _write_csv(path: Path, option: Option) -> None:
    from engine.export import lineup_csv

    try:
        replace_file(path, lineup_csv(option).encode("utf-8-sig"))
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error.strerror}.") from None
    notes().print(f"Line-up written to {path}.", markup=False)


def _print_board(board: Board) -> None:
    best = board.recommended
    rows = [
        (m.role, m.armband, m.name, m.team, m.opponent, m.position, f"{m.price:.1f}", f"{m.xev:.2f}", f"{m.owned:.0%}")
        for m in best.men
    ]
    columns = ["role", "", "player", "team", "opponent", "pos", "price", "xEV", "owned"]
    print_table(f"{board.title}: {board.aim}, {best.formation}, {best.price:.1f}", columns, rows)
    terms = [
        (name, *(f"{option.decomposition.terms.get(name, 0.0):+.2f}" for option in board.options))
        for name in best.decomposition.terms
    ]
    totals = [
        ("fitness", *(f"{option.decomposition.fitness:.2f}" for option in board.options)),
        ("expected", *(f"{option.expected:.1f}" for option in board.options)),
        ("8 in 10", *(f"{option.swing[0]:.0f}–{option.swing[1]:.0f}" for option in board.options)),
        ("band", *(str(option.decomposition.band) for option in board.options)),
        ("captain", *(option.captain.short for option in board.options)),
    ]
    heads = ["term", "recommended", *(f"option {number}" for number in range(2, len(board.options) + 1))]
    print_table("Every score decomposed", heads, [*terms, *totals])
    for line in (*best.ladder, f"Against it: {best.dissent}", f"Bred from {best.lineage}.", *board.flags):
        notes().print(line, markup=False)
    if best.decomposition.watch:
        notes().print(f"Watch: {best.decomposition.watch}", markup=False)
