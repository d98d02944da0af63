"""What the game itself tells of a player beside his status: news, chance, set pieces, its forecast, his price's way."""

from __future__ import annotations

import numpy as np
import pandas as pd

TOLD = {
    "news": "News",
    "chance": "Chance",
    "expected_next": "Game's forecast",
    "price_change": "Price change",
    "penalty_order": "Penalties",
    "free_kick_order": "Free kicks",
    "corner_order": "Corners",
}
"""Our columns → what the page calls them."""

HELP = {
    "News": "What the game writes about him",
    "Chance": "The game's own word on his chance to play",
    "Game's forecast": "Points that the game itself expects of him",
    "Price change": "How far his price is on its way: at 100 % it rises, at -100 % it falls",
    "Penalties": "1 takes the first penalty",
    "Free kicks": "1 takes the first direct free kick",
    "Corners": "1 takes the first corner or indirect free kick",
}
FORMATS = {"Chance": "%d%%", "Game's forecast": "%.1f", "Price change": "%+.0f%%"}


def told_columns(players: pd.DataFrame, player_ids: np.ndarray) -> dict[str, pd.Series]:
    """Return what is told of these players, under the page's names; what is told of nobody has no column."""
    rows = players.set_index("player_id").reindex(player_ids).reset_index(drop=True)
    return {words: rows[name] for name, words in TOLD.items() if name in rows and _says_something(rows[name])}


def _says_something(column: pd.Series) -> bool:
    """Whether anybody has a cell that says something: an empty text does not, nor does a way of no step."""
    return bool((column.notna() & ~column.isin(["", 0])).any())
