"""What each player did of late in a league: minutes, appearances and starts in the matches he could have played in.

A match counts when he was fit at its deadline or played all the same: who was injured was not left out. Each counted
match weighs less than the one after it, and a new season takes most of what the old ones told.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from data.domain import Status
from data.worlds.snapshot import Snapshot

LIKELY = 75  # percent: who is told to be this likely to play counts as fit
NEW_SEASON = 0.35
"""What a season weighs against the same match of the season after it."""


@dataclass(frozen=True, slots=True, eq=False)
class RecentMatches:
    """The matches of the snapshot's players, in order of player and date."""

    size: int  # players
    row: np.ndarray  # (k,) whose match it was
    seasons_ago: np.ndarray  # (k,) 0 for this season
    minutes: np.ndarray  # (k,)
    started: np.ndarray  # (k,) 0 or 1
    counted: np.ndarray  # (k,) whether he was fit or played

    @classmethod
    def of(cls, snapshot: Snapshot) -> RecentMatches:
        """Return what is on record of this season and those before it."""
        matches = pd.concat([_past(snapshot), _present(snapshot)], ignore_index=True)
        matches = matches.sort_values(["row", "date"], kind="stable")
        played = matches["minutes"].to_numpy(dtype=float)
        return cls(
            size=len(snapshot.players),
            row=matches["row"].to_numpy(dtype=int),
            seasons_ago=matches["seasons_ago"].to_numpy(dtype=int),
            minutes=played,
            started=matches["started"].to_numpy(dtype=float),
            counted=fit(matches["status"], matches["chance"]) | (played > 0),
        )

    def weights(self, decay: float) -> np.ndarray:
        """(k,) weight of each match: 0 where it does not count."""
        so_far = np.cumsum(self.counted)
        total = np.zeros(self.size)
        total[self.row] = so_far  # the last of a player wins
        age = total[self.row] - so_far
        return np.asarray(self.counted * NEW_SEASON**self.seasons_ago * decay**age)

    def sums(self, values: np.ndarray, decay: float) -> np.ndarray:
        """(n,) weighted sum of a figure over each player's matches."""
        return np.bincount(self.row, self.weights(decay) * values, self.size)

    @property
    def last_minutes(self) -> np.ndarray:
        """(n,) minutes in his last match, fit for it or not; 0 without any."""
        last = np.zeros(self.size)
        last[self.row] = self.minutes  # the last of a player wins
        return last

    @property
    def left_out(self) -> np.ndarray:
        """(n,) matches of this season without a minute, in a row up to the last; 0 where he was unfit for that."""
        now = self.seasons_ago == 0
        number = np.arange(len(self.row))
        last = np.full(self.size, -1)
        last[self.row[now]] = number[now]
        seen = np.full(self.size, -1)
        first = np.full(self.size, len(self.row))
        np.minimum.at(first, self.row[now], number[now])
        on = now & (self.minutes > 0)
        seen[self.row[on]] = number[on]
        streak = np.where(last >= 0, last - np.maximum(seen, first - 1), 0)
        fit_then = np.zeros(self.size, dtype=bool)
        fit_then[self.row[now]] = self.counted[now]
        return np.where(fit_then, streak, 0).astype(float)


def fit(status: pd.Series, chance: pd.Series) -> np.ndarray:
    """Return who could play as far as the game told: fit, or doubtful and likely to; nothing told is fit."""
    told = chance.to_numpy(dtype=float, na_value=np.nan)
    likely = status.eq(Status.DOUBTFUL).to_numpy() & (told >= LIKELY)
    return np.asarray(status.isin([Status.PLAYING, ""]).to_numpy() | likely)


def _past(snapshot: Snapshot) -> pd.DataFrame:
    players = snapshot.players
    row_of = pd.Series(np.arange(len(players)), index=players["code"])
    row_of = row_of[row_of.index.notna() & ~row_of.index.duplicated()]
    past = snapshot.past_matches
    past = past[past["code"].isin(row_of.index)]
    return past[["date", "minutes", "started", "status", "chance"]].assign(
        row=past["code"].map(row_of).astype(int), seasons_ago=season_of(snapshot) - past["season"].astype(int)
    )


def season_of(snapshot: Snapshot) -> int:
    """Return the year in which the season began."""
    return int(snapshot.fixtures["kickoff"].min().year)


def _present(snapshot: Snapshot) -> pd.DataFrame:
    """Return each player's matches of this season whose line-ups are on record, those without a minute too."""
    players = snapshot.players[["player_id", "team"]].assign(row=np.arange(len(snapshot.players)))
    state = snapshot.market[["player_id", "round", "team", "status", "chance"]]
    told = state.merge(players[["player_id", "row"]], on="player_id")
    untold = players.merge(pd.DataFrame({"round": _rounds_without(snapshot, state)}), "cross")
    listed = pd.concat([told, untold.assign(status="", chance=pd.NA)], ignore_index=True)
    matches = listed.merge(_line_ups(snapshot), on=["round", "team"])
    played = snapshot.appearances[["player_id", "match_id", "minutes", "started"]]
    matches = matches.merge(played, "left", ["player_id", "match_id"])
    return pd.DataFrame(
        {
            "date": matches["kickoff"].dt.tz_localize(None),
            "minutes": matches["minutes"].fillna(0),
            "started": matches["started"].eq(True),
            "status": matches["status"],
            "chance": matches["chance"],
            "row": matches["row"],
            "seasons_ago": 0,
        }
    )


def _rounds_without(snapshot: Snapshot, state: pd.DataFrame) -> list[int]:
    """Return the earlier rounds of which no state of the players is on record."""
    earlier = set(snapshot.appearances["round"])
    return sorted(earlier - set(state["round"]))


def _line_ups(snapshot: Snapshot) -> pd.DataFrame:
    """Return round, team, match_id and kickoff of every side of a match whose line-up is on record."""
    known = snapshot.fixtures[snapshot.fixtures["match_id"].isin(snapshot.appearances["match_id"])]
    columns = ["round", "match_id", "kickoff"]
    return pd.concat([known[[*columns, side]].rename(columns={side: "team"}) for side in ("home", "away")])
