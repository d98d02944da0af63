"""The tables a world is made of, read from the Premier League game's payloads."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pandas as pd

from data.domain import Status
from data.importing import season_tables
from data.importing.season_layout import POSITION_OF, STATE_NAMES, STATUS_OF
from data.importing.season_tables import TENTHS, with_clubs
from data.rules import GameRules
from data.schema import MARKET, PLAYERS, POINTS
from data.sources.earlier import first_wins, remembered, with_known_status
from data.sources.fpl.feed import FplFeed
from data.sources.fpl.weeks import COLUMNS, LONG, WeekReader
from data.sources.fpl.wire import WireFixture, WireHistory
from data.worlds.world import World

HUNDRED = 100.0
LISTED_NAMES = STATE_NAMES | {"price_change_percent": "price_change", "price_tonight": "price_tonight"}
"""The game's names of what is told of a player now → ours."""

CLUB = ["id", "name", "short_name"]


def listed_clubs(feed: FplFeed) -> pd.DataFrame:
    """Return the clubs in the game's own columns."""
    return pd.DataFrame([(team.id, team.name, feed.codes[team.id]) for team in feed.teams], columns=CLUB)


def listed_fixtures(feed: FplFeed, clubs: pd.DataFrame) -> pd.DataFrame:
    """Return the matches that have a gameweek, in the game's own columns and with the codes and names of the clubs."""
    listed = pd.DataFrame([match.model_dump() for match in feed.fixtures], columns=list(WireFixture.model_fields))
    kickoff = pd.to_datetime(listed["kickoff_time"], format="ISO8601", utc=True)
    return with_clubs(listed.assign(kickoff_time=kickoff, finished=listed["finished"].astype(bool)), clubs)


def written_fixtures(world: World) -> list[dict[str, object]]:
    """Return the matches of a world of this season as the game would list them."""
    number = world.tables["teams"].set_index("code")["team_id"]
    return [
        {
            "id": int(row.match_id),
            "event": int(row.round),
            "kickoff_time": row.kickoff.isoformat(),
            "team_h": int(number[row.home]),
            "team_a": int(number[row.away]),
            "team_h_score": None if pd.isna(row.home_goals_90) else int(row.home_goals_90),
            "team_a_score": None if pd.isna(row.away_goals_90) else int(row.away_goals_90),
            "finished": not pd.isna(row.home_goals_90),
        }
        for row in world.tables["fixtures"].itertuples(index=False)
    ]


def players_table(feed: FplFeed) -> pd.DataFrame:
    """Return the players' names and positions, the code each keeps over the years and his price at the start."""
    rows = [
        (
            player.id,
            player.first_name,
            player.second_name,
            player.web_name,
            POSITION_OF[player.element_type],
            player.code,
            None if player.cost_change_start is None else (player.now_cost - player.cost_change_start) / TENTHS,
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
            *(getattr(player, name) for name in LISTED_NAMES),
        )
        for player in feed.players
    ]
    frames = [pd.DataFrame(offers, columns=[*MARKET.needed_names, "news", *LISTED_NAMES.values()])]
    if worlds:
        frames.append(_of_listed(remembered(worlds, "market", feed.coming), feed))
    past = with_known_status(_past_offers(feed, rules), worlds, feed.coming)
    return first_wins("market", [*frames, past])


def strange_statuses(feed: FplFeed) -> list[str]:
    """Return the statuses the game uses and we do not know."""
    return sorted({player.status for player in feed.players} - set(STATUS_OF))


def rounds_table(feed: FplFeed, rules: GameRules) -> pd.DataFrame:
    """Return the gameweeks with their deadlines, whom most managers captained, and the average score of those over."""
    return pd.DataFrame(
        {
            "round": [event.id for event in feed.events],
            "stage": [rules.stage(event.id).name for event in feed.events],
            "deadline": [event.deadline_time for event in feed.events],
            "most_captained": [event.most_captained for event in feed.events],
            "average": [event.average_entry_score if event.finished else None for event in feed.events],
        }
    )


def points_table(feed: FplFeed, rows: pd.DataFrame, worlds: Sequence[World]) -> pd.DataFrame:
    """Return the points of finished gameweeks: from their counts, from the histories, else as the list shows them."""
    counted = pd.DataFrame(_week_points(feed), columns=POINTS.column_names)
    shown = pd.DataFrame(_shown_points(feed), columns=POINTS.column_names)
    own = season_tables.points_table(rows[rows["gw"].isin(feed.settled)])
    return first_wins("points", [counted, own, shown, *kept_rows("points", feed, worlds)])


def played_rows(feed: FplFeed, rules: GameRules, worlds: Sequence[World]) -> pd.DataFrame:
    """Return the player-matches of settled gameweeks in the game's own columns, each once.

    A history knows most, unless it lags behind: then the counts of the gameweek have more of his minutes.
    """
    told = [row.model_dump() | {"element": p, "gw": row.round, "code": club} for p, row, club in _played_rows(feed)]
    rows = pd.concat([pd.DataFrame(told, columns=COLUMNS), WeekReader(feed, rules).rows()], ignore_index=True)
    latest = rows.sort_values("minutes", ascending=False, kind="stable").drop_duplicates(["element", "fixture"])
    rows = latest.sort_index(ignore_index=True)
    started = rows["starts"].where(rows["starts"].notna(), rows["minutes"] >= LONG)
    return rows.assign(starts=started.astype(bool), code=_known_clubs(rows, worlds))


def _known_clubs(rows: pd.DataFrame, worlds: Sequence[World]) -> pd.Series:
    """Return whom each row was played for; of who has changed clubs since, as an earlier world knows it."""
    if not worlds or rows.empty:
        return rows["code"]
    then = pd.concat([world.tables["market"] for world in worlds]).drop_duplicates(["player_id", "round"])
    club = then.set_index(["player_id", "round"])["team"]
    known = club.reindex(pd.MultiIndex.from_frame(rows[["element", "gw"]])).set_axis(rows.index)
    return rows["code"].where(rows["code"] != "", known.fillna(""))


def _week_points(feed: FplFeed) -> Iterator[tuple[int, int, int]]:
    """Yield the points of who appeared, or was carded on the bench, in gameweeks whose counts are at hand."""
    listed = {player.id for player in feed.players}
    for gameweek in feed.settled.intersection(feed.weeks):
        for entry in feed.weeks[gameweek].elements:
            if entry.id in listed and (entry.stats.minutes or entry.stats.total_points):
                yield entry.id, gameweek, entry.stats.total_points


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
