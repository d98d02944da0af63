"""The nouns of the game, frozen and checked at birth: a bad price never becomes a `Player`."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from data.errors import TableError

HIGHEST_PRICE = 50.0
"""Dearer than any player of any game we know (the World Cup's dearest costs 10.5, the Premier League's 15)."""


class Position(StrEnum):
    """The four positions every game here uses."""

    GK = "GK"
    DEF = "DEF"
    MID = "MID"
    FWD = "FWD"


POSITIONS: tuple[str, ...] = tuple(Position)


class Status(StrEnum):
    """Whether a player can take the field, as the game shows it at a deadline."""

    PLAYING = "playing"
    DOUBTFUL = "doubtful"
    INJURED = "injured"
    SUSPENDED = "suspended"
    TRANSFERRED = "transferred"
    ELIMINATED = "eliminated"


STATUSES: tuple[str, ...] = tuple(Status)


@dataclass(frozen=True, slots=True)
class Team:
    """A nation or club."""

    code: str
    name: str
    group: str = ""

    def __post_init__(self) -> None:
        if not self.code or not self.code.isalnum():
            raise TableError(f"Team code {self.code!r} is not a short letter code such as ESP.")


@dataclass(frozen=True, slots=True)
class Player:
    """One player as the game shows him at a deadline."""

    player_id: int
    name: str
    team: str
    position: Position
    price: float  # millions
    owned: float  # share of all managers, 0..1
    status: Status = Status.PLAYING

    def __post_init__(self) -> None:
        if not 0 < self.price <= HIGHEST_PRICE:
            raise TableError(f"{self.name}: price {self.price!r} is not between 0 and {HIGHEST_PRICE:g} million.")
        if not 0 <= self.owned <= 1:
            raise TableError(
                f"{self.name}: owned {self.owned!r} is not a share between 0 and 1. Percent? Divide by 100."
            )


@dataclass(frozen=True, slots=True)
class Fixture:
    """One match of a round; `at_home` names the side that really plays at home, empty on neutral ground."""

    match_id: int
    round: int
    kickoff: datetime
    home: str
    away: str
    at_home: str = ""

    def __post_init__(self) -> None:
        if self.home == self.away:
            raise TableError(f"Match {self.match_id}: {self.home} cannot play itself.")
        if self.at_home not in ("", self.home, self.away):
            raise TableError(f"Match {self.match_id}: {self.at_home} is at home but does not play in it.")
