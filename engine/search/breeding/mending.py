"""What the loop does with children that break a rule: a quick repair, written down, or none where a block would break.

Inside the loop only greed repairs: a solver takes a thousand times as long, and another child is bred sooner. A repair
that must take a man out of the captain core or the clean-sheet spine would leave a child without what it was bred for:
it is dropped, and that is written down too.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from data.errors import InfeasibleError
from engine.rules.conflicts import Demands
from engine.rules.legality import first_broken, legal
from engine.rules.pool import Pool
from engine.rules.repair import repair
from engine.search.population.blocks import BLOCK_NAMES, CORE, SPINE

BLOCK_BONDS = np.array([3.0, 2.0, 1.5, 0.5, 0.0])
"""Points that breaking a block counts in a repair, by block: the captain core last, the enabler bench first."""

VALUE_BLOCKS = (CORE, SPINE)
"""Blocks that are worth nothing without one of their men."""


@dataclass(frozen=True, slots=True)
class Mend:
    """What a repair changed, and for which rule."""

    out: tuple[int, ...]  # player rows
    into: tuple[int, ...]
    reason: str  # "the budget", "the team cap", …


@dataclass(frozen=True, slots=True)
class Dropped:
    """A child that was not kept, and why."""

    child: int  # place in what was given
    reason: str


@dataclass(frozen=True, slots=True, eq=False)
class Mended:
    """Children that live: row i of every array is one of them."""

    kept: np.ndarray  # (c,) places in what was given
    squads: np.ndarray  # (c, s) legal
    repairs: tuple[Mend | None, ...]  # None where nothing was wrong
    dropped: tuple[Dropped, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Mender:
    """Mends squads of one pool under one manager's demands."""

    pool: Pool
    demands: Demands
    worth: np.ndarray  # (n,) points a player brings

    def mend(self, squads: np.ndarray, tags: np.ndarray, stop: Callable[[], bool]) -> Mended:
        """Return the children (c, s) that are legal or can be made so; `tags` (c, s) are the blocks of their men.

        After a stop request no child is repaired any more: only those live that need none.
        """
        sound = legal(squads, self.pool)
        fixed, kept, repairs, dropped = squads.copy(), [], [], []
        for child, squad in enumerate(squads):
            found: Mend | Dropped | None = None
            if not (sound[child] and self.demands.met(squad)):
                found = Dropped(child, "the search was stopped") if stop() else self._fix(fixed, child, tags[child])
            if isinstance(found, Dropped):
                dropped.append(found)
            else:
                kept.append(child)
                repairs.append(found)
        return Mended(np.array(kept, dtype=np.int64), fixed[kept], tuple(repairs), tuple(dropped))

    def _fix(self, squads: np.ndarray, child: int, tags: np.ndarray) -> Mend | Dropped:
        """Repair one child in place."""
        squad = squads[child].copy()
        reason = first_broken(squad, self.pool)
        try:
            done = repair(squad, self.pool, self.worth, self.demands, weight=BLOCK_BONDS[tags], solver=False)
        except InfeasibleError:
            return Dropped(child, f"no quick repair for {reason}")
        lost = np.isin(squad, done.out) & ~np.isin(squad, self.demands.never)  # who is ruled out is no loss
        broken = [block for block in VALUE_BLOCKS if (lost & (tags == block)).any()]
        if broken:
            return Dropped(child, f"its {BLOCK_NAMES[broken[0]]} would break for {reason}")
        squads[child] = done.squad
        return Mend(done.out, done.into, reason)
