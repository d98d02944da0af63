"""What a player may do in a match: the table of beliefs that points, covariance and simulation all read."""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np

from data.errors import ModelError
from models.teams.goals import ScoreGrid

ABSENT, SHORT, FULL = 0, 1, 2
"""Minutes states: does not play, 1–59 minutes, 60 minutes or more."""

STATES = 3
MATCH_MINUTES = 90
SIXTY = 60
"""From here a match counts as full: appearance tier and clean sheet hang on it."""


@dataclass(frozen=True, slots=True, eq=False)
class Chances:
    """One row per player and match of the round (0, 1 or 2 per player): row i of every array is the same pairing.

    Given the score, players are taken as independent but for the goals they share: each goal of the team has one
    scorer and at most one assister.
    """

    player: np.ndarray  # (m,) row of the player in the signals
    match: np.ndarray  # (m,) row of the match in the grid
    away: np.ndarray  # (m,) bool: plays for the nominal away side
    position: np.ndarray  # (m,) 0 GK, 1 DEF, 2 MID, 3 FWD
    state: np.ndarray  # (m, 3) P(absent, short, full), sums to 1
    minutes: np.ndarray  # (m, 3) share of the 90 minutes played in each state; 0 when absent
    goal: np.ndarray  # (m, 3) P(a goal of his team is his), by state
    assist: np.ndarray  # (m, 3) P(he assists a goal of his team), by state; scorer and assister differ
    saves: np.ndarray  # (m,) and so on: expected count in a full match
    tackles: np.ndarray
    chances: np.ndarray  # created, beyond those that became his assists
    shots: np.ndarray  # on target, beyond those that became his goals
    defensive: np.ndarray  # defensive contributions
    yellow: np.ndarray
    red: np.ndarray
    own_goal: np.ndarray
    penalty_won: np.ndarray
    penalty_conceded: np.ndarray
    penalty_saved: np.ndarray
    penalty_missed: np.ndarray
    free_kick: np.ndarray  # share of his goals that are direct free kicks, not a rate
    grid: ScoreGrid  # (matches,) batch

    def __post_init__(self) -> None:
        rows = len(self.player)
        for field in fields(self):
            array = getattr(self, field.name)
            if not isinstance(array, np.ndarray):
                continue
            if len(array) != rows:
                raise ModelError(f"Chances: {field.name} has {len(array)} rows, not {rows}.")
            if not np.isfinite(array.astype(float)).all():
                raise ModelError(f"Chances: {field.name} holds a value that is not finite.")
            if (array < 0).any():
                raise ModelError(f"Chances: {field.name} holds {array.min()}; probabilities and rates are 0 or more.")
            array.setflags(write=False)
        if rows and np.abs(self.state.sum(axis=1) - 1).max() > 1e-9:
            raise ModelError("Chances: the probabilities of the minutes states must sum to 1 for every player.")
        if (self.goal + self.assist > 1 + 1e-12).any():
            raise ModelError("Chances: a player's shares of goals and assists exceed all goals of his team.")

    def __len__(self) -> int:
        return len(self.player)

    @property
    def plays(self) -> np.ndarray:
        """(m,) P(plays at all)."""
        return np.asarray(1 - self.state[:, ABSENT])

    @property
    def scores(self) -> np.ndarray:
        """(m, g, c) P(his team scores g and lets in c), each row seen from its own side."""
        grid = self.grid.probability[self.match]
        return np.asarray(np.where(self.away.astype(bool)[:, None, None], grid.transpose(0, 2, 1), grid))

    @property
    def state_minutes(self) -> np.ndarray:
        """(m, 3) whole minutes in each minutes state, kept on the state's side of the hour."""
        whole = np.rint(self.minutes * MATCH_MINUTES).astype(np.int16)
        whole[:, ABSENT] = 0
        whole[:, SHORT] = whole[:, SHORT].clip(1, SIXTY - 1)
        whole[:, FULL] = whole[:, FULL].clip(min=SIXTY)
        return np.asarray(whole)
