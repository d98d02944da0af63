"""Fantasy Premier League's public API (never a login): `fetch` brings its documents, `parse` makes a world of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import timedelta

import httpx
import pandas as pd

from data.errors import PayloadError
from data.importing.season_odds import credited
from data.importing.season_rules import season_rulebook
from data.importing.season_tables import (
    appearances_table,
    events_table,
    fixtures_table,
    results_table,
    teams_table,
    with_expected,
)
from data.naming.clubs import club_meant
from data.rules import GameRules, load_rules
from data.sources.earlier import first_wins, with_known_odds
from data.sources.fpl.documents import brought, final_weeks, needed, spared, summary_names
from data.sources.fpl.feed import FplFeed, read_bootstrap, read_feed
from data.sources.fpl.game_rules import differences_table
from data.sources.fpl.notes import warnings_about
from data.sources.fpl.tables import (
    kept_rows,
    listed_clubs,
    listed_fixtures,
    market_table,
    played_rows,
    players_table,
    points_table,
    rounds_table,
    written_fixtures,
)
from data.sources.fpl.totals import past_seasons_table, totals_table
from data.sources.fpl.week_wire import STATUS
from data.sources.fpl.wire import BOOTSTRAP, FIXTURES
from data.sources.report import FetchStep, Reading
from data.web.client import get_json
from data.worlds.history import before, left_behind
from data.worlds.world import World

BASE_URL = "https://fantasy.premierleague.com/api/"
SAME_SEASON = timedelta(days=90)
"""The game numbers its players anew each summer: two worlds whose first deadlines lie further apart share no ids."""

BORROWED = "The game does not list its matches: those of an earlier world of this season stand in."


def fetch(client: httpx.Client, *, details: bool = False) -> Iterator[FetchStep]:
    """Bring the game, its matches and everybody's counts of each finished gameweek, one step at a time.

    A gameweek that is final is asked for once in its season. With `details` every player's own page is fetched too, one
    request each: it knows past prices and owners, and the matches of gameweeks whose counts the game does not show.
    """
    bootstrap = get_json(client, BOOTSTRAP)
    game = read_bootstrap(bootstrap.value)
    status, unknown = spared(client, STATUS)
    weeks, names = final_weeks(game, status.value), summary_names(game) if details else []
    total = 3 + len(weeks) + len(names)
    yield FetchStep(bootstrap, 1, total)
    yield FetchStep(status, 2, total, unknown)
    fixtures, absent = needed(client, FIXTURES)
    yield FetchStep(fixtures, 3, total, absent)
    yield from brought(client, weeks, names, 3, total)


def parse(
    payloads: Mapping[str, object],
    rules: GameRules | None = None,
    *,
    name: str,
    title: str,
    sources: str,
    last: World | None = None,
    background: World | None = None,
) -> Reading:
    """Make a world of the API's payloads; without `rules` by the rulebook of its season.

    `last` is what an earlier fetch of this season recorded: prices and ownership of past gameweeks, and what is known
    of gameweeks whose counts did not come. `background` is an earlier season, or this one as it was bundled: what it
    knows of the years before this season's first deadline is part of the new world.
    """
    first = min(event.deadline_time for event in read_bootstrap(payloads.get(BOOTSTRAP)).events)
    began = pd.Timestamp(first)
    worlds = [world for world in (last, background) if world and _same_season(world, began)]
    feed = read_feed(_with_fixtures(payloads, worlds))
    rulebook, stand_in = season_rulebook(began.year)
    rules = rules or load_rules(rulebook)
    tables = _tables(feed, rules, worlds)
    tables |= _with_years_before(tables["results"], background, began, feed)
    world = World.of(name, title, rules.game, credited(sources, tables["fixtures"]), tables)
    borrowed = () if payloads.get(FIXTURES) or not feed.fixtures else (BORROWED,)
    return Reading(world, (*stand_in, *borrowed, *warnings_about(feed, world)))


def _tables(feed: FplFeed, rules: GameRules, worlds: Sequence[World]) -> dict[str, pd.DataFrame]:
    """Return the tables of the season that the feed is about."""
    clubs, rows = listed_clubs(feed), played_rows(feed, rules, worlds)
    listed = with_known_odds(with_expected(listed_fixtures(feed, clubs), rows), worlds)
    played = first_wins("appearances", [appearances_table(rows), *kept_rows("appearances", feed, worlds)])
    events = first_wins("events", [events_table(rows), *kept_rows("events", feed, worlds)])
    return {
        "teams": teams_table(clubs),
        "players": players_table(feed),
        "market": market_table(feed, rules, worlds),
        "rounds": rounds_table(feed, rules),
        "fixtures": fixtures_table(listed, rules),
        "points": points_table(feed, rows, worlds),
        "appearances": played,
        "events": events,
        "results": results_table(listed),
        "totals": totals_table(feed, events, played),
        "past_seasons": past_seasons_table(feed, worlds),
        "differences": differences_table(feed.bootstrap, rules),
    }


def _with_fixtures(payloads: Mapping[str, object], worlds: Sequence[World]) -> Mapping[str, object]:
    """Return the payloads with the matches of a world of this season where the game does not list any."""
    if payloads.get(FIXTURES) or (FIXTURES in payloads and not worlds):
        return payloads
    if not worlds:
        raise PayloadError(f"{FIXTURES} did not come, and no world of this season is at hand that knows its matches.")
    return {**payloads, FIXTURES: written_fixtures(worlds[0])}


def _same_season(world: World, began: pd.Timestamp) -> bool:
    return bool(abs(world.tables["rounds"]["deadline"].min() - began) < SAME_SEASON)


def _with_years_before(
    results: pd.DataFrame, background: World | None, began: pd.Timestamp, feed: FplFeed
) -> dict[str, pd.DataFrame]:
    """Return the results with those of earlier seasons, and the player-matches of these.

    A game of another country, most of whose clubs are not known there, has no part in them.
    """
    if background is None:
        return {"results": results}
    past = _as_called_now(before(left_behind(background), began.tz_localize(None).normalize()), feed)
    known = {*past["results"]["home_team"], *past["results"]["away_team"]}
    if 2 * sum(team.name in known for team in feed.teams) < len(feed.teams):
        return {"results": results}
    return past | {"results": pd.concat([past["results"], results], ignore_index=True)}


def _as_called_now(past: dict[str, pd.DataFrame], feed: FplFeed) -> dict[str, pd.DataFrame]:
    """Return the years before with each club called as the game calls it now: Ipswich was promoted as Ipswich Town."""
    clubs = {team.name for team in feed.teams}

    def renamed(names: pd.Series) -> pd.Series:
        return names.map({name: club_meant(name, clubs) for name in names.unique()})

    results, matches = past["results"], past["past_matches"]
    sides = {side: renamed(results[side]) for side in ("home_team", "away_team")}
    return {"results": results.assign(**sides), "past_matches": matches.assign(team=renamed(matches["team"]))}
