"""Small worlds for tests of live sources: a cup cut from the bundled one, a league with a blank and a double."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from typing import Any

import pandas as pd

from data.importing.gazetteer import SHIPPED, read_gazetteer
from data.rules import load_rules
from data.sources.fifa import source as fifa
from data.sources.fpl import source as fpl
from data.sources.report import Reading
from data.worlds.library import BUNDLED
from data.worlds.world import World, open_world
from tests.cases.small_world import league_fixtures, player_match, rounds_of, teams_of
from tests.tools.feed_writer import to_feed

GROUPS = ("A", "B")
PLAYERS_PER_TEAM = 6


@cache
def small_cup() -> World:
    """Two groups of the bundled World Cup: eight teams, six players each who appeared, and recent results only."""
    whole = open_world(BUNDLED / "wc2026")
    tables = dict(whole.tables)
    teams = tables["teams"][tables["teams"]["group"].isin(GROUPS)]
    fixtures = tables["fixtures"]
    fixtures = fixtures[fixtures["home"].isin(teams["code"]) & fixtures["away"].isin(teams["code"])]
    fixtures = fixtures[fixtures["round"] <= 3]
    market = tables["market"]
    first = market[(market["round"] == 1) & market["team"].isin(teams["code"])]
    first = first[first["player_id"].isin(tables["events"]["player_id"])]
    chosen = set(first.groupby("team").head(PLAYERS_PER_TEAM)["player_id"])
    for name in ("players", "market", "points", "appearances", "events"):
        tables[name] = tables[name][tables[name]["player_id"].isin(chosen)]
    for name in ("market", "points", "appearances", "events", "rounds"):
        tables[name] = tables[name][tables[name]["round"] <= 3]
    tables |= {"teams": teams, "fixtures": fixtures} | {
        name: tables[name].tail(80) for name in ("results", "goals", "shootouts")
    }
    return World.of("wc2026", whole.title, whole.rulebook, whole.sources, tables)


@cache
def _small_feed(round_number: int) -> Mapping[str, bytes]:
    return to_feed(small_cup(), round_number)


def small_feed(round_number: int = 2) -> dict[str, bytes]:
    """The small cup's documents as served before a round."""
    return dict(_small_feed(round_number))


def payloads_of(documents: Mapping[str, bytes]) -> dict[str, Any]:
    """Documents as the JSON values a parser gets."""
    return {name: json.loads(content) for name, content in documents.items()}


def a_feed(round_number: int = 2) -> dict[str, Any]:
    """The three lists of the small cup, ready to be changed."""
    documents = payloads_of(small_feed(round_number))
    return {name: documents[name] for name in ("players.json", "squads.json", "rounds.json")}


def read_cup(payloads: Mapping[str, object], background: World | None = None, last: World | None = None) -> Reading:
    """Parse a World Cup feed with the shipped rules and places."""
    background = background or small_cup()
    cities = read_gazetteer(SHIPPED.parent).cities
    rules = load_rules(background.rulebook)
    return fifa.parse(payloads, background, rules, cities, name="wc2026", title="Cup", sources="a test", last=last)


def read_league(payloads: Mapping[str, object], last: World | None = None, background: World | None = None) -> Reading:
    """Parse a Premier League feed with the shipped rules."""
    rules = load_rules("fpl2026")
    about = {"name": "league", "title": "League", "sources": "a test"}
    return fpl.parse(payloads, rules, **about, last=last, background=background)


