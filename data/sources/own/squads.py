"""A squad as a CSV, a pasted list or one line of names or ids: the players it means."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass

import pandas as pd

from data.errors import TableError
from data.naming.matching import PlayerNames, Written
from data.sources.own.delimited import TableLimits, decoded, read_lines, read_sheet
from data.sources.own.headers import column_of, read_columns
from data.sources.own.projections import TableReport, written_rows

SQUAD_LIMITS = TableLimits(size=200_000, rows=1_000)
SQUAD_COLUMNS = ("id", "name", "team", "captain", "selling")
ACCOUNT_COLUMNS = ("account", "value")
"""The two tables of a squad fetched by a manager's number: his men, and his money and transfers."""

_BULLET = re.compile(r"^(?:\d{1,3}[.)]|[-*•–])\s+")
_ID = re.compile(r"\d{1,15}", re.ASCII)


@dataclass(frozen=True, slots=True)
class NamedSquad:
    """The players a list means, each once and in its order."""

    player_ids: tuple[int, ...]
    report: TableReport


def read_names(
    content: bytes | str,
    players: pd.DataFrame,
    *,
    teams: pd.DataFrame,
    strict: bool = False,
) -> NamedSquad:
    """Read a table headed by `id` or `name` (and `team`), or a plain list: a player per line, or all in one line.

    Entries without a single fitting player are reported, or refused when `strict`.
    """
    names = PlayerNames(players, teams)
    rows, ignored = _rows(decoded(content, SQUAD_LIMITS), names)
    placement = names.place(rows)
    if strict:
        placement.refuse_unplaced()
    times = Counter(player for player in placement.player_ids if player is not None)
    repeated = tuple(
        f"{names.label(player)} stands there {count} times: counted once."
        for player, count in times.items()
        if count > 1
    )
    report = TableReport(len(rows), placement.unplaced, ignored, repeated=repeated)
    return NamedSquad(tuple(times), report)


def _rows(text: str, names: PlayerNames) -> tuple[list[Written], tuple[str, ...]]:
    lines = read_lines(text, SQUAD_LIMITS, headed=False)
    if not lines:
        raise TableError("The list is empty. Give one player per line, by name or id.")
    meant = {found[0] for title in lines[0][1] if (found := column_of(title))}
    if not meant & {"id", "name"}:
        return _listed(lines, names), ()
    sheet = read_sheet(text, SQUAD_LIMITS)
    columns = read_columns(sheet.header)
    used = {columns.header_of[c] for c in ("id", "name", "team") if c in columns.header_of}
    return written_rows(sheet, columns), tuple(title for title in sheet.header if title not in used)


def _listed(lines: list[tuple[int, list[str]]], names: PlayerNames) -> list[Written]:
    rows = [written for number, cells in lines for written in _entries(number, cells, names)]
    if len(rows) > SQUAD_LIMITS.rows:
        raise TableError(f"The list names {len(rows):,} players; {SQUAD_LIMITS.rows:,} is the limit. Is it a squad?")
    return rows


def _entries(number: int, cells: list[str], names: PlayerNames) -> list[Written]:
    """Return the players of a line: "Saka, Bukayo" and "Saka, ARS" are one, any other line has one per cell."""
    written = [_BULLET.sub("", cell) for cell in cells if cell]
    if len(written) == 2 and names.team_code(written[1]) is not None:
        return [_entry(number, written[0], written[1])]
    whole = " ".join(written)
    if len(written) > 1 and names.only(whole) is not None:
        return [_entry(number, whole, "")]
    return [_entry(number, cell, "") for cell in written]


def _entry(number: int, text: str, team: str) -> Written:
    if _ID.fullmatch(text):
        return Written(number, int(text), "", team)
    return Written(number, None, text, team)
