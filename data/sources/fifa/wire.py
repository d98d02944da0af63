"""The payloads of the official World Cup game, as far as we read them."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from data.sources.wire import (
    ByRound,
    Count,
    Entries,
    Goals,
    Id,
    Listed,
    Minutes,
    Moment,
    Percent,
    Points,
    Price,
    RoundId,
    Text,
    Wire,
)

PLAYERS, SQUADS, ROUNDS, CHECKSUMS = "players.json", "squads.json", "rounds.json", "checksums.json"
COMPLETE = "complete"


class PlayerStats(Wire):
    """A player's points so far; a round he missed is absent or 0, and before his first appearance they are []."""

    round_points: Annotated[ByRound[Points], Field(alias="roundPoints")]


class WirePlayer(Listed):
    """An entry of players.json."""

    first_name: Annotated[Text | None, Field(alias="firstName")] = None
    last_name: Annotated[Text | None, Field(alias="lastName")] = None
    known_name: Annotated[Text | None, Field(alias="knownName")] = None
    squad_id: Annotated[Id, Field(alias="squadId")]
    position: Literal["GK", "DEF", "MID", "FWD"]
    price: Price
    status: Text
    percent_selected: Annotated[Percent, Field(alias="percentSelected")]
    rounds_selected: Annotated[ByRound[Percent], Field(alias="roundsSelected", default_factory=dict)]
    stats: PlayerStats


class WireSquad(Listed):
    """An entry of squads.json: a nation."""

    name: Text
    group: Text | None = None
    abbr: Annotated[Text, Field(pattern=r"^[A-Za-z0-9]{2,4}$")]


class WireMatch(Listed):
    """A match of a round; a side is null while it is not known who plays."""

    period: Text | None = None
    minutes: Annotated[int, Field(ge=0, le=200)] | None = None
    city: Annotated[Text | None, Field(alias="venueCity")] = None
    date: Moment
    status: Text
    home: Annotated[Id | None, Field(alias="homeSquadId")] = None
    away: Annotated[Id | None, Field(alias="awaySquadId")] = None
    home_score: Annotated[Goals | None, Field(alias="homeScore")] = None
    away_score: Annotated[Goals | None, Field(alias="awayScore")] = None
    home_pens: Annotated[Goals | None, Field(alias="homePenaltyScore")] = None
    away_pens: Annotated[Goals | None, Field(alias="awayPenaltyScore")] = None


class WireRound(Listed):
    """An entry of rounds.json; `matches` is empty while the teams are unknown."""

    id: RoundId
    status: Text
    start: Annotated[Moment | None, Field(alias="startDate")] = None
    matches: Annotated[Entries[WireMatch], Field(alias="tournaments")]


class WireCounts(Wire):
    """Event counts of a player in a round; the one- and two-letter keys are the feed's."""

    minutes: Annotated[Minutes, Field(alias="MP")]
    goals: Annotated[Count, Field(alias="GS")] = 0
    assists: Annotated[Count, Field(alias="AS")] = 0
    clean_sheet: Annotated[Count, Field(alias="CS")] = 0
    goals_conceded: Annotated[Count, Field(alias="GC")] = 0
    yellow_cards: Annotated[Count, Field(alias="YC")] = 0
    red_cards: Annotated[Count, Field(alias="RC")] = 0
    own_goals: Annotated[Count, Field(alias="OG")] = 0
    penalty_won: Annotated[Count, Field(alias="PW")] = 0
    penalty_conceded: Annotated[Count, Field(alias="PC")] = 0
    penalty_saved: Annotated[Count, Field(alias="PS")] = 0
    saves: Annotated[Count, Field(alias="S")] = 0
    tackles: Annotated[Count, Field(alias="T")] = 0
    chances_created: Annotated[Count, Field(alias="CC")] = 0
    shots_on_target: Annotated[Count, Field(alias="ST")] = 0
    free_kick_goals: Annotated[Count, Field(alias="FK")] = 0
    scouting_bonus: Annotated[Count, Field(alias="SB")] = 0


class WirePlayerRound(Wire):
    """An entry of player_stats/{id}.json."""

    round: Annotated[RoundId, Field(alias="roundId")]
    points: Points
    stats: WireCounts


def stats_name(player_id: int) -> str:
    """Return the name of a player's event counts below the base URL."""
    return f"player_stats/{player_id}.json"
