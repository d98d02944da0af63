"""Poison everything that happened from a round's deadline on, to show that a snapshot cannot see it."""

from __future__ import annotations

import pandas as pd

from data.schema import GOAL_COLUMNS, ODDS
from data.worlds.world import World

ABSURD_POINTS = 199
ABSURD_GOALS = 49
ABSURD_ODDS = 999.0
ODDS_NAMES = [column.name for column in ODDS]
LONG_BEFORE_ODDS = pd.Timedelta(days=5)
"""Nobody offers the odds that are collected for a match so long before it."""


def poisoned(world: World, round_number: int) -> World:
    """Return the world with absurd values in all that was not known at the round's deadline.

    Written against the calendar alone, not against the code under test: a match is later when it kicks off at or
    after the deadline, a market row when its round comes later, a result when it was played on the deadline's day
    or later.
    """
    rounds = world.tables["rounds"]
    deadline = rounds.loc[rounds["round"] == round_number, "deadline"].iloc[0]
    tables = {name: frame.copy() for name, frame in world.tables.items()}
    _poison_matches(tables, deadline, round_number)
    _poison_market(tables, round_number)
    for name in ("points", "events"):
        tables[name].loc[tables[name]["round"] >= round_number, "points"] = ABSURD_POINTS
    later = tables["events"]["round"] >= round_number
    tables["events"].loc[later, ["goals", "assists", "saves", "defensive_contributions"]] = ABSURD_GOALS
    tables["events"].loc[later, ["bps", "expected_goals", "expected_conceded"]] = [199, 19.0, 19.0]
    later = tables["appearances"]["round"] >= round_number
    tables["appearances"].loc[later, "minutes"] = 149
    _poison_history(tables, deadline)
    return World.of(world.name, world.title, world.rulebook, world.sources, tables)


def _poison_matches(tables: dict[str, pd.DataFrame], deadline: pd.Timestamp, round_number: int) -> None:
    fixtures = tables["fixtures"]
    later = fixtures["kickoff"] >= deadline
    fixtures.loc[later, GOAL_COLUMNS] = ABSURD_GOALS
    surely_later = fixtures["kickoff"] >= deadline + LONG_BEFORE_ODDS
    fixtures.loc[surely_later, "odds_date"] = (deadline + LONG_BEFORE_ODDS).tz_localize(None).normalize()
    fixtures.loc[surely_later, ODDS_NAMES] = ABSURD_ODDS
    unknown = fixtures["announced"] > round_number
    fixtures.loc[unknown, ["home", "away", "city", "at_home"]] = ["CUW", "HAI", "Nowhere", ""]
    beyond = tables["rounds"]["round"] > round_number
    tables["rounds"].loc[beyond, "deadline"] += pd.Timedelta(days=400)


def _poison_market(tables: dict[str, pd.DataFrame], round_number: int) -> None:
    market = tables["market"]
    later = market["round"] > round_number
    market.loc[later, ["price", "owned", "status"]] = [49.0, 0.99, "injured"]
    market.loc[later, ["chance", "news", "expected_next", "transfers_in"]] = [0, "Poison", 77.0, 10**8]
    market.loc[later, ["penalty_order", "free_kick_order", "corner_order"]] = 1
    first = market.groupby("player_id")["round"].transform("min")
    newcomers = set(market.loc[first > round_number, "player_id"])
    players = tables["players"]
    players.loc[players["player_id"].isin(newcomers), ["first_name", "last_name", "known_name"]] = "Nobody"


def _poison_history(tables: dict[str, pd.DataFrame], deadline: pd.Timestamp) -> None:
    day = deadline.tz_localize(None).normalize()
    later = tables["results"]["date"] >= day
    tables["results"].loc[later, ["home_score", "away_score"]] = ABSURD_GOALS
    tables["results"].loc[later, ["home_expected", "home_shots", *ODDS_NAMES]] = 19
    past = tables["past_matches"]
    past.loc[past["date"] >= day, "minutes"] = 149
    tables["goals"].loc[tables["goals"]["date"] >= day, "scorer"] = "Nobody"
    tables["shootouts"].loc[tables["shootouts"]["date"] >= day, "winner"] = "Nobody"
