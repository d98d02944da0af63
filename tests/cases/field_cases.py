"""Small fields for the tests of ownership: a few dozen players whose shares make full squads."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import strategies as st

from models.crowd.eleven import Lineup
from models.crowd.field_view import FieldView

SHAPE: Lineup = (2, 5, 5, 3)
LINEUPS: tuple[Lineup, ...] = (
    (1, 4, 4, 2),
    (1, 4, 3, 3),
    (1, 4, 5, 1),
    (1, 3, 4, 3),
    (1, 3, 5, 2),
    (1, 5, 4, 1),
    (1, 5, 3, 2),
)
DEPTH = 4  # players in the pool for each place in a squad
POSITION = np.repeat(np.arange(4), [DEPTH * places for places in SHAPE])
SEEDS = st.integers(0, 2**32 - 1)


def a_view(**changed: Any) -> FieldView:
    """Build a pool of 60 in which everybody is owned by a quarter of the field, starts, and is worth 4 points."""
    players = len(POSITION)
    columns: dict[str, Any] = {
        "owned": np.full(players, 1 / DEPTH),
        "position": POSITION,
        "p_start": np.ones(players),
        "xev": np.full(players, 4.0),
        "ceiling": np.full(players, 8.0),
        "price": np.full(players, 6.0),
    }
    return FieldView(**(columns | changed))


def a_random_view(seed: int) -> FieldView:
    """Build a lumpy field: a few favourites, doubtful starters, men who cannot play, and likings of any strength."""
    rng = np.random.default_rng(seed)
    players = len(POSITION)
    weight = rng.gamma(rng.choice([0.5, 2.0]), size=players) + 0.02
    total = np.bincount(POSITION, weight)[POSITION]
    xev = rng.normal(3, 1, players) * rng.choice([0.0, 1.0, 3.0, 30.0])
    return a_view(
        owned=np.minimum(1.0, weight * np.array(SHAPE)[POSITION] / total),
        p_start=rng.choice([0.0, 0.02, 0.5, 0.9, 1.0], players),
        xev=xev,
        ceiling=xev + rng.gamma(2, 2, players),
        price=rng.uniform(4, 11, players),
    )


def with_row(values: np.ndarray, row: int, value: float) -> np.ndarray:
    """Return the values with one of them changed."""
    changed = values.astype(np.float64).copy()
    changed[row] = value
    return changed
