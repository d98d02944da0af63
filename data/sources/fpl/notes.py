"""What a user should know of a feed that was read: what is missing, what stands in, what differs, and how far it is."""

from __future__ import annotations

from collections.abc import Iterator

from data.sources.fpl.feed import FplFeed, is_final
from data.sources.fpl.tables import strange_statuses
from data.sources.fpl.totals import missing_weeks
from data.sources.report import listed
from data.worlds.world import World


def warnings_about(feed: FplFeed, world: World) -> Iterator[str]:
    """Yield what is unusual, as sentences."""
    if feed.waiting:
        pairs = (f"{feed.codes[match.team_h]}–{feed.codes[match.team_a]}" for match in feed.waiting)
        yield f"Left out, because they have no gameweek or kick-off yet: {listed(pairs)}."
    if feed.spoilt:
        yield f"Match histories that cannot be read are left out: {listed(feed.spoilt)}"
    if feed.unread:
        yield f"Counts of gameweeks that cannot be read are left out: {listed(feed.unread)}"
    if feed.managers:
        names = (manager.web_name for manager in feed.managers)
        yield f"Left out, because assistant managers are not players: {listed(names)}."
    if statuses := strange_statuses(feed):
        yield f"Unknown status, read as doubtful: {listed(statuses)}."
    yield from _about_the_season(feed)
    yield from _about_missing(feed, world)
    yield from _about_rules(world)


def _about_the_season(feed: FplFeed) -> Iterator[str]:
    if feed.running:
        yield f"Gameweek {max(feed.running)} is still being played: its points are not part of this world yet."
    waiting = [event.id for event in feed.events if event.id in feed.settled and not is_final(event, feed.days)]
    if waiting:
        yield f"Gameweek {waiting[-1]} is not final yet: its points may change."
    if feed.over:
        yield f"The season is over: gameweek {feed.coming} is shown as it stood, and none is open."
    elif not feed.fixtures:
        yield "The game has no matches yet: until they are published nobody can be expected to score."
    elif not any(match.event == feed.coming for match in feed.fixtures):
        yield f"Gameweek {feed.coming} has no match: every club is idle."


def _about_missing(feed: FplFeed, world: World) -> Iterator[str]:
    """Yield the gameweeks whose counts did not come, and what is known of them all the same."""
    absent = sorted(number for number in feed.settled - set(feed.weeks) if _was_played(feed, number))
    missing = set(missing_weeks(feed, world.tables["events"]))
    kept = [number for number in absent if number not in missing]
    if kept:
        yield f"{_weeks(kept)} came without counts: they are known from the players' own pages or from before."
    if missing:
        stand_in = "the season's totals stand in" if len(world.tables["totals"]) else "nothing is known of them"
        yield f"{_weeks(sorted(missing))} came without counts: {stand_in}."


def _was_played(feed: FplFeed, gameweek: int) -> bool:
    return not feed.fixtures or any(match.event == gameweek for match in feed.fixtures)


def _weeks(numbers: list[int]) -> str:
    return f"Gameweek {numbers[0]}" if len(numbers) == 1 else f"Gameweeks {', '.join(map(str, numbers))}"


def _about_rules(world: World) -> Iterator[str]:
    told = list(world.tables["differences"]["told"])
    if told:
        yield f"The game's own rules differ from the rulebook, so every figure is provisional: {listed(told)}."
