"""A squad as a user has it, on disk or pasted, turned into player rows of the signals."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from data.domain import POSITIONS
from data.errors import InputError
from data.snapshot import Snapshot
from data.sources.squad_table import read_names
from engine.export import LINEUP_COLUMNS
from engine.lineup import best_lineups
from models.signals import Signals

EXPORTED = ",".join(LINEUP_COLUMNS).encode()
"""The header of a line-up that we wrote ourselves."""


def read_squad(path: Path, snapshot: Snapshot, signals: Signals) -> tuple[np.ndarray, tuple[str, ...]]:
    """Return the player rows a file of names or ids means, by position, and remarks about it."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}.") from None
    return squad_rows(content, snapshot, signals)


def squad_rows(content: bytes | str, snapshot: Snapshot, signals: Signals) -> tuple[np.ndarray, tuple[str, ...]]:
    """Return the player rows that names or ids mean, by position; anything but a full squad is refused."""
    named = read_names(_lineup_part(content), snapshot.players, teams=snapshot.teams, strict=True)
    rows = np.array([signals.row_of(player) for player in named.player_ids], dtype=np.int64)
    _check_shape(rows, signals)
    remarks = tuple(line for line in named.report.lines()[1:])
    return rows[np.lexsort((rows, signals.position[rows]))], remarks


def _lineup_part(content: bytes | str) -> bytes | str:
    """Return an exported line-up without the table of terms that follows it; anything else as it is."""
    raw = content.encode() if isinstance(content, str) else content
    if EXPORTED not in raw[: 2 * len(EXPORTED)]:
        return content
    return raw.replace(b"\r", b"").partition(b"\n\n")[0]


def roles(signals: Signals, squad: np.ndarray) -> list[dict[str, object]]:
    """Return the squad as its best line-up uses it: starters by position, then the bench in order."""
    lineup = best_lineups(signals, squad[None, :])
    captain, vice = int(lineup.captain[0]), int(lineup.vice[0])
    places = [(int(row), "starter") for row in lineup.starters[0]]
    places += [(int(row), f"bench {order}") for order, row in enumerate(lineup.bench[0], start=1)]
    marks = {captain: "captain", vice: "vice"}
    return [
        {
            "player_id": int(signals.player_id[row]),
            "name": str(signals.name[row]),
            "team": str(signals.codes[row]),
            "position": POSITIONS[signals.position[row]],
            "role": marks.get(row, role),
            "xev": float(signals.xev[row]),
        }
        for row, role in places
    ]


def _check_shape(rows: np.ndarray, signals: Signals) -> None:
    shape = signals.rules.squad.shape
    counts = {position: int((signals.position[rows] == code).sum()) for code, position in enumerate(POSITIONS)}
    wrong = [f"{counts[p]} {p} instead of {shape[p]}" for p in shape if counts[p] != shape[p]]
    if wrong:
        raise InputError(f"A squad has {signals.rules.squad.size} players, but yours has {', '.join(wrong)}.")
