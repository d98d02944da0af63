"""The squads of a league's managers: one after the other, and no further than the game answers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace

import httpx

from data.errors import InputError, PayloadError, UnreachableError
from data.rules import GameRules
from data.sources.fpl.managers.account import chips_left, squad_week
from data.sources.fpl.managers.entries import Entry, fetch_entry, season_record
from data.sources.fpl.managers.leagues import League
from data.sources.fpl.managers.wire import WireRival

MOST_WATCHED, WEEKS_WATCHED = 10, 4
"""The nearest rivals whose captains are asked for, and in how many of the last gameweeks: thirty requests more."""


@dataclass(frozen=True, slots=True)
class RivalSquad:
    """A manager of a league with the squad he brings into the coming gameweek."""

    row: WireRival
    picks: Entry
    ahead: int | None  # points of the manager the league was read for ahead of him, negative behind; None = not known
    captains: Mapping[int, int] = field(default_factory=dict)  # gameweek → whom he gave the armband, the latest first

    @property
    def name(self) -> str:
        """What to call him: his team, never himself."""
        return called(self.row)


def called(row: WireRival) -> str:
    """Return what to call a manager: his team, never himself."""
    return row.team.strip() or f"Entry {row.entry}"


def fetch_squads(
    client: httpx.Client, table: League, coming: int, rules: GameRules
) -> tuple[tuple[RivalSquad, ...], tuple[str, ...]]:
    """Return the squads of a table's managers in its order, and who is missing, in sentences.

    One whose pages cannot be read is left out. A game that asks for fewer requests, or stops answering, is left alone
    at once: what was read until then stays.
    """
    if coming < 2:
        raise InputError("Squads are public only after the first deadline. Paste your rivals' squads instead.")
    found: list[RivalSquad] = []
    missing: list[str] = []
    for place, row in enumerate(table.rivals):
        try:
            found.append(_squad(client, table, row, coming, rules))
        except PayloadError as error:
            missing.append(f"{called(row)} is left out: {error}")
        except UnreachableError as error:
            if not found:
                raise
            missing.append(_broken_off(table.rivals[place:], len(table.rivals), error))
            break
    return tuple(found), tuple(missing)


def _squad(client: httpx.Client, table: League, row: WireRival, coming: int, rules: GameRules) -> RivalSquad:
    record = season_record(client, row.entry)
    if record is not None and not any(week.event < coming for week in record.current):
        raise PayloadError(f"he has no gameweek before {coming} on record.")
    picks = fetch_entry(client, row.entry, coming - 1 if record is None else squad_week(record, coming))
    chips = None if record is None else chips_left(record, coming, rules)
    ahead = None if table.mine is None else table.mine.total_points - row.total_points
    return RivalSquad(row, replace(picks, chips=chips), ahead)


def with_captains(
    client: httpx.Client, squads: Sequence[RivalSquad], coming: int
) -> tuple[tuple[RivalSquad, ...], tuple[str, ...]]:
    """Return the squads, the first of them with their captains of the last gameweeks, and what is missing of these.

    Each gameweek of each rival is a request, so that only the nearest are asked about, and only the last weeks.
    """
    found: list[RivalSquad] = []
    for place, squad in enumerate(squads[:MOST_WATCHED]):
        try:
            found.append(replace(squad, captains=dict(_captains(client, squad, coming))))
        except UnreachableError as error:
            note = f"The game stopped answering: the captains of {place} rivals are known week by week. {error}"
            return (*found, *squads[place:]), (note,)
    return (*found, *squads[MOST_WATCHED:]), ()


def _captains(client: httpx.Client, squad: RivalSquad, coming: int) -> Iterator[tuple[int, int]]:
    """Yield the last gameweeks and their captains; one that he did not play, or that is not shown, is passed over."""
    for week in range(coming - 1, max(0, coming - 1 - WEEKS_WATCHED), -1):
        if week == squad.picks.round:
            yield week, squad.picks.captain
            continue
        with suppress(PayloadError):
            yield week, fetch_entry(client, squad.row.entry, week).captain


def _broken_off(rest: Sequence[WireRival], all_of_them: int, error: UnreachableError) -> str:
    read = all_of_them - len(rest)
    return f"The game stopped answering after {read} of {all_of_them} rivals; the others are left out. {error}"
