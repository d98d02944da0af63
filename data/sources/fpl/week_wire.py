"""The payloads about a gameweek that is played or being played: everybody's counts, and whether they are final."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from data.sources.wire import Count, Expected, Id, Listed, Maybe, Points, RoundId, Text, Wire

STATUS = "event-status/"
FINAL = "r"
"""How the game marks a day whose points are reviewed."""

WeekMinutes = Annotated[int, Field(ge=0, le=1000)]  # of all matches of a gameweek


class WireStat(Wire):
    """A count of a match that was worth points, or his minutes."""

    identifier: Text
    value: Annotated[int, Field(ge=-1000, le=1000)] = 0
    points: Points = 0


class WireExplained(Wire):
    """What a player was paid for in a match."""

    fixture: Id
    stats: list[WireStat]


class WireCounts(Wire):
    """What a player did in all matches of a gameweek; a game counts what it pays for and often more."""

    total_points: Points
    minutes: WeekMinutes
    starts: Maybe[Annotated[int, Field(ge=0, le=10)]] = None
    goals_scored: Count = 0
    assists: Count = 0
    clean_sheets: Count = 0
    goals_conceded: Count = 0
    own_goals: Count = 0
    penalties_saved: Count = 0
    penalties_missed: Count = 0
    yellow_cards: Count = 0
    red_cards: Count = 0
    saves: Count = 0
    bonus: Count = 0
    defensive_contribution: Count = 0
    tackles: Count = 0
    bps: Maybe[Annotated[int, Field(ge=-400, le=800)]] = None
    clearances_blocks_interceptions: Maybe[Count] = None
    recoveries: Maybe[Count] = None
    expected_goals: Maybe[Expected] = None
    expected_assists: Maybe[Expected] = None
    expected_goals_conceded: Maybe[Expected] = None


class WireWeekPlayer(Listed):
    """A player's gameweek; without a match in it there is nothing to explain."""

    stats: WireCounts
    explain: Annotated[list[WireExplained], Field(default_factory=list)]


class WireWeek(Wire):
    """Everybody's gameweek."""

    elements: list[WireWeekPlayer]


class WireDay(Wire):
    """A day of the running gameweek, and how far its points are."""

    event: RoundId
    bonus_added: bool = False
    points: Text = ""  # p played, l live, r reviewed


class WireDays(Wire):
    """The days of the running gameweek."""

    status: list[WireDay]


def week_name(gameweek: int) -> str:
    """Return the address of a gameweek's counts below the base URL."""
    return f"event/{gameweek}/live/"
