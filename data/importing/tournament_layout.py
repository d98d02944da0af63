"""The columns of a facts folder, file by file: what an importer may rely on after reading."""

from __future__ import annotations

from data.schema import (
    APPEARANCES,
    BRACKET,
    EVENT_COUNTS,
    EVENTS,
    FIXTURES,
    MARKET,
    PLAYER,
    PLAYERS,
    POINTS,
    ROUND,
    TEAMS,
)
from data.tables import Column, Kind, TableSchema

OWNED_PERCENT = Column("owned", Kind.NUMBER, low=0, high=100)
COUNTED = tuple(name for name in EVENT_COUNTS if name not in ("penalty_missed", "defensive_contributions", "bonus"))
"""Events the World Cup's game counts; the others are recorded as 0."""

ROUND_POINTS = POINTS.column("points")
FACT_TEAMS = TableSchema("teams", TEAMS.without("results_name"), key=TEAMS.key)
FACT_PLAYERS = TableSchema(
    "players",
    (*PLAYERS.columns, Column("team", Kind.TEXT), MARKET.column("price"), Column("first_seen", Kind.DATE)),
    key=PLAYERS.key,
)
FACT_FIXTURES = TableSchema(
    "fixtures",
    (*FIXTURES.without("kickoff", "at_home", "announced"), Column("kickoff_utc", Kind.TIME)),
    key=FIXTURES.key,
)
FACT_BRACKET = TableSchema("bracket", BRACKET.without("host"), key=BRACKET.key)
FACT_STATUS = TableSchema("status", (ROUND, PLAYER, MARKET.column("status")), key=MARKET.key)
FACT_MINUTES = TableSchema("minutes", APPEARANCES.without("match_id"), key=("player_id", "round"))
FACT_EVENTS = TableSchema(
    "official_player_rounds",
    EVENTS.without("expected_goals", "expected_assists", *set(EVENT_COUNTS).difference(COUNTED)),
    key=EVENTS.key,
)
