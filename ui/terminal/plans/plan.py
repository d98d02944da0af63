"""Command that plans: transfers, boosters and line-ups over the next rounds, with table, bound and options."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from engine.board.stated_wishes import StatedWishes
from ui.terminal.console import print_json, progress, say, warn, write_file
from ui.terminal.options import JsonOption, Place, StatedObjective, grouped
from ui.terminal.plans.shown import PlanRemarks, print_plan
from ui.terminal.plans.wish_options import PlanWishOptions

if TYPE_CHECKING:
    from pandas import DataFrame

    from engine.desk import Desk
    from engine.fitness.judge import Objective
    from engine.plan.advice.prices import WishPrice
    from engine.plan.answer.plan_board import PlanBoard
    from engine.plan.planner import Planner, PlanOrder

HorizonOption = Annotated[int, typer.Option("--horizon", min=1, max=8, help="Rounds to plan, the coming one included.")]
ChipsOption = Annotated[
    list[str] | None,
    typer.Option(
        "--chips", help="auto, none, or NAME@ROUND of a booster to play, such as wildcard@9; may be repeated."
    ),
]


@grouped
def plan(
    place: Place,
    asked: StatedObjective,
    wishes: StatedWishes,
    over_rounds: PlanWishOptions,
    horizon: HorizonOption = 5,
    chips: ChipsOption = None,
    entry: Annotated[
        int | None, typer.Option("--entry", min=1, help="Start from the squad of this Premier League manager.")
    ] = None,
    hits: Annotated[
        bool | None,
        typer.Option("--hits/--no-hits", help="Plan transfers beyond the free ones, or none; else where they pay."),
    ] = None,
    why_not: Annotated[
        list[str] | None,
        typer.Option("--why-not", help='Price a move: "sell NAME", "buy NAME" or "chip NAME@ROUND"; may be repeated.'),
    ] = None,
    saved: Annotated[Path | None, typer.Option(help="A plan saved by --csv: say what changed since.")] = None,
    csv: Annotated[Path | None, typer.Option(help="Write the recommended plan to this file.")] = None,
    json: JsonOption = False,
) -> None:
    """Plan the next rounds: whom to sell and buy, which booster when, who leads; every point in a table.

    Example: [bold]thetaxi plan --world fpl2025-26 --round 8 --horizon 5 --theta protect --from squad.csv[/bold]

    Without --from or --entry a first squad is built. Prices are taken as they are now. Ctrl-C ends the search and
    shows the best so far; the same seed gives the same plan.

    JSON: {"world", "round", "title", "aim", "rounds": [{"round", "out": (men), "in": (men), "chip", "twelfth": (the man
    of that booster), "captain", "vice", "eleven": (men), "bench": (men), "hits", "bank", "free", "expected", "terms":
    {term: points}}], "kept": {line: points}, "points", "total", "bound": {"share", "points", "linear", "linear_bound",
    "closed", "said"}, "rolling", "options": [{"title", "first_move", "firm", "dissent", "lineage", "notes", "rounds",
    "kept", "points", "total"}], "flags": (texts), "boosters": [{"key", "title", "points": {round: points}, "keeping",
    "played": (round)}], "wishes": [{"wish", "cost"}], "why": [{"asked", "cost", "said", "terms"}], "changes": (texts)}.
    A man is {"player_id", "name", "team", "position", "opponent", "price", "xev"}.
    """
    from engine.plan.advice.stated import PlanReader
    from engine.plan.planner import AUTO, NONE, PlanOrder, state_of

    stated = chips or [AUTO]
    order = PlanOrder(horizon=horizon, chips=stated[0] if stated[0] in (AUTO, NONE) else tuple(stated), hits=hits)
    owned = None if entry is None else owned_squad(entry, place.world)
    desk = place.desk(wishes if owned is None else replace(wishes, squad=Path(str(owned["file"]))))
    if owned is not None and owned["chips"] is not None:
        left = replace(state_of(desk.wishes, desk.beliefs), boosters=tuple(owned["chips"]))
        order = replace(order, state=left)
    order = replace(order, own=later_projections(place.projections, desk, horizon))
    reader = PlanReader(desk.snapshot, desk.beliefs, boosters_of(desk, order), rounds_of(desk, order))
    order = replace(order, wishes=reader.wishes(over_rounds.stated()))
    questions = [reader.question(text) for text in why_not or ()]
    objective, planner = stated_objective(desk, asked, order), desk.planner(order)
    board = search_plan(desk, planner, objective)
    told = PlanRemarks(
        prices=_prices(planner, board, objective, over_rounds),
        why=[(one, planner.why_not(objective, board.recommended.plan, one)) for one in questions],
        changes=() if saved is None else _changed(planner, board, objective, saved),
    )
    if csv:
        from engine.plan.answer.export import plan_csv

        write_file(csv, plan_csv(board.recommended), "Plan", encoding="utf-8-sig")
    if json:
        from engine.plan.answer.export import plan_board_dict

        print_json(plan_board_dict(board) | told.as_dict())
    else:
        print_plan(board)
        say(*told.lines())
        say(age_words(place.world, board))


def boosters_of(desk: Desk, order: PlanOrder) -> tuple[str, ...]:
    """Return the boosters that the manager has left."""
    from engine.plan.planner import state_of

    return (order.state or state_of(desk.wishes, desk.beliefs)).boosters


def rounds_of(desk: Desk, order: PlanOrder) -> range:
    """Return the rounds that are planned: none after the game's last."""
    first = desk.beliefs.round
    return range(first, min(first + order.horizon, desk.beliefs.rules.rounds + 1))


