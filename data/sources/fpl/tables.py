"""The tables a world is made of, read from the Premier League game's payloads."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pandas as pd

from data.domain import Status
from data.rules import GameRules
from data.schema import APPEARANCES, EVENT_COUNTS, EVENTS, FIXTURES, MARKET, PLAYERS, POINTS, RESULTS, ROUNDS, TEAMS
from data.sources.earlier import first_wins, remembered, with_known_status
from data.sources.fpl.feed import POSITION_OF, FplFeed
from data.sources.fpl.wire import WireHistory
from data.worlds.world import GOAL_COLUMNS, World

HUNDRED, TENTHS = 100.0, 10.0
TOURNAMENT = "Premier League"
STATUS_OF = {
    "a": Status.PLAYING,
    "d": Status.DOUBTFUL,
    "i": Status.INJURED,
    "s": Status.SUSPENDED,
    "n": Status.SUSPENDED,  # not eligible for the coming match, such as a loan against his own club
    "u": Status.TRANSFERRED,
}
COUNT_OF = {
    "goals": "goals_scored",
    "assists": "assists",
    "clean_sheet": "clean_sheets",
    "goals_conceded": "goals_conceded",
    "yellow_cards": "yellow_cards",
    "red_cards": "red_cards",
    "own_goals": "own_goals",
    "penalty_saved": "penalties_saved",
    "penalty_missed": "penalties_missed",
    "saves": "saves",
    "defensive_contributions": "defensive_contribution",
    "bonus": "bonus",
}
"""Our event counts → the game's; what it does not count is recorded as 0."""


def teams_table(feed: FplFeed) -> pd.DataFrame:
    """Return the clubs."""
    rows = [(feed.codes[team.id], team.id, team.name, "", False, team.name) for team in feed.teams]
    return pd.DataFrame(rows, columns=TEAMS.column_names)


def players_table(feed: FplFeed) -> pd.DataFrame:
    """Return the players' names and positions."""
    rows = [
        (player.id, player.first_name, player.second_name, player.web_name, POSITION_OF[player.element_type])
        for player in feed.players
    ]
    return pd.DataFrame(rows, columns=PLAYERS.column_names).sort_values("player_id", ignore_index=True)


def market_table(feed: FplFeed, rules: GameRules, worlds: Sequence[World]) -> pd.DataFrame:
    """Return price, ownership and status: now from the list, before as once recorded, else from the histories."""
    offers = [
        (
            player.id,
            feed.coming,
            feed.codes[player.team],
            player.now_cost / TENTHS,
            player.selected_by_percent / HUNDRED,
            STATUS_OF.get(player.status, Status.DOUBTFUL).value,
        )
        for player in feed.players
    ]
    frames = [pd.DataFrame(offers, columns=MARKET.column_names)]
    if worlds:
        frames.append(_of_listed(remembered(worlds, "market", feed.coming), feed))
    past = with_known_status(_past_offers(feed, rules), worlds, feed.coming)
    return first_wins("market", [*frames, past])


def strange_statuses(feed: FplFeed) -> list[str]:
    """Return the statuses the game uses and we do not know."""
    return sorted({player.status for player in feed.players} - set(STATUS_OF))


def rounds_table(feed: FplFeed, rules: GameRules) -> pd.DataFrame:
    """Return the gameweeks with their deadlines."""
    rows = [(event.id, rules.stage(event.id).name, event.deadline_time) for event in feed.events]
    return pd.DataFrame(rows, columns=ROUNDS.column_names)


def fixtures_table(feed: FplFeed, rules: GameRules) -> pd.DataFrame:
    """Return the matches that have a gameweek; a club may have none, one or two in it."""
    rows = [
        {
            "match_id": match.id,
            "round": match.event,
            "stage": rules.stage(match.event).name,
            "kickoff": match.kickoff_time,
            "home": feed.codes[match.team_h],
            "away": feed.codes[match.team_a],
            "city": "",
            "at_home": feed.codes[match.team_h],
            "announced": 1,
            **dict.fromkeys(["official_no", *GOAL_COLUMNS], pd.NA),
            **({"home_goals_90": match.team_h_score, "away_goals_90": match.team_a_score} if match.finished else {}),
        }
        for match in feed.fixtures
        if match.event is not None
    ]
    return pd.DataFrame(rows, columns=FIXTURES.column_names)


def points_table(feed: FplFeed, worlds: Sequence[World]) -> pd.DataFrame:
    """Return the points of finished gameweeks: from the histories, else those the list shows of the last one."""
    rows = [
        (player_id, row.round, row.total_points)
        for player_id, row, _ in _played_rows(feed)
        if row.minutes or row.total_points
    ]
    fetched = pd.DataFrame(rows, columns=POINTS.column_names)
    fetched = fetched.groupby(["player_id", "round"], as_index=False)["points"].sum()
    shown = pd.DataFrame(_shown_points(feed), columns=POINTS.column_names)
    return first_wins("points", [fetched, shown, *_kept("points", feed, worlds)])


