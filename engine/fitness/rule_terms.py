"""What terms take from the rulebook alone: what a clean sheet pays, and how long a squad is sure to be kept."""

from __future__ import annotations

import numpy as np

from data.domain import POSITIONS
from data.rules import UNLIMITED, GameRules


def sheet_pay(rules: GameRules) -> np.ndarray:
    """Return (4,) what a clean sheet pays by position."""
    lines = [line for line in rules.scoring.values() if line.event == "clean_sheet"]
    return np.array([sum(line.points_for(position) for line in lines) for position in POSITIONS], dtype=float)


def last_round_before_rebuild(rules: GameRules, round_number: int) -> int:
    """Return the last round a squad picked now is sure to be kept for: a free rebuild, or the end, comes after it."""
    for number in range(round_number + 1, rules.rounds + 1):
        if rules.stage(number).free_transfers == UNLIMITED:
            return number - 1
    return rules.rounds


def rebuilt(rules: GameRules, round_number: int) -> bool:
    """Return whether a free rebuild has come since the start; in a tournament the knock-outs begin with it."""
    return any(rules.stage(number).free_transfers == UNLIMITED for number in range(2, round_number + 1))
