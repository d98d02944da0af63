"""The tables of a world: one schema for the bundled World Cup, an imported season and a live feed alike."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from data.domain import HIGHEST_PRICE, POSITIONS, STATUSES
from data.tables import Column, Kind, TableSchema, refer, typed

MINUTES_LIMIT = 150
"""No match lasts longer: 120 minutes and generous added time."""

EVENT_COUNTS: tuple[str, ...] = (
    "goals",
    "assists",
    "clean_sheet",
    "goals_conceded",
    "yellow_cards",
    "red_cards",
    "own_goals",
    "penalty_won",
    "penalty_conceded",
    "penalty_saved",
    "penalty_missed",
    "saves",
    "tackles",
    "chances_created",
    "shots_on_target",
    "free_kick_goals",
    "defensive_contributions",
    "scouting_bonus",
    "bonus",
)
"""Everything a rulebook can pay for, besides minutes. A game that does not count an event records 0."""

GOAL_COLUMNS = [f"{side}_{what}" for what in ("goals_90", "goals_aet", "pens") for side in ("home", "away")]
"""The score of a match: after 90 minutes, after extra time, and in the shoot-out."""


def _text(name: str, *, empty: bool = False, choices: tuple[str, ...] = (), refers: str = "") -> Column:
    return Column(name, Kind.TEXT, empty=empty, choices=choices, refers=refers)


def _whole(name: str, low: float, high: float, *, empty: bool = False, refers: str = "") -> Column:
    return Column(name, Kind.INTEGER, empty=empty, low=low, high=high, refers=refers)


PLAYER = _whole("player_id", 0, 2**53, refers="players.player_id")
ROUND = _whole("round", 1, 60)
PAIRING = (Column("date", Kind.DATE), _text("home_team"), _text("away_team"))
MATCH = _whole("match_id", 0, 2**53, refers="fixtures.match_id")

TEAMS = TableSchema(
    "teams",
    (
        _text("code"),
        _whole("team_id", 0, 2**53),
        _text("name"),
        _text("group", empty=True),
        Column("host", Kind.FLAG),
        _text("results_name", empty=True),
    ),
    key=("code",),
)
PLAYERS = TableSchema(
    "players",
    (
        _whole("player_id", 0, 2**53),
        _text("first_name", empty=True),
        _text("last_name", empty=True),
        _text("known_name", empty=True),
        _text("position", choices=POSITIONS),
    ),
    key=("player_id",),
)
MARKET = TableSchema(
    "market",
    (
        PLAYER,
        ROUND,
        _text("team", refers="teams.code"),
        Column("price", Kind.NUMBER, low=0.1, high=HIGHEST_PRICE),
        Column("owned", Kind.NUMBER, low=0.0, high=1.0),
        _text("status", choices=STATUSES),
    ),
    key=("player_id", "round"),
)
ROUNDS = TableSchema("rounds", (ROUND, _text("stage"), Column("deadline", Kind.TIME)), key=("round",))
FIXTURES = TableSchema(
    "fixtures",
    (
        _whole("match_id", 0, 2**53),
        _whole("official_no", 0, 10_000, empty=True),
        ROUND,
        _text("stage"),
        Column("kickoff", Kind.TIME),
        _text("home", refers="teams.code"),
        _text("away", refers="teams.code"),
        _text("city", empty=True),
        _text("at_home", empty=True),
        _whole("announced", 1, 60),  # first round at whose deadline the pairing was known
        *(_whole(name, 0, 50, empty=True) for name in GOAL_COLUMNS),
    ),
    key=("match_id",),
)
POINTS = TableSchema("points", (PLAYER, ROUND, _whole("points", -100, 200)), key=("player_id", "round"))
APPEARANCES = TableSchema(
    "appearances",
    (PLAYER, ROUND, MATCH, Column("started", Kind.FLAG), _whole("minutes", 0, MINUTES_LIMIT)),
    key=("player_id", "match_id"),
)
EVENTS = TableSchema(
    "events",
    (
        PLAYER,
        ROUND,
        MATCH,
        _whole("points", -100, 200),
        _whole("minutes", 0, MINUTES_LIMIT),
        *(_whole(name, 0, 200) for name in EVENT_COUNTS),
        Column("expected_goals", Kind.NUMBER, empty=True, low=0, high=20),
        Column("expected_assists", Kind.NUMBER, empty=True, low=0, high=20),
    ),
    key=("player_id", "match_id"),
)
BRACKET = TableSchema(
    "bracket",
    (
        _whole("official_no", 1, 1000),
        _text("stage"),
        _text("slot_1"),
        _text("slot_2"),
        _text("host", empty=True),  # team that is at home at its venue, whoever plays there
    ),
    key=("official_no",),
)
BEST_THIRDS = TableSchema(
    "best_thirds", (_text("thirds"), *(_text(f"vs_1{group}") for group in "ABDEGIKL")), key=("thirds",)
)
RESULTS = TableSchema(
    "results",
    (
        *PAIRING,
        _whole("home_score", 0, 60),
        _whole("away_score", 0, 60),
        _text("tournament"),
        _text("country", empty=True),
        Column("neutral", Kind.FLAG),
    ),
)
GOALS = TableSchema(
    "goals",
    (
        *PAIRING,
        _text("team"),
        _text("scorer", empty=True),
        Column("minute", Kind.NUMBER, empty=True, low=0, high=MINUTES_LIMIT),
        Column("own_goal", Kind.FLAG),
        Column("penalty", Kind.FLAG),
    ),
)
SHOOTOUTS = TableSchema("shootouts", (*PAIRING, _text("winner")))

WORLD_TABLES: tuple[TableSchema, ...] = (
    TEAMS,
    PLAYERS,
    MARKET,
    ROUNDS,
    FIXTURES,
    POINTS,
    APPEARANCES,
    EVENTS,
    BRACKET,
    BEST_THIRDS,
    RESULTS,
    GOALS,
    SHOOTOUTS,
)


def checked_tables(tables: Mapping[str, pd.DataFrame], origin: str) -> dict[str, pd.DataFrame]:
    """Return all tables of a world, typed and checked; an absent table is an empty one."""
    clean = {}
    for schema in WORLD_TABLES:
        frame = tables.get(schema.name)
        clean[schema.name] = schema.none() if frame is None else typed(frame, schema, f"{origin} {schema.name}")
    for schema in WORLD_TABLES:
        _check_references(clean, schema, origin)
    return clean


def bracket_stages(fixtures: pd.DataFrame, bracket: pd.DataFrame) -> list[str]:
    """Return the stage of each fixture: the bracket's where it has a number, since feeds give a round's matches one."""
    stage_of = dict(zip(bracket["official_no"], bracket["stage"], strict=True))
    rows = zip(fixtures["official_no"].fillna(0).astype(int), fixtures["stage"], strict=True)
    return [stage_of.get(number, stage) for number, stage in rows]


def _check_references(tables: dict[str, pd.DataFrame], schema: TableSchema, origin: str) -> None:
    for column in schema.columns:
        if column.refers:
            table, _, known = column.refers.partition(".")
            what = table.removesuffix("s") if table != "fixtures" else "match"
            refer(tables[schema.name], column.name, tables[table][known], f"{origin} {schema.name}", what)
