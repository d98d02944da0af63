"""Shadow prices: what each scarce thing of a plan is worth, from the duals of a relaxation."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.plan.linear.pricing.relaxation import Relaxation, RoundRows


@dataclass(frozen=True, slots=True, eq=False)
class RoundPrices:
    """What one more of each thing would bring in a round, in points. Any numbers give a valid bound, if signs hold."""

    shape: np.ndarray  # (4,) a place of a position
    caps: np.ndarray  # (teams,) a place of a team, ≥ 0
    money: float  # a million, ≥ 0
    lines: np.ndarray  # (4,) a starter of a position
    levels: np.ndarray  # a place on the bench, in order, but the last
    captain: float
    outside: float
    transfer: float  # one more transfer, ≥ 0


@dataclass(frozen=True, slots=True, eq=False)
class Prices:
    """The prices of every round."""

    rounds: tuple[RoundPrices, ...]
    in_all: float  # one more transfer over all rounds, ≥ 0


def prices_of(relaxation: Relaxation, duals: np.ndarray) -> Prices:
    """Return the prices that a solved relaxation gives."""
    padded = np.append(duals, 0.0)  # a row that is not there costs nothing
    return Prices(tuple(_round(rows, padded) for rows in relaxation.rows), max(0.0, float(padded[relaxation.in_all])))


def _round(rows: RoundRows, duals: np.ndarray) -> RoundPrices:
    return RoundPrices(
        shape=duals[rows.shape],
        caps=np.maximum(duals[rows.caps], 0.0),
        money=max(0.0, float(duals[rows.money])),
        lines=duals[rows.lines],
        levels=duals[np.array(rows.levels, dtype=np.int64)],
        captain=float(duals[rows.captain]),
        outside=float(duals[rows.outside]),
        transfer=max(0.0, float(duals[rows.bought])),
    )
