"""The armband of one eleven as a rule to follow: who starts with it, when to keep it, where it moves next."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from models.armband.captaincy import Setting, best_armbands, by_kickoff, held_value, onward, worn
from models.armband.table import ROUNDING, ArmbandTable, Floats, Ints


@dataclass(frozen=True, slots=True, kw_only=True)
class Rung:
    """One wearer of the armband, and what to do once his match is over."""

    player: int  # table row
    slot: int  # the slot after which the decision falls
    onward: float  # points a move would be worth, net of the forfeit if it is the first; −inf: nobody is left
    keep_from: int | None  # keep him at this score or more; None: keep him whatever he scores
    move_to: int | None  # table row of the next wearer below that score


@dataclass(frozen=True, slots=True, kw_only=True)
class Ladder:
    """The best armband plan of one eleven and what it is worth."""

    setting: Setting
    value: float  # points the armband adds, net: the uplift over no captain
    held: float  # what captain and vice would add if the armband never moved
    forfeit: float  # points of auto-subs the first change gives up
    p_absent: float  # probability that the captain does not play
    captain: Rung  # the lock pick: wears it from the deadline
    vice: Rung  # the rule if the captain did not play: the vice's score is kept, or the first change is made
    later: tuple[Rung, ...]  # men the armband can move to, in order of kick-off


def best_ladder(
    table: ArmbandTable,
    eleven: npt.ArrayLike,
    setting: Setting,
    *,
    forfeit: float = 0.0,
    wearers: tuple[int, int, float] | None = None,
) -> Ladder:
    """Return the best plan of one eleven.

    `wearers` holds the captain and the vice, player rows of the eleven, with what the plan is worth under them.
    """
    rows = by_kickoff(table, np.asarray(eleven)[None])
    best = best_armbands(table, rows, setting, forfeit)
    captain, vice, value = wearers or (int(best.captain[0]), int(best.vice[0]), float(best.value[0]))
    road = _Road.of(table, rows, setting)
    start, settled = table.slot[captain], max(table.slot[captain], table.slot[vice])
    first = _rung(road, captain, int(start), forfeit, _lowest_on_the_pitch(table, captain))
    cover = _rung(road, vice, int(settled), forfeit, _lowest(table, vice))
    return Ladder(
        setting=setting,
        value=value,
        held=held_value(table, captain, vice),
        forfeit=forfeit,
        p_absent=float(table.absent[captain]),
        captain=first,
        vice=cover,
        later=_later(table, road, _first_moves(table, first, cover)),
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Road:
    """The eleven in order of kick-off, with what an armband moved to each man is worth."""

    rows: Ints  # (k,)
    slots: Ints  # (k,)
    worth: Floats  # (k,)
    setting: Setting

    @classmethod
    def of(cls, table: ArmbandTable, rows: Ints, setting: Setting) -> _Road:
        worth = worn(table, rows, onward(table, rows, setting), setting)
        return cls(rows[0], table.slot[rows[0]], worth[0], setting)

    def after_a_change(self) -> _Road:
        """Return what is left of the road: nothing where one switch is all there is."""
        return self if self.setting == "unlimited" else replace(self, setting="locked")

    def after(self, slot: int) -> tuple[float, int | None]:
        """Return the worth of moving on after a slot, and to whom.

        Of equals the latest: an earlier man who ties with him never beats him, the stop would be for nothing.
        """
        ahead = self.slots > slot
        if self.setting == "locked" or not ahead.any():
            return -math.inf, None
        best = float(self.worth[ahead].max())
        latest = np.flatnonzero(ahead & (self.worth >= best - ROUNDING))[-1]
        return best, int(self.rows[latest])


def _rung(road: _Road, player: int, slot: int, charge: float, lowest: int) -> Rung:
    """Return the rule after a slot; `lowest` is the least the player may have scored by then."""
    worth, target = road.after(slot)
    level = worth - charge
    if level <= lowest + ROUNDING:
        return Rung(player=player, slot=slot, onward=level, keep_from=None, move_to=None)
    return Rung(player=player, slot=slot, onward=level, keep_from=math.ceil(level - ROUNDING), move_to=target)


def _first_moves(table: ArmbandTable, captain: Rung, vice: Rung) -> set[int]:
    """Return the rows a first change can lead to."""
    absent = table.absent[captain.player] > ROUNDING
    return {row for row in (captain.move_to, vice.move_to if absent else None) if row is not None}


def _later(table: ArmbandTable, road: _Road, first_moves: set[int]) -> tuple[Rung, ...]:
    """Return every rung a change can lead to, in order of kick-off."""
    rungs: dict[int, Rung] = {}
    reached, left = set(first_moves), road.after_a_change()
    while reached:
        player = reached.pop()
        rungs[player] = _rung(left, player, int(table.slot[player]), 0.0, _lowest(table, player))
        reached |= {row for row in (rungs[player].move_to,) if row is not None and row not in rungs}
    return tuple(sorted(rungs.values(), key=lambda rung: (rung.slot, rung.player)))


def _lowest(table: ArmbandTable, player: int) -> int:
    return int(table.grid[np.argmax(table.pmf[player] > ROUNDING)])


def _lowest_on_the_pitch(table: ArmbandTable, player: int) -> int:
    """Return the least a player scores when he plays; the top of the grid (no rule) if he never does."""
    mass = table.pmf[player] - np.where(table.grid == 0, table.absent[player], 0.0)
    possible = np.flatnonzero(mass > ROUNDING)
    return int(table.grid[possible[0] if possible.size else -1])
