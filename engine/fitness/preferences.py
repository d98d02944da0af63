"""The manager's soft preferences: small bonuses that tilt a choice and never decide it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import numpy as np
from pydantic import BaseModel, ConfigDict, FailFast, Field

from data.domain import POSITIONS, Position
from data.errors import InputError, UnknownError, did_you_mean
from data.toml_text import read_toml
from engine.lineup.lineups import Lineups
from models.signals import Signals

MOST_WISHES = 200
MOST_EACH = 0.5
MOST_TOGETHER = 1.5
"""Points all preferences of a squad can add or take: less than the standard error of a squad's expectation."""


class Preference(BaseModel):
    """One wish: so many points for each man of the squad it fits."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    title: Annotated[str, Field(min_length=1, max_length=80)]
    points: Annotated[float, Field(ge=-MOST_EACH, le=MOST_EACH)]
    role: Literal["starter", "bench", "squad"] = "squad"
    position: Position | None = None
    team: str | None = None
    player: int | None = None  # the game's own number
    start_at_least: Annotated[float, Field(ge=0, le=1)] = 0.0

    def fits(self, signals: Signals) -> np.ndarray:
        """Return (n,) which players the wish is about."""
        fitting = signals.start >= self.start_at_least
        if self.position is not None:
            fitting = fitting & (signals.position == POSITIONS.index(self.position))
        if self.team is not None:
            codes = signals.teams.strengths.codes
            if self.team not in codes:
                raise UnknownError(
                    f"Preference {self.title!r}: no team {self.team!r}. {did_you_mean(self.team, codes)}"
                )
            fitting = fitting & (signals.team == codes.index(self.team))
        if self.player is not None:
            fitting = fitting & (signals.player_id == self.player)
        return np.asarray(fitting)


class Preferences(BaseModel):
    """All wishes of a manager, as `preferences.toml` holds them."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    preference: Annotated[tuple[Preference, ...], FailFast(), Field(max_length=MOST_WISHES)] = ()

    def points(self, signals: Signals, squads: np.ndarray, lineups: Lineups) -> np.ndarray:
        """Return (p,) what the wishes add to each squad, kept within their bound."""
        total = np.zeros(len(squads))
        for wish in self.preference:
            rows = {"starter": lineups.starters, "bench": lineups.bench, "squad": squads}[wish.role]
            total += wish.points * wish.fits(signals)[rows].sum(axis=1)
        return np.clip(total, -MOST_TOGETHER, MOST_TOGETHER)


NO_PREFERENCES = Preferences()


def read_preferences(path: Path) -> Preferences:
    """Read a preferences file; an error names the file, the wish and the reason."""
    return read_toml(path, Preferences, InputError)
