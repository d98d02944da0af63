"""What a feed no longer shows but an earlier world still knows: statuses, minutes and events of past rounds."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import pandas as pd

from data.domain import Status
from data.schema import ODDS, RESULTS, WORLD_TABLES
from data.worlds.world import World

PRICES = [column.name for column in ODDS]
SHOTS = [column.name for column in RESULTS.columns if column.name.endswith(("_shots", "_on_target"))]
KEYS = {schema.name: list(schema.key) for schema in WORLD_TABLES}


def remembered(worlds: Sequence[World], table: str, coming: int) -> pd.DataFrame:
    """Return a table's rows about rounds before the coming one; where two worlds differ the first is believed."""
    rows = pd.concat([world.tables[table] for world in worlds], ignore_index=True)
    rows = rows[rows["round"] < coming]
    return rows.drop_duplicates(KEYS[table], ignore_index=True)


def same_men(worlds: Sequence[World], teams: pd.Series) -> pd.Index:
    """Return the player ids whose team agrees with `teams` (id → code) in every one of the worlds that lists them."""
    listed = pd.concat([world.tables["market"] for world in worlds]).sort_values("round", kind="stable")
    last = listed.drop_duplicates("player_id", keep="last").set_index("player_id")["team"]
    shared = last.index.intersection(teams.index)
    return shared[last.loc[shared].to_numpy() == teams.loc[shared].to_numpy()]


def with_known_status(market: pd.DataFrame, worlds: Sequence[World], coming: int) -> pd.DataFrame:
    """Fill the statuses of past rounds: as recorded then, otherwise playing, since today's would look ahead."""
    if not worlds:
        return market.assign(status=market["status"].fillna(Status.PLAYING.value))
    known = remembered(worlds, "market", coming)[["player_id", "round", "status"]]
    then = market[["player_id", "round"]].merge(known, "left", ["player_id", "round"])["status"]
    status = market["status"].where(market["status"].notna(), then.to_numpy())
    return market.assign(status=status.fillna(Status.PLAYING.value))


def with_known_odds(listed: pd.DataFrame, worlds: Sequence[World]) -> pd.DataFrame:
    """Return a season's matches (id, home_name, away_name, kickoff_time) with what the worlds know of odds and shots.

    Where two worlds differ the first is believed: they come from another source than the list of matches.
    """
    for world in reversed(worlds):
        odds = world.tables["fixtures"].set_index("match_id")[["odds_date", *PRICES]]
        shots = world.tables["results"].set_index(["date", "home_team", "away_team"])[SHOTS]
        day = listed["kickoff_time"].dt.tz_localize(None).dt.normalize()
        matches = pd.MultiIndex.from_arrays([day, listed["home_name"], listed["away_name"]])
        known = odds.reindex(listed["id"]).set_axis(listed.index)
        seen = shots[~shots.index.duplicated()].reindex(matches).set_axis(listed.index)
        figures = known.join(seen)
        filled = {name: figures[name].fillna(listed[name]) if name in listed else figures[name] for name in figures}
        listed = listed.assign(**filled)
    return listed


def first_wins(table: str, frames: Iterable[pd.DataFrame]) -> pd.DataFrame:
    """Join frames of one table, the first winning where a key stands in several, ordered by round and player."""
    rows = pd.concat(list(frames), ignore_index=True).drop_duplicates(KEYS[table])
    return rows.sort_values(["round", "player_id"], kind="stable", ignore_index=True)
