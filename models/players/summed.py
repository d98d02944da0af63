"""Matches known by their sum alone: what a feed tells of gameweeks whose counts it does not show one by one."""

from __future__ import annotations

import numpy as np
import pandas as pd

from data.schema import EVENT_COUNTS
from data.worlds.snapshot import Snapshot


def seen_events(snapshot: Snapshot) -> pd.DataFrame:
    """Return every count of the season with its `kickoff`, matches known by their sum as one row amid their dates."""
    kickoff = snapshot.fixtures.set_index("match_id")["kickoff"]
    events = snapshot.events.assign(kickoff=snapshot.events["match_id"].map(kickoff))
    if snapshot.totals.empty:
        return events
    played = snapshot.fixtures[snapshot.fixtures["round"] < snapshot.round]
    unseen = played.loc[~played["match_id"].isin(events["match_id"]), "kickoff"]
    amid = unseen.mean() if len(unseen) else pd.Timestamp(snapshot.deadline)
    summed = snapshot.totals.reindex(columns=events.columns).assign(kickoff=amid)
    summed[list(EVENT_COUNTS)] = summed[list(EVENT_COUNTS)].fillna(0)
    return pd.concat([events, summed], ignore_index=True)


def summed_starts(snapshot: Snapshot, matches: pd.DataFrame) -> tuple[np.ndarray, np.ndarray]:
    """Return per player the weight of his team's `matches` that are known by their sum, and of those he started."""
    totals = snapshot.totals.set_index("player_id").reindex(snapshot.players["player_id"])
    weight = snapshot.players["team"].map(matches.groupby("team")["weight"].sum()).fillna(0.0).to_numpy(dtype=float)
    started = totals["starts"].fillna(totals["minutes"] / 90)
    share = (started / totals["matches"].astype(float)).clip(0.0, 1.0).to_numpy(dtype=float)
    known = ~np.isnan(share)
    return np.where(known, weight, 0.0), np.where(known, weight * np.nan_to_num(share), 0.0)
