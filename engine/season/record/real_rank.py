"""Real rank: the place among all managers that a total would have had, read off the places of real managers.

Between two totals on record the logarithm of the place is interpolated by a monotone curve. How wrong that is, is known
from the record itself: every knot is predicted from the others. Beyond the record nothing is claimed.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy.interpolate import PchipInterpolator

from data.errors import InputError
from data.worlds.world import World

FEWEST = 8
"""Totals on record below which no curve is drawn."""

WIDE = 1.96
"""Standard errors on either side of a 95 % interval."""


@dataclass(frozen=True, slots=True)
class RealRank:
    """A place among all managers, with what interpolation leaves open; `beyond` where the record ends before it."""

    rank: int
    low: int
    high: int
    beyond: str = ""  # "better" or "worse" than everybody on record, whose place then stands in `rank`

    def __str__(self) -> str:
        if self.beyond:
            return f"{self.beyond} than rank {self.rank:,}, the last on record"
        return f"rank {self.rank:,} ({self.low:,} to {self.high:,})"


@dataclass(frozen=True, eq=False)
class RankCurve:
    """Places by total after one round: totals rise, places fall."""

    totals: np.ndarray  # (k,) points, rising
    log_rank: np.ndarray  # (k,) falling
    error: float  # standard error of an interpolated log-place

    @classmethod
    def after(cls, world: World, round_number: int) -> RankCurve:
        """Return the curve after a round; a world that knows no managers of it is an error."""
        table = world.tables["overall_ranks"]
        rows = table[table["round"] == round_number].sort_values("total_points")
        if len(rows) < FEWEST:
            raise InputError(
                f"{world.title} has {len(rows)} real managers on record after round {round_number}; {FEWEST} are "
                "needed for a place. Import the season with --managers."
            )
        totals, ranks = _falling(rows)
        return cls(totals, np.log(ranks), _error_of(totals, np.log(ranks)))

    def total_of(self, rank: int) -> float:
        """Return the total that a place had, by straight lines between those on record; NaN beyond them."""
        place, known = np.log(rank), self.log_rank[::-1]
        return float(np.interp(place, known, self.totals[::-1], left=np.nan, right=np.nan))

    def place(self, total: float) -> RealRank:
        """Return the place of a total."""
        for end, word in ((-1, "better"), (0, "worse")):
            outside = total > self.totals[-1] if end else total < self.totals[0]
            if outside:
                last = round(float(np.exp(self.log_rank[end])))
                return RealRank(last, last, last, word)
        middle = float(PchipInterpolator(self.totals, self.log_rank)(total))
        low, high = (max(1, round(float(np.exp(middle + side * WIDE * self.error)))) for side in (-1, 1))
        return RealRank(max(1, round(float(np.exp(middle)))), low, high)


def _falling(rows: pd.DataFrame) -> tuple[np.ndarray, np.ndarray]:
    """Return totals and places such that more points are never a worse place: a later, better total wins a tie."""
    totals, ranks = rows["total_points"].to_numpy(dtype=float), rows["overall_rank"].to_numpy(dtype=float)
    best = np.minimum.accumulate(ranks)
    keep = np.append(np.diff(best) < 0, True)  # of equal places the highest total
    return totals[keep], best[keep]


def _error_of(totals: np.ndarray, log_rank: np.ndarray) -> float:
    """Return the standard error of knots that are predicted from the others, the two ends aside."""
    missed = []
    for left_out in range(1, len(totals) - 1):
        rest = np.arange(len(totals)) != left_out
        missed.append(float(PchipInterpolator(totals[rest], log_rank[rest])(totals[left_out]) - log_rank[left_out]))
    return float(np.sqrt(np.mean(np.square(missed)))) if missed else 0.0
