"""The one scoring function: official points of player-matches from their event counts, line by line."""

from __future__ import annotations

import numpy as np
import pandas as pd

from data.domain import POSITIONS
from data.errors import TableError
from data.rules import GameRules, ScoringLine


def score(events: pd.DataFrame, position: pd.Series, rules: GameRules) -> pd.DataFrame:
    """Return one column per scoring line of the rulebook; their sum is the total.

    `events` has a row per player-match with `minutes` and the counts the rulebook pays for; `position` is aligned
    with its rows. The scouting bonus, where a game has one, is a line of its own, paid as the events record it.
    """
    needed = {line.event for line in rules.scoring.values()} | {"minutes"}
    missing = sorted(needed - set(events.columns))
    if missing:
        raise TableError(f"Scoring by {rules.game} needs the event column {missing[0]!r}, which is not there.")
    stray = set(position.unique()) - set(POSITIONS)
    if stray:
        raise TableError(f"{min(stray)!r} is not a position. Known: {', '.join(POSITIONS)}.")
    codes = pd.Categorical(position, categories=list(POSITIONS)).codes
    minutes = events["minutes"].to_numpy(dtype=np.int64)
    return pd.DataFrame(
        {name: _line(line, events, codes, minutes) for name, line in rules.scoring.items()},
        index=events.index,
    )


def total_points(events: pd.DataFrame, position: pd.Series, rules: GameRules) -> pd.Series:
    """Return the official points of each player-match."""
    return score(events, position, rules).sum(axis=1).astype("int64")


def _line(line: ScoringLine, events: pd.DataFrame, codes: np.ndarray, minutes: np.ndarray) -> np.ndarray:
    counts = events[line.event].to_numpy(dtype=np.int64)
    paid = np.array([line.points_for(position) for position in POSITIONS])[codes]
    units = np.maximum(counts - line.after, 0) // line.every
    if line.at_least is not None:
        never = np.iinfo(np.int64).max
        limits = [never if (limit := line.threshold_for(p)) is None else limit for p in POSITIONS]
        units = (counts >= np.array(limits)[codes]).astype(np.int64)
    return np.asarray(paid * units * (minutes >= line.minutes))
