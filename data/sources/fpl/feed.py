"""The Premier League game's payloads after their checks: each by itself, and against each other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from data.errors import PayloadError
from data.importing.season_layout import POSITION_OF
from data.sources.fpl.wire import (
    BOOTSTRAP,
    FIXTURES,
    WireBootstrap,
    WireElement,
    WireEvent,
    WireFixture,
    WireHistory,
    WireSummary,
    WireTeam,
    summary_name,
)
from data.sources.wire import refuse_faulty, refuse_shares, refuse_twice, validated


@dataclass(frozen=True)
class FplFeed:
    """The payloads, each entry as its model; assistant managers and matches without a gameweek apart."""

    events: list[WireEvent]
    teams: list[WireTeam]
    players: list[WireElement]
    managers: list[WireElement]
    fixtures: list[WireFixture]
    waiting: list[WireFixture]
    histories: Mapping[int, list[WireHistory]]  # by player id, for those that were fetched

    @property
    def coming(self) -> int:
        """The gameweek whose deadline comes next; the last one when the season is over."""
        marked = [event.id for event in self.events if event.is_next]
        unfinished = [event.id for event in self.events if not event.finished and not event.is_current]
        return (marked or unfinished or [self.events[-1].id])[0]

    @property
    def settled(self) -> set[int]:
        """The gameweeks before the coming one whose points are final."""
        return {event.id for event in self.events if event.finished and event.id < self.coming}

    @cached_property
    def codes(self) -> dict[int, str]:
        """Club id → code."""
        return {team.id: team.short_name.upper() for team in self.teams}


def read_feed(payloads: Mapping[str, object]) -> FplFeed:
    """Check every payload by itself and against the others."""
    bootstrap = validated(WireBootstrap, payloads.get(BOOTSTRAP), BOOTSTRAP)
    fixtures = validated(list[WireFixture], payloads.get(FIXTURES), FIXTURES)
    refuse_faulty(bootstrap.events, f"{BOOTSTRAP} events")
    refuse_faulty(bootstrap.teams, f"{BOOTSTRAP} teams")
    refuse_faulty(bootstrap.elements, f"{BOOTSTRAP} elements")
    refuse_faulty(fixtures, FIXTURES)
    refuse_twice((team.short_name.upper() for team in bootstrap.teams), f"{BOOTSTRAP} teams", "short_name")
    refuse_shares((element.selected_by_percent for element in bootstrap.elements), f"{BOOTSTRAP} elements")
    scheduled = [match for match in fixtures if match.event is not None and match.kickoff_time is not None]
    feed = FplFeed(
        events=sorted(bootstrap.events, key=lambda event: event.id),
        teams=bootstrap.teams,
        players=[element for element in bootstrap.elements if element.element_type in POSITION_OF],
        managers=[element for element in bootstrap.elements if element.element_type not in POSITION_OF],
        fixtures=scheduled,
        waiting=[match for match in fixtures if match not in scheduled],
        histories={
            element.id: validated(WireSummary, payloads[name], name).history
            for element in bootstrap.elements
            if element.element_type in POSITION_OF and (name := summary_name(element.id)) in payloads
        },
    )
    _refuse_strays(feed)
    return feed


def _refuse_strays(feed: FplFeed) -> None:
    """Refuse what names a club, a gameweek or a match that is not there."""
    rounds = {event.id for event in feed.events}
    matches = {match.id for match in (*feed.fixtures, *feed.waiting)}
    for element in feed.players:
        if element.team not in feed.codes:
            raise PayloadError(f"{BOOTSTRAP}, element {element.id}: there is no team {element.team}.")
    for match in (*feed.fixtures, *feed.waiting):
        for team in (match.team_h, match.team_a):
            if team not in feed.codes:
                raise PayloadError(f"{FIXTURES}, match {match.id}: there is no team {team} in {BOOTSTRAP}.")
        if match.team_h == match.team_a:
            raise PayloadError(f"{FIXTURES}, match {match.id}: {feed.codes[match.team_h]} cannot play itself.")
        if match.event is not None and match.event not in rounds:
            raise PayloadError(f"{FIXTURES}, match {match.id}: there is no gameweek {match.event} in {BOOTSTRAP}.")
        if match.finished and (match.team_h_score is None or match.team_a_score is None):
            raise PayloadError(f"{FIXTURES}, match {match.id} is finished but has no score.")
    for player_id, history in feed.histories.items():
        refuse_twice((row.fixture for row in history), summary_name(player_id), "fixture")
        for row in history:
            if row.fixture not in matches:
                raise PayloadError(f"{summary_name(player_id)}: there is no match {row.fixture} in {FIXTURES}.")