def _prices(planner: Planner, board: PlanBoard, objective: Objective, asked: PlanWishOptions) -> tuple[WishPrice, ...]:
    """Return what each wish over rounds costs; it takes a search for each."""
    from engine.plan.advice.prices import wish_prices

    if not asked.any:
        return ()
    return wish_prices(planner.rounds, planner.wished(objective), planner.asked, objective, board.recommended).each


def _changed(planner: Planner, board: PlanBoard, objective: Objective, saved: Path) -> tuple[str, ...]:
    """Return what changed since a plan was saved, in sentences."""
    from data.storage.files import read_own

    found = planner.changes(read_own(saved), objective, board.recommended.plan)
    rounds = planner.rounds
    titles = {key: one.title for key, one in rounds.signals[0].rules.boosters.items()}
    return found.words(rounds.signals[0].short.tolist(), rounds.titles, titles)


def stated_objective(desk: Desk, asked: StatedObjective, order: PlanOrder) -> Objective:
    """Return the objective as stated, or for a standing the strength of rank whose plan measures best."""
    if asked.lead is None or asked.k is not None or asked.theta not in (None, "rank"):
        return asked.objective(desk)
    say(f"Measuring which plan serves a lead of {asked.lead:g} best …", style="dim")
    found = desk.plan_standing(asked.lead, order, rounds_left=asked.rounds_left)
    say(f"{found.reason} State --theta and --k to override it.")
    return desk.objective("rank", found.kappa)


def owned_squad(entry: int, world: str) -> dict[str, Any]:
    """Return what a manager's own pages tell of his squad; it is written where --from reads it."""
    from data.sources.fetching import import_entry
    from data.worlds.library import find_world

    squad = import_entry("", entry, find_world(world))
    warn(squad["notes"])  # type: ignore[arg-type]
    return squad


def later_projections(path: Path | None, desk: Desk, horizon: int) -> dict[int, DataFrame]:
    """Return the manager's own points of the rounds after the coming one, where his file has them."""
    from data.sources.own.projections import read_later_rounds
    from data.storage.files import read_own

    if path is None:
        return {}
    first, snapshot = desk.beliefs.round, desk.snapshot
    later = range(first + 1, first + horizon)
    own = read_later_rounds(read_own(path), snapshot.players, teams=snapshot.teams, rounds=later)
    if own:
        say(f"Your own points are used for round {first} and {len(own)} later one{'s' * (len(own) != 1)}.")
    return own


def search_plan(desk: Desk, planner: Planner, objective: Objective) -> PlanBoard:
    """Return the board of plans, that of the best so far after Ctrl-C."""
    from data.errors import InputError
    from engine.plan.answer.plan_board import PlanBoard
    from ui.terminal.search import stoppable

    with stoppable() as stop, progress(f"Planning {objective.name}") as show:
        for step in desk.planned_by(planner, objective, stop):
            if isinstance(step, PlanBoard):
                return step
            show(description=f"{step.doing}: {step.scored:,} plans")
    raise InputError("The search ended without a plan. Start it again.")


def age_words(world: str, board: PlanBoard) -> str:
    """Return how old the facts are that a plan rests on."""
    from data.sources.refresh import fetched_at, span_in_words
    from data.worlds.library import world_sources

    now = datetime.now(UTC)
    fetched = fetched_at(world_sources(world))
    known = f"fetched {span_in_words(now - fetched)} ago" if fetched else f"known at the deadline of {board.title}"
    passed = "" if board.deadline > now else f", which passed {span_in_words(now - board.deadline)} ago"
    return f"Facts {known}{passed}."
