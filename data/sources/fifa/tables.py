"""The tables a world is made of, read from the World Cup's feed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

import pandas as pd

from data.domain import STATUSES, Status
from data.rules import GameRules
from data.schema import APPEARANCES, EVENT_COUNTS, EVENTS, MARKET, PLAYERS, POINTS, RESULTS, ROUNDS
from data.sources.earlier import first_wins, remembered, same_men, with_known_status
from data.sources.fifa.feed import FifaFeed
from data.sources.fifa.wire import WirePlayer, WirePlayerRound, WireRound, WireSquad
from data.worlds.world import World

HUNDRED = 100.0
TOURNAMENT = "FIFA World Cup"
STARTER_MINUTES = 45
"""The feed does not say who started. In the line-ups of 88 matches, 98 % of those with 45 minutes or more had, and
hardly anybody with fewer; the threshold is right for 98 % of all appearances."""

SAME_MATCH_DAYS = 1
"""Two records of one match may differ by a day: late kick-offs cross midnight in UTC."""


def teams_table(squads: Sequence[WireSquad], background: World) -> pd.DataFrame:
    """Return the teams; who hosts, and how the results set spells a name, the background knows."""
    rows = [(squad.abbr.upper(), squad.id, squad.name, (squad.group or "").upper()) for squad in squads]
    teams = pd.DataFrame(rows, columns=["code", "team_id", "name", "group"])
    known = background.tables["teams"].set_index("code")
    spelt = teams["code"].map(known["results_name"])
    hosts = known.index[known["host"]]
    return teams.assign(host=teams["code"].isin(hosts), results_name=spelt.fillna(teams["name"]))


def players_table(players: Iterable[WirePlayer]) -> pd.DataFrame:
    """Return the players' names and positions."""
    rows = [
        (player.id, player.first_name or "", player.last_name or "", player.known_name or "", player.position)
        for player in players
    ]
    return pd.DataFrame(rows, columns=PLAYERS.needed_names).sort_values("player_id", ignore_index=True)


def market_table(feed: FifaFeed, worlds: Sequence[World]) -> pd.DataFrame:
    """Return price, ownership and status of each player at each deadline up to the coming one."""
    market = pd.DataFrame(_offers(feed), columns=MARKET.needed_names)
    market = with_known_status(market, worlds, feed.coming)
    return market.sort_values(["round", "player_id"], ignore_index=True)


def strange_statuses(players: Iterable[WirePlayer]) -> list[str]:
    """Return the statuses the feed uses and we do not know."""
    return sorted({player.status for player in players} - set(STATUSES))


def rounds_table(rounds: Iterable[WireRound], rules: GameRules) -> pd.DataFrame:
    """Return the rounds that have a date: the first kick-off, or the announced start while the matches are unknown."""
    dated = ((entry, min((match.date for match in entry.matches), default=entry.start)) for entry in rounds)
    rows = [(entry.id, rules.stage(entry.id).name, date) for entry, date in dated if date]
    return pd.DataFrame(rows, columns=ROUNDS.needed_names)


def points_table(feed: FifaFeed, appearances: pd.DataFrame) -> pd.DataFrame:
    """Return the points of those who appeared in a round that is over.

    The feed writes 0 for a round a player missed, but only once he has appeared in another: on the recorded days 720
    of 879 zeros belong to players without a minute. So a 0 is kept only where an appearance is known; to everybody
    else no row and 0 points come to the same.
    """
    appeared = set(zip(appearances["player_id"], appearances["round"], strict=True))
    rows = [
        (player.id, int(number), points)
        for player in feed.players
        for number, points in player.stats.round_points.items()
        if int(number) < feed.coming and (points or (player.id, int(number)) in appeared)
    ]
    points = pd.DataFrame(rows, columns=POINTS.column_names)
    return points.sort_values(["round", "player_id"], ignore_index=True)


def appearances_table(feed: FifaFeed, fixtures: pd.DataFrame, worlds: Sequence[World]) -> pd.DataFrame:
    """Return who played how long: as an earlier world recorded it, else from the feed's event counts."""
    played = [
        (player_id, row.round, match_id, row.stats.minutes >= STARTER_MINUTES, row.stats.minutes)
        for player_id, row, match_id in _counted_rows(feed, fixtures)
        if row.stats.minutes
    ]
    fetched = pd.DataFrame(played, columns=APPEARANCES.column_names)
    return first_wins("appearances", [_kept("appearances", feed, fixtures, worlds), fetched])


