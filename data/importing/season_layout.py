"""The columns of a Fantasy Premier League season's folder, file by file: what its importer may rely on."""

from __future__ import annotations

from dataclasses import replace

from data.domain import POSITIONS, Status
from data.schema import CODE, EVENTS, MARKET, MINUTES_LIMIT
from data.tables import Column, Kind, TableSchema

ASSISTANT_MANAGER = "AM"
"""The position of a coach the 2024/25 game listed among the players for a chip of its own, scored by other rules."""

POSITION_OF = {1: "GK", 2: "DEF", 3: "MID", 4: "FWD"}
"""The game's element_type; 5, the assistant manager of 2024/25, is not a player."""

STATUS_OF = {
    "a": Status.PLAYING,
    "d": Status.DOUBTFUL,
    "i": Status.INJURED,
    "s": Status.SUSPENDED,
    "n": Status.ABSENT,  # away with his country, or on loan from the club that his own plays
    "u": Status.TRANSFERRED,
}
"""The game's letters → ours."""

STATE_NAMES = {
    "chance_of_playing_next_round": "chance",
    "ep_next": "expected_next",
    "transfers_in_event": "transfers_in",
    "transfers_out_event": "transfers_out",
    "penalties_order": "penalty_order",
    "direct_freekicks_order": "free_kick_order",
    "corners_and_indirect_freekicks_order": "corner_order",
}
"""The game's columns on a player before a deadline → ours, besides price, ownership, status and news."""

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

LATER_EVENTS = {"defensive_contribution": "defensive_contributions", "tackles": "tackles"}
"""Those of 2025/26 and later."""

FIGURES = {
    "bps": "bps",
    "expected_goals_conceded": "expected_conceded",
    "clearances_blocks_interceptions": "clearances",
    "recoveries": "recoveries",
}
"""Counts that no rulebook pays but that tell what to expect; a season has them or not."""

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
        *(replace(EVENTS.column(ours), name=name) for name, ours in FIGURES.items()),
        *map(EVENTS.column, ("expected_goals", "expected_assists")),
        Column("value", Kind.INTEGER, low=1, high=500),
        Column("selected", Kind.INTEGER, low=0),
    ),
    key=("element", "fixture"),
)
SEASON_ROUNDS = TableSchema(
    "rounds",
    (
        Column("gw", Kind.INTEGER, low=1, high=60),
        Column("deadline_time", Kind.TIME),
        Column("average_entry_score", Kind.NUMBER, empty=True, absent=True, low=-100, high=500),
    ),
    key=("gw",),
)
START_COST = Column("start_cost", Kind.INTEGER, empty=True, low=1, high=500, absent=True)  # tenths of a million
IDENTITIES = TableSchema("identities", (ID, CODE, START_COST), key=("id",))
DEADLINES = TableSchema(
    "deadlines",
    (
        Column("gw", Kind.INTEGER, low=1, high=60),
        Column("element", Kind.INTEGER, low=0),
        Column("team", Kind.INTEGER),
        Column("element_type", Kind.INTEGER, low=1, high=5),
        Column("now_cost", Kind.INTEGER, low=1, high=500),
        Column("selected_by_percent", Kind.NUMBER, low=0, high=100),
        Column("status", Kind.TEXT, choices=tuple(STATUS_OF)),
        Column("news", Kind.TEXT, empty=True),
        *(replace(MARKET.column(ours), name=name, absent=False) for name, ours in STATE_NAMES.items()),
    ),
    key=("gw", "element"),
)
"""The state of every listed player before each deadline."""
