"""Command that plans: transfers, boosters and line-ups over the next rounds, with table, bound and options."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from engine.board.stated_wishes import StatedWishes
from ui.terminal.boards import plain
from ui.terminal.console import print_json, print_table, progress, say, warn, write_file
from ui.terminal.options import JsonOption, Place, StatedObjective, grouped

if TYPE_CHECKING:
    from pandas import DataFrame

    from engine.desk import Desk
    from engine.fitness.judge import Objective
    from engine.plan.answer.comparison import PlanComparison
    from engine.plan.answer.plan_board import PlanBoard, PlanOption, RoundCard
    from engine.plan.planner import PlanOrder

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
    horizon: HorizonOption = 5,
    chips: ChipsOption = None,
    entry: Annotated[
        int | None, typer.Option("--entry", min=1, help="Start from the squad of this Premier League manager.")
    ] = None,
    hits: Annotated[
        bool | None,
        typer.Option("--hits/--no-hits", help="Plan transfers beyond the free ones, or none; else where they pay."),
    ] = None,
    csv: Annotated[Path | None, typer.Option(help="Write the recommended plan to this file.")] = None,
    json: JsonOption = False,
) -> None:
    """Plan the next rounds: whom to sell and buy, which booster when, who leads; every point in a table.

    Example: [bold]thetaxi plan --world fpl2025-26 --round 8 --horizon 5 --theta protect --from squad.csv[/bold]

    Without --from or --entry a first squad is built. Prices are taken as they are now. Ctrl-C ends the search and
    shows the best so far; the same seed gives the same plan.

    JSON: {"world", "round", "title", "aim", "rounds": [{"round", "out": (men), "in": (men), "chip", "captain", "vice",
    "eleven": (men), "bench": (men), "hits", "bank", "free", "expected", "terms": {term: points}}], "kept": {line:
    points}, "points", "total", "bound": {"share", "points", "linear", "linear_bound", "closed", "said"}, "rolling",
    "options": [{"title", "first_move", "firm", "dissent", "lineage", "notes", "rounds", "kept", "points", "total"}],
    "flags": (texts)}.
    A man is {"player_id", "name", "team", "position", "opponent", "price", "xev"}.
    """
    from engine.plan.planner import AUTO, NONE, PlanOrder, state_of

    stated = chips or [AUTO]
    order = PlanOrder(horizon=horizon, chips=stated[0] if stated[0] in (AUTO, NONE) else tuple(stated), hits=hits)
    owned = None if entry is None else owned_squad(entry, place.world)
    desk = place.desk(wishes if owned is None else replace(wishes, squad=Path(str(owned["file"]))))
    if owned is not None and owned["chips"] is not None:
        left = replace(state_of(desk.wishes, desk.beliefs), boosters=tuple(owned["chips"]))
        order = replace(order, state=left)
    order = replace(order, own=later_projections(place.projections, desk, horizon))
    board = search_plan(desk, stated_objective(desk, asked, order), order)
    if csv:
        from engine.plan.answer.export import plan_csv

        write_file(csv, plan_csv(board.recommended), "Plan", encoding="utf-8-sig")
    if json:
        from engine.plan.answer.export import plan_board_dict

        print_json(plan_board_dict(board))
    else:
        print_plan(board)
        say(age_words(place.world, board))


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


def search_plan(desk: Desk, objective: Objective, order: PlanOrder) -> PlanBoard:
    """Return the board of plans, that of the best so far after Ctrl-C."""
    from data.errors import InputError
    from engine.plan.answer.plan_board import PlanBoard
    from ui.terminal.search import stoppable

    with stoppable() as stop, progress(f"Planning {objective.name}") as show:
        for step in desk.planning(objective, order, stop):
            if isinstance(step, PlanBoard):
                return step
            show(description=f"{step.doing}: {step.scored:,} plans")
    raise InputError("The search ended without a plan. Start it again.")


def print_plan(board: PlanBoard) -> None:
    """Print the recommended plan round by round, its table, the other options and the bound."""
    best = board.recommended
    print_table(f"{board.title}: {board.objective}, {_rounds(len(best.cards))}", MOVE_HEADS, _move_rows(best))
    print_table("Who plays", ["round", "captain", "eleven", "bench"], [_lineup_row(card) for card in best.cards])
    print_table("Every point, round by round", *_points_table(best))
    rows = [_option_row(option, best) for option in board.options]
    print_table("What to do first", ["", "before the coming round", "points", "fitness", "firm"], rows)
    say(
        *([f"Against it: {best.dissent}"] if best.dissent else []),
        *best.notes,
        board.rolling_words,
        str(board.bound),
        *board.flags,
    )


def _option_row(option: PlanOption, best: PlanOption) -> tuple[str, ...]:
    firm = "–" if option.firm is None else f"{option.firm:.0%}"
    gap = option.table.total - best.table.total
    return option.title, option.first_move, f"{option.table.points:.1f}", f"{gap:+.1f}", firm


MOVE_HEADS = ["round", "out", "in", "price", "points", "booster", "hits", "bank", "free"]


def _rounds(count: int) -> str:
    return f"{count} round{'s' * (count != 1)}"


def _move_rows(option: PlanOption) -> list[tuple[str, ...]]:
    """Return a row for each transfer; a round without one has a row too."""
    rows: list[tuple[str, ...]] = []
    for card in option.cards:
        free = "all" if card.free is None else str(card.free)
        tail = (card.chip_title, str(card.hits or ""), f"{card.bank:.1f}", free)
        empty = ("", "", "", "")
        if not card.moves:
            said = "a first squad" if card.builds else "" if card.chip else "roll"
            rows.append((card.title, said, "", "", "", *tail))
        for place, swap in enumerate(card.moves):
            note = f" ({swap.note})" if swap.note else ""
            out = f"{swap.out.short} {swap.out.price:.1f}" if swap.out else ""
            into = f"{swap.into.short} {swap.into.price:.1f}{note}"
            head = card.title if place == 0 else ""
            rows.append((head, out, into, f"{swap.price:+.1f}", f"{swap.points:+.1f}", *(empty if place else tail)))
    return rows


def _lineup_row(card: RoundCard) -> tuple[str, ...]:
    vice = f" (vice {card.vice.short})" if card.vice else ""
    return (
        card.title,
        f"{card.captain.short}{vice}",
        ", ".join(man.short for man in card.eleven),
        ", ".join(man.short for man in card.bench),
    )


def _points_table(option: PlanOption) -> tuple[list[str], list[tuple[str, ...]]]:
    """Return heads and rows: a column for each round, a row for each term that counts anywhere, and what is kept."""
    from engine.plan.fitness import LINES_PLAIN

    table, cards = option.table, option.cards
    rows = []
    for term, total in table.by_term.items():
        cells = [card.terms[term] for card in cards]
        if any(abs(cell) >= 0.005 for cell in cells):
            rows.append((plain(term), *(f"{cell:+.1f}" for cell in cells), f"{total:+.1f}"))
    blank = ("",) * len(cards)
    rows += [(LINES_PLAIN[name], *blank, f"{value:+.1f}") for name, value in table.lines.items() if abs(value) >= 0.005]
    rows.append(("fitness", *(f"{value:.1f}" for value in table.by_round), f"{table.total:.1f}"))
    rows.append(("points expected", *(f"{value:.1f}" for value in table.expected), f"{table.points:.1f}"))
    return ["term", *(str(card.round) for card in cards), "all"], rows


def age_words(world: str, board: PlanBoard) -> str:
    """Return how old the facts are that a plan rests on."""
    from data.sources.refresh import fetched_at, span_in_words
    from data.worlds.library import find_world

    now = datetime.now(UTC)
    fetched = fetched_at(find_world(world))
    known = f"fetched {span_in_words(now - fetched)} ago" if fetched else f"known at the deadline of {board.title}"
    passed = "" if board.deadline > now else f", which passed {span_in_words(now - board.deadline)} ago"
    return f"Facts {known}{passed}."


def show_plans_apart(found: PlanComparison, world: str, number: int, as_json: bool) -> None:
    """Show two plans over rounds: week by week, and each under both objectives."""
    from engine.plan.answer.comparison import comparison_dict

    if as_json:
        print_json({"world": world, "round": number, **comparison_dict(found)})
        return
    first, second = found.names
    rows = [
        (
            week.title,
            week.first_moves,
            week.second_moves,
            " / ".join(dict.fromkeys(week.captains)),
            f"{week.expected[0] - week.expected[1]:+.1f}",
        )
        for week in found.weeks
    ]
    print_table(found.summary(), ["round", first, second, "captains", "points"], rows)
    crossed = [(plan, *(f"{table.total:.1f}" for table in under.values())) for plan, under in found.crossed.items()]
    print_table("The same plans under both objectives", ["plan", *found.names], crossed)
