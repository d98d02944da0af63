"""Live data on request: a game's feed into a world folder, and a manager's squad into a file."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from threading import Event

import pandas as pd

from data.errors import InputError
from data.rules import load_rules
from data.sources.doubts import Check
from data.sources.fpl import source as fpl
from data.sources.fpl.managers.account import Prices, crowded_clubs
from data.sources.fpl.managers.entries import Entry, fetch_owned_squad
from data.sources.fpl.managers.league_squads import fetch_squads, with_captains
from data.sources.fpl.managers.leagues import fetch_league
from data.sources.odds import SOURCE as ODDS_SOURCE
from data.sources.odds import refresh_odds
from data.sources.own.delimited import safe_cell
from data.sources.own.squads import ACCOUNT_COLUMNS, SQUAD_COLUMNS
from data.sources.refresh import fifa_game, fpl_game, refresh_world
from data.sources.report import FetchStep, SourceReport
from data.storage.files import sweep_home, user_folder, write_own
from data.web.client import open_client
from data.worlds.library import DEFAULT_WORLD, PAST_SEASONS, find_world
from data.worlds.world import World


def refresh(
    source: str,
    base_url: str,
    folder: Path,
    details: bool,
    progress: Callable[[FetchStep], None],
    *,
    check: Check,
    stop: Event | None = None,
) -> SourceReport:
    """Fetch a source into a world folder; without a base URL from the game's own address."""
    sweep_home()
    game = fifa_game(find_world(DEFAULT_WORLD)) if source == "fifa" else fpl_game(find_world(PAST_SEASONS))
    return refresh_world(
        game,
        folder,
        now=lambda: datetime.now(UTC),
        base_url=base_url,
        cache=user_folder() / "cache" / source,
        details=details,
        progress=progress,
        check=check,
        stop=stop,
    )


def add_odds(
    folder: Path,
    where: Sequence[str],
    base_url: str,
    progress: Callable[[FetchStep], None],
    *,
    check: Check,
    stop: Event | None = None,
) -> SourceReport:
    """Lay odds beside the matches of a world folder, from these files and addresses, else from football-data's own."""
    sweep_home()
    return refresh_odds(
        folder,
        now=lambda: datetime.now(UTC),
        base_url=base_url,
        where=where,
        cache=user_folder() / "cache" / ODDS_SOURCE,
        progress=progress,
        check=check,
        stop=stop,
    )


def import_entry(base_url: str, entry: int, world: World, file: Path | None = None) -> dict[str, object]:
    """Fetch the squad a manager brings into the coming round and write it where other commands can read it."""
    coming = world.rounds[-1]
    rules, snapshot = load_rules(world.rulebook), world.at(coming)
    with open_client(base_url or fpl.BASE_URL) as client:
        picks = fetch_owned_squad(client, entry, coming, rules, Prices.of(snapshot))
    file = file or user_folder() / "squads" / f"fpl-{entry}.csv"
    players = snapshot.players.set_index("player_id")
    write_own(file, squad_csv(picks, players, coming).encode("utf-8-sig"))
    return {
        "entry": picks.entry,
        "round": picks.round,
        "coming": coming,
        "players": list(picks.players),
        "captain": picks.captain,
        "vice": picks.vice,
        "bank": picks.bank,
        "budget": budget_of(picks, players),
        "selling_prices": bool(picks.selling),
        "free_transfers": picks.free_transfers,
        "chips": None if picks.chips is None else list(picks.chips),
        "notes": [*picks.notes, *crowded_clubs(picks.players, snapshot, rules)],
        "file": str(file),
    }


def import_league(
    base_url: str, league: int, world: World, folder: Path | None = None, *, most: int, leave_out: int | None = None
) -> dict[str, object]:
    """Fetch managers of a league and write each one's squad of the last deadline to a file of its own.

    They are those nearest to the entry that is left out, else the best. Files are called by number and name nobody.
    """
    coming = world.rounds[-1]
    if coming < 2:
        raise InputError("Squads are public only after the first deadline. Come back when it is over.")
    players = world.at(coming).players.set_index("player_id")
    folder = folder or user_folder() / "squads" / f"fpl-league-{league}"
    with open_client(base_url or fpl.BASE_URL) as client:
        table = fetch_league(client, league, most=most, near=leave_out)
        squads, missing = fetch_squads(client, table, coming, load_rules(world.rulebook))
        squads, unknown = with_captains(client, squads, coming)
    rivals = []
    for rival in squads:
        file = folder / f"fpl-{rival.row.entry}.csv"
        write_own(file, squad_csv(rival.picks, players, coming).encode("utf-8-sig"))
        known: dict[str, object] = {
            "ahead": rival.ahead,
            "chips": None if rival.picks.chips is None else list(rival.picks.chips),
            "captains": [{"round": week, "player_id": man} for week, man in rival.captains.items()],
        }
        rivals.append(rival.row.model_dump() | known | {"file": str(file)})
    told: dict[str, object] = {"league": league, "name": table.name, "round": coming - 1, "folder": str(folder)}
    return told | {"rivals": rivals, "missing": [*table.notes, *missing, *unknown]}


def squad_csv(picks: Entry, players: pd.DataFrame, coming: int) -> str:
    """Return a squad as text, one row per man, and the account after an empty line; `players` is indexed by id."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(SQUAD_COLUMNS)
    for place, player in enumerate(picks.players):
        mark = "C" if player == picks.captain else "V" if player == picks.vice else ""
        known = (players.loc[player, ["name", "team"]]) if player in players.index else ("", "")
        selling = f"{picks.selling[place]:.1f}" if picks.selling else ""
        writer.writerow([player, *(safe_cell(str(cell)) for cell in known), mark, selling])
    text.write("\n")
    writer.writerow(ACCOUNT_COLUMNS)
    writer.writerow(["round", coming])
    writer.writerow(["bank", f"{picks.bank:.1f}"])
    writer.writerow(["budget", f"{budget_of(picks, players):.1f}"])
    if picks.free_transfers is not None:
        writer.writerow(["free_transfers", picks.free_transfers])
    return text.getvalue()


def budget_of(picks: Entry, players: pd.DataFrame) -> float:
    """Return what a manager could spend if he sold everybody: bank and selling prices, else today's.

    A risen man brings half of his rise: at today's prices the budget is a little too high.
    """
    prices = dict(players["price"])
    men = picks.selling or tuple(float(prices.get(player, 0.0)) for player in picks.players)
    return round(picks.bank + sum(men), 1)
