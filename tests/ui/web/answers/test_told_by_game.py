"""What the game tells of a player stands in the players' table, and what it tells of nobody does not."""

from __future__ import annotations

import numpy as np
import pandas as pd

from data.worlds.library import BUNDLED
from data.worlds.world import open_world
from ui.web.answers.told_by_game import HELP, TOLD, told_columns


def test_only_what_is_told_of_somebody_has_a_column_and_rows_follow_the_players_asked_for() -> None:
    players = pd.DataFrame(
        {
            "player_id": [1, 2, 3],
            "news": ["", "Knock - 75% chance of playing", ""],
            "chance": pd.array([None, 75, None], dtype="Int64"),
            "expected_next": [None, None, None],
            "price_change": [0.0, 0.0, -87.5],
            "penalty_order": pd.array([None, None, None], dtype="Int64"),
            "corner_order": pd.array([0, 0, 1], dtype="Int64"),
        }
    )
    told = told_columns(players, np.array([3, 2]))
    assert list(told) == ["News", "Chance", "Price change", "Corners"]
    assert told["News"].to_list() == ["", "Knock - 75% chance of playing"]
    assert told["Price change"].to_list() == [-87.5, 0.0]


def test_the_bundled_season_tells_news_chances_and_set_pieces_and_the_world_cup_nothing() -> None:
    season, cup = (open_world(BUNDLED / name) for name in ("fpl2025-26", "wc2026"))
    players = season.at(20).players
    assert {"News", "Chance", "Penalties", "Game's forecast"} <= set(
        told_columns(players, players["player_id"].to_numpy())
    )
    nobody = cup.at(1).players
    assert told_columns(nobody, nobody["player_id"].to_numpy()) == {}


def test_every_column_is_explained() -> None:
    assert set(HELP) == set(TOLD.values())
