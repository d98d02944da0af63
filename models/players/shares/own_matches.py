"""Every match of a player on record, of this season and those before it: what he did while his team did so much."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from data.worlds.snapshot import Snapshot
from models.teams.past_matches import expected_goals

COUNTS = ["minutes", "goals", "assists", "expected_goals", "expected_assists"]
FADING = 0.985
"""Weight of a match played against the next one that he played."""


@dataclass(frozen=True, slots=True, eq=False)
class OwnMatches:
    """Matches in which the snapshot's players were on, in order of player and date."""

    size: int  # players
    row: np.ndarray  # (k,) whose match it was
    minutes: np.ndarray  # (k,) share of 90 minutes
    scored: dict[str, np.ndarray]  # goals and assists (k,)
    expected: dict[str, np.ndarray]  # the same as expected; what was counted where that is not on record
    team_goals: np.ndarray  # (k,) expected goals of his team in the whole match

    @classmethod
    def of(cls, snapshot: Snapshot) -> OwnMatches:
        """Return what is on record before a deadline."""
        matches = pd.concat([_past(snapshot), _present(snapshot)], ignore_index=True)
        matches = matches.merge(_team_goals(snapshot.results), "left", ["date", "team"])
        matches = matches[matches["minutes"] > 0].sort_values(["row", "date"], kind="stable")
        goals, assists = (matches[name].to_numpy(dtype=float) for name in ("goals", "assists"))
        return cls(
            size=len(snapshot.players),
            row=matches["row"].to_numpy(dtype=int),
            minutes=matches["minutes"].to_numpy(dtype=float) / 90,
            scored={"goal": goals, "assist": assists},
            expected={
                "goal": _told(matches["expected_goals"], goals),
                "assist": _told(matches["expected_assists"], assists),
            },
            team_goals=matches["team_goals"].fillna(0.0).to_numpy(dtype=float),
        )

    def faded(self, values: np.ndarray) -> np.ndarray:
        """(n,) sum of a figure over each player's matches, the latest counting most."""
        total = np.bincount(self.row, minlength=self.size)
        turn = np.arange(len(self.row)) - np.searchsorted(self.row, self.row)
        return np.bincount(self.row, FADING ** (total[self.row] - 1 - turn) * values, self.size)


def _told(expected: pd.Series, counted: np.ndarray) -> np.ndarray:
    told = expected.to_numpy(dtype=float, na_value=np.nan)
    return np.where(np.isnan(told), counted, told)


def _past(snapshot: Snapshot) -> pd.DataFrame:
    players = snapshot.players
    row_of = pd.Series(np.arange(len(players)), index=players["code"])
    row_of = row_of[row_of.index.notna() & ~row_of.index.duplicated()]
    past = snapshot.past_matches
    past = past[(past["minutes"] > 0) & past["code"].isin(row_of.index)]
    return past[["date", "team", *COUNTS]].assign(row=past["code"].map(row_of).astype(int))


def _present(snapshot: Snapshot) -> pd.DataFrame:
    players, teams = snapshot.players, snapshot.teams
    row_of = pd.Series(np.arange(len(players)), index=players["player_id"])
    events = snapshot.events[snapshot.events["player_id"].isin(row_of.index)]
    kickoff = events["match_id"].map(snapshot.fixtures.set_index("match_id")["kickoff"])
    playing_for = events["team"].where(events["team"].ne(""), events["player_id"].map(_team_of(players)))
    return events[COUNTS].assign(
        date=kickoff.dt.tz_localize(None).dt.normalize(),
        team=playing_for.map(teams.set_index("code")["results_name"]),
        row=events["player_id"].map(row_of).astype(int),
    )


def _team_of(players: pd.DataFrame) -> pd.Series:
    return players.set_index("player_id")["team"]


def _team_goals(results: pd.DataFrame) -> pd.DataFrame:
    """Return date, team and its expected goals of every result, by shots or goals where these are not on record."""
    sides = [
        pd.DataFrame(
            {
                "date": results["date"],
                "team": results[f"{side}_team"],
                "team_goals": _told(
                    pd.Series(expected_goals(results, side)), results[f"{side}_score"].to_numpy(dtype=float)
                ),
            }
        )
        for side in ("home", "away")
    ]
    return pd.concat(sides, ignore_index=True).drop_duplicates(["date", "team"])
