"""Commands about what is known: worlds and their earlier states, players, imports."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import pandas as pd
import typer

from data.domain import Position
from data.errors import InputError, ThetaXIError
from data.rules import load_rules
from data.worlds.library import DEFAULT_WORLD, find_world, openable_worlds, own_folder
from data.worlds.restoring import restore_world, states_before
from data.worlds.snapshot import Snapshot
from data.worlds.world import World
from ui.terminal.console import print_json, print_table, say, warn
from ui.terminal.options import JsonOption, RoundOption, WorldOption


class PlayerOrder(StrEnum):
    """What players can be sorted by."""

    OWNED = "owned"
    PRICE = "price"
    NAME = "name"
    POINTS = "points"


def worlds(json: JsonOption = False) -> None:
    """List the worlds at hand: bundled, fetched and imported.

    Example: [bold]thetaxi worlds --json[/bold]

    JSON: {"worlds": [{"name", "title", "rulebook", "rounds", "players", "bundled", "error"}]}; `error` is null for a
    world that opens.
    """
    listed = [_described(entry.name, entry.bundled, found) for entry, found in openable_worlds()]
    if json:
        print_json({"worlds": listed})
        return
    rows = [(w["name"], w["title"], w["rulebook"], _spans(w["rounds"]), w["players"]) for w in listed]  # type: ignore[arg-type]
    print_table("Worlds", ["name", "title", "rulebook", "rounds", "players"], rows)
    warn(f"{world['name']}: {world['error']}" for world in listed if world["error"])


def restore(
    world: Annotated[str, typer.Argument(help="Name or folder of a world of your own.")],
    state: Annotated[int | None, typer.Option(min=1, help="Number of the state; by default the latest before.")] = None,
    json: JsonOption = False,
) -> None:
    """Go back to what a world was before its last fetch or import; the same command again undoes it.

    Example: [bold]thetaxi restore fpl-live[/bold]

    JSON: {"world": {"name", "title", "rulebook", "rounds", "players", "bundled", "error"}, "states": [{"number",
    "title", "replaced"}]}; `states` are those that can be gone back to now.
    """
    folder = own_folder(world)
    found = restore_world(folder, state)
    states = states_before(folder)
    if json:
        told = [{"number": s.number, "title": s.title, "replaced": s.replaced.isoformat()} for s in states]
        print_json({"world": _described(folder.name, False, found), "states": told})
        return
    say(f"{folder.name} is again {found.title}, rounds {_spans(found.rounds)}, {len(found.tables['players'])} players.")
    rows = [(s.number, s.title, f"{s.replaced:%d %b %Y %H:%M} UTC") for s in states]
    print_table("States before", ["number", "title", "replaced"], rows)


def players(
    round_number: RoundOption,
    world: WorldOption = DEFAULT_WORLD,
    position: Annotated[Position | None, typer.Option(help="Only this position.", case_sensitive=False)] = None,
    team: Annotated[str | None, typer.Option(help="Only this team, by its code such as ESP.")] = None,
    sort: Annotated[PlayerOrder, typer.Option(help="What to sort by; numbers from high to low.")] = PlayerOrder.OWNED,
    limit: Annotated[int, typer.Option(min=1, help="How many rows to show.")] = 25,
    json: JsonOption = False,
) -> None:
    """List the players of a round with price, ownership, status and points so far.

    Example: [bold]thetaxi players --round 3 --position MID --sort owned[/bold]

    JSON: {"world", "round", "title", "deadline", "total", "players": [{"player_id", "name", "team", "position",
    "price", "owned", "status", "points"}]}; `owned` is a share of all managers, `points` those of earlier rounds.
    """
    snapshot = find_world(world).at(round_number)
    ascending = [sort is PlayerOrder.NAME, True]
    chosen = _filtered(snapshot, position, team).sort_values([sort.value, "player_id"], ascending=ascending)
    shown = chosen.head(limit)
    title = load_rules(snapshot.rulebook).round_title(round_number)
    if json:
        print_json(
            {
                "world": snapshot.world,
                "round": round_number,
                "title": title,
                "deadline": snapshot.deadline.isoformat(),
                "total": len(chosen),
                "players": shown.to_dict("records"),
            }
        )
        return
    rows = [
        (p["name"], p["team"], p["position"], float(p["price"]), f"{p['owned']:.1%}", p["status"], int(p["points"]))
        for p in shown.to_dict("records")
    ]
    footer = f"{len(shown)} of {len(chosen)} players. Deadline {snapshot.deadline:%a %d %b %Y %H:%M} UTC."
    print_table(title, ["player", "team", "pos", "price", "owned", "status", "points"], rows, footer)


def import_world(
    facts: Annotated[Path, typer.Argument(help="Folder of fact tables: teams.csv, players.csv, fixtures.csv, …")],
    out: Annotated[Path, typer.Argument(help="Folder to write the world to: a new one, or a world to replace.")],
    rulebook: Annotated[str, typer.Option(help="Rulebook of the game.")] = "wc2026",
    title: Annotated[str, typer.Option(help="What to call it; by default the rulebook's title.")] = "",
    history: Annotated[Path | None, typer.Option(help="Folder of international results, if not beside it.")] = None,
    json: JsonOption = False,
) -> None:
    """Make a world of a folder of fact tables; run it again to add a round.

    Example: [bold]thetaxi import-world my-facts my-worlds/euro2028 --title "Euro 2028"[/bold]

    JSON: {"world": {"name", "title", "rulebook", "rounds", "players", "bundled", "error"}, "folder", "notes": (texts)}.
    """
    from data.importing.tournament_facts import import_tournament

    rules = load_rules(rulebook)
    say(f"Reading {facts} …")
    world = import_tournament(
        facts, name=_name_of(out), title=title or rules.title, rulebook=_lasting(rulebook), history=history
    )
    _save(world, out, json, [])


def import_fpl(
    season: Annotated[Path, typer.Argument(help="Folder with teams, players, fixtures and gameweeks of one season.")],
    out: Annotated[Path, typer.Argument(help="Folder to write the world to: a new one, or a world to replace.")],
    more: Annotated[list[Path] | None, typer.Argument(hidden=True, metavar="HISTORY")] = None,
    rulebook: Annotated[str, typer.Option(help="Rulebook of the game; by default that of the season.")] = "",
    title: Annotated[str, typer.Option(help="What to call it; by default the folder's name.")] = "",
    history: Annotated[
        list[Path] | None, typer.Option(help="Folders of earlier seasons: --history A B, or once for each.")
    ] = None,
    odds: Annotated[
        Path | None, typer.Option(help="CSV of shots and odds in the layout of football-data.co.uk.")
    ] = None,
    managers: Annotated[
        Path | None, typer.Option(help="Folder with totals and overall ranks of real managers, one row each week.")
    ] = None,
    json: JsonOption = False,
) -> None:
    """Make a world of a Fantasy Premier League season; which gameweeks are played is what its files say.

    Example: [bold]thetaxi import-fpl fpl/2024-25 my-worlds/fpl-2024-25 --history fpl/2022-23 fpl/2023-24[/bold]

    JSON: as for import-world; `notes` tell what was left out: rows that repeat others, assistant managers.
    """
    from data.importing.season_facts import import_fpl_season

    if rulebook:
        load_rules(rulebook)
    say(f"Reading {season} …")
    name = _name_of(out)
    made = import_fpl_season(
        season,
        name=name,
        title=title or f"Fantasy Premier League {season.name}",
        rulebook=_lasting(rulebook),
        history=_earlier(history or [], more or []),
        odds=odds,
        managers=managers,
    )
    _save(made.world, out, json, list(made.notes))


def _earlier(named: list[Path], more: list[Path]) -> list[Path]:
    """Return the folders of earlier seasons; those after the first of `--history A B C` arrive as bare arguments."""
    if more and not named:
        raise InputError(f"{more[0]} is one folder too many. Put --history before the folders of earlier seasons.")
    return [*named, *more]


def _lasting(rulebook: str) -> str:
    """Return a rulebook as a world remembers it: a file by its whole path, so that it opens from any folder."""
    return str(Path(rulebook).resolve()) if Path(rulebook).suffix == ".toml" else rulebook


def _described(name: str, bundled: bool, found: World | ThetaXIError) -> dict[str, object]:
    about: dict[str, object] = {"title": "", "rulebook": "", "rounds": [], "players": 0}
    if isinstance(found, World):
        size, rounds = len(found.tables["players"]), list(found.rounds)
        about = {"title": found.title, "rulebook": found.rulebook, "rounds": rounds, "players": size}
    error = str(found) if isinstance(found, ThetaXIError) else None
    return {"name": name, **about, "bundled": bundled, "error": error}


def _spans(rounds: Sequence[int]) -> str:
    """Return rounds as people write them: 1–4, 6."""
    firsts = [number for number in rounds if number - 1 not in rounds]
    lasts = [number for number in rounds if number + 1 not in rounds]
    pairs = zip(firsts, lasts, strict=True)
    return ", ".join(str(first) if first == last else f"{first}–{last}" for first, last in pairs)


def _filtered(snapshot: Snapshot, position: Position | None, team: str | None) -> pd.DataFrame:
    scored = snapshot.points.groupby("player_id")["points"].sum()
    columns = ["player_id", "name", "team", "position", "price", "owned", "status"]
    listed = snapshot.players[columns]
    listed = listed.assign(points=listed["player_id"].map(scored).fillna(0).astype("int64"))
    if position is not None:
        listed = listed[listed["position"] == position]
    if team is not None:
        known = set(snapshot.teams["code"])
        if team.upper() not in known:
            raise InputError(f"There is no team {team!r} in {snapshot.world}. Codes: {', '.join(sorted(known))}.")
        listed = listed[listed["team"] == team.upper()]
    return listed


def _name_of(folder: Path) -> str:
    name = folder.resolve().name
    if not name:
        raise InputError(f"{folder} cannot name a world. Give a folder such as my-worlds/wc2026.")
    return name


def _save(world: World, out: Path, json: bool, remarks: list[str]) -> None:
    world.save(out)
    if json:
        print_json({"world": _described(world.name, False, world), "folder": str(out), "notes": remarks})
        return
    rows = [(name, len(frame)) for name, frame in world.tables.items()]
    print_table(f"{world.title}: rounds {_spans(world.rounds)}", ["table", "rows"], rows, f"Written to {out}.")
    say(*remarks)
