"""The one scoring: what a rulebook pays, line by line, on whole arrays of counts; models draw and integrate by it."""

from __future__ import annotations

import numpy as np

from data.domain import POSITIONS
from data.rules import GameRules, ScoringLine

AFTERWARDS = ("bonus", "scouting_bonus")
"""Events that hang on the points of all others, so they are paid when those are known."""

_NEVER = np.iinfo(np.int64).max


def line_points(line: ScoringLine, counts: np.ndarray, position: np.ndarray, minutes: np.ndarray) -> np.ndarray:
    """Return what a line pays for counts (k, b) of players at positions (k,) who played minutes (k, b)."""
    units = counts
    if line.at_least is not None:
        limits = [_NEVER if (limit := line.threshold_for(name)) is None else limit for name in POSITIONS]
        units = counts >= np.array(limits)[position][:, None]
    elif line.after or line.every > 1:
        units = np.maximum(counts - line.after, 0) // line.every
    points = pay(line, position)[:, None] * units
    return np.asarray(points * (minutes >= line.minutes) if line.minutes else points)


def pay(line: ScoringLine, position: np.ndarray) -> np.ndarray:
    """Return what one unit of a line pays players at these positions."""
    return np.asarray(np.array([line.points_for(name) for name in POSITIONS], dtype=np.int16)[position])


def lines_by_event(rules: GameRules) -> dict[str, list[ScoringLine]]:
    """Return the rulebook's lines by the event they count, without those paid afterwards."""
    lines: dict[str, list[ScoringLine]] = {}
    for line in rules.scoring.values():
        if line.event not in AFTERWARDS:
            lines.setdefault(line.event, []).append(line)
    return lines


def scouted(owned: np.ndarray, rules: GameRules) -> np.ndarray:
    """Return who is owned by so few managers that the scouting bonus is open to him."""
    return np.asarray(owned < rules.scouting.owned_below) if rules.scouting else np.zeros(len(owned), dtype=bool)
