"""Commands of the ledger: keep what was advised and taken before a deadline, look back after it, take it elsewhere."""

from __future__ import annotations

from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from data.errors import InputError
from engine.board.stated_wishes import StatedWishes
from ui.terminal.console import print_json, print_table, say, write_file
from ui.terminal.options import JsonOption, ObjectiveOptions, Place, grouped

if TYPE_CHECKING:
    from engine.season.look_back import LookBack


@grouped
def decide(
    place: Place,
    asked: ObjectiveOptions,
    stated: StatedWishes,
    lead: Annotated[
        float | None, typer.Option(help="Points you are ahead, negative behind: the chance is kept.")
    ] = None,
    take: Annotated[
        int, typer.Option(min=1, max=6, help="The option you take, 1 = the recommended one, as `pick` lists them.")
    ] = 1,
    json: JsonOption = False,
) -> None:
    """Keep a decision in your ledger: what is advised before a deadline, with forecasts and chances, and what you take.

    Example: [bold]thetaxi decide --world fpl2025-26 --round 20 --theta protect --from squad.csv[/bold]

    Asked again before the same deadline, the last decision counts. `thetaxi review` looks back on all of them.
    JSON: {"ledger", "world", "round", "objective", "advised": line-up, "taken": line-up, "chance"}.
    """
    from data.ledger.book import DecisionLedger
    from engine.season.look_back import decision_of

    desk = place.desk(stated)
    objective = asked.objective(desk)
    board = desk.pick(asked.theta, k=asked.k, w=asked.w)
    if take > len(board.options):
        raise InputError(f"The board has {len(board.options)} options; there is no option {take} to take.")
    chance = None
    if lead is not None:
        found = desk.standing(board, lead=abs(lead), deficit=abs(lead))[0].round
        chance = (found.hold if lead >= 0 else found.erase).value
    decision = decision_of(
        board,
        desk.judge,
        objective,
        datetime.now(UTC),
        world=place.world,
        seed=place.seed,
        current=desk.wishes.squad,
        lead=lead,
        chance=chance,
    )
    options = [decision.advised, *decision.alternatives]
    ledger = DecisionLedger.of_user()
    ledger.record(decision)
    kept = ledger.take(place.world, decision.round, options[take - 1])
    if json:
        told = kept.model_dump(mode="json", include={"world", "round", "objective", "advised", "taken", "chance"})
        print_json({"ledger": str(ledger.path)} | told)
        return
    taken = options[take - 1]
    leads = next(man.name for option in board.options for man in option.men if man.player_id == taken.captain)
    say(f"Kept in {ledger.path}: {leads} leads, {taken.expected:.1f} expected.")


def ledger(
    export: Annotated[
        Path | None, typer.Option(help="Write all decisions to this file, one JSON document a line.")
    ] = None,
    import_: Annotated[Path | None, typer.Option("--import", help="Add the decisions of such a file.")] = None,
    json: JsonOption = False,
) -> None:
    """List the decisions of your ledger, export them, or import those of another computer.

    Example: [bold]thetaxi ledger --export decisions.jsonl[/bold]

    JSON: {"ledger", "decisions": [{"world", "round", "made_at", "objective", "expected", "took_advice"}]}.
    """
    from data.ledger.book import LARGEST_IMPORT, DecisionLedger
    from data.storage.files import read_bounded

    book = DecisionLedger.of_user()
    if import_ is not None:
        try:
            text = read_bounded(import_, LARGEST_IMPORT).decode("utf-8")
        except (OSError, UnicodeDecodeError):
            raise InputError(
                f"{import_} cannot be read as an exported ledger. Name a file of `ledger --export`."
            ) from None
        say(f"{book.import_(text)} decisions read from {import_}.")
    if export is not None:
        write_file(export, book.export(), "Ledger")
    rows = [
        {
            "world": one.world,
            "round": one.round,
            "made_at": one.made_at.isoformat(),
            "objective": one.objective,
            "expected": one.followed.expected,
            "took_advice": one.taken is None or one.taken == one.advised,
        }
        for one in book.decisions()
    ]
    if json:
        print_json({"ledger": str(book.path), "decisions": rows})
        return
    shown = [(r["world"], r["round"], str(r["made_at"])[:16], r["objective"], f"{r['expected']:.1f}") for r in rows]
    print_table(f"{len(rows)} decisions in {book.path}", ("world", "round", "made", "objective", "expected"), shown)


def review_ledger(world: str, rounds: list[int], seed: int, json: bool) -> None:
    """Tell what became of the decisions of a world whose rounds are over."""
    from data.ledger.book import DecisionLedger
    from data.worlds.library import find_world
    from engine.desk import rules_for
    from engine.season.look_back import look_back, watch_decisions
    from models.calibration.walk import known_rounds

    opened, book = find_world(world), DecisionLedger.of_user()
    known = known_rounds(opened)
    made = [one for one in book.last_of_each_round(world) if one.round in known and (not rounds or one.round in rounds)]
    if not made:
        raise InputError(
            f"{book.path} has no decision for a round of {world} that is over. Keep one by `thetaxi decide`, or name a "
            "squad by --round and --squad."
        )
    rules = rules_for(opened.rulebook)
    found = [look_back(opened, rules, one, seed) for one in made]
    watch = watch_decisions(made)
    if json:
        print_json(
            {"world": world, "decisions": [asdict(one) | {"gained": one.gained} for one in found], "watch": watch}
        )
        return
    _print(opened.title, found)
    say(*watch)


def _print(title: str, found: list[LookBack]) -> None:
    rows = [
        (
            one.round,
            one.objective,
            "yes" if one.took_advice else "no",
            f"{one.expected:.1f}",
            one.happened,
            f"{one.luck:+.1f}",
            _signed(one.field),
            _signed(one.choice),
            _signed(one.gained),
        )
        for one in found
    ]
    columns = (
        "round",
        "objective",
        "advice",
        "expected",
        "happened",
        "luck",
        "field",
        "choice",
        "gained on the average",
    )
    print_table(title, columns, rows)
    say(
        "Luck: outcome less forecast. Field: what the average manager stayed below his own. Choice: beside the best "
        "alternative of that moment, in points that came."
    )


def _signed(value: float | None) -> str:
    return "–" if value is None else f"{value:+.1f}"
