"""The table of a classic league, as anybody may see it: the managers nearest to one of them, or the best."""

from __future__ import annotations

from dataclasses import dataclass

import httpx

from data.errors import InputError, PayloadError
from data.sources.fpl.managers.wire import WireLeaguePage, WireMember, WireRival, member_name, standings_name
from data.sources.wire import refuse_twice, validated
from data.web.client import get_json

MOST_RIVALS = 50
"""Managers of a league whose squads are asked for at most: each costs the game two requests."""

PER_PAGE = 50
"""Managers on a page of a table."""

NOT_FOUND, CLOSED = 404, (401, 403)


@dataclass(frozen=True, slots=True)
class League:
    """A league's table, as far as it was read."""

    name: str
    rivals: tuple[WireRival, ...]  # without the manager it was read for; the nearest to him first, else the best
    mine: WireRival | None = None  # his own row, where it was found
    notes: tuple[str, ...] = ()  # what was not read, in sentences


def fetch_league(client: httpx.Client, league: int, *, most: int = MOST_RIVALS, near: int | None = None) -> League:
    """Return a league's table: the `most` managers nearest in points to the entry `near`, else the best.

    Of a long table only the pages around him are read. Where he is not found, the first ones are, and it is said.
    """
    first = _page(client, league, 1)
    if not first.standings.results:
        raise InputError(f"League {league} has no table yet. It has one when its first gameweek is over.")
    if near is None:
        return _best(first.league.name, _rows_from(client, league, first, most), most, None)
    pages = _pages_around(client, league, first, near)
    rows = _all_rows(league, pages)
    mine = next((row for row in rows if row.entry == near), None)
    if mine is None:
        return _best(first.league.name, rows, most, near)
    others = sorted((row for row in rows if row.entry != near), key=lambda row: _distance(row, mine))
    return League(first.league.name, tuple(others[:most]), mine, _unread(pages, len(others), most))


def _distance(row: WireRival, mine: WireRival) -> tuple[int, int]:
    return abs(row.total_points - mine.total_points), abs(row.rank - mine.rank)


def _best(name: str, rows: list[WireRival], most: int, missed: int | None) -> League:
    """Return the head of a table; `missed` is whom it was read for in vain."""
    if missed is None:
        return League(name, tuple(rows[:most]))
    note = f"Entry {missed} was not found in this league: these are the first of its table, without points to you."
    return League(name, tuple(rows[:most]), notes=(note,))


def _unread(pages: dict[int, WireLeaguePage], others: int, most: int) -> tuple[str, ...]:
    if min(pages) > 1 or pages[max(pages)].standings.has_next:
        return (f"This is a long table: the {min(most, others)} managers nearest to you were read.",)
    return (f"Of {others} rivals the {most} nearest to you were read.",) if others > most else ()


def _pages_around(client: httpx.Client, league: int, first: WireLeaguePage, near: int) -> dict[int, WireLeaguePage]:
    """Return the page that holds an entry and those before and after it; the first one where it is on none."""
    pages = {1: first}
    guess = None if _holds(first, near) or not first.standings.has_next else _page_of(client, league, near)
    places = (1,) if guess is None else (guess, guess - 1, guess + 1)  # a rank told may be one of yesterday
    place = next((number for number in places if _holds(_added(client, league, pages, number), near)), None)
    if place is None:
        return {1: first}
    for number in (place - 1, place + 1):
        _added(client, league, pages, number)
    return {number: page for number, page in pages.items() if abs(number - place) <= 1}


def _added(client: httpx.Client, league: int, pages: dict[int, WireLeaguePage], number: int) -> WireLeaguePage | None:
    """Return a page, read into `pages` where it is not there yet; None where the table has no such page."""
    before = pages.get(number - 1)
    if number < 1 or (before is not None and not before.standings.has_next):
        return None
    if number not in pages:
        pages[number] = _page(client, league, number)
    return pages[number]


def _holds(page: WireLeaguePage | None, entry: int) -> bool:
    return page is not None and any(row.entry == entry for row in page.standings.results)


def _page_of(client: httpx.Client, league: int, entry: int) -> int | None:
    """Return the page of a league's table on which an entry stands, by the rank that the game tells of it."""
    name = member_name(entry)
    try:
        member = validated(WireMember, get_json(client, name).value, name)
    except PayloadError:  # the head of the table is worth having without it
        return None
    ranks = [one.entry_rank for one in member.leagues.classic if one.id == league and one.entry_rank]
    return 1 + (ranks[0] - 1) // PER_PAGE if ranks else None


def _rows_from(client: httpx.Client, league: int, first: WireLeaguePage, most: int) -> list[WireRival]:
    pages = {1: first}
    rows = _all_rows(league, pages)
    while len(rows) < most and pages[len(pages)].standings.has_next and pages[len(pages)].standings.results:
        number = len(pages) + 1
        pages[number] = _page(client, league, number)
        rows = _all_rows(league, pages)
    return rows


def _all_rows(league: int, pages: dict[int, WireLeaguePage]) -> list[WireRival]:
    rows = [row for number in sorted(pages) for row in pages[number].standings.results]
    refuse_twice((row.entry for row in rows), f"leagues-classic/{league}", "entry")
    return rows


def _page(client: httpx.Client, league: int, number: int) -> WireLeaguePage:
    name = standings_name(league, number)
    try:
        answer = get_json(client, name)
    except PayloadError as error:
        raise _refusal(league, error) from None
    return validated(WireLeaguePage, answer.value, name)


def _refusal(league: int, error: PayloadError) -> Exception:
    if error.status == NOT_FOUND:
        return InputError(
            f"The game has no classic league {league} (404 Not Found). Take the number from the address of its table; "
            "head-to-head leagues cannot be read."
        )
    if error.status in CLOSED:
        return InputError(
            f"League {league} is private: the game shows its table to members only ({error.status}). Paste your "
            "rivals' squads instead."
        )
    return error
