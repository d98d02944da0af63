"""The points of whole player-matches, from their event counts, by the one scoring."""

from __future__ import annotations

import numpy as np
import pandas as pd

from data.domain import POSITIONS
from data.rules import GameRules
from data.scoring import line_points


def total_points(events: pd.DataFrame, position: pd.Series, rules: GameRules) -> np.ndarray:
    """Return the points of each row of events; `position` is aligned with the rows."""
    code = np.array([POSITIONS.index(name) for name in position], dtype=int)
    minutes = events[["minutes"]].to_numpy()
    paid = [line_points(line, events[[line.event]].to_numpy(), code, minutes) for line in rules.scoring.values()]
    return np.sum(paid, axis=0)[:, 0]
