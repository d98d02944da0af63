"""Price changes to come, as the game tells them: what to say beside a move, buy now or wait."""

from __future__ import annotations

import pandas as pd

from data.worlds.snapshot import Snapshot
from models.signals import Signals

NEAR = 80.0
"""Percent of the way to a price change from which it is told beside a move."""


def price_notes(snapshot: Snapshot, signals: Signals) -> dict[int, str]:
    """Return price changes to come that the game tells, by player row."""
    if "price_change" not in snapshot.players:
        return {}
    change = dict(zip(snapshot.players["player_id"], snapshot.players["price_change"], strict=True))
    notes = {}
    for row, player in enumerate(signals.player_id.tolist()):
        way = change.get(player)
        if way is not None and not pd.isna(way) and abs(way) >= NEAR:
            notes[row] = _change_words(float(way))
    return notes


def _change_words(way: float) -> str:
    kind, advice = ("rise", "buy now or pay 0.1 more") if way > 0 else ("fall", "waiting may save 0.1")
    when = "tonight" if abs(way) >= 100 else f"soon ({abs(way):.0f}% of the way)"
    return f"his price is to {kind} {when}: {advice}"
