"""A gameweek's counts match by match: as they are where a player had one match, split by `explain` where he had more.

The game explains what it paid for. What it did not pay for (a second save, a goal conceded) stands in the sum of the
gameweek alone: it is dealt to his matches by minutes, never so many to one that it would have been paid.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import pandas as pd

from data.domain import Position
from data.importing.season_layout import EVENT_NAMES, FIGURES, LATER_EVENTS, POSITION_OF
from data.rules import GameRules
from data.schema import MINUTES_LIMIT
from data.sources.fpl.feed import FplFeed
from data.sources.fpl.week_wire import WireExplained, WireWeekPlayer
from data.sources.fpl.wire import WireElement, WireFixture

OURS = EVENT_NAMES | LATER_EVENTS
EXPECTED = ("expected_goals", "expected_assists", "expected_goals_conceded")
DEALT = (*OURS, "starts", "clearances_blocks_interceptions", "recoveries")
COLUMNS = list(
    dict.fromkeys(["element", "gw", "code", "fixture", "minutes", "total_points", *DEALT, *FIGURES, *EXPECTED])
)
LONG = 60
"""Minutes from which a player is taken to have started where a game does not count starts."""

ANY = 1000
"""No count of a match is as high."""


@dataclass(frozen=True)
class WeekReader:
    """Reads the player-matches of the gameweeks whose counts are at hand."""

    feed: FplFeed
    rules: GameRules

    def rows(self) -> pd.DataFrame:
        """Return them in the game's own columns."""
        return pd.DataFrame([row for week in self.feed.weeks for row in self._of_week(week)], columns=COLUMNS)

    @cached_property
    def _matches(self) -> dict[int, WireFixture]:
        return {match.id: match for match in self.feed.fixtures}

    def _of_week(self, gameweek: int) -> Iterator[dict[str, object]]:
        players = {player.id: player for player in self.feed.players}
        for entry in self.feed.weeks[gameweek].elements:
            if entry.id in players:
                played = entry.explain or self._only_match(entry, players[entry.id], gameweek)
                yield from _Deal(self, players[entry.id], entry, played).rows(gameweek)

    def _only_match(self, entry: WireWeekPlayer, player: WireElement, gameweek: int) -> list[WireExplained]:
        """Return the match of a player of whom none is told: the one that his club had."""
        of_club = [m.id for m in self.feed.fixtures if m.event == gameweek and player.team in (m.team_h, m.team_a)]
        alone = entry.stats.minutes and len(of_club) == 1
        return [WireExplained(fixture=of_club[0], stats=[])] if alone else []

    def lists(self, match_id: int) -> bool:
        """Whether a match is among those of the season."""
        return match_id in self._matches

    def counts(self, match_id: int, gameweek: int) -> bool:
        """Whether what was done in a match is done: in a gameweek that is still being played, only where it is over."""
        return self.lists(match_id) and (gameweek in self.feed.settled or self._matches[match_id].over)

    def club(self, player: WireElement, match_id: int) -> str:
        """Return the club he played a match for; nothing where it was not today's, for no payload tells which."""
        match = self._matches[match_id]
        return self.feed.codes[player.team] if player.team in (match.team_h, match.team_a) else ""

    def against(self, player: WireElement, match_id: int) -> int:
        """Return the goals against his club in a match."""
        if not self.lists(match_id):
            return 0
        match = self._matches[match_id]
        return (match.team_a_score if player.team == match.team_h else match.team_h_score) or 0

    def unpaid(self, name: str, position: str) -> int:
        """Return the most of a count that the rules pay a player of this position nothing for."""
        lines = [line for line in self.rules.scoring.values() if line.event == OURS.get(name)]
        first = [
            line.after + line.every if (least := line.threshold_for(position)) is None else least
            for line in lines
            if line.points_for(Position(position))
        ]
        return min(first, default=ANY) - 1


@dataclass(frozen=True)
class _Deal:
    """A player's gameweek, dealt to the matches he had in it; one that the season does not list keeps its part."""

    reader: WeekReader
    player: WireElement
    entry: WireWeekPlayer
    played: list[WireExplained]

    def rows(self, gameweek: int) -> Iterator[dict[str, object]]:
        dealt = {name: self._dealt(name) for name in DEALT}
        for place, match in enumerate(self.played):
            if not self.reader.counts(match.fixture, gameweek):
                continue
            yield {
                "element": self.player.id,
                "gw": gameweek,
                "code": self.reader.club(self.player, match.fixture),
                "fixture": match.fixture,
                "minutes": self.minutes[place],
                "total_points": self._points(match),
                "bps": None if (bps := self.entry.stats.bps) is None else round(bps * self.shares[place]),
                **{name: counts[place] for name, counts in dealt.items()},
                **{name: self._share(name, place) for name in EXPECTED},
            }

    @cached_property
    def minutes(self) -> list[int]:
        if len(self.played) == 1:
            return [min(self.entry.stats.minutes, MINUTES_LIMIT)]
        return [min(max(0, _told(match, "minutes")), MINUTES_LIMIT) for match in self.played]

    @cached_property
    def shares(self) -> list[float]:
        total = sum(self.minutes)
        return [played / total if total else 1 / len(self.minutes) for played in self.minutes]

    def _points(self, match: WireExplained) -> int:
        if len(self.played) == 1:
            return self.entry.stats.total_points
        return sum(stat.points for stat in match.stats)

    def _share(self, name: str, place: int) -> float | None:
        total: float | None = getattr(self.entry.stats, name)
        return None if total is None else total * self.shares[place]

    def _dealt(self, name: str) -> Sequence[int | None]:
        """Return a count match by match: what is explained, the rest one by one to where most minutes wait for it."""
        total: int | None = getattr(self.entry.stats, name)
        if name == "starts" and total is None:
            return [int(played >= LONG) for played in self.minutes]
        if total is None or len(self.played) < 2:
            return [total] * len(self.played)
        dealt, rooms = [max(0, _told(match, name)) for match in self.played], self._rooms(name)
        told = list(dealt)
        for _ in range(total - sum(dealt)):
            free = [at for at, count in enumerate(dealt) if not told[at] and count < rooms[at]]
            dealt[max(free or range(len(dealt)), key=lambda at: self.minutes[at] / (dealt[at] - told[at] + 1))] += 1
        return dealt

    def _rooms(self, name: str) -> list[int]:
        """Return how many of a count each match can hold untold: what pays nothing, and no more than it had."""
        if name == "starts":
            return [1] * len(self.played)
        unpaid = self.reader.unpaid(name, POSITION_OF[self.player.element_type])
        against = [self.reader.against(self.player, match.fixture) for match in self.played]
        if name == "goals_conceded":
            return [min(unpaid, goals) for goals in against]
        return [int(not goals) for goals in against] if name == "clean_sheets" else [unpaid] * len(against)


def _told(match: WireExplained, identifier: str) -> int:
    return sum(stat.value for stat in match.stats if stat.identifier == identifier)
