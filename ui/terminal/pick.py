"""Commands that choose: a board of squads for an objective, and protect against gain."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from data.errors import InputError
from engine.board.stated_wishes import StatedWishes
from ui.terminal.boards import print_board, print_comparison, print_comparison_json, write_csv
from ui.terminal.console import print_json, say
from ui.terminal.options import JsonOption, ObjectiveOptions, Place, StatedObjective, grouped
from ui.terminal.plans.shown import show_plans_apart
from ui.terminal.search import search_board

SecondsOption = Annotated[float, typer.Option(min=0.1, max=600, help="Most seconds to search.")]
GenerationsOption = Annotated[int, typer.Option(min=1, max=1000, help="Most generations of the search.")]
MemoryOption = Annotated[
    bool,
    typer.Option(
        help="Start from what won in your earlier searches, and learn from this one. "
        "The same seed then gives the same board only with the same memory."
    ),
]


@grouped
def pick(
    place: Place,
    asked: StatedObjective,
    wishes: StatedWishes,
    seconds: SecondsOption = 10.0,
    generations: GenerationsOption = 10,
    prove: Annotated[
        bool, typer.Option(help="Say how far below the best possible squad it can be; takes some seconds more.")
    ] = True,
    csv: Annotated[Path | None, typer.Option(help="Write the recommended line-up to this file.")] = None,
    memory: MemoryOption = False,
    json: JsonOption = False,
) -> None:
    """Pick a squad for a round: two to four options from safe to bold, one recommended, every score term by term.

    Example: [bold]thetaxi pick --round 1 --theta protect --lock "Harry Kane" --csv lineup.csv[/bold]

    Ctrl-C ends the search and shows the best so far. With --seconds above what --generations need, the same seed gives
    the same board.

    JSON: {"world", "round", "title", "aim", "proof", "flags": (texts), "options": [{"formation", "expected", "swing",
    "price", "fitness", "decomposition": {term: points}, "variance", "variance_band", "objective", "disqualified",
    "provisional", "substitution_watch", "men": [{"player_id", "name", "role", "armband", …}], "ladder": (texts),
    "lineage", "repairs", "dissent", "differences", "remarks", "transfers": {"headline", "result", "moves", "free",
    "hits", "cost", "net"} or null}]}.
    """
    desk = place.desk(wishes)
    objective = asked.objective(desk)
    board = search_board(desk, objective, seconds, generations, remember=memory)
    if csv:
        write_csv(csv, board.recommended)
    if not json:
        print_board(board)
        hint = desk.plan_hint(board, objective)
        say(*(hint.sentences if hint else ()))
    board = desk.proved(board, objective) if prove else board
    if json:
        from engine.board.export import board_dict

        print_json(board_dict(board))
    elif prove:
        say(f"{board.proof.headline}. Precisely: the recommended squad is {board.proof}.")


@grouped
def compare(
    place: Place,
    wishes: StatedWishes,
    first: Annotated[str, typer.Option(help="Objective of the first plan.")] = "protect",
    second: Annotated[str, typer.Option(help="Objective of the second plan.")] = "gain",
    seconds: SecondsOption = 10.0,
    generations: GenerationsOption = 10,
    horizon: Annotated[int, typer.Option(min=1, max=8, help="Rounds to plan; 1 compares squads of the round.")] = 1,
    json: JsonOption = False,
) -> None:
    """Compare two plans for a round: who is in both, what each swap costs, and each squad under both objectives.

    Example: [bold]thetaxi compare --round 1[/bold] · [bold]thetaxi compare --round 8 --horizon 5 --from mine.csv[/bold]

    With --horizon above 1 two plans over rounds are compared: where they part, week by week, each under both
    objectives; JSON: {"world", "round", "summary", "parts_in", "weeks": [{"round", "title", "first_moves",
    "second_moves", "only_first", "only_second", "captains", "expected", "parted"}], "under_both"}.

    JSON: {"world", "round", "summary", "shared": (names), "swaps": [{"position", "first", "second", "points", "owned",
    "price"}], "under_both": {plan: {objective: {term: points, "fitness": total}}}, "first": option, "second": option}.
    """
    from engine.board.comparison import compare as compared
    from engine.desk import refuse_same

    if first == second:
        raise InputError(
            f"Both plans would be for {first}. Name two objectives, such as --first protect --second gain."
        )
    desk = place.desk(wishes)
    if horizon > 1:
        show_plans_apart(desk.compare_plans(first, second, horizon), desk.beliefs.world, place.round_number, json)
        return
    objectives = [ObjectiveOptions(theta=name).objective(desk) for name in (first, second)]
    refuse_same(objectives)
    boards = [search_board(desk, objective, seconds, generations) for objective in objectives]
    result = compared(desk.judge, (boards[0].recommended, objectives[0]), (boards[1].recommended, objectives[1]))
    if json:
        print_comparison_json(result, boards[0])
    else:
        print_comparison(result, (first, second), (objectives[0].name, objectives[1].name))
