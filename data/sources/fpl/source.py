"""Fantasy Premier League's public API (never a login): `fetch` brings its documents, `parse` makes a world of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import timedelta
from functools import partial

import httpx
import pandas as pd

from data.importing.season_layout import POSITION_OF
from data.importing.season_tables import (
    appearances_table,
    events_table,
    fixtures_table,
    results_table,
    teams_table,
)
from data.rules import GameRules
from data.sources.earlier import first_wins
from data.sources.fpl.feed import FplFeed, read_feed
from data.sources.fpl.tables import (
    kept_rows,
    listed_clubs,
    listed_fixtures,
    market_table,
    played_rows,
    players_table,
    points_table,
    rounds_table,
    strange_statuses,
)
from data.sources.fpl.wire import BOOTSTRAP, FIXTURES, WireBootstrap, summary_name
from data.sources.report import FetchStep, Reading, counted, listed
from data.sources.wire import validated
from data.web.client import get_json
from data.worlds.world import World

BASE_URL = "https://fantasy.premierleague.com/api/"
RULEBOOK = "fpl2026"
SAME_SEASON = timedelta(days=90)
"""The game numbers its players anew each summer: two worlds whose first deadlines lie further apart share no ids."""


def fetch(client: httpx.Client, *, details: bool = False) -> Iterator[FetchStep]:
    """Bring the game and its matches and, when asked, every player's matches so far; one step at a time."""
    bootstrap = get_json(client, BOOTSTRAP)
    names = [FIXTURES, *(_summary_names(bootstrap.value) if details else [])]
    return counted(bootstrap, names, partial(get_json, client))


def parse(
    payloads: Mapping[str, object],
    rules: GameRules,
    *,
    name: str,
    title: str,
    sources: str,
    last: World | None = None,
) -> Reading:
    """Make a world of the API's payloads.

    `last` is what an earlier fetch of this season recorded: prices and ownership of past gameweeks, and points when no
    histories were fetched.
    """
    feed = read_feed(payloads)
    rounds = rounds_table(feed, rules)
    worlds = [last] if last and _same_season(last, rounds) else []
    clubs, rows = listed_clubs(feed), played_rows(feed)
    listed = listed_fixtures(feed, clubs)
    tables = {
        "teams": teams_table(clubs),
        "players": players_table(feed),
        "market": market_table(feed, rules, worlds),
        "rounds": rounds,
        "fixtures": fixtures_table(listed, rules),
        "points": points_table(feed, rows, worlds),
        "appearances": first_wins("appearances", [appearances_table(rows), *kept_rows("appearances", feed, worlds)]),
        "events": first_wins("events", [events_table(rows), *kept_rows("events", feed, worlds)]),
        "results": results_table(listed),
    }
    world = World.of(name, title, rules.game, sources, tables)
    return Reading(world, tuple(_warnings(feed)))


def _summary_names(bootstrap: object) -> list[str]:
    elements = validated(WireBootstrap, bootstrap, BOOTSTRAP).elements
    return [summary_name(element.id) for element in elements if element.element_type in POSITION_OF]


def _same_season(last: World, rounds: pd.DataFrame) -> bool:
    first = pd.to_datetime(rounds["deadline"], format="ISO8601", utc=True).min()
    return bool(abs(last.tables["rounds"]["deadline"].min() - first) < SAME_SEASON)


def _warnings(feed: FplFeed) -> Iterator[str]:
    if feed.waiting:
        pairs = (f"{feed.codes[match.team_h]}–{feed.codes[match.team_a]}" for match in feed.waiting)
        yield f"Left out, because they have no gameweek or kick-off yet: {listed(pairs)}."
    if feed.managers:
        names = (manager.web_name for manager in feed.managers)
        yield f"Left out, because assistant managers are not players: {listed(names)}."
    if statuses := strange_statuses(feed):
        yield f"Unknown status, read as doubtful: {listed(statuses)}."
    running = [event.id for event in feed.events if event.id < feed.coming and not event.finished]
    if running:
        yield f"Gameweek {running[-1]} is still being played: its points are not part of this world yet."
