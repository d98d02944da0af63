"""Commands that fetch live data: worlds from the games' public feeds, a manager's squad and his rivals' by number."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.progress import TaskProgressColumn

from data.errors import InputError, SourceError
from data.worlds.held import take_held
from data.worlds.library import BUNDLED, find_world, own_folder, world_folder
from data.worlds.world import World, open_world
from ui.terminal.console import notes, print_json, print_table, progress, say, warn
from ui.terminal.options import JsonOption

if TYPE_CHECKING:
    import pandas as pd

    from data.sources.report import SourceReport


class GameFeed(StrEnum):
    """The live sources."""

    FIFA = "fifa"
    FPL = "fpl"


LIVE_LEAGUE = "fpl-live"
"""Where `thetaxi fetch fpl` keeps its world unless told otherwise."""

MOST_RIVALS = 20

BaseUrlOption = Annotated[str, typer.Option(help="Another address of the feed; it must answer in the same shape.")]
LeagueWorldOption = Annotated[
    str, typer.Option("--world", help="The world of the game, as `thetaxi fetch fpl` made it.")
]


def fetch(
    source: Annotated[GameFeed, typer.Argument(help="fifa: World Cup Fantasy. fpl: Fantasy Premier League.")],
    base_url: BaseUrlOption = "",
    world: Annotated[
        str, typer.Option("--world", help="Name to keep it under; by default fifa-live or fpl-live.")
    ] = "",
    details: Annotated[
        bool,
        typer.Option(
            "--details",
            help="Fetch every player's own page too, one request each: fifa: minutes and event counts; fpl: past "
            "prices, and the matches of gameweeks that came without counts.",
        ),
    ] = False,
    entry: Annotated[
        int | None, typer.Option(min=1, help="fpl only: import this manager's squad by the number in its web address.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Allow a name that hides a bundled world.")] = False,
    take_it: Annotated[
        bool, typer.Option("--take-it", help="Fetch nothing; take the world that the last fetch held back.")
    ] = False,
    json: JsonOption = False,
) -> None:
    """Fetch a game's public feed into a world of your own; a failed fetch leaves the last good one in place.

    A world that looks wrong beside the last one is held back with the reasons, until you say --take-it.

    Example: [bold]thetaxi fetch fifa[/bold] · [bold]thetaxi fetch fpl --entry 123456[/bold]

    JSON: {"world", "rounds", "report": {"source", "url", "ok", "seconds", "bytes", "documents", "warnings", "error",
    "kept", "doubts"}, "entry": null or what `thetaxi entry` prints}; with --take-it `report` is null.
    """
    from data.sources.fetching import import_entry, refresh
    from engine.desk import check_world

    if entry is not None and source is not GameFeed.FPL:
        raise InputError(
            "--entry belongs to fpl: the World Cup game shows a squad only to its owner. Paste it instead."
        )
    name = world or f"{source}-live"
    folder = world_folder(name)
    _refuse_hiding(name, force)
    if take_it:
        _take(folder, json)
        return
    with progress("Fetching", TaskProgressColumn()) as show:
        report = refresh(
            source,
            base_url,
            folder,
            details,
            lambda step: show(completed=step.done, total=step.total, description=step.answer.path),
            check=check_world,
        )
    if not report.ok:
        if json:
            print_json({"world": name, "rounds": [], "report": _told(report), "entry": None})
        way = f"\nTake it all the same: thetaxi fetch {source} --world {name} --take-it" if report.doubts else ""
        raise SourceError(report.summary() + way)
    fetched = open_world(folder)
    squad = import_entry(base_url, entry, fetched) if entry is not None else None
    if json:
        print_json({"world": name, "rounds": list(fetched.rounds), "report": _told(report), "entry": squad})
        return
    say(report.summary())
    rows = [(name, fetched.title, len(fetched.tables["players"]), fetched.rounds[-1])]
    print_table("Fetched", ["world", "title", "players", "coming round"], rows, f"Use it with --world {name}.")
    if squad is not None:
        _print_entry(squad, name)


def odds(
    where: Annotated[
        list[str] | None,
        typer.Argument(help="CSV files or addresses of one's own, in the free layout of football-data.co.uk."),
    ] = None,
    world: LeagueWorldOption = LIVE_LEAGUE,
    base_url: BaseUrlOption = "",
    json: JsonOption = False,
) -> None:
    """Lay bookmakers' average odds, and shots, beside the matches of a Premier League world of your own.

    Without a file or an address football-data.co.uk is asked for the season and for the coming matches. Nothing of
    yours is sent. Rows are matched by club and date, and those that fit no match are named.

    Example: [bold]thetaxi odds[/bold] · [bold]thetaxi odds E0.csv fixtures.csv[/bold]

    JSON: {"world", "matches": (with odds), "coming": (of the coming round), "report": as for fetch}.
    """
    from data.sources.fetching import add_odds
    from engine.desk import check_world

    _league(world)
    folder = _own_place(world)
    with progress("Fetching odds", TaskProgressColumn()) as show:
        report = add_odds(
            folder,
            where or (),
            base_url,
            lambda step: show(completed=step.done, total=step.total, description=step.answer.path),
            check=check_world,
        )
    if report.error:
        raise SourceError(report.summary())
    made = open_world(folder)
    if json:
        known, coming = (int(rows["home_odds"].notna().sum()) for rows in (made.tables["fixtures"], _coming(made)))
        print_json({"world": world, "matches": known, "coming": coming, "report": _told(report)})
        return
    rows = [(f"{m.kickoff:%a %d %b}", m.home, m.away, *_odds_cells(m)) for m in _coming(made).itertuples()]
    print_table(f"Odds of round {made.rounds[-1]}", ["day", "home", "away", "1", "X", "2", "over", "under"], rows)
    say(report.summary())


def _coming(world: World) -> pd.DataFrame:
    return world.at(world.rounds[-1]).coming


def _odds_cells(match: Any) -> list[str]:
    odds = [getattr(match, f"{name}_odds") for name in ("home", "draw", "away", "over", "under")]
    return ["–" if odd != odd else f"{odd:.2f}" for odd in odds]


def _own_place(name: str) -> Path:
    """Return the folder of a world of the user's own; a bundled one stays as it is."""
    folder = own_folder(name)
    if (BUNDLED / name).is_dir() and not folder.is_dir():
        raise InputError(f"{name} is bundled and stays as it is. Give a world of your own: `thetaxi fetch fpl` first.")
    return folder


