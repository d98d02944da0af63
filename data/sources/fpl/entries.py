"""Managers of Fantasy Premier League, as anybody may see them: one squad, and the table of a league."""

from __future__ import annotations

from dataclasses import dataclass, replace

import httpx

from data.errors import InputError, PayloadError, SourceError
from data.rules import UNLIMITED, GameRules
from data.sources.fpl.wire import (
    WireLeaguePage,
    WirePick,
    WirePicks,
    WireRecord,
    WireRival,
    picks_name,
    record_name,
    standings_name,
)
from data.sources.wire import refuse_twice, validated
from data.web.client import get_json

TENTHS = 10.0
SQUAD = 15
FREE_HIT = "freehit"
KEEPING_CHIPS = ("wildcard", FREE_HIT)
"""Chips whose transfers are free: the saved ones are kept as they were."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A manager's squad at a gameweek."""

    entry: int
    round: int
    players: tuple[int, ...]  # starters, then the bench in its order
    captain: int
    vice: int
    bank: float  # millions
    chip: str  # the one played in this gameweek, empty for none
    free_transfers: int | None = None  # before the next gameweek; None where they were not asked for or not shown
    selling: tuple[float, ...] = ()  # millions, along `players`; empty where the API keeps it to the manager himself


@dataclass(frozen=True, slots=True)
class League:
    """A league's table, best first."""

    name: str
    rivals: tuple[WireRival, ...]


def fetch_entry(client: httpx.Client, entry: int, gameweek: int, rules: GameRules | None = None) -> Entry:
    """Return a manager's squad as it stood at a gameweek's deadline.

    With the rules his free transfers before the next gameweek are reckoned too, from one more document: the public API
    shows what he did, not what is left. A gift by the game outside its rules is not seen.
    """
    name = picks_name(entry, gameweek)
    found = _entry(validated(WirePicks, get_json(client, name).value, name), entry, gameweek, name)
    if rules is None or gameweek >= rules.rounds:
        return found
    return replace(found, free_transfers=_free_transfers(client, entry, gameweek + 1, rules))


def fetch_owned_squad(client: httpx.Client, entry: int, coming: int, rules: GameRules) -> Entry:
    """Return the squad a manager brings into the coming gameweek, with his free transfers where they can be known.

    It is that of the last deadline; after a Free Hit, whose squad is given back, that of the deadline before.
    """
    last = coming - 1
    if last < 1:
        raise InputError("Squads are public only after the first deadline. Paste your squad instead.")
    found = fetch_entry(client, entry, last, rules)
    if found.chip != FREE_HIT or last == 1:
        return found
    return replace(fetch_entry(client, entry, last - 1), free_transfers=found.free_transfers)


def _free_transfers(client: httpx.Client, entry: int, gameweek: int, rules: GameRules) -> int | None:
    name = record_name(entry)
    try:
        record = validated(WireRecord, get_json(client, name).value, name)
    except SourceError:  # a squad is worth having without it
        return None
    return free_transfers_before(record, gameweek, rules)


def free_transfers_before(record: WireRecord, gameweek: int, rules: GameRules) -> int | None:
    """Return the free transfers that a season so far leaves before a gameweek; None before the first is over."""
    stage = rules.stage(gameweek)
    earlier = sorted((week for week in record.current if week.event < gameweek), key=lambda week: week.event)
    if not earlier or stage.free_transfers == UNLIMITED:
        return None
    kept = {chip.event for chip in record.chips if chip.name in KEEPING_CHIPS}
    granted, most = stage.free_transfers, stage.free_transfers + stage.carry_in
    free = granted  # after the first gameweek, whose squad was built from nothing
    for week in earlier[1:]:
        free = free if week.event in kept else min(most, max(0, free - week.event_transfers) + granted)
    return free


def fetch_league(client: httpx.Client, league: int, *, most: int = 50) -> League:
    """Return a league's name and its best `most` managers, page by page."""
    rivals: list[WireRival] = []
    page, more, title = 0, True, ""
    while more and len(rivals) < most:
        page += 1
        name = standings_name(league, page)
        content = validated(WireLeaguePage, get_json(client, name).value, name)
        title = content.league.name
        rivals += content.standings.results
        more = content.standings.has_next and bool(content.standings.results)
    refuse_twice((rival.entry for rival in rivals), f"leagues-classic/{league}", "entry")
    return League(title, tuple(rivals[:most]))


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
    return Entry(
        entry=entry,
        round=gameweek,
        players=players,
        captain=captains[0],
        vice=vices[0],
        bank=picks.entry_history.bank / TENTHS,
        chip=picks.active_chip or "",
        selling=_selling(ordered),
    )


def _selling(picks: list[WirePick]) -> tuple[float, ...]:
    """Return what the squad's men would bring, empty unless all of them are told."""
    prices = [pick.selling_price for pick in picks if pick.position <= SQUAD]
    return tuple(price / TENTHS for price in prices if price is not None) if None not in prices else ()
