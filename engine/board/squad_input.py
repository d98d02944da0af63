"""A squad as a user has it, on disk or pasted, turned into player rows of the signals."""

from __future__ import annotations

import csv
import reprlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from data.domain import POSITIONS
from data.errors import InputError
from data.sources.own.squads import ACCOUNT_COLUMNS, SQUAD_COLUMNS, read_names
from data.storage.files import read_own
from data.worlds.snapshot import Snapshot
from engine.board.export import LINEUP_COLUMNS
from engine.lineup.lineups import Lineups, best_lineups
from engine.rules.pool import pool_of
from models.signals import Signals

SEPARATORS = (",", ";", "\t")

MOST_MONEY = 1_000.0
"""Millions: ten times what squads are worth."""

MOST_COUNTED = 100
"""Above any number of a round, and of free transfers."""

AGAIN = "Fetch the squad again, or delete the table."


@dataclass(frozen=True, slots=True)
class Account:
    """What a fetched squad's file says besides the names."""

    round: int | None = None  # the one it is for
    budget: float | None = None  # bank and what all men would bring, in millions; None where the file does not say
    free_transfers: int | None = None
    selling: Mapping[int, float] = field(default_factory=dict)  # player id → millions he would bring

    def __post_init__(self) -> None:
        money = [*([] if self.budget is None else [self.budget]), *self.selling.values()]
        counted = [number for number in (self.round, self.free_transfers) if number is not None]
        if not all(0 < amount <= MOST_MONEY for amount in money) or not all(0 <= n <= MOST_COUNTED for n in counted):
            raise InputError(
                f"An account with {reprlib.repr(money)} and {reprlib.repr(self.free_transfers)} free transfers before "
                f"round {reprlib.repr(self.round)} makes no sense. {AGAIN}"
            )

    @property
    def remarks(self) -> tuple[str, ...]:
        """What is taken from the file, in one sentence; nothing where it says nothing."""
        said = [f"a budget of {self.budget:.1f}"] if self.budget is not None else []
        said += [f"{self.free_transfers} free transfers"] if self.free_transfers is not None else []
        return (f"Taken from the file unless stated: {' and '.join(said)}.",) if said else ()


NO_ACCOUNT = Account()


def read_squad(path: Path, snapshot: Snapshot, signals: Signals) -> tuple[np.ndarray, tuple[str, ...]]:
    """Return the player rows a file of names or ids means, by position, and remarks about it."""
    return squad_rows(read_own(path), snapshot, signals)


def squad_rows(content: bytes | str, snapshot: Snapshot, signals: Signals) -> tuple[np.ndarray, tuple[str, ...]]:
    """Return the player rows that names or ids mean, by position; anything but a full squad is refused."""
    part = lineup_part(content)
    named = read_names(part, snapshot.players, teams=snapshot.teams, strict=True)
    rows = np.array([signals.row_of(player) for player in named.player_ids], dtype=np.int64)
    _check_shape(rows, signals)
    ours = part is not content  # whose other columns need no remark
    remarks = named.report.repeated if ours else tuple(named.report.lines()[1:])
    return pool_of(signals).by_position(rows), remarks


def read_account(path: Path, round_number: int) -> tuple[Account, tuple[str, ...]]:
    """Return the money and transfers that a file fetched by a manager's number holds, and what to say about them.

    Any other file holds none, and those of another round are not used: prices move and transfers are spent.
    """
    account = account_of(read_own(path))
    if account.round in (None, round_number):
        return account, account.remarks
    return NO_ACCOUNT, (
        f"The money and transfers in {path.name} are those before round {account.round}: not used. Fetch it again.",
    )


def account_of(content: bytes | str) -> Account:
    """Return the account under a squad as we write it; an empty one where there is none."""
    men, account, separator = _two_tables(content)
    if not men or _header(men[0], separator) != SQUAD_COLUMNS:
        return NO_ACCOUNT
    try:
        table = csv.reader(account, delimiter=separator)
        figures = {row[0]: row[1] for row in table if len(row) >= len(ACCOUNT_COLUMNS)}
        rows = [row for row in csv.reader(men, delimiter=separator) if len(row) == len(SQUAD_COLUMNS)][1:]
        return Account(
            int(figures["round"]) if figures.get("round") else None,
            _number(figures["budget"]) if figures.get("budget") else None,
            int(figures["free_transfers"]) if figures.get("free_transfers") else None,
            {int(row[0]): _number(row[-1]) for row in rows if row[-1]},
        )
    except (ValueError, csv.Error):
        raise InputError(f"The account under the squad holds something that is no number. {AGAIN}") from None


def lineup_part(content: bytes | str) -> bytes | str:
    """Return a squad of ours without the table that follows it, of terms or of money; anything else as it is."""
    men, _, separator = _two_tables(content)
    header = _header(men[0], separator) if men else ()
    if not any(header[: len(ours)] == ours for ours in (LINEUP_COLUMNS, SQUAD_COLUMNS)):
        return content
    return "\n".join(men).encode()


def _two_tables(content: bytes | str) -> tuple[list[str], list[str], str]:
    """Return the lines before and after the first empty one, and what separates their cells.

    A spreadsheet pads an empty line to the width of the table, and in some countries it separates cells by semicolons.
    """
    text = content if isinstance(content, str) else content.decode("utf-8-sig", "replace")
    lines = text.removeprefix("\ufeff").replace("\r", "").split("\n")
    separator = max(SEPARATORS, key=lines[0].count)
    empty = next((at for at, line in enumerate(lines) if not line.strip(f'{separator}" ')), len(lines))
    return lines[:empty], lines[empty + 1 :], separator


def _header(line: str, separator: str) -> tuple[str, ...]:
    return tuple(cell.strip('" ') for cell in line.split(separator))


def _number(text: str) -> float:
    """Return a number as a spreadsheet writes it, with a comma in some countries."""
    return float(text.replace(",", "."))


def roles(signals: Signals, squad: np.ndarray, lineup: Lineups | None = None) -> list[dict[str, object]]:
    """Return the squad as a line-up uses it, or its best: starters by position, then the bench in order."""
    lineup = lineup or best_lineups(signals, squad[None, :])
    marks = {int(lineup.captain[0]): "captain", int(lineup.vice[0]): "vice"}
    return [
        {
            "player_id": int(signals.player_id[row]),
            "name": str(signals.name[row]),
            "team": str(signals.codes[row]),
            "position": POSITIONS[signals.position[row]],
            "role": marks.get(row, role),
            "xev": float(signals.xev[row]),
        }
        for row, role in lineup.places(0)
    ]


def _check_shape(rows: np.ndarray, signals: Signals) -> None:
    shape = signals.rules.squad.shape
    counts = {position: int((signals.position[rows] == code).sum()) for code, position in enumerate(POSITIONS)}
    wrong = [f"{counts[p]} {p} instead of {shape[p]}" for p in shape if counts[p] != shape[p]]
    if wrong:
        raise InputError(f"A squad has {signals.rules.squad.size} players, but yours has {', '.join(wrong)}.")
