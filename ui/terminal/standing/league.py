"""A mini-league to its last round on the command line: chances against every rival, to win, and what serves best."""

from __future__ import annotations

import csv
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from data.errors import InputError
from data.worlds.library import find_world
from ui.terminal.console import print_json, print_table, say, warn
from ui.terminal.options import Place

if TYPE_CHECKING:
    from engine.rank.rivals import Rival
    from engine.season.league.league_end import LeagueEnd

SQUAD, ELEVEN = 15, 11
MOST = 50
"""Rivals that are looked at, the nearest in points first."""


def league_standing(
    place: Place,
    league: int,
    squad: Path,
    *,
    entry: int | None,
    base_url: str,
    rounds_left: int | None,
    simulations: int,
    json: bool,
) -> None:
    """Tell the chances of one's squad in a league that is fetched now."""
    from data.sources.fetching import import_league
    from engine.board.stated_wishes import StatedWishes

    found: dict[str, Any] = import_league(base_url, league, find_world(place.world), most=MOST, leave_out=entry)
    warn(found["missing"])
    rivals = tuple(read_rival(Path(row["file"]), row) for row in found["rivals"])
    desk = replace(place.desk(StatedWishes(squad=squad)), rivals=rivals)
    say(f"Playing {simulations:,} ends of the season against {len(rivals)} rivals …", style="dim")
    end = desk.league_end(rounds_left=rounds_left, simulations=simulations)
    if json:
        print_json({"world": place.world, "round": place.round_number, "league": found["name"], **end_json(end)})
        return
    _print(found["name"], end)


def read_rival(file: Path, row: dict[str, Any]) -> Rival:
    """Return a rival from the file that his squad was written to, the eleven first."""
    from engine.rank.rivals import Rival

    with file.open(encoding="utf-8-sig", newline="") as lines:
        listed = list(csv.reader(lines))[1 : SQUAD + 1]
    men = [(int(line[0]), line[3]) for line in listed if line and line[0].isdecimal()]
    if len(men) != SQUAD:
        raise InputError(f"{file} holds {len(men)} players instead of {SQUAD}. Import the league again.")
    ids = [man for man, _ in men]
    captain = next((man for man, mark in men[:ELEVEN] if mark == "C"), ids[0])
    return Rival(str(row["team"]), tuple(ids[:ELEVEN]), captain, tuple(ids[ELEVEN:]), row["rank"], row["ahead"])


def end_json(end: LeagueEnd) -> dict[str, object]:
    """Return the end of a league as plain values."""
    return asdict(end) | {"chosen": end.chosen.objective, "advice": end.advice}


def _print(name: str, end: LeagueEnd) -> None:
    plain = end.plans[0]
    rows = [
        (one.objective, str(one.win), f"{one.place:.1f}", f"{one.points:.1f}", _gap(one.more_wins)) for one in end.plans
    ]
    title = f"{name}: {end.rounds_left} rounds to the last one, {end.planned} of them planned"
    print_table(title, ("plan", "P(win the league)", "expected place", "points planned", "P(win) beside points"), rows)
    chances = sorted(plain.rivals, key=lambda one: one.ahead)
    print_table(
        "Finish ahead of",
        ("rival", "you ahead now", "chance"),
        [(r.name, f"{r.ahead:+g}", str(r.behind)) for r in chances],
    )
    say(end.advice)
    if end.left_out:
        say(f"Left out, their whole squads are not known: {', '.join(end.left_out)}.")


def _gap(gap: Any) -> str:
    return "" if gap is None else f"{gap.value:+.1%} ({gap.low:+.1%} to {gap.high:+.1%})"
