"""The tables a world is made of, read from the Premier League game's payloads."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pandas as pd

from data.domain import Status
from data.importing import season_tables
from data.importing.season_layout import POSITION_OF, STATE_NAMES, STATUS_OF
from data.importing.season_tables import TENTHS, with_clubs
from data.rules import GameRules
from data.schema import MARKET, PLAYERS, POINTS, ROUNDS
from data.sources.earlier import first_wins, remembered, with_known_status
from data.sources.fpl.feed import FplFeed
from data.sources.fpl.wire import WireFixture, WireHistory
from data.worlds.world import World

HUNDRED = 100.0
CLUB = ["id", "name", "short_name"]


def listed_clubs(feed: FplFeed) -> pd.DataFrame:
    """Return the clubs in the game's own columns."""
    return pd.DataFrame([(team.id, team.name, feed.codes[team.id]) for team in feed.teams], columns=CLUB)


def listed_fixtures(feed: FplFeed, clubs: pd.DataFrame) -> pd.DataFrame:
    """Return the matches that have a gameweek, in the game's own columns and with the codes and names of the clubs."""
    listed = pd.DataFrame([match.model_dump() for match in feed.fixtures], columns=list(WireFixture.model_fields))
    kickoff = pd.to_datetime(listed["kickoff_time"], format="ISO8601", utc=True)
    return with_clubs(listed.assign(kickoff_time=kickoff, finished=listed["finished"].astype(bool)), clubs)


def players_table(feed: FplFeed) -> pd.DataFrame:
    """Return the players' names and positions, and the code that each keeps over the years."""
    rows = [
        (
            player.id,
            player.first_name,
            player.second_name,
            player.web_name,
            POSITION_OF[player.element_type],
            player.code,
        )
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
            player.news,
            *(getattr(player, name) for name in STATE_NAMES),
        )
        for player in feed.players
    ]
    frames = [pd.DataFrame(offers, columns=[*MARKET.needed_names, "news", *STATE_NAMES.values()])]
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


def points_table(feed: FplFeed, rows: pd.DataFrame, worlds: Sequence[World]) -> pd.DataFrame:
    """Return the points of finished gameweeks: from the histories, else those the list shows of the last one."""
    shown = pd.DataFrame(_shown_points(feed), columns=POINTS.column_names)
    return first_wins("points", [season_tables.points_table(rows), shown, *kept_rows("points", feed, worlds)])


def played_rows(feed: FplFeed) -> pd.DataFrame:
    """Return the histories' player-matches in the game's own columns."""
    rows = [
        row.model_dump() | {"element": player, "gw": row.round, "code": club}
        for player, row, club in _played_rows(feed)
    ]
    return pd.DataFrame(rows, columns=["element", "gw", "code", *WireHistory.model_fields]).drop(columns="round")


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
    rows = [(player, row.round, team, row.value, row.selected) for player, row, team in _played_rows(feed)]
    if not rows or len(feed.histories) < len(feed.players):
        return MARKET.none()
    offers = pd.DataFrame(rows, columns=["element", "gw", "code", "value", "selected"])
    offers = offers.drop_duplicates(["element", "gw"]).set_index(["element", "gw"]).sort_index()
    everyone = pd.MultiIndex.from_product(offers.index.levels, names=offers.index.names)
    offers = offers.reindex(everyone).groupby("element").ffill().dropna().reset_index()
    squads = offers.groupby("gw")["selected"].transform("sum") / rules.squad.size
    return season_tables.offers_table(offers, squads).assign(status=None)[MARKET.needed_names]


def kept_rows(table: str, feed: FplFeed, worlds: Sequence[World]) -> list[pd.DataFrame]:
    """Return earlier worlds' rows about players and matches that are still listed."""
    if not worlds:
        return []
    rows = _of_listed(remembered(worlds, table, feed.coming), feed)
    return [rows[rows["match_id"].isin([match.id for match in feed.fixtures])] if "match_id" in rows else rows]


def _of_listed(rows: pd.DataFrame, feed: FplFeed) -> pd.DataFrame:
    rows = rows[rows["player_id"].isin([player.id for player in feed.players])]
    return rows[rows["team"].isin(list(feed.codes.values()))] if "team" in rows else rows