def appearances_table(feed: FplFeed, worlds: Sequence[World]) -> pd.DataFrame:
    """Return who played how long in which match."""
    rows = [
        (player_id, row.round, row.fixture, bool(row.starts), row.minutes)
        for player_id, row, _ in _played_rows(feed)
        if row.minutes
    ]
    fetched = pd.DataFrame(rows, columns=APPEARANCES.column_names)
    return first_wins("appearances", [fetched, *_kept("appearances", feed, worlds)])


def events_table(feed: FplFeed, worlds: Sequence[World]) -> pd.DataFrame:
    """Return the event counts of every player-match of the histories, those without a minute too."""
    rows = [
        {
            "player_id": player_id,
            "round": row.round,
            "match_id": row.fixture,
            "points": row.total_points,
            "minutes": row.minutes,
            **dict.fromkeys(EVENT_COUNTS, 0),
            **{ours: getattr(row, theirs) for ours, theirs in COUNT_OF.items()},
            "expected_goals": row.expected_goals,
            "expected_assists": row.expected_assists,
        }
        for player_id, row, _ in _played_rows(feed)
    ]
    fetched = pd.DataFrame(rows, columns=EVENTS.column_names)
    return first_wins("events", [fetched, *_kept("events", feed, worlds)])


def results_table(fixtures: pd.DataFrame, teams: pd.DataFrame, background: World | None) -> pd.DataFrame:
    """Return the season's results so far, after those of an earlier season where one is given."""
    names = teams.set_index("code")["name"]
    played = fixtures[fixtures["home_goals_90"].notna()]
    now = pd.DataFrame(
        {
            "date": pd.to_datetime(played["kickoff"], format="ISO8601", utc=True).dt.tz_localize(None).dt.normalize(),
            "home_team": played["home"].map(names),
            "away_team": played["away"].map(names),
            "home_score": played["home_goals_90"],
            "away_score": played["away_goals_90"],
            "tournament": TOURNAMENT,
            "country": "",
            "neutral": False,
        },
        columns=RESULTS.column_names,
    ).sort_values(["date", "home_team"], ignore_index=True)
    if background is None:
        return now
    past = background.tables["results"]
    start = pd.to_datetime(fixtures["kickoff"], format="ISO8601", utc=True).min().tz_localize(None).normalize()
    earlier = past[past["date"] < start]
    return now if earlier.empty else pd.concat([earlier, now], ignore_index=True)


def _played_rows(feed: FplFeed) -> Iterator[tuple[int, WireHistory, str]]:
    """Yield player, match row and the club he played it for, of settled gameweeks and matches still in the list."""
    sides = {match.id: (feed.codes[match.team_a], feed.codes[match.team_h]) for match in feed.fixtures}
    for player_id, history in feed.histories.items():
        for row in history:
            if row.round in feed.settled and row.fixture in sides:
                yield player_id, row, sides[row.fixture][row.was_home]


def _shown_points(feed: FplFeed) -> Iterator[tuple[int, int, int]]:
    """Yield the list's points of the gameweek just finished; a 0 may be that of an absent player, so it is no row."""
    current = [event.id for event in feed.events if event.is_current and event.id in feed.settled]
    for player in feed.players if current else []:
        if player.event_points:
            yield player.id, current[0], player.event_points


def _past_offers(feed: FplFeed, rules: GameRules) -> pd.DataFrame:
    """Return price and ownership of earlier gameweeks as the histories show them.

    A player without a match in a gameweek has no row there: he keeps his last price and owners, so that the sum over
    all players is still that of all squads. Without every player's history there is no such sum, and no row.
    """
    rows = [(player_id, row.round, team, row.value, row.selected) for player_id, row, team in _played_rows(feed)]
    if not rows or len(feed.histories) < len(feed.players):
        return MARKET.none()
    offers = pd.DataFrame(rows, columns=["player_id", "round", "team", "value", "selected"])
    offers = offers.drop_duplicates(["player_id", "round"]).set_index(["player_id", "round"]).sort_index()
    everyone = pd.MultiIndex.from_product(offers.index.levels, names=offers.index.names)
    offers = offers.reindex(everyone).groupby("player_id").ffill().dropna().reset_index()
    squads = offers.groupby("round")["selected"].transform("sum") / rules.squad.size
    return pd.DataFrame(
        {
            "player_id": offers["player_id"],
            "round": offers["round"],
            "team": offers["team"],
            "price": offers["value"] / TENTHS,
            "owned": (offers["selected"] / squads).where(squads > 0, 0.0).clip(upper=1.0),
            "status": None,
        }
    )


def _kept(table: str, feed: FplFeed, worlds: Sequence[World]) -> list[pd.DataFrame]:
    """Return earlier worlds' rows about players and matches that are still listed."""
    if not worlds:
        return []
    rows = _of_listed(remembered(worlds, table, feed.coming), feed)
    return [rows[rows["match_id"].isin([match.id for match in feed.fixtures])] if "match_id" in rows else rows]


def _of_listed(rows: pd.DataFrame, feed: FplFeed) -> pd.DataFrame:
    rows = rows[rows["player_id"].isin([player.id for player in feed.players])]
    return rows[rows["team"].isin(list(feed.codes.values()))] if "team" in rows else rows
