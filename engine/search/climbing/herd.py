"""Squads that go through exchanges side by side, each on its own way or all behind the best."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from engine.fitness.standard_form import StandardForm, settled
from engine.rules.legality import legal
from engine.search.climbing.exchanges import Counter
from engine.search.climbing.limits import Limits
from engine.search.climbing.shelves import Shelves, Spots

ELEVENS = 16
"""Elevens of a squad that are valued after an exchange, of 265: those left out are better in 1 of 100 squads."""

COOLING, COLDEST = 0.6, 8
"""Heat of a squad of the herd as a share of the one before it; after so many it begins again."""

HEAT_RANGE = (0.3, 1.5)
"""By how much the heat of a squad is varied from exchange to exchange."""

STEP = 1e-7
"""Points a step must bring: less is rounding of sums."""


@dataclass(slots=True, eq=False)
class Herd:
    """Squads on their way; each remembers the best it has been."""

    form: StandardForm
    counter: Counter
    limits: Limits
    here: Spots
    best: Spots
    stalled: np.ndarray  # (b,) exchanges since a squad's best
    together: bool = False  # whether a stalled squad goes on from the best of all, not from its own

    @classmethod
    def of(
        cls,
        form: StandardForm,
        squads: np.ndarray,
        allowed: np.ndarray | None,
        stay: np.ndarray,
        limits: Limits,
        *,
        together: bool = False,
    ) -> Herd:
        """Gather squads (b, s), sorted by position; the allowed (n,) may come in, those who `stay` (n,) never leave."""
        welcome = np.ones(len(form), dtype=bool) if allowed is None else allowed
        shelves = Shelves.of(form, squads, welcome, limits.depth_of_market)
        here = Spots(squads, *settled(form, squads, ELEVENS))
        return cls(form, Counter.of(shelves, stay), limits, here, here, np.zeros(len(here), dtype=np.int64), together)

    @property
    def leader(self) -> int:
        """The row whose best is the best of all."""
        return self.best.best

    def step(self, rng: np.random.Generator) -> Spots:
        """Take every squad through one exchange, follow it where that is hardly a loss, and return where it led."""
        count, limits = len(self.here), self.limits
        heat = limits.heat * COOLING ** (np.arange(count) % COLDEST)
        tried = self._valued(self.counter.exchanged(self.here, rng, heat * rng.uniform(*HEAT_RANGE, count)))
        followed = tried.value > self.here.value - rng.exponential(limits.patience, count)
        self.here = tried.where(followed, self.here)
        better = tried.value > self.best.value + STEP
        self.best = tried.where(better, self.best)
        self.stalled = np.where(better, 0, self.stalled + 1)
        self._turn_back()
        return tried

    def led_by(self, squad: np.ndarray) -> Herd:
        """Return the herd with one more best squad (s,), in place of the worst; its men are on the shelves."""
        row = int(self.best.value.argmin())
        new = self._valued(squad[None, :]).at(np.zeros(len(self.here), dtype=np.int64))
        replaced = np.arange(len(self.here)) == row
        here, best = new.where(replaced, self.here), new.where(replaced, self.best)
        known = np.concatenate([here.squads, best.squads])
        allowed = np.zeros(len(self.form), dtype=bool)
        allowed[np.append(self.counter.shelves.men[self.counter.shelves.stocked], squad)] = True
        shelves = Shelves.of(self.form, known, allowed, 0)
        return replace(self, counter=replace(self.counter, shelves=shelves), here=here, best=best)

    def _valued(self, squads: np.ndarray) -> Spots:
        starts, captain, value = settled(self.form, squads, ELEVENS)
        return Spots(squads, starts, captain, np.where(legal(squads, self.form.pool), value, -np.inf))

    def _turn_back(self) -> None:
        """Take squads that stalled back to their best, or to the best of all."""
        lost = self.stalled >= self.limits.stalled
        if not lost.any():
            return
        goal = self.best.at(np.full(len(lost), self.leader)) if self.together else self.best
        self.here = goal.where(lost, self.here)
        self.best = goal.where(lost, self.best)
        self.stalled = np.where(lost, 0, self.stalled)
