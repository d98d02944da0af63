"""Shares of a club's goals and assists: a prior by position and price, moved by what a player did over the years.

How fast, and how much expected goals count beside goals, is fitted on whole seasons by `thetaxi fit-lines` and shipped
as `shares.csv`.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd

from data.domain import POSITIONS
from data.worlds.snapshot import Snapshot
from models.players.minutes.playing_time import position_codes
from models.players.shares.own_matches import OwnMatches

KINDS = ("goal", "assist")
PARAMETERS = ("weight", "prior", "price", "expected", "credit")
"""Of a kind and a position: the prior's weight in goals of the team, the prior share, the exponent of price over the
reference price, the share of expected goals in the evidence, and what the game counts per one that is seen."""

REFERENCE_PRICE = np.array([4.5, 4.5, 6.0, 6.5])
SHARES = Path(__file__).with_name("shares.csv")

ORDERED = {"goal": ("penalty_order", (1.0, 1.0, 1.4, 1.0)), "assist": ("corner_order", (1.0, 1.5, 1.0, 1.5))}
"""Factor by position on the prior of the first taker of penalties and of corners: of a forward's penalties and a
midfielder's corners price and record tell already."""


@dataclass(frozen=True, slots=True, eq=False)
class ShareEvidence:
    """What shares are made of: row i of every array is player i."""

    position: np.ndarray
    price: np.ndarray  # over the reference price
    first: np.ndarray  # (n, kinds) factor of who is first in the order
    scored: np.ndarray  # (n, kinds) faded goals and assists
    expected: np.ndarray  # (n, kinds)
    team_goals: np.ndarray  # faded goals that his team could expect while he was on

    @classmethod
    def of(cls, snapshot: Snapshot) -> ShareEvidence:
        """Return what is known of the snapshot's players."""
        players, seen = snapshot.players, OwnMatches.of(snapshot)
        position = position_codes(players)
        return cls(
            position=position,
            price=players["price"].to_numpy(dtype=float) / REFERENCE_PRICE[position],
            first=np.stack([_first_factor(players, position, *ORDERED[kind]) for kind in KINDS], axis=1),
            scored=np.stack([seen.faded(seen.scored[kind]) for kind in KINDS], axis=1),
            expected=np.stack([seen.faded(seen.expected[kind]) for kind in KINDS], axis=1),
            team_goals=seen.faded(seen.team_goals * seen.minutes),
        )

    def take(self, rows: np.ndarray) -> ShareEvidence:
        """Return that of the players in these rows."""
        return ShareEvidence(*(getattr(self, field.name)[rows] for field in fields(self)))

    def share(self, kind: str, parameters: np.ndarray) -> np.ndarray:
        """(n,) share of the team's goals of 90 minutes, by parameters (n, PARAMETERS)."""
        weight, prior, price, expected, credit = parameters.T
        column = KINDS.index(kind)
        start = prior * self.price**price * self.first[:, column]
        seen = credit * (expected * self.expected[:, column] + (1 - expected) * self.scored[:, column])
        return np.asarray((weight * start + seen) / (weight + self.team_goals))


@dataclass(frozen=True, slots=True, eq=False)
class ShareWeights:
    """PARAMETERS (positions, parameters) of each kind."""

    goal: np.ndarray
    assist: np.ndarray

    def table(self) -> pd.DataFrame:
        """Return the parameters as `shares.csv` has them."""
        parts = [
            pd.DataFrame(getattr(self, kind), columns=list(PARAMETERS)).assign(kind=kind, position=list(POSITIONS))
            for kind in KINDS
        ]
        return pd.concat(parts).set_index(["kind", "position"])


@cache
def shipped_shares() -> ShareWeights:
    """Return the parameters that come with the project."""
    table = pd.read_csv(SHARES, index_col=["kind", "position"])[list(PARAMETERS)]
    return ShareWeights(*(table.loc[kind].loc[list(POSITIONS)].to_numpy(dtype=float) for kind in KINDS))


def _first_factor(players: pd.DataFrame, position: np.ndarray, order: str, factors: tuple[float, ...]) -> np.ndarray:
    first = players[order].eq(1).fillna(False).to_numpy(dtype=bool)
    return np.where(first, np.array(factors)[position], 1.0)
