"""The payloads of Fantasy Premier League's public API about managers and their leagues, as far as we read them."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from data.sources.fpl.wire import Tenths
from data.sources.wire import Count, Entries, Id, Listed, Moment, RoundId, Text, Wire

Bank = Annotated[int, Field(ge=0, le=10_000)]  # tenths of a million


class WirePick(Wire):
    """A place in a manager's squad."""

    element: Id
    position: Annotated[int, Field(ge=1, le=16)]
    is_captain: bool
    is_vice_captain: bool
    selling_price: Tenths | None = None  # only where the API shows it: to the manager himself


class WireEntryHistory(Wire):
    """A manager's account at a gameweek; money in tenths of a million."""

    bank: Bank


class WirePicks(Wire):
    """A manager's squad at a gameweek."""

    active_chip: Text | None = None
    entry_history: WireEntryHistory
    picks: Entries[WirePick]


class WireGameweekRecord(Wire):
    """What a manager did in a gameweek."""

    event: RoundId
    event_transfers: Count
    bank: Bank = 0


class WireChip(Wire):
    """A chip a manager played."""

    name: Text
    event: RoundId


class WireRecord(Wire):
    """A manager's season so far."""

    current: Entries[WireGameweekRecord]
    chips: Entries[WireChip]


class WireTransfer(Wire):
    """A transfer a manager made, with what the market asked and paid."""

    event: RoundId
    time: Moment
    element_in: Id
    element_in_cost: Tenths
    element_out: Id
    element_out_cost: Tenths


class WireRival(Wire):
    """A row of a league's table."""

    entry: Id
    team: Annotated[Text, Field(alias="entry_name")]
    manager: Annotated[Text, Field(alias="player_name")]
    rank: Annotated[int, Field(ge=0, le=10**9)]
    total_points: Annotated[int, Field(ge=-1000, le=100_000, alias="total")]


class WireStandings(Wire):
    """A page of a league's table."""

    has_next: bool
    results: Entries[WireRival]


class WireLeague(Listed):
    """A league's name."""

    name: Text


class WireLeaguePage(Wire):
    """A league with a page of its table."""

    league: WireLeague
    standings: WireStandings


def picks_name(entry: int, gameweek: int) -> str:
    """Return the address of a manager's squad below the base URL."""
    return f"entry/{entry}/event/{gameweek}/picks/"


def record_name(entry: int) -> str:
    """Return the address of a manager's season below the base URL."""
    return f"entry/{entry}/history/"


def transfers_name(entry: int) -> str:
    """Return the address of all transfers of a manager below the base URL."""
    return f"entry/{entry}/transfers/"


def standings_name(league: int, page: int) -> str:
    """Return the address of a page of a league's table below the base URL."""
    return f"leagues-classic/{league}/standings/?page_standings={page}"


class WireMembership(Listed):
    """A league that a manager plays in, and his rank there; none before its first table."""

    entry_rank: Annotated[int, Field(ge=0, le=10**9)] | None = None


class WireMemberships(Wire):
    """The classic leagues that a manager plays in."""

    classic: Entries[WireMembership]


class WireMember(Wire):
    """A manager with his leagues."""

    leagues: WireMemberships


def member_name(entry: int) -> str:
    """Return the address of a manager and his leagues below the base URL."""
    return f"entry/{entry}/"
