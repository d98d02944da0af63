"""Live data on request: a game's feed into a world folder, and a manager's squad into a file."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from data.errors import InputError
from data.library import DEFAULT_WORLD, find_world
from data.sources import fifa, fpl
from data.sources.fpl_entries import Entry, fetch_entry
from data.sources.refresh import refresh_fifa, refresh_fpl
from data.sources.report import SourceReport, Step
from data.storage import replace_file, user_folder
from data.web import open_client
from data.world import World


def refresh(source: str, base_url: str, folder: Path, details: bool, progress: Callable[[Step], None]) -> SourceReport:
    """Fetch a source into a world folder; without a base URL from the game's own address."""
    cache = user_folder() / "cache" / source

    def now() -> datetime:
        return datetime.now(UTC)

    if source == "fifa":
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


def import_entry(base_url: str, entry: int, world: World) -> dict[str, object]:
    """Fetch the squad the entry had at the last deadline and write it where other commands can read it."""
    last = world.rounds[-1] - 1
    if last < 1:
        raise InputError("Squads are public only after the first deadline. Paste your squad instead.")
    with open_client(base_url or fpl.BASE_URL) as client:
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