def entry(
    entry: Annotated[int, typer.Argument(min=1, help="The manager's number: it stands in his page's web address.")],
    out: Annotated[Path | None, typer.Option(help="File to write the squad to.")] = None,
    world: LeagueWorldOption = LIVE_LEAGUE,
    base_url: BaseUrlOption = "",
    json: JsonOption = False,
) -> None:
    """Import a Premier League manager's squad, money and free transfers into a file that `--from` reads.

    The budget is bank and selling prices, reckoned to the tenth from every transfer of the season; so are free
    transfers and chips. Where the pages do not show enough, today's prices stand in and a note says so.

    Example: [bold]thetaxi entry 123456 --out squad.csv[/bold]

    JSON: {"entry", "round", "coming", "players": (ids), "captain", "vice", "bank", "budget", "selling_prices": (whether
    the budget rests on them), "free_transfers": (null where unknown), "chips": (boosters left, null where unknown),
    "notes": (texts), "file"}.
    """
    from data.sources.fetching import import_entry

    squad = import_entry(base_url, entry, _league(world), out)
    if json:
        print_json(squad)
        return
    _print_entry(squad, world)


def league(
    league: Annotated[int, typer.Argument(min=1, help="The number of a classic league, from its page's web address.")],
    out: Annotated[Path | None, typer.Option(help="Folder to write the squads to.")] = None,
    most: Annotated[
        int, typer.Option(min=1, max=50, help="How many managers, the nearest to you first.")
    ] = MOST_RIVALS,
    leave_out: Annotated[int | None, typer.Option(min=1, help="Your own number: rivals near you come first.")] = None,
    world: LeagueWorldOption = LIVE_LEAGUE,
    base_url: BaseUrlOption = "",
    json: JsonOption = False,
) -> None:
    """Import the squads of a Premier League mini-league, one file for each rival.

    With your own number by --leave-out they are those nearest to you in points, else the first of the table.

    Example: [bold]thetaxi league 314 --most 10 --leave-out 123456[/bold]

    JSON: {"league", "name", "round", "folder", "rivals": [{"entry", "team", "manager", "rank", "total_points",
    "ahead": (your points ahead of him, null where unknown), "chips": (boosters left, null where unknown), "captains":
    [{"round", "player_id"}] (of the nearest ten, the last four rounds), "file"}],
    "missing": (texts)}.
    """
    from data.sources.fetching import import_league

    found = import_league(base_url, league, _league(world), out, most=most, leave_out=leave_out)
    if json:
        print_json(found)
        return
    rivals: list[dict[str, object]] = found["rivals"]  # type: ignore[assignment]
    rows = [
        (r["rank"], r["team"], r["manager"], r["total_points"], _signed(r["ahead"]), Path(str(r["file"])).name)
        for r in rivals
    ]
    print_table(str(found["name"]), ["rank", "team", "manager", "points", "you ahead", "file"], rows)
    notes().print(f"Written to {found['folder']}.", markup=False, soft_wrap=True)
    warn(found["missing"])  # type: ignore[arg-type]


def _signed(points: object) -> str:
    return "–" if points is None else f"{points:+d}"


def _league(name: str) -> World:
    world = find_world(name)
    if not world.rulebook.startswith("fpl"):
        raise InputError(f"{name} is not a world of Fantasy Premier League. Make one by `thetaxi fetch fpl`.")
    return world


def _refuse_hiding(name: str, force: bool) -> None:
    """Refuse a name that would hide a bundled world from every later command."""
    if (BUNDLED / name).is_dir() and not force:
        raise InputError(
            f"{name} is a bundled world, and yours of the same name would hide it. Choose another --world, or --force."
        )


def _take(folder: Path, json: bool) -> None:
    """Take what was held back; `thetaxi restore` goes back."""
    taken = take_held(folder)
    if json:
        print_json({"world": folder.name, "rounds": list(taken.rounds), "report": None, "entry": None})
        return
    say(f"{folder.name} is now {taken.title}, as it was held back. `thetaxi restore {folder.name}` goes back.")


def _print_entry(squad: dict[str, object], world: str) -> None:
    free = squad["free_transfers"]
    told = "free transfers unknown" if free is None else f"{free} free transfer{'s' * (free != 1)}"
    money = "selling prices" if squad["selling_prices"] else "today's prices"
    notes().print(
        f"Squad of entry {squad['entry']} for round {squad['coming']} written to {squad['file']}: bank "
        f"{squad['bank']:.1f}, budget {squad['budget']:.1f} at {money}, {told}. "
        f"Next: thetaxi pick --world {world} --round {squad['coming']} --theta … --from {squad['file']}",
        markup=False,
        soft_wrap=True,
    )
    warn(squad["notes"])  # type: ignore[arg-type]


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
        "doubts": list(report.doubts),
    }
