"""What the loop does with children that break a rule: a repair, written down, or none where a block would break.

Greed repairs first: a solver takes a hundred times as long, and another child is bred sooner. A repair that must take a
man out of the captain core or the clean-sheet spine would leave a child without what it was bred for. Where greed knows
no other, a solver looks for one that keeps those blocks whole; for a few children of a generation, over the men worth
their price. A child that neither can mend is dropped, and that is written down too.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

import numpy as np

from data.errors import InfeasibleError, ModelError
from engine.rules.conflicts import Demands
from engine.rules.dominance import seldom_beaten
from engine.rules.legality import first_broken, legal
from engine.rules.pool import Pool
from engine.rules.repair import fewest_changes, repair
from engine.search.population.blocks import BLOCK_NAMES, CORE, SPINE

BLOCK_BONDS = np.array([3.0, 2.0, 1.5, 0.5, 0.0])
"""Points that breaking a block counts in a repair, by block: the captain core last, the enabler bench first."""

VALUE_BLOCKS = (CORE, SPINE)
"""Blocks that are worth nothing without one of their men."""

FEW_LOST = 2
"""Children that a generation can lose without a solver: others are bred sooner. With little money many more are."""

MOST_SOLVED = 2
"""Children of a generation that the solver may mend: at 0.02 s of CPU each, a twentieth of a board at the very most."""

BEATEN = 8
"""A man whom so many of his position beat at his price or below comes into no solved repair: at MD1 185 are left."""


@dataclass(frozen=True, slots=True)
class Mend:
    """What a repair changed, and for which rule."""

    out: tuple[int, ...]  # player rows
    into: tuple[int, ...]
    reason: str  # "the budget", "the team cap", …
    solved: bool = False  # by the solver, where greed knew no way


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
        wrong = ~legal(squads, self.pool) | ~np.array([self.demands.met(squad) for squad in squads], dtype=bool)
        fixed, found = squads.copy(), dict[int, Mend | Dropped]()
        for child in np.flatnonzero(wrong).tolist():
            found[child] = Dropped(child, "the search was stopped") if stop() else self._fix(fixed, child, tags[child])
        lost = [child for child, one in found.items() if isinstance(one, Dropped)]
        hopeful = [child for child in lost if self._has_hope(squads[child], tags[child])]
        for child in hopeful[:MOST_SOLVED] if len(hopeful) > FEW_LOST else ():
            found[child] = found[child] if stop() else self._solve(fixed, child, tags[child]) or found[child]
        dropped = tuple(one for one in found.values() if isinstance(one, Dropped))
        kept = np.setdiff1d(np.arange(len(squads)), [one.child for one in dropped])
        repairs = (found.get(child) for child in kept.tolist())
        return Mended(kept, fixed[kept], tuple(one if isinstance(one, Mend) else None for one in repairs), dropped)

    def _fix(self, squads: np.ndarray, child: int, tags: np.ndarray) -> Mend | Dropped:
        """Repair one child in place, by greed."""
        squad = squads[child].copy()
        reason = first_broken(squad, self.pool)
        try:
            done = repair(squad, self.pool, self.worth, self.demands, weight=BLOCK_BONDS[tags], solver=False)
        except InfeasibleError:
            return Dropped(child, f"no quick repair for {reason}")
        lost = np.isin(squad, done.out) & ~np.isin(squad, self.demands.barred)  # who is ruled out is no loss
        broken = [block for block in VALUE_BLOCKS if (lost & (tags == block)).any()]
        if broken:
            return Dropped(child, f"its {BLOCK_NAMES[broken[0]]} would break for {reason}")
        squads[child] = done.squad
        return Mend(done.out, done.into, reason)

    def _has_hope(self, squad: np.ndarray, tags: np.ndarray) -> bool:
        """Return whether a child has a value block whose men may be in together with all who must be."""
        men = self._whole(squad, tags)
        return len(men) > len(self.demands.wanted) and all(rule.leaves_room(men) for rule in self.pool.counted)

    def _whole(self, squad: np.ndarray, tags: np.ndarray) -> tuple[int, ...]:
        """Return who has to be in so that the value blocks stay whole; who is ruled out is no loss."""
        blocks = np.setdiff1d(squad[np.isin(tags, VALUE_BLOCKS)], self.demands.barred)
        return tuple(dict.fromkeys([*self.demands.wanted, *blocks.tolist()]))

    def _solve(self, squads: np.ndarray, child: int, tags: np.ndarray) -> Mend | None:
        """Repair one child in place with the fewest changes that keep its value blocks; None where nothing does."""
        squad, pool, must = squads[child].copy(), self.pool, self._whole(squads[child], tags)
        market = np.concatenate([seldom_beaten(self.worth, pool, BEATEN), squad, must, pool.current]).astype(np.int64)
        men = np.setdiff1d(market, self.demands.barred)
        bond = np.zeros(len(self.worth))
        bond[squad] = BLOCK_BONDS[tags]
        own, wanted = np.searchsorted(men, np.intersect1d(squad, men)), np.searchsorted(men, must)
        found, asked = None, Demands(must=tuple(wanted.tolist()))
        with suppress(ModelError):  # no answer in time: the search goes on without this child
            found = fewest_changes(own, pool.only(men), self.worth[men], bond[men], asked)
        if found is None:
            return None
        squads[child] = men[found]
        out, into = np.setdiff1d(squad, squads[child]), np.setdiff1d(squads[child], squad)
        return Mend(tuple(out.tolist()), tuple(into.tolist()), first_broken(squad, pool), solved=True)
