"""Ticks and figures a visitor sets on single players: must, never, his own start probability. Pure.

marked(locks, bans, player_id, "Must", True)      -> (locks, bans)      one list at most holds a player
with_start(own, player_id, 0.8)                   -> the visitor's own table with that chance, None when empty
edits_of(state, player_ids)                       -> {player_id: {column: value}} of a table editor's state
shows(start, edits, locks, bans)                  -> whether an editor with these edits shows these wishes
regime_words(signals, current rows, exposure)     -> ("Hold", "", "Drop", …)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from models.crowd.ownership import Exposure, Regime, regimes
from models.signals import Signals

MUST, NEVER, STARTS = "Must", "Never", "Starts"
P_START = "p_start"
PERCENT = 100.0
REGIME_WORDS = {Regime.NEUTRAL: "", Regime.HOLD: "Hold", Regime.DROP: "Drop", Regime.LEAP: "Leap"}
OWN_WORDS = {"xev": "xEV", "captain_share": "captained", P_START: "start"}
"""What the page calls a figure of the visitor's own where that is not its column."""

Ids = tuple[int, ...]


def marked(locks: Ids, bans: Ids, player_id: int, column: str, ticked: bool) -> tuple[Ids, Ids]:
    """Return must and never with one tick set or taken away; who enters the one list leaves the other."""
    chosen, other = (locks, bans) if column == MUST else (bans, locks)
    chosen = tuple(one for one in chosen if one != player_id)
    if ticked:
        chosen, other = (*chosen, player_id), tuple(one for one in other if one != player_id)
    return (chosen, other) if column == MUST else (other, chosen)


def with_start(own: pd.DataFrame | None, player_id: int, chance: float | None) -> pd.DataFrame | None:
    """Return the visitor's own table with a player's start probability (0..1) set, or left to the model again."""
    table = pd.DataFrame(index=pd.Index([], name="player_id", dtype="int64")) if own is None else own.copy()
    if P_START not in table:
        table[P_START] = np.nan
    table.loc[player_id, P_START] = np.nan if chance is None else chance
    table = table.dropna(how="all").dropna(axis="columns", how="all").sort_index()
    return None if table.empty else table


def without_starts(own: pd.DataFrame | None) -> pd.DataFrame | None:
    """Return the visitor's own table with every start probability left to the model again."""
    if own is None or P_START not in own:
        return own
    rest = own.drop(columns=P_START).dropna(how="all")
    return None if rest.empty else rest


def edits_of(state: Mapping[str, object], player_ids: Sequence[int]) -> dict[int, dict[str, object]]:
    """Return what was changed in a table editor, by player; row i of the editor is the i-th of the ids."""
    rows = state.get("edited_rows", {})
    return {player_ids[int(row)]: dict(cells) for row, cells in rows.items()} if isinstance(rows, Mapping) else {}


def shows(start: tuple[Ids, Ids], edits: Mapping[int, Mapping[str, object]], locks: Ids, bans: Ids) -> bool:
    """Return whether an editor that began with must and never, edited since, shows the wishes as they are now."""
    for column, began, now in ((MUST, start[0], locks), (NEVER, start[1], bans)):
        ticked = {player for player, cells in edits.items() if cells.get(column)}
        cleared = {player for player, cells in edits.items() if column in cells} - ticked
        if (set(began) - cleared) | ticked != set(now):
            return False
    return True


def regime_words(signals: Signals, current: Sequence[int], exposure: Exposure) -> np.ndarray:
    """Return what each player is to the squad one has (player rows); nothing for anybody without a squad."""
    if not current:
        return np.full(len(signals), "", dtype=object)
    found = regimes(np.array([current], dtype=np.int64), exposure)[0]
    return np.array([REGIME_WORDS[Regime(value)] for value in found], dtype=object)


def own_words(signals: Signals) -> np.ndarray:
    """Return which figures of each player are the visitor's own, in words."""
    words = np.full(len(signals), "", dtype=object)
    for column, given in signals.overridden.items():
        called = OWN_WORDS.get(column, column)
        for row in np.flatnonzero(given):
            words[row] = f"{words[row]}, {called}" if words[row] else called
    return words
