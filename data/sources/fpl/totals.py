"""What is known by its sum alone: gameweeks whose counts are missing, and earlier seasons on players' own pages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

import pandas as pd

from data.schema import PAST_SEASONS, SUMMED, TOTALS
from data.sources.fpl.feed import FplFeed
from data.sources.fpl.wire import WireFixture, WirePastSeason
from data.worlds.world import World

THEIRS = {
    "goals": "goals_scored",
    "defensive_contributions": "defensive_contribution",
    "points": "total_points",
    "clean_sheet": "clean_sheets",
}
"""Our counts that the game calls otherwise."""

COUNTED_SINCE = {
    "starts": 2022,
    "expected_goals": 2022,
    "expected_assists": 2022,
    "defensive_contributions": 2024,
    "tackles": 2025,
}
"""The first season in which the game counted it; of those before it writes 0."""


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


def past_seasons_table(feed: FplFeed, worlds: Sequence[World]) -> pd.DataFrame:
    """Return the earlier seasons of players whose own pages are at hand, and what an earlier world knew of them."""
    code = {player.id: player.code for player in feed.players}
    told = [_season(code[player], past) for player, seasons in feed.pasts.items() for past in seasons if code[player]]
    frames = [
        pd.DataFrame(told, columns=PAST_SEASONS.column_names),
        *(world.tables["past_seasons"] for world in worlds),
    ]
    return pd.concat([frame for frame in frames if len(frame)] or [PAST_SEASONS.none()]).drop_duplicates(
        ["code", "season"]
    )


def _season(code: int | None, past: WirePastSeason) -> tuple[object, ...]:
    year = int(past.season_name[:4])
    names = PAST_SEASONS.column_names[2:]
    return code, year, *(_counted(past, name, year) for name in names)


def _counted(past: WirePastSeason, name: str, year: int) -> float | None:
    count: float | None = getattr(past, THEIRS.get(name, name))
    return count if year >= COUNTED_SINCE.get(name, year) else None
