"""The columns of a Fantasy Premier League season's folder, file by file: what its importer may rely on."""

from __future__ import annotations

from data.domain import POSITIONS
from data.schema import EVENTS, MINUTES_LIMIT
from data.tables import Column, Kind, TableSchema

ASSISTANT_MANAGER = "AM"
"""The position of a coach the 2024/25 game listed among the players for a chip of its own, scored by other rules."""

ID = Column("id", Kind.INTEGER, low=0)
SEASON_TEAMS = TableSchema("teams", (ID, Column("name", Kind.TEXT), Column("short_name", Kind.TEXT)), key=("id",))
SEASON_PLAYERS = TableSchema(
    "players",
    (
        ID,
        *(Column(name, Kind.TEXT, empty=True) for name in ("first_name", "second_name", "web_name")),
    ),
    key=("id",),
)
SEASON_FIXTURES = TableSchema(
    "fixtures",
    (
        ID,
        Column("event", Kind.INTEGER, empty=True, low=1, high=60),
        Column("kickoff_time", Kind.TIME, empty=True),
        Column("team_h", Kind.INTEGER),
        Column("team_a", Kind.INTEGER),
        Column("team_h_score", Kind.INTEGER, empty=True, low=0, high=50),
        Column("team_a_score", Kind.INTEGER, empty=True, low=0, high=50),
        Column("finished", Kind.FLAG),
    ),
    key=("id",),
)
EVENT_NAMES = {
    "goals_scored": "goals",
    "assists": "assists",
    "clean_sheets": "clean_sheet",
    "goals_conceded": "goals_conceded",
    "own_goals": "own_goals",
    "penalties_saved": "penalty_saved",
    "penalties_missed": "penalty_missed",
    "yellow_cards": "yellow_cards",
    "red_cards": "red_cards",
    "saves": "saves",
    "bonus": "bonus",
}
"""The game's event columns → ours; what it does not count is recorded as 0."""

LATER_EVENTS = {"defensive_contribution": "defensive_contributions"}
"""Those of 2025/26 and later."""

GAMEWEEKS = TableSchema(
    "gameweeks",
    (
        Column("name", Kind.TEXT),
        Column("position", Kind.TEXT, choices=(*POSITIONS, ASSISTANT_MANAGER)),
        Column("team", Kind.TEXT),
        Column("element", Kind.INTEGER, low=0),
        Column("fixture", Kind.INTEGER, low=0),
        Column("gw", Kind.INTEGER, low=1, high=60),
        Column("minutes", Kind.INTEGER, low=0, high=MINUTES_LIMIT),
        Column("starts", Kind.FLAG),
        Column("total_points", Kind.INTEGER, low=-100, high=200),
        *(Column(name, Kind.INTEGER, low=0, high=200) for name in EVENT_NAMES),
        *(Column(name, Kind.INTEGER, low=0, high=200, absent=True) for name in LATER_EVENTS),
        *map(EVENTS.column, ("expected_goals", "expected_assists")),
        Column("value", Kind.INTEGER, low=1, high=500),
        Column("selected", Kind.INTEGER, low=0),
    ),
    key=("element", "fixture"),
)
