"""The columns of a facts folder, file by file: what an importer may rely on after reading."""

from __future__ import annotations

from data.domain import HIGHEST_PRICE, POSITIONS, STATUSES
from data.schema import EVENT_COUNTS, FIXTURES, MINUTES_LIMIT
from data.tables import Column, Kind, TableSchema

PLAYER = Column("player_id", Kind.INTEGER, low=0)
ROUND = Column("round", Kind.INTEGER, low=1, high=60)
OWNED_PERCENT = Column("owned", Kind.NUMBER, low=0, high=100)
ROUND_POINTS = Column("points", Kind.INTEGER, low=-100, high=200)
COUNTED = tuple(name for name in EVENT_COUNTS if name not in ("penalty_missed", "defensive_contributions", "bonus"))
"""Events the World Cup's game counts; the others are recorded as 0."""

FACT_TEAMS = TableSchema(
    "teams",
    (
        Column("team_id", Kind.INTEGER, low=0),
        Column("code", Kind.TEXT),
        Column("name", Kind.TEXT),
        Column("group", Kind.TEXT, empty=True),
        Column("host", Kind.FLAG),
    ),
    key=("code",),
)
FACT_PLAYERS = TableSchema(
    "players",
    (
        PLAYER,
        Column("first_name", Kind.TEXT, empty=True),
        Column("last_name", Kind.TEXT, empty=True),
        Column("known_name", Kind.TEXT, empty=True),
        Column("team", Kind.TEXT),
        Column("position", Kind.TEXT, choices=POSITIONS),
        Column("price", Kind.NUMBER, low=0.1, high=HIGHEST_PRICE),
        Column("first_seen", Kind.DATE),
    ),
    key=("player_id",),
)
FACT_FIXTURES = TableSchema(
    "fixtures",
    tuple(
        Column("kickoff_utc", Kind.TIME) if column.name == "kickoff" else column
        for column in FIXTURES.columns
        if column.name not in ("at_home", "announced")
    ),
    key=("match_id",),
)
FACT_STATUS = TableSchema(
    "status", (ROUND, PLAYER, Column("status", Kind.TEXT, choices=STATUSES)), key=("round", "player_id")
)
FACT_MINUTES = TableSchema(
    "minutes",
    (PLAYER, ROUND, Column("started", Kind.FLAG), Column("minutes", Kind.INTEGER, low=0, high=MINUTES_LIMIT)),
    key=("player_id", "round"),
)
FACT_EVENTS = TableSchema(
    "official_player_rounds",
    (
        PLAYER,
        ROUND,
        Column("match_id", Kind.INTEGER, low=0),
        ROUND_POINTS,
        Column("minutes", Kind.INTEGER, low=0, high=MINUTES_LIMIT),
        *(Column(name, Kind.INTEGER, low=0, high=200) for name in COUNTED),
    ),
    key=("player_id", "match_id"),
)
