"""The official World Cup game's public feed: `fetch` brings its documents, `parse` makes a world of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import httpx

from data.errors import SourceError, StoppedError
from data.rules import GameRules
from data.sources.fifa.feed import FifaFeed, read_feed
from data.sources.fifa.matches import MatchContext, fixtures_table, unknown_ninety, unknown_places
from data.sources.fifa.tables import (
    appearances_table,
    events_table,
    market_table,
    players_table,
    points_table,
    results_table,
    rounds_table,
    strange_statuses,
    teams_table,
)
from data.sources.fifa.wire import CHECKSUMS, PLAYERS, ROUNDS, SQUADS, WirePlayer, stats_name
from data.sources.report import FetchStep, Reading, counted, listed
from data.sources.wire import validated_list
from data.web.client import Answer, get_json
from data.worlds.world import World

BASE_URL = "https://play.fifa.com/json/fantasy/"


def fetch(client: httpx.Client, *, details: bool = False) -> Iterator[FetchStep]:
    """Bring the three lists and, when asked, the event counts of every player who has points; one step at a time."""
    digests = _digests(client)

    def bring(name: str) -> Answer:
        return get_json(client, name, digest=digests.get(name, ""))

    players = bring(PLAYERS)
    extra = _stats_names(players.value) if details else []
    return counted(players, [SQUADS, ROUNDS], extra, bring)


def parse(
    payloads: Mapping[str, object],
    background: World,
    rules: GameRules,
    cities: Mapping[str, str],
    *,
    name: str,
    title: str,
    sources: str,
    last: World | None = None,
) -> Reading:
    """Make a world of the feed's payloads.

    `background` is a world of the same tournament with what the feed lacks: results of the past, hosts, bracket, and
    minutes and events of earlier rounds. `last` is what an earlier fetch recorded, `cities` the country of a city.
    """
    feed = read_feed(payloads)
    worlds = [background, *([last] if last else [])]
    hosts = background.tables["teams"].query("host")["code"]
    context = MatchContext(feed.codes, frozenset(hosts), cities, rules, background)
    fixtures = fixtures_table(feed.rounds, context)
    teams = teams_table(feed.squads, background)
    appearances = appearances_table(feed, fixtures, worlds)
    tables = {
        "teams": teams,
        "players": players_table(feed.players),
        "market": market_table(feed, worlds),
        "rounds": rounds_table(feed.rounds, rules),
        "fixtures": fixtures,
        "points": points_table(feed, appearances),
        "appearances": appearances,
        "events": events_table(feed, fixtures, worlds),
        "results": results_table(fixtures, teams, background),
        **{kept: background.tables[kept] for kept in ("bracket", "best_thirds", "goals", "shootouts")},
    }
    world = World.of(name, title, background.rulebook, sources, tables)
    return Reading(world, tuple(_warnings(feed, world, context)))


def _digests(client: httpx.Client) -> Mapping[str, str]:
    """Return the checksums the source publishes, none when it publishes nothing we understand."""
    try:
        answer = get_json(client, CHECKSUMS)
    except StoppedError:
        raise
    except SourceError:
        return {}
    if not isinstance(answer.value, dict):
        return {}
    texts = {str(name): value for name, value in answer.value.items() if isinstance(value, str)}
    return texts | {f"{name}.json": value for name, value in texts.items() if not name.endswith(".json")}


def _stats_names(players: object) -> list[str]:
    entries = validated_list(WirePlayer, players, PLAYERS)
    return [stats_name(player.id) for player in entries if player.stats.round_points]


def _warnings(feed: FifaFeed, world: World, context: MatchContext) -> Iterator[str]:
    fixtures = world.tables["fixtures"]
    if feed.spoilt:
        yield f"Event counts that cannot be read are left out: {listed(feed.spoilt)}"
    strangers = set(feed.codes.values()) - set(context.background.tables["teams"]["code"])
    if strangers:
        yield f"No past results are known of {listed(sorted(strangers))}: the bundled world has no such team."
    if statuses := strange_statuses(feed.players):
        yield f"Unknown status, read as doubtful: {listed(statuses)}."
    if places := unknown_places(fixtures, context):
        yield f"The country of the city is not known, so nobody counts as at home: {listed(places)}."
    if longer := unknown_ninety(fixtures):
        yield f"Only the score after extra time is known of {listed(longer)}."
    if feed.coming not in world.rounds:
        yield f"Round {feed.coming} has no date yet: it cannot be opened."
