"""What a newcomer adds to the ladder of many squads at once, to the first order.

An armband that may move climbs kick-off by kick-off: it stays where a score beats what is still to come. A newcomer
counts with how much more he fetches at his own kick-off than who is there, times the chance that the armband comes
that far. So two men of one kick-off are one rung, which a sum over starters does not see.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.search.climbing.shelves import Spots
from models.armband.captaincy import by_kickoff, onward
from models.armband.table import ArmbandTable


@dataclass(frozen=True, slots=True, eq=False)
class Rungs:
    """Ladders as the shelves ask for them."""

    table: ArmbandTable
    copies: float  # how often a point of the armband counts

    def gains(self, spots: Spots, men: np.ndarray, place: np.ndarray) -> np.ndarray:
        """Return (b, s, m) what each man (4, m) of a column's shelf adds in its man's place; 0 on the bench."""
        squads, table = spots.squads, self.table
        ladder = _Ladder.of(table, squads[spots.starts].reshape(len(squads), -1))
        first, level = ladder.at(table.slot[men])  # (b, 4, m)
        fetched = table.expected_max(men, level)
        here = np.take_along_axis(ladder.before, first.reshape(len(squads), -1), axis=1).reshape(first.shape)
        reach = np.take_along_axis(ladder.reached, first.reshape(len(squads), -1), axis=1).reshape(first.shape)
        gain = reach * np.maximum(fetched - here, 0.0)
        start, without, chance, held = ladder.of_men(squads)  # (b, s)
        same = first[:, place] == start[:, :, None]
        same &= table.slot[men][place] == table.slot[squads][:, :, None]
        loss = chance * (held - without)
        swapped = chance[:, :, None] * (np.maximum(without[:, :, None], fetched[:, place]) - held[:, :, None])
        change = np.where(same, swapped, gain[:, place] - loss[:, :, None])
        return np.asarray(self.copies * change * spots.starts[:, :, None])


@dataclass(frozen=True, slots=True, eq=False)
class _Ladder:
    """The ladders of elevens, men in order of kick-off."""

    table: ArmbandTable
    rows: np.ndarray  # (b, k) player rows
    slot: np.ndarray  # (b, k)
    own: np.ndarray  # (b, k) what the armband fetches if it goes to a man when his kick-off comes
    before: np.ndarray  # (b, k + 1) what it is worth while this man and the later ones are to come
    reached: np.ndarray  # (b, k + 1) chance that it comes so far

    @classmethod
    def of(cls, table: ArmbandTable, elevens: np.ndarray) -> _Ladder:
        rows = by_kickoff(table, elevens)
        slot, level = table.slot[rows], np.maximum(onward(table, rows, "unlimited"), 0.0)
        own = table.expected_max(rows, level)
        before = np.maximum.accumulate(own[:, ::-1], axis=1)[:, ::-1]
        ladder = cls(table, rows, slot, own, np.column_stack([before, np.zeros(len(rows))]), np.empty(0))
        leads = own >= np.take_along_axis(ladder.before, ladder._first(slot), axis=1)
        offset = np.clip(level - table.grid[0], 0, table.grid.size - 1).astype(np.int64)
        moves = np.where(leads, table.cdf[rows, offset], 1.0)
        reached = np.column_stack([np.ones(len(rows)), np.cumprod(moves, axis=1)])
        return cls(table, rows, slot, own, ladder.before, reached)

    def at(self, slot: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return for kick-offs (4, m) of each eleven the first man not before them, and what comes after: (b, 4, m)."""
        every = np.arange(int(self.table.slot.max()) + 2)
        earlier = (self.slot[:, :, None] < every).sum(axis=1)  # (b, slots + 1)
        after = np.take_along_axis(self.before, earlier, axis=1)
        return earlier[:, slot], after[:, slot + 1]

    def of_men(self, squads: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Return (b, s) of each man: the first of his kick-off, its worth without him, its chance, and with him."""
        first = self._first(self.slot)
        mates = self.slot[:, :, None] == self.slot[:, None, :]
        mates &= ~np.eye(self.slot.shape[1], dtype=bool)
        second = np.where(mates, self.own[:, None, :], -np.inf).max(axis=2)
        later = (self.slot[:, :, None] >= self.slot[:, None, :]).sum(axis=2)
        without = np.maximum(second, np.take_along_axis(self.before, later, axis=1))
        held = np.take_along_axis(self.before, first, axis=1)
        chance = np.take_along_axis(self.reached, first, axis=1)
        column = (squads[:, :, None] == self.rows[:, None, :]).argmax(axis=2)
        return tuple(  # type: ignore[return-value]
            np.take_along_axis(part, column, axis=1) for part in (first, without, chance, held)
        )

    def _first(self, slot: np.ndarray) -> np.ndarray:
        """Return (b, k) the first column of each man's kick-off."""
        return np.asarray((self.slot[:, None, :] < slot[:, :, None]).sum(axis=2))
