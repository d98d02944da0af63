"""Managers of Fantasy Premier League, as anybody may see them: one squad, with its money where that can be reckoned."""

from __future__ import annotations

from dataclasses import dataclass, replace

import httpx

from data.errors import InputError, PayloadError, SourceError
from data.rules import GameRules
from data.sources.fpl.managers.account import Account, Prices, account_before, squad_week
from data.sources.fpl.managers.wire import (
    WirePick,
    WirePicks,
    WireRecord,
    WireTransfer,
    picks_name,
    record_name,
    transfers_name,
)
from data.sources.wire import refuse_twice, validated, validated_list
from data.web.client import get_json

TENTHS = 10.0
SQUAD = 15
NOT_FOUND = 404


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
    selling: tuple[float, ...] = ()  # millions, along `players`; empty where it is neither shown nor can be reckoned
    chips: tuple[str, ...] | None = None  # boosters left, by the rulebook's names; None where it is not known
    notes: tuple[str, ...] = ()  # what is missing or guessed, in sentences


def fetch_entry(client: httpx.Client, entry: int, gameweek: int) -> Entry:
    """Return a manager's squad as it stood at a gameweek's deadline."""
    name = picks_name(entry, gameweek)
    try:
        answer = get_json(client, name)
    except PayloadError as error:
        if error.status != NOT_FOUND:
            raise
        raise PayloadError(
            f"The game knows no squad of entry {entry} at gameweek {gameweek} (404 Not Found). Check the number; who "
            "began later has none before his first gameweek."
        ) from None
    return _entry(validated(WirePicks, answer.value, name), entry, gameweek, name)


def fetch_owned_squad(client: httpx.Client, entry: int, coming: int, rules: GameRules, prices: Prices) -> Entry:
    """Return the squad a manager brings into the coming gameweek with money, free transfers and chips to the penny.

    It is that of the last deadline that no free hit undid, with the transfers he made since. The public pages show what
    he did, not what is left: that is reckoned from his season and his transfers. Where those cannot be read, he counts
    at today's prices and `notes` says so.
    """
    if coming < 2:
        raise InputError("Squads are public only after the first deadline. Paste your squad instead.")
    record = season_record(client, entry)
    if record is None:
        note = "The game did not show this entry's season: free transfers, chips and a free hit are not known."
        return replace(fetch_entry(client, entry, coming - 1), notes=(note,))
    if not any(week.event < coming for week in record.current):
        raise InputError(f"Entry {entry} has no gameweek before {coming} on record. Paste your squad instead.")
    found = fetch_entry(client, entry, squad_week(record, coming))
    return _with_account(found, record, _transfers(client, entry), coming, rules, prices)


def _with_account(
    found: Entry,
    record: WireRecord,
    transfers: list[WireTransfer] | None,
    coming: int,
    rules: GameRules,
    prices: Prices,
) -> Entry:
    account = account_before(coming, found.players, record, transfers or (), prices, rules)
    known = replace(found, free_transfers=account.free_transfers, chips=account.chips)
    if transfers is None:
        note = "The game did not show this entry's transfers, from which selling prices follow."
        return replace(known, notes=(*season_notes(record, coming), *(() if found.selling else (note,))))
    heirs = dict(zip(found.players, account.players, strict=True))
    told = dict(zip(found.players, found.selling, strict=True)) if found.selling else {}
    return replace(
        known,
        players=account.players,
        captain=heirs[found.captain],
        vice=heirs[found.vice],
        bank=account.bank,
        selling=tuple(told.get(man, account.selling[man]) for man in account.players),
        notes=(*season_notes(record, coming), *_account_notes(account, coming)),
    )


def season_notes(record: WireRecord, coming: int) -> tuple[str, ...]:
    """Return what a season on record lacks before a gameweek, in sentences."""
    weeks = sorted(week.event for week in record.current if week.event < coming)
    notes = [f"This entry began in gameweek {weeks[0]}."] if weeks[0] > 1 else []
    missing = sorted(set(range(weeks[0], coming)) - set(weeks))
    if missing:
        listed = ", ".join(map(str, missing))
        notes.append(f"Nothing is on record of gameweek {listed}: counted as without a transfer.")
    return tuple(notes)


def _account_notes(account: Account, coming: int) -> tuple[str, ...]:
    notes = []
    if account.made:
        plural = "transfer" if account.made == 1 else "transfers"
        notes.append(f"{account.made} {plural} already made for gameweek {coming}: counted.")
    if account.guessed:
        count = len(account.guessed)
        men = "1 player's purchase" if count == 1 else f"The purchase of {count} players"
        notes.append(f"{men} is not on record: today's price stands in.")
    return tuple(notes)


def season_record(client: httpx.Client, entry: int) -> WireRecord | None:
    """Return what a manager did this season; None where the game does not show it.

    A game that does not answer at all, or asks for fewer requests, ends the fetch: it would not show the squad either.
    """
    name = record_name(entry)
    try:
        return validated(WireRecord, get_json(client, name).value, name)
    except PayloadError:  # a squad is worth having without it
        return None


def _transfers(client: httpx.Client, entry: int) -> list[WireTransfer] | None:
    name = transfers_name(entry)
    try:
        return validated_list(WireTransfer, get_json(client, name).value, name)
    except SourceError:  # a squad is worth having without it
        return None


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
