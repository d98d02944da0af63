"""The command that fetches live data: worlds from the games' public feeds, and a manager's squad by entry number."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn

from data.errors import InputError, SourceError
from data.library import DEFAULT_WORLD, find_world, world_folder
from data.sources import fifa, fpl
from data.sources.fpl_entries import Entry, fetch_entry
from data.sources.refresh import refresh_fifa, refresh_fpl
from data.sources.report import SourceReport, Step
from data.storage import replace_file, user_folder
from data.web import open_client
from data.world import World, open_world
from engine.console import notes, print_json, print_table


class Source(StrEnum):
    """The live sources."""

    FIFA = "fifa"
    FPL = "fpl"


def add_fetch_command(app: typer.Typer) -> None:
    """Add this file's command to the command line."""
    app.command("fetch")(fetch)


def fetch(
    source: Annotated[Source, typer.Argument(help="fifa: World Cup Fantasy. fpl: Fantasy Premier League.")],
    base_url: Annotated[str, typer.Option(help="Another address of the feed; it must answer in the same shape.")] = "",
    world: Annotated[
        str, typer.Option("--world", help="Name to keep it under; by default fifa-live or fpl-live.")
    ] = "",
    details: Annotated[
        bool, typer.Option("--details", help="Fetch every player's match history too: one request each.")
    ] = False,
    entry: Annotated[
        int | None, typer.Option(min=1, help="fpl only: import this manager's squad by the number in its web address.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object instead of text.")] = False,
) -> None:
    """Fetch a game's public feed into a world of your own; a failed fetch leaves the last good one in place.

    Example: [bold]thetaxi fetch fifa[/bold] · [bold]thetaxi fetch fpl --entry 123456[/bold]

    JSON: {"world", "rounds", "report": {"source", "url", "ok", "seconds", "bytes", "documents", "warnings", "error",
    "kept"}, "entry": null or {"entry", "round", "players", "captain", "vice", "bank", "free_transfers", "file"}}.
    """
    if entry is not None and source is not Source.FPL:
        raise InputError(
            "--entry belongs to fpl: the World Cup game shows a squad only to its owner. Paste it instead."
        )
    name = world or f"{source}-live"
    folder = world_folder(name)
    with _progress() as show:
        report = _refreshed(source, base_url, folder, details, show)
    if not report.ok:
        raise SourceError(report.summary())
    fetched = open_world(folder)
    squad = _import_entry(base_url or fpl.BASE_URL, entry, fetched) if entry is not None else None
    if json:
        print_json({"world": name, "rounds": list(fetched.rounds), "report": _told(report), "entry": squad})
        return
    notes().print(report.summary(), markup=False)
    rows = [(name, fetched.title, len(fetched.tables["players"]), fetched.rounds[-1])]
    print_table("Fetched", ["world", "title", "players", "coming round"], rows, f"Use it with --world {name}.")
    if squad is not None:
        notes().print(f"Squad of entry {entry} written to {squad['file']}.", markup=False)


@contextmanager
def _progress() -> Iterator[Callable[[Step], None]]:
    """Show a bar on standard error that learns its length from the first document."""
    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn())
    with Progress(*columns, console=notes(), transient=True) as bar:
        task = bar.add_task("Fetching", total=None)
        yield lambda step: bar.update(task, completed=step.done, total=step.total, description=step.answer.path)


def _refreshed(
    source: Source, base_url: str, folder: Path, details: bool, progress: Callable[[Step], None]
) -> SourceReport:
    cache = user_folder() / "cache" / source

    def now() -> datetime:
        return datetime.now(UTC)

    if source is Source.FIFA:
        background = find_world(DEFAULT_WORLD)
        return refresh_fifa(
            folder,
            background,
            now=now,
            base_url=base_url or fifa.BASE_URL,
            cache=cache,
            stats=details,
            progress=progress,
        )
    return refresh_fpl(
        folder, now=now, base_url=base_url or fpl.BASE_URL, cache=cache, histories=details, progress=progress
    )


def _import_entry(base_url: str, entry: int, world: World) -> dict[str, object]:
    """Fetch the squad the entry had at the last deadline and write it where other commands can read it."""
    last = world.rounds[-1] - 1
    if last < 1:
        raise InputError("Squads are public only after the first deadline. Paste your squad instead.")
    with open_client(base_url) as client:
        picks = fetch_entry(client, entry, last)
    file = user_folder() / "squads" / f"fpl-{entry}.csv"
    replace_file(file, _squad_csv(picks, world).encode("utf-8-sig"))
    return {
        "entry": picks.entry,
        "round": picks.round,
        "players": list(picks.players),
        "captain": picks.captain,
        "vice": picks.vice,
        "bank": picks.bank,
        "free_transfers": picks.free_transfers,
        "file": str(file),
    }


def _squad_csv(picks: Entry, world: World) -> str:
    players = world.at(world.rounds[-1]).players.set_index("player_id")
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["id", "name", "team", "captain"])
    for player in picks.players:
        mark = "C" if player == picks.captain else "V" if player == picks.vice else ""
        known = player in players.index
        writer.writerow([player, *(players.loc[player, ["name", "team"]] if known else ("", "")), mark])
    return text.getvalue()


def _told(report: SourceReport) -> dict[str, object]:
    return {
        "source": report.source,
        "url": report.url,
        "ok": report.ok,
        "seconds": report.seconds,
        "bytes": report.size,
        "documents": len(report.fetched),
        "warnings": list(report.warnings),
        "error": report.error,
        "kept": report.kept,
    }
