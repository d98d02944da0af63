"""What is known of gameweeks whose counts are missing: the season's totals less what the other gameweeks explain."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from data.schema import SUMMED, TOTALS
from data.sources.fpl.feed import FplFeed

THEIRS = {"goals": "goals_scored", "defensive_contributions": "defensive_contribution"}
"""Our counts that the game calls otherwise."""


def missing_weeks(feed: FplFeed, events: pd.DataFrame) -> list[int]:
    """Return the settled gameweeks with matches of which no player-match is known."""
    played = {match.event for match in feed.fixtures} if feed.fixtures else feed.settled
    return sorted((feed.settled & played) - set(events["round"]))


def totals_table(feed: FplFeed, events: pd.DataFrame, appearances: pd.DataFrame) -> pd.DataFrame:
    """Return what each player did in the missing gameweeks taken together.

    The totals count a gameweek in play too, so none can be told while one is.
    """
    missing = set(missing_weeks(feed, events))
    if not missing or _in_play(feed):
        return TOTALS.none()
    known = events.assign(starts=0).groupby("player_id")[list(SUMMED)].sum()
    known["starts"] = appearances[appearances["started"]].groupby("player_id").size()
    return pd.DataFrame(_rows(feed, missing, known.fillna(0.0)), columns=TOTALS.column_names)


def _in_play(feed: FplFeed) -> bool:
    return any(match.event not in feed.settled and match.team_h_score is not None for match in feed.fixtures)


def _rows(feed: FplFeed, missing: set[int], known: pd.DataFrame) -> Iterator[tuple[object, ...]]:
    nothing = pd.Series(0.0, index=list(SUMMED))
    for player in feed.players:
        clubs = [match for match in feed.fixtures if match.event in missing]
        matches = sum(player.team in (match.team_h, match.team_a) for match in clubs) or len(missing)
        explained = known.loc[player.id] if player.id in known.index else nothing
        left = [_left(getattr(player, THEIRS.get(name, name)), float(explained[name])) for name in SUMMED]
        if player.minutes is not None:
            yield player.id, feed.coming, matches, *left


def _left(total: float | None, explained: float) -> float | None:
    return None if total is None else max(0.0, total - explained)
