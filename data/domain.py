"""The words every game here shares: positions, and whether a player can take the field."""

from __future__ import annotations

from enum import StrEnum

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
    ABSENT = "absent"  # cannot play for another reason: away with his country, on loan from the opponent
    TRANSFERRED = "transferred"
    ELIMINATED = "eliminated"


STATUSES: tuple[str, ...] = tuple(Status)


class Crowd(StrEnum):
    """Which managers a field is made of."""

    ALL = "all"
    BEST = "best"  # the best 10,000 of a league by rank


MOVES = 100.0
"""Percent of the way at which a price moves by one step, up or, below 0, down."""

NEARLY = 80.0
"""Percent from which a move is near."""


def price_words(tonight: float) -> str:
    """Return what a plan says of a price beside a move, from percent of the way tonight; nothing where it rests.

    `Signals.price_tonight` has the percent of every player; 0 where the game tells nothing.
    """
    way = "rise" if tonight > 0 else "fall"
    if abs(tonight) >= MOVES:
        return f"price likely to {way} tonight"
    return f"price close to a {way}" if abs(tonight) >= NEARLY else ""
