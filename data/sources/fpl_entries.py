"""Managers of Fantasy Premier League, as anybody may see them: one squad, and the table of a league."""

from __future__ import annotations

from dataclasses import dataclass

import httpx

from data.errors import InputError, PayloadError
from data.sources.fpl_wire import LEAGUE_MODEL, PICKS_MODEL, WirePicks, picks_name, standings_name
from data.sources.wire import refuse_twice, validated
from data.web import get_json

TENTHS = 10.0
SQUAD = 15


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A manager's squad at a gameweek."""

    entry: int
    round: int
    players: tuple[int, ...]  # starters, then the bench in its order
    captain: int
    vice: int
    bank: float  # millions
    value: float  # millions, bank included
    points: int  # of the gameweek
    total_points: int
    chip: str  # the one played in this gameweek, empty for none
    free_transfers: int | None = None  # the public API does not say


@dataclass(frozen=True, slots=True)
class Rival:
    """A manager in a league's table."""

    entry: int
    team: str
    manager: str
    rank: int
    total_points: int
    round_points: int


@dataclass(frozen=True, slots=True)
class League:
    """A league's table, best first; `complete` is false when it was cut at the size asked for."""

    league: int
    name: str
    rivals: tuple[Rival, ...]
    complete: bool


def fetch_entry(client: httpx.Client, entry: int, gameweek: int) -> Entry:
    """Return a manager's squad as it stood at a gameweek's deadline."""
    name = picks_name(_positive(entry, "entry"), _positive(gameweek, "gameweek"))
    answer = get_json(client, name)
    return _entry(validated(PICKS_MODEL, answer.value, name), entry, gameweek, name)


def fetch_league(client: httpx.Client, league: int, *, most: int = 50) -> League:
    """Return a league's name and its best `most` managers, page by page."""
    rivals: list[Rival] = []
    page, more, title = 0, True, ""
    while more and len(rivals) < most:
        page += 1
        name = standings_name(_positive(league, "league"), page)
        content = validated(LEAGUE_MODEL, get_json(client, name).value, name)
        title = content.league.name
        rows = content.standings.results
        rivals += [Rival(r.entry, r.entry_name, r.player_name, r.rank, r.total, r.event_total) for r in rows]
        more = content.standings.has_next and bool(rows)
    refuse_twice((rival.entry for rival in rivals), f"leagues-classic/{league}", "entry")
    return League(league, title, tuple(rivals[:most]), complete=not more and len(rivals) <= most)


def _entry(picks: WirePicks, entry: int, gameweek: int, name: str) -> Entry:
    ordered = sorted(picks.picks, key=lambda pick: pick.position)
    players = tuple(pick.element for pick in ordered if pick.position <= SQUAD)
    refuse_twice(players, name, "element")
    captains = [pick.element for pick in ordered if pick.is_captain]
    vices = [pick.element for pick in ordered if pick.is_vice_captain]
    if len(players) != SQUAD or len(captains) != 1 or len(vices) != 1:
        raise PayloadError(
            f"{name}: a squad has {SQUAD} players, one captain and one vice-captain; "
            f"this one has {len(players)}, {len(captains)} and {len(vices)}."
        )
    account = picks.entry_history
    return Entry(
        entry=entry,
        round=gameweek,
        players=players,
        captain=captains[0],
        vice=vices[0],
        bank=account.bank / TENTHS,
        value=account.value / TENTHS,
        points=account.points,
        total_points=account.total_points,
        chip=picks.active_chip or "",
    )


def _positive(number: int, what: str) -> int:
    if number < 1:
        raise InputError(f"There is no {what} {number}. The right number stands in the address of its page on the web.")
    return number
