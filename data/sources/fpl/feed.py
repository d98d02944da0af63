"""The Premier League game's payloads after their checks: each by itself, and against each other."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, partial

from data.errors import PayloadError
from data.importing.season_layout import POSITION_OF
from data.sources.fpl.week_wire import FINAL, STATUS, WireDay, WireDays, WireWeek, week_name
from data.sources.fpl.wire import (
    BOOTSTRAP,
    FIXTURES,
    WireBootstrap,
    WireElement,
    WireEvent,
    WireFixture,
    WireHistory,
    WirePastSeason,
    WireSummary,
    WireTeam,
    summary_name,
)
from data.sources.wire import readable, refuse_faulty, refuse_shares, refuse_twice, validated, validated_list


@dataclass(frozen=True)
class FplFeed:
    """The payloads, each entry as its model; assistant managers and matches without a gameweek apart."""

    events: list[WireEvent]
    teams: list[WireTeam]
    players: list[WireElement]
    managers: list[WireElement]
    fixtures: list[WireFixture]
    waiting: list[WireFixture]
    bootstrap: WireBootstrap  # with what the game tells of its rules
    histories: Mapping[int, list[WireHistory]]  # by player id, for those that were fetched
    pasts: Mapping[int, list[WirePastSeason]]  # and their earlier seasons
    weeks: Mapping[int, WireWeek] = field(default_factory=dict)  # by gameweek, for those that were fetched
    spoilt: tuple[str, ...] = ()  # why the histories of some players were left out
    unread: tuple[str, ...] = ()  # and the counts of some gameweeks
    days: tuple[WireDay, ...] = ()  # of the running gameweek

    @cached_property
    def coming(self) -> int:
        """The gameweek whose deadline comes next; the last one when the season is over."""
        return coming_of(self.events)

    @cached_property
    def settled(self) -> set[int]:
        """The gameweeks before the coming one whose matches are over."""
        return {event.id for event in begun_of(self.events) if event.finished}

    @cached_property
    def running(self) -> set[int]:
        """The gameweeks before the coming one that are still being played."""
        return {event.id for event in begun_of(self.events)} - self.settled

    @property
    def over(self) -> bool:
        """Whether every gameweek is finished."""
        return all(event.finished for event in self.events)

    @cached_property
    def codes(self) -> dict[int, str]:
        """Club id → code."""
        return {team.id: team.short_name.upper() for team in self.teams}


def read_feed(payloads: Mapping[str, object]) -> FplFeed:
    """Check every payload by itself and against the others."""
    bootstrap = read_bootstrap(payloads.get(BOOTSTRAP))
    fixtures = validated_list(WireFixture, payloads.get(FIXTURES, []), FIXTURES)
    refuse_twice((match.id for match in fixtures), FIXTURES)
    matches = {match.id for match in fixtures}
    players = [element for element in bootstrap.elements if element.element_type in POSITION_OF]
    fetched = [element.id for element in players if summary_name(element.id) in payloads]
    pages, spoilt = readable({number: partial(_summary, payloads, number, matches) for number in fetched})
    played = [event.id for event in begun_of(bootstrap.events) if week_name(event.id) in payloads]
    weeks, unread = readable({number: partial(read_week, payloads, number) for number in played})
    feed = FplFeed(
        events=sorted(bootstrap.events, key=lambda event: event.id),
        teams=bootstrap.teams,
        players=players,
        managers=[element for element in bootstrap.elements if element.element_type not in POSITION_OF],
        fixtures=[match for match in fixtures if _is_scheduled(match)],
        waiting=[match for match in fixtures if not _is_scheduled(match)],
        bootstrap=bootstrap,
        histories={number: page.history for number, page in pages.items()},
        pasts={number: page.history_past or [] for number, page in pages.items()},
        weeks=weeks,
        spoilt=spoilt,
        unread=unread,
        days=read_days(payloads.get(STATUS)),
    )
    _refuse_strays(feed)
    return feed


def read_bootstrap(payload: object) -> WireBootstrap:
    """Check the one document that nothing goes without."""
    bootstrap = validated(WireBootstrap, payload, BOOTSTRAP)
    refuse_faulty(bootstrap.events, f"{BOOTSTRAP} events")
    refuse_faulty(bootstrap.teams, f"{BOOTSTRAP} teams")
    refuse_faulty(bootstrap.elements, f"{BOOTSTRAP} elements")
    refuse_twice((team.short_name.upper() for team in bootstrap.teams), f"{BOOTSTRAP} teams", "short_name")
    refuse_shares((element.selected_by_percent for element in bootstrap.elements), f"{BOOTSTRAP} elements")
    return bootstrap


def coming_of(events: Iterable[WireEvent]) -> int:
    """Return the gameweek whose deadline comes next; the last one when there is none."""
    ordered = sorted(events, key=lambda event: event.id)
    marked = [event.id for event in ordered if event.is_next]
    unfinished = [event.id for event in ordered if not event.finished and not event.is_current]
    return (marked or unfinished or [ordered[-1].id])[0]


def begun_of(events: Iterable[WireEvent]) -> list[WireEvent]:
    """Return the gameweeks before the coming one, in their order: the last of them may still be played."""
    ordered = sorted(events, key=lambda event: event.id)
    coming = coming_of(ordered)
    return [event for event in ordered if (event.finished or event.is_current) and event.id < coming]


def read_days(payload: object) -> tuple[WireDay, ...]:
    """Return the days of the running gameweek; none where the game does not tell them."""
    try:
        return tuple(validated(WireDays, payload, STATUS).status)
    except PayloadError:
        return ()


def is_final(event: WireEvent, days: Iterable[WireDay]) -> bool:
    """Whether the points of a gameweek change no more: it is checked, and no day of it waits for its bonus."""
    told = [day.bonus_added and day.points == FINAL for day in days if day.event == event.id]
    checked = event.data_checked if event.data_checked is not None else bool(told) or not event.is_current
    return event.finished and checked and all(told)


def _is_scheduled(match: WireFixture) -> bool:
    return match.event is not None and match.kickoff_time is not None


def read_week(payloads: Mapping[str, object], gameweek: int) -> WireWeek:
    """Check the counts of a gameweek."""
    name = week_name(gameweek)
    week = validated(WireWeek, payloads[name], name)
    refuse_faulty(week.elements, f"{name} elements")
    return week


def _summary(payloads: Mapping[str, object], player_id: int, matches: set[int]) -> WireSummary:
    name = summary_name(player_id)
    page = validated(WireSummary, payloads[name], name)
    refuse_twice((row.fixture for row in page.history), name, "fixture")
    for row in page.history:
        if row.fixture not in matches:
            raise PayloadError(f"{name}: there is no match {row.fixture} in {FIXTURES}.")
    return page


def _refuse_strays(feed: FplFeed) -> None:
    """Refuse what names a club or a gameweek that is not there."""
    rounds = {event.id for event in feed.events}
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
