"""The best trade-offs between score and cost, kept as candidates come in instead of being swept anew.

The rule is that of a sorted sweep: order all points by score (highest first), then cost (lowest first), then arrival;
keep a point while its cost is at most the lowest so far. So a point is dropped exactly when another has at least its
score and a strictly lower cost. Equal costs are kept whatever their score, equal points are all kept, and of equal
scores only the cheapest. Being dropped is transitive, hence what was dropped once never comes back and never matters
again: new points are compared with the frontier alone, by binary search, since neither score nor cost rises along it.

Where all costs are equal (a new squad changes nobody) every point is kept, as the rule has it. So an update must stay
cheap for a frontier as long as the population: it copies, but never sorts, what it already has.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from data.errors import InputError


def _none(dtype: type[np.generic]) -> np.ndarray:
    return np.empty(0, dtype=dtype)


@dataclass(frozen=True, slots=True, eq=False)
class Frontier:
    """Points that no other point drops, the highest score first: row i of every array is point i."""

    rows: np.ndarray = field(default_factory=lambda: _none(np.int32))  # (f,) whatever number the owner gave the point
    loss: np.ndarray = field(default_factory=lambda: _none(np.float64))  # (f,) score with its sign turned; never falls
    gain: np.ndarray = field(default_factory=lambda: _none(np.float64))  # (f,) cost with its sign turned; never falls

    def __len__(self) -> int:
        return len(self.rows)

    def extended(self, rows: np.ndarray, score: np.ndarray, cost: np.ndarray) -> Frontier:
        """Return the frontier of these points and all earlier ones; the points come in order of arrival."""
        if not (np.isfinite(score).all() and np.isfinite(cost).all()):
            raise InputError("A score or cost of a new point is not finite, so it cannot be put in order.")
        new = _swept(rows, -score, -cost)
        new = new._at(~self._drops(new))
        old = self._at(~self._dropped_by(new))
        return old._merged(new)

    def _drops(self, new: Frontier) -> np.ndarray:
        """(f of new,) whether a point here has at least the score and a strictly lower cost."""
        rivals = np.searchsorted(self.loss, new.loss, side="right")  # points here of at least that score
        beaten = rivals > 0
        beaten[beaten] = self.gain[rivals[beaten] - 1] > new.gain[beaten]  # the last of the rivals is the cheapest
        return np.asarray(beaten)

    def _dropped_by(self, new: Frontier) -> np.ndarray:
        """(f,) whether a new point drops the one here: those between its score and its cost, one stretch for each."""
        first = np.searchsorted(self.loss, new.loss, side="left")
        last = np.searchsorted(self.gain, new.gain, side="left")
        hit = first < last
        if not hit.any():
            return np.zeros(len(self), dtype=bool)
        edges = np.zeros(len(self) + 1, dtype=np.int32)
        np.add.at(edges, first[hit], 1)
        np.add.at(edges, last[hit], -1)
        return np.asarray(edges[:-1].cumsum() > 0)

    def _merged(self, new: Frontier) -> Frontier:
        """Put in new points; equal scores have equal costs by now, so the later arrival stands behind the earlier."""
        place = np.searchsorted(self.loss, new.loss, side="right")
        return Frontier(
            np.insert(self.rows, place, new.rows),
            np.insert(self.loss, place, new.loss),
            np.insert(self.gain, place, new.gain),
        )

    def _at(self, keep: np.ndarray) -> Frontier:
        return self if keep.all() else Frontier(self.rows[keep], self.loss[keep], self.gain[keep])


def _swept(rows: np.ndarray, loss: np.ndarray, gain: np.ndarray) -> Frontier:
    """Return the frontier of some points alone, by the sorted sweep."""
    order = np.lexsort((-gain, loss))  # stable, so of equal points the earlier stays first
    ordered = gain[order]
    kept = order[ordered >= np.maximum.accumulate(ordered)]
    return Frontier(rows[kept].astype(np.int32), loss[kept], gain[kept])
