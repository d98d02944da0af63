"""The command that fetches live data: worlds from the games' public feeds, and a manager's squad by entry number."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn

from data.errors import InputError, SourceError
from data.library import world_folder
from data.world import open_world
from engine.console import notes, print_json, print_table

if TYPE_CHECKING:
    from data.sources.report import SourceReport, Step


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
    from engine.fetching import import_entry, refresh

    if entry is not None and source is not Source.FPL:
        raise InputError(
            "--entry belongs to fpl: the World Cup game shows a squad only to its owner. Paste it instead."
        )
    name = world or f"{source}-live"
    folder = world_folder(name)
    with _progress() as show:
        report = refresh(source, base_url, folder, details, show)
    if not report.ok:
        if json:
            print_json({"world": name, "rounds": [], "report": _told(report), "entry": None})
        raise SourceError(report.summary())
    fetched = open_world(folder)
    squad = import_entry(base_url, entry, fetched) if entry is not None else None
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