CLUBS = ("ARS", "BHA", "CHE", "EVE")
POSITIONS = ("GK", "DEF", "DEF", "MID", "FWD", "MID")
MATCHES = (
    (11, 1, "2026-08-15T14:00Z", "ARS", "BHA", 2, 1),
    (12, 1, "2026-08-15T16:30Z", "CHE", "EVE", 0, 0),
    (13, 2, "2026-08-22T14:00Z", "ARS", "CHE", 1, 3),  # Brighton and Everton have no match
    (14, 3, "2026-08-29T14:00Z", "BHA", "ARS", 1, 1),
    (15, 3, "2026-08-29T16:30Z", "EVE", "CHE", 2, 0),
    (16, 3, "2026-09-01T19:00Z", "BHA", "EVE", 0, 4),  # and two in the next gameweek
    (17, 4, "2026-09-12T14:00Z", "CHE", "ARS", None, None),
    (18, 4, "2026-09-12T16:30Z", "EVE", "BHA", None, None),
)


@cache
def small_league() -> World:
    """Four clubs of six players, four gameweeks: one with blanks, one with doubles, the last still to come."""
    fixtures = _league_fixtures()
    clubs = list(enumerate(CLUBS, start=1))
    players = [(10 * club + place, code, POSITIONS[place]) for club, code in clubs for place in range(len(POSITIONS))]
    events = pd.DataFrame(
        [
            _player_match(number, code, position, match)
            for match in MATCHES
            if match[5] is not None
            for number, code, position in players
            if code in match[3:5]
        ]
    )
    played = events[events["minutes"] > 0]
    market = pd.DataFrame(
        [
            (number, gameweek, code, 4.0 + number % 10 / 2 + gameweek / 10, 0.375 + (number % 10) / 10, "playing")
            for gameweek in (1, 2, 3, 4)
            for number, code, _ in players
        ],
        columns=["player_id", "round", "team", "price", "owned", "status"],
    )
    market.loc[(market["round"] == 4) & (market["player_id"] == 14), "status"] = "injured"
    names = [(number, "First", f"Last{number}", f"P{number}", position) for number, _, position in players]
    tables = {
        "teams": teams_of(CLUBS).assign(team_id=lambda teams: teams["team_id"] + 2),
        "players": pd.DataFrame(names, columns=["player_id", "first_name", "last_name", "known_name", "position"]),
        "market": market,
        "rounds": rounds_of(fixtures),
        "fixtures": fixtures,
        "points": played.groupby(["round", "player_id"], as_index=False)["points"].sum(),
        "appearances": played.assign(started=played["minutes"] >= 60),
        "events": events,
        "results": _league_results(fixtures),
    }
    return World.of("league", "League", "fpl2026", "a test", tables)


def _league_fixtures() -> pd.DataFrame:
    columns = ["match_id", "round", "kickoff", "home", "away", "home_goals_90", "away_goals_90"]
    matches = pd.DataFrame(MATCHES, columns=columns)
    return league_fixtures(matches.assign(kickoff=pd.to_datetime(matches["kickoff"], format="ISO8601", utc=True)))


def _league_results(fixtures: pd.DataFrame) -> pd.DataFrame:
    played = fixtures[fixtures["home_goals_90"].notna()]
    results = pd.DataFrame(
        {
            "date": played["kickoff"].dt.strftime("%Y-%m-%d"),
            "home_team": "Team " + played["home"],
            "away_team": "Team " + played["away"],
            "home_score": played["home_goals_90"],
            "away_score": played["away_goals_90"],
            "tournament": "Premier League",
            "country": "",
            "neutral": False,
        }
    )
    return results.sort_values(["date", "home_team"], ignore_index=True)


def _player_match(number: int, code: str, position: str, match: tuple[Any, ...]) -> dict[str, object]:
    minutes = (90, 90, 75, 20, 0, 60)[number % 10]
    conceded = match[6] if code == match[3] else match[5]
    return player_match(
        number,
        match[1],
        match[0],
        points=2 if minutes >= 60 else int(minutes > 0),
        minutes=minutes,
        goals_conceded=conceded if minutes else 0,
        defensive_contributions=11 if position == "DEF" else 0,
        saves=4 if position == "GK" else 0,
        expected_goals=0.25,
        expected_assists=float("nan") if number % 2 else 0.1,
    )
