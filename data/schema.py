"""The tables of a world: one schema for the bundled World Cup, an imported season and a live feed alike."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd

from data.domain import HIGHEST_PRICE, POSITIONS, STATUSES
from data.tables import Column, Kind, TableSchema

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


def _later(*columns: Column) -> tuple[Column, ...]:
    """Return columns that not every game has, nor every world on disk: absent, they are filled with nothing."""
    return tuple(replace(column, empty=True, absent=True) for column in columns)


def _number(name: str, low: float, high: float, *, empty: bool = False) -> Column:
    return Column(name, Kind.NUMBER, empty=empty, low=low, high=high)


PLAYER = _whole("player_id", 0, 2**53, refers="players.player_id")
ROUND = _whole("round", 1, 60)
PAIRING = (Column("date", Kind.DATE), _text("home_team"), _text("away_team"))
MATCH = _whole("match_id", 0, 2**53, refers="fixtures.match_id")
CODE = _whole("code", 0, 2**53)  # a player across seasons, whatever his id in each
COUNTED_LATER = _later(
    _whole("bps", -200, 400),
    _number("expected_conceded", 0, 20),  # goals expected against his team while he was on
    _whole("clearances", 0, 200),  # clearances, blocks and interceptions: with tackles and recoveries what defenders do
    _whole("recoveries", 0, 200),
)
ODDS = tuple(_number(f"{name}_odds", 1, 10_000) for name in ("home", "draw", "away", "over", "under"))
"""Average decimal odds of bookmakers some days before a match; over and under 2.5 goals."""

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
        *_later(CODE, _number("start_price", 0.1, HIGHEST_PRICE)),  # his price when the season began
    ),
    key=("player_id",),
)
MARKET = TableSchema(
    "market",
    (
        PLAYER,
        ROUND,
        _text("team", refers="teams.code"),
        _number("price", 0.1, HIGHEST_PRICE),
        _number("owned", 0.0, 1.0),
        _text("status", choices=STATUSES),
        *_later(
            _whole("chance", 0, 100),  # percent: the game's own word on a doubtful player
            _text("news"),
            _number("expected_next", -50, 100),  # the game's own forecast of his points
            _whole("transfers_in", 0, 2**53),  # managers who bought him since the last deadline
            _whole("transfers_out", 0, 2**53),
            _whole("penalty_order", 1, 50),  # 1 takes the first penalty
            _whole("free_kick_order", 1, 50),
            _whole("corner_order", 1, 50),
            _number("price_change", -1000, 1000),  # percent of the way to a rise; below 0 to a fall
            _number("price_tonight", -1000, 1000),  # the same when prices change next, as the game projects it
        ),
    ),
    key=("player_id", "round"),
)
ROUNDS = TableSchema(
    "rounds",
    (
        ROUND,
        _text("stage"),
        Column("deadline", Kind.TIME),
        *_later(_whole("most_captained", 0, 2**53)),  # the player whom most managers gave the armband
        *_later(_number("average", -100, 500)),  # points of the average manager, where the round is over
    ),
    key=("round",),
)
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
        *_later(Column("odds_date", Kind.DATE), *ODDS),  # the day they were collected: nobody knew them before
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
        _number("expected_goals", 0, 20, empty=True),
        _number("expected_assists", 0, 20, empty=True),
        *COUNTED_LATER,
        *_later(_text("team")),  # whom he played for, where a player may change his club
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
        *_later(
            *(_number(f"{side}_expected", 0, 20) for side in ("home", "away")),  # goals
            *(_whole(f"{side}_{what}", 0, 100) for what in ("shots", "on_target") for side in ("home", "away")),
            *ODDS,
        ),
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
PAST_COUNTS: tuple[str, ...] = (
    "points",
    "goals",
    "assists",
    "clean_sheet",
    "goals_conceded",
    "yellow_cards",
    "red_cards",
    "saves",
    "bonus",
)
"""What is kept of a player-match once its season is over, besides minutes and what is expected."""

SUMMED: tuple[str, ...] = (
    "starts",
    "minutes",
    "goals",
    "assists",
    "expected_goals",
    "expected_assists",
    "yellow_cards",
    "tackles",
    "defensive_contributions",
)
"""What is kept of matches that are known by their sum alone: what the models learn a player by."""

PAST_MATCHES = TableSchema(
    "past_matches",
    (
        CODE,
        _whole("season", 1900, 2200),  # the year it began in
        ROUND,
        Column("date", Kind.DATE),
        _text("team"),  # as the results spell it
        _text("status", empty=True, choices=("", *STATUSES)),  # at the deadline before; empty where it is not known
        _whole("chance", 0, 100, empty=True),
        Column("started", Kind.FLAG),
        _whole("minutes", 0, MINUTES_LIMIT),
        *(_whole(name, -100, 200) for name in PAST_COUNTS),
        _number("expected_goals", 0, 20, empty=True),
        _number("expected_assists", 0, 20, empty=True),
        *COUNTED_LATER,
        *_later(*(_whole(name, 0, 200) for name in ("defensive_contributions", "tackles"))),
    ),
    key=("code", "date", "team"),
)
"""Player-matches of earlier seasons, those without a minute too."""

TOTALS = TableSchema(
    "totals",
    (
        PLAYER,
        ROUND,  # at whose deadline they were known
        _whole("matches", 1, 100),  # of his club, none of which is known by itself
        *(_number(name, 0, 10_000, empty=True) for name in SUMMED),
    ),
    key=("player_id", "round"),
)
"""What a player did in matches of which no more is known than their sum."""

PAST_SEASONS = TableSchema(
    "past_seasons",
    (
        CODE,
        _whole("season", 1900, 2200),  # the year it began in
        *(_number(name, -1000, 10_000, empty=True) for name in (*SUMMED, "points", "clean_sheet", "saves", "bonus")),
    ),
    key=("code", "season"),
)
"""What a player did in earlier seasons as a whole, where no more than that is told of them."""

DIFFERENCES = TableSchema("differences", (_text("section"), _text("told")), key=("section",))
"""Sections of the rulebook that the game itself tells otherwise, and how."""

OVERALL_RANKS = TableSchema(
    "overall_ranks",
    (ROUND, _whole("total_points", -1_000, 10_000), _whole("overall_rank", 1, 10**9)),
    key=("round", "total_points"),
)
"""Places among all managers that totals had after each round; no snapshot shows them."""

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
    PAST_MATCHES,
    TOTALS,
    PAST_SEASONS,
    DIFFERENCES,
    OVERALL_RANKS,
)
LATER_TABLES = tuple(schema.name for schema in (PAST_MATCHES, TOTALS, PAST_SEASONS, DIFFERENCES, OVERALL_RANKS))
"""Tables that not every world on disk has: absent, they have no rows."""

LATER_COLUMNS = frozenset(column.name for schema in WORLD_TABLES for column in schema.columns if column.absent)


def bracket_stages(fixtures: pd.DataFrame, bracket: pd.DataFrame) -> list[str]:
    """Return the stage of each fixture: the bracket's where it has a number, since feeds give a round's matches one."""
    stage_of = dict(zip(bracket["official_no"], bracket["stage"], strict=True))
    rows = zip(fixtures["official_no"].fillna(0).astype(int), fixtures["stage"], strict=True)
    return [stage_of.get(number, stage) for number, stage in rows]
