"""The manager's soft preferences: small bonuses that tilt a choice and never decide it."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Annotated, Literal

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from data.domain import POSITIONS, Position
from data.errors import InputError, UnknownError, did_you_mean
from engine.lineup.lineups import Lineups
from models.signals import Signals

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

    preference: tuple[Preference, ...] = ()

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
    try:
        return Preferences.model_validate(tomllib.loads(path.read_text(encoding="utf-8")))
    except RecursionError:
        raise InputError(f"{path} cannot be read: it is nested too deeply.") from None
    except ValidationError as error:
        first = error.errors()[0]
        key = ".".join(str(part) for part in first["loc"]) or "preference"
        raise InputError(f"{path.name}, key {key}: {first['msg']} (got {first['input']!r}).") from None
    except (OSError, ValueError) as error:  # no such file, not UTF-8, not TOML, or a number of thousands of digits
        raise InputError(f"{path} cannot be read: {error}") from None
