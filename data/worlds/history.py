"""What a season leaves to the next: its player-matches and results, by the code that a player keeps over the years."""

from __future__ import annotations

import pandas as pd

from data.schema import PAST_COUNTS, PAST_MATCHES
from data.worlds.world import World

COUNTED_SOMETIMES = ("defensive_contributions", "tackles")
"""Counts that a season either has or records as 0 throughout: then nothing is known of them."""


def left_behind(world: World) -> dict[str, pd.DataFrame]:
    """Return the tables that a later season may look back on: everything before this season, and this season."""
    past = pd.concat([world.tables["past_matches"], _season_matches(world)], ignore_index=True)
    return {"past_matches": past, "results": world.tables["results"]}


def before(history: dict[str, pd.DataFrame], day: pd.Timestamp) -> dict[str, pd.DataFrame]:
    """Return the tables of `left_behind` up to the eve of a day, such as that of a season's first deadline."""
    return {name: frame[frame["date"] < day] for name, frame in history.items()}


def _season_matches(world: World) -> pd.DataFrame:
    """Return the season's own player-matches in the columns of the past; who has no code cannot be found again."""
    tables = world.tables
    rows = tables["events"].merge(tables["players"][["player_id", "code"]].dropna(), on="player_id")
    played = tables["appearances"][["player_id", "match_id", "started"]]
    state = tables["market"][["player_id", "round", "status", "chance"]]
    rows = rows.merge(played, "left", ["player_id", "match_id"]).merge(state, "left", ["player_id", "round"])
    kickoff = tables["fixtures"].set_index("match_id")["kickoff"]
    spelt = tables["teams"].set_index("code")["results_name"]
    counted = {name: rows[name] if rows[name].any() else pd.NA for name in COUNTED_SOMETIMES}
    past = rows.assign(
        season=int(tables["rounds"]["deadline"].min().year),
        date=rows["match_id"].map(kickoff).dt.tz_localize(None).dt.normalize(),
        team=rows["team"].map(spelt),
        status=rows["status"].fillna(""),
        started=rows["started"].eq(True),
        **counted,
    )
    return past[PAST_MATCHES.column_names].dropna(subset=["team", *PAST_COUNTS], ignore_index=True)
