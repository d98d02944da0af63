"""What is known of gameweeks whose counts are missing: the season's totals less what the other gameweeks explain."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pandas as pd

from data.schema import SUMMED, TOTALS
from data.sources.fpl.feed import FplFeed
from data.sources.fpl.wire import WireFixture

THEIRS = {"goals": "goals_scored", "defensive_contributions": "defensive_contribution"}
"""Our counts that the game calls otherwise."""


def missing_weeks(feed: FplFeed, events: pd.DataFrame) -> list[int]:
    """Return the settled gameweeks with a match of which nothing is known by itself."""
    return sorted({match.event for match in _unknown(feed, events) if match.event in feed.settled})


def totals_table(feed: FplFeed, events: pd.DataFrame, appearances: pd.DataFrame) -> pd.DataFrame:
    """Return what each player did in matches that are not known by themselves, taken together.

    The totals count a gameweek in play too: its matches that have begun are among them unless their counts are at hand.
    """
    unknown = _unknown(feed, events)
    known = events.assign(starts=0).groupby("player_id")[list(SUMMED)].sum()
    known["starts"] = appearances[appearances["started"]].groupby("player_id").size()
    return pd.DataFrame(_rows(feed, unknown, known.fillna(0.0)), columns=TOTALS.column_names)


def _unknown(feed: FplFeed, events: pd.DataFrame) -> list[WireFixture]:
    """Return the matches that have begun before the coming gameweek and of which nothing is known by itself."""
    known = set(events["match_id"])
    begun = [match for match in feed.fixtures if match.event in feed.settled or _in_play(match, feed)]
    return [match for match in begun if match.event not in feed.weeks and match.id not in known]


def _in_play(match: WireFixture, feed: FplFeed) -> bool:
    return match.event in feed.running and match.team_h_score is not None


def _rows(feed: FplFeed, unknown: list[WireFixture], known: pd.DataFrame) -> Iterator[tuple[object, ...]]:
    """Yield a row of everybody whose club has such a match and of whom the game tells a sum."""
    matches = Counter(club for match in unknown for club in (match.team_h, match.team_a))
    nothing = pd.Series(0.0, index=list(SUMMED))
    for player in feed.players:
        if matches[player.team] and player.minutes is not None:
            explained = known.loc[player.id] if player.id in known.index else nothing
            left = [_left(getattr(player, THEIRS.get(name, name)), float(explained[name])) for name in SUMMED]
            yield player.id, feed.coming, matches[player.team], *left


def _left(total: float | None, explained: float) -> float | None:
    return None if total is None else max(0.0, total - explained)
