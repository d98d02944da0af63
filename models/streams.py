"""Random streams by name: what is drawn for one purpose never moves what is drawn for another."""

from __future__ import annotations

from enum import Enum

import numpy as np


class Stream(Enum):
    """What random numbers are drawn for; the value is the stream's place below the seed."""

    COMPETITION = (0,)  # the rest of a tournament, simulated
    REFERENCE = (1,)  # the reference pool that a squad is judged beside
    SEARCH = (2, 0)  # the first squad, breeding, climbing and finishing: the same for every objective
    CHANCES = (3,)  # rounds simulated for the chances to hold and to catch up
    ADVICE = (4,)  # squads and rounds that say which objective serves a standing
    QUESTIONS = (5,)  # why not him, and what a booster would bring
    RANK_TABLE = (6,)  # fields, squads and rounds of the table of objectives
    ELEVENS = (7,)  # disturbed forecasts that choose an eleven each
    PLAN = (8,)  # breeding of plans, and forecasts shaken to see how firm they are


def stream(seed: int, purpose: Stream, *more: int) -> np.random.Generator:
    """Return the generator of a purpose, and of numbers that tell its uses apart, such as a round."""
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(*purpose.value, *more)))