def events_table(feed: FifaFeed, fixtures: pd.DataFrame, worlds: Sequence[World]) -> pd.DataFrame:
    """Return the event counts: those just fetched, and of earlier rounds those an earlier world recorded."""
    uncounted = dict.fromkeys(EVENT_COUNTS, 0) | dict.fromkeys(("expected_goals", "expected_assists"), float("nan"))
    rows = [
        {"player_id": player_id, "round": row.round, "match_id": match_id, "points": row.points}
        | uncounted
        | row.stats.model_dump()
        for player_id, row, match_id in _counted_rows(feed, fixtures)
    ]
    fetched = pd.DataFrame(rows, columns=EVENTS.needed_names)
    return first_wins("events", [fetched, _kept("events", feed, fixtures, worlds)])


def results_table(fixtures: pd.DataFrame, teams: pd.DataFrame, background: World) -> pd.DataFrame:
    """Return the background's results and those of the feed's matches it does not have yet."""
    results = background.tables["results"]
    names = teams.set_index("code")["results_name"]
    new = pd.DataFrame(_new_results(fixtures, names, results), columns=RESULTS.needed_names)
    return pd.concat([results, new.astype(results.dtypes[new.columns].to_dict())], ignore_index=True)


def _offers(feed: FifaFeed) -> Iterator[tuple[object, ...]]:
    for player in feed.players:
        status = player.status if player.status in STATUSES else Status.DOUBTFUL.value
        team = feed.codes[player.squad_id]
        owned = {int(number): percent for number, percent in player.rounds_selected.items()}
        owned.setdefault(feed.coming, player.percent_selected)
        for number, percent in owned.items():
            if number <= feed.coming:
                now = status if number == feed.coming else None
                yield player.id, number, team, player.price, percent / HUNDRED, now


def _counted_rows(feed: FifaFeed, fixtures: pd.DataFrame) -> Iterator[tuple[int, WirePlayerRound, int]]:
    """Yield player, his round and the match it was: a national team plays once a round."""
    matches = _match_of(fixtures)
    squads = {player.id: feed.codes[player.squad_id] for player in feed.players}
    for player_id, rows in feed.stats.items():
        for row in rows:
            match = matches.get((row.round, squads[player_id]))
            if match is not None and row.round < feed.coming:
                yield player_id, row, match


def _match_of(fixtures: pd.DataFrame) -> Mapping[tuple[int, str], int]:
    sides = [zip(fixtures["round"], fixtures[side], fixtures["match_id"], strict=True) for side in ("home", "away")]
    return {(int(number), str(code)): int(match) for side in sides for number, code, match in side}


def _kept(table: str, feed: FifaFeed, fixtures: pd.DataFrame, worlds: Sequence[World]) -> pd.DataFrame:
    """Return earlier worlds' rows about a player and a match that are the same in the feed."""
    teams = pd.Series({player.id: feed.codes[player.squad_id] for player in feed.players})
    rows = remembered(worlds, table, feed.coming)
    rows = rows[rows["player_id"].isin(same_men(worlds, teams))]
    matches = _match_of(fixtures)
    sides = zip(rows["round"], rows["player_id"].map(teams), rows["match_id"], strict=True)
    same = [matches.get((int(number), team)) == match for number, team, match in sides]
    return rows[pd.Series(same, index=rows.index, dtype=bool)]


def _new_results(fixtures: pd.DataFrame, names: pd.Series, results: pd.DataFrame) -> Iterator[tuple[object, ...]]:
    recorded = _dates_by_pair(results)
    for row in fixtures.itertuples():
        when = "90" if pd.isna(row.home_goals_aet) else "aet"
        goals = (getattr(row, f"home_goals_{when}"), getattr(row, f"away_goals_{when}"))
        day = pd.Timestamp(row.kickoff).tz_localize(None).normalize()
        home, away = str(names[row.home]), str(names[row.away])
        near = (abs((day - other).days) <= SAME_MATCH_DAYS for other in recorded.get(frozenset((home, away)), ()))
        if not pd.isna(goals[0]) and not any(near):
            yield day, home, away, *goals, TOURNAMENT, "", row.at_home == ""


def _dates_by_pair(results: pd.DataFrame) -> dict[frozenset[str], list[pd.Timestamp]]:
    found: dict[frozenset[str], list[pd.Timestamp]] = {}
    for date, home, away in zip(results["date"], results["home_team"], results["away_team"], strict=True):
        found.setdefault(frozenset((home, away)), []).append(date)
    return found
