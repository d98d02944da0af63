"""Notes on a round's signals: what a manager should know of what they rest on, in sentences."""

from __future__ import annotations

import numpy as np
import pandas as pd

from data.domain import Status
from data.worlds.snapshot import Snapshot
from models.forecast import TeamForecast
from models.players.minutes.playing_time import OUT_FOR_NOW
from models.players.places import Places
from models.players.scorers import ScorerMatches

NAMED = 12
"""Players a note names at most."""


def round_notes(snapshot: Snapshot, forecast: TeamForecast, place: Places, scorers: ScorerMatches) -> tuple[str, ...]:
    """Return what differs, what is missing and what stands in for it in a round, as sentences."""
    notes = [f"The game's own rules differ from the rulebook: {told}." for told in snapshot.differences["told"]]
    ratings = forecast.strengths.ratings
    unseen = np.array(ratings.teams)[ratings.matches == 0]
    if len(unseen):
        notes.append(f"No result of {', '.join(unseen)} is known: judged by what the squad costs.")
    if priced := int(forecast.priced.sum()):
        notes.append(f"Bookmakers' odds are part of the expected goals of {priced} matches of this round.")
    plays = snapshot.teams["code"].isin(snapshot.players["team"][place.matches > 0])
    idle, busy = snapshot.teams["code"][~plays], snapshot.teams["code"][plays]
    if len(idle) > len(busy) > 0:
        notes.append(f"Only {', '.join(busy)} play in round {snapshot.round}: all others are expected to score 0.")
    elif len(idle):
        notes.append(f"No match in round {snapshot.round}: {', '.join(idle)}. Their players are expected to score 0.")
    ruled_out = snapshot.players[snapshot.players["status"].isin(OUT_FOR_NOW) & (place.matches > 0)]
    if len(ruled_out):
        notes.append(f"{_out_words(ruled_out)}, so hardly expected to start: {_best_owned(ruled_out)}.")
    possible = scorers.unmatched[scorers.unmatched["possible"]]
    if len(possible):
        names = ", ".join(possible["scorer"].head(5))
        notes.append(
            f"Goals of {len(possible)} past scorers fit nobody or several players and count for none: {names}."
        )
    return tuple(notes)


def _out_words(players: pd.DataFrame) -> str:
    away = (players["status"] == Status.ABSENT).any()
    return "Injured, suspended or absent" if away else "Injured or suspended"


def _best_owned(players: pd.DataFrame) -> str:
    """Return the names, in a long list only of those that most managers miss."""
    if len(players) <= NAMED:
        return ", ".join(players["name"])
    best = players.nlargest(NAMED, "owned", keep="first")
    return f"{', '.join(best['name'])} and {len(players) - NAMED} others"


def stuck_notes(snapshot: Snapshot, stuck: np.ndarray | None) -> tuple[str, ...]:
    """Return whose own projection was not used, as a sentence; `stuck` (n,) says where."""
    if stuck is None or not stuck.any():
        return ()
    names = ", ".join(snapshot.players["name"][stuck])
    return (f"Your xEV was not used, because no match makes it possible: {names}.",)
