"""The calendar as it was announced: doubles and blanks of a league are not known earlier than their matches were moved.

A season that is over tells where every match ended up. Whoever plans in it from an early deadline would see doubles
that nobody knew of then. The matches of a league are numbered in the order they were first set, so the number tells
the round a match was moved from.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd

from data.errors import InputError
from data.worlds.snapshot import Snapshot

KNOWN_AHEAD = 4
"""Rounds before it that a double or a blank is known: most are told three to five weeks before (an assumption)."""


def as_announced(snapshot: Snapshot, known_ahead: int = KNOWN_AHEAD) -> Snapshot:
    """Return the snapshot with every moved match where it was believed to be at the deadline.

    In its new round once that is at most `known_ahead` rounds away; else in the one it was first set for; and in none
    where that is near enough for the blank to be known and the new date is not. Where matches have no such numbers,
    as in a tournament, nothing changes.
    """
    if known_ahead < 0:
        raise InputError(f"A double cannot be known {known_ahead} rounds before. Give 0 or more.")
    fixtures = snapshot.fixtures
    first_set = first_rounds(fixtures, len(snapshot.teams))
    if first_set is None:
        return snapshot
    number, last_known = fixtures["round"].to_numpy(), snapshot.round + known_ahead
    hidden = (first_set != number) & (number > last_known)
    believed = np.where(hidden, first_set, number)
    return replace(snapshot, fixtures=_moved(fixtures, believed, ~hidden | (first_set > last_known)))


def first_rounds(fixtures: pd.DataFrame, teams: int) -> np.ndarray | None:
    """Return (m,) the round each match of a double round robin was first set for; None where numbers do not tell."""
    whole = teams * (teams - 1)
    numbers = np.sort(fixtures["match_id"].to_numpy(dtype=int))
    if not whole or not np.array_equal(numbers, np.arange(1, whole + 1)):
        return None
    return np.asarray((fixtures["match_id"].to_numpy(dtype=int) - 1) // (teams // 2) + 1)


def _moved(fixtures: pd.DataFrame, believed: np.ndarray, shown: np.ndarray) -> pd.DataFrame:
    """Return the fixtures that are shown, in the rounds they are believed to be and at the time those begin."""
    elsewhere = fixtures["round"].to_numpy() != believed
    begins = fixtures[~elsewhere].groupby("round")["kickoff"].min()
    kickoff = fixtures["kickoff"].where(~elsewhere, pd.Series(believed).map(begins).fillna(fixtures["kickoff"]))
    moved = fixtures.assign(round=pd.array(believed, dtype=fixtures["round"].dtype), kickoff=kickoff)
    return moved[shown].sort_values(["kickoff", "match_id"], ignore_index=True)
