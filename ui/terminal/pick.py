"""Commands that choose: a board of squads for an objective, and protect against gain."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from data.errors import InputError
from data.rules import CaptaincyMode, load_rules
from data.worlds.library import DEFAULT_WORLD, find_world
from ui.terminal.boards import print_board, print_comparison, print_comparison_json, write_csv
from ui.terminal.console import notes, print_json
from ui.terminal.data import JsonOption, RoundOption, SeedOption, WorldOption
from ui.terminal.desk import open_desk
from ui.terminal.fitness import (
    LeadOption,
    LeverageOption,
    RoundsLeftOption,
    StrengthOption,
    ThetaOption,
    stated_objective,
)
from ui.terminal.models import ProjectionsOption
from ui.terminal.search import Search
from ui.terminal.wishes import (
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
)

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
    theta, k = stated_objective(theta, k, lead, rounds_left, rules.rounds - round_number + 1)
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
    desk = open_desk(world, round_number, captaincy, seed, wishes, projections)
    search, aim = Search(desk), desk.aim(theta, k, w)
    if memory:
        search.remember()
    board = search.board(aim, seconds, generations)
    if csv:
        write_csv(csv, board.recommended)
    if not json:
        print_board(board)
    board = search.proved(board, aim) if prove else board
    if json:
        from engine.board.export import board_dict

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
    from engine.board.comparison import compare as compared

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
    desk = open_desk(world, round_number, captaincy, seed, wishes, projections)
    search, aims = Search(desk), [desk.aim(name) for name in (first, second)]
    if (aims[0].spec.text, aims[0].parameters) == (aims[1].spec.text, aims[1].parameters):
        raise InputError(f"{first} and {second} ask for the same. Name two objectives that differ.")
    boards = [search.board(aim, seconds, generations) for aim in aims]
    result = compared(desk.judge, (boards[0].recommended, aims[0]), (boards[1].recommended, aims[1]))
    if json:
        print_comparison_json(result, boards[0])
    else:
        print_comparison(result, (first, second), (aims[0].name, aims[1].name))
