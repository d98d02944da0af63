"""The elite on the exact fitness: exchanges proposed by a standard form, kept only where the whole squad scores higher.

The standard form holds the captain, fixes the bench's chances and picks the eleven by value; the fitness climbs the
ladder, reckons every auto-sub and picks by expected points. Good squads differ by a point between the two, so the last
steps are judged by the fitness itself: all near neighbours of the best, then exchanges, some dozens at a time.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from math import inf
from time import perf_counter

import numpy as np

from data.errors import InputError
from data.rules import CaptaincyMode
from engine.fitness.judge import Judge, Objective
from engine.fitness.squad_scoring import ScoredSquads
from engine.fitness.squad_view import SquadView
from engine.fitness.standard_form import StandardForm
from engine.rules.legality import legal
from engine.search.climbing.exchanges import Counter
from engine.search.climbing.first_squad import nearest_form
from engine.search.climbing.herd import STEP
from engine.search.climbing.shelves import Shelves, Spots
from engine.search.climbing.start import QuickSettings, search_form
from engine.search.finishing.rungs import Rungs
from models.armband.captaincy import tightest_level

RUNG_SHARE = 0.75
"""Where the armband may move, a starter's points above the ladder's level count so much more: not all of them, since
two men of one kick-off are one rung."""

COOLING, COLDEST = 0.7, 12
"""Heat of an exchange as a share of the one before it; after so many it begins again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PolishLimits:
    """How long and how hard the exact fitness is climbed."""

    seconds: float = inf  # wall time of the whole call
    steps: int = 36  # batches at most
    batch: int = 32  # squads scored at once: twice as many take three times as long
    neighbours: int = 32  # of one swap, and of two, scored around each of the elite
    elite: int = 4  # best squads that exchanges start from
    patience: int = 12  # batches without a better squad after which it ends
    heat: float = 1.0  # points of noise on what men bring, at most
    depth: int = 12  # a man whom so many beat at his price or below does not come in

    def __post_init__(self) -> None:
        counts = (self.steps, self.patience, self.depth, self.neighbours)
        if min(counts) < 0 or min(self.batch, self.elite, self.heat) <= 0:
            raise InputError("Limits of a polish are counts from 0 up; batch, elite and heat are above 0.")


def polish(
    judge: Judge,
    objective: Objective,
    squads: np.ndarray,
    rng: np.random.Generator,
    limits: PolishLimits | None = None,
    *,
    allowed: np.ndarray | None = None,
    kept: tuple[int, ...] = (),
    stop: Callable[[], bool] = lambda: False,
) -> ScoredSquads:
    """Return the elite (e, s) that exchanges from legal squads (p, s) lead to, scored, the best first.

    Never worse than what was given. Players outside `allowed` (n,) do not come in, `kept` do not leave; the same seed
    gives the same squads where steps, not seconds, end it.
    """
    asked = limits or PolishLimits()
    until = perf_counter() + asked.seconds
    climb = _Climb.of(judge, objective, squads, asked, allowed, kept)
    for _ in range(asked.steps):
        if stop() or perf_counter() >= until or climb.stalled >= asked.patience:
            break
        climb.step(rng)
    return judge.score(climb.spots.squads, objective)


def search_fitness(
    judge: Judge,
    objective: Objective,
    rng: np.random.Generator,
    settings: QuickSettings | None = None,
    limits: PolishLimits | None = None,
    *,
    allowed: np.ndarray | None = None,
    kept: tuple[int, ...] = (),
    begin: np.ndarray | None = None,
    stop: Callable[[], bool] = lambda: False,
) -> ScoredSquads:
    """Return the best squads from nothing, without a solver: searched on standard forms, polished on the fitness.

    `begin` (p, s) are legal squads to start from besides the thrifty ones; seconds in either limit bound that part.
    """
    found = [
        search_form(form, rng, settings, allowed=allowed, kept=kept, begin=begin, stop=stop).squads
        for form in proposing_forms(judge.view, objective)
    ]
    squads = np.concatenate(found if begin is None else [begin, *found])
    return polish(judge, objective, squads, rng, limits, allowed=allowed, kept=kept, stop=stop)


def proposing_forms(view: SquadView, objective: Objective) -> list[StandardForm]:
    """Return standard forms whose optima are near those of a fitness: its own, and one for an armband that moves."""
    form = nearest_form(view, objective)
    if view.signals.rules.captaincy.mode is CaptaincyMode.LOCKED:
        return [form]
    return [form, ladder_form(view, form)]


def ladder_form(view: SquadView, form: StandardForm, eleven: np.ndarray | None = None) -> StandardForm:
    """Return a form in which every starter is a rung of the ladder, at the level that is tightest for an eleven.

    For any level v a ladder is worth at most v + Σ E[(score − v)+] of the starters, which is linear in them. The eleven
    is by default the highest means of all.
    """
    table, copies = view.signals.armband, form.multiplier - 1
    men = np.argsort(-table.mean, kind="stable")[: sum(form.lineups[0])] if eleven is None else eleven
    rung = copies * RUNG_SHARE * table.surplus_over(tightest_level(table, men))
    return replace(form, linear=form.linear + rung, captain=np.zeros(len(form)))


@dataclass(slots=True, eq=False)
class _Climb:
    """The elite on its way up."""

    judge: Judge
    objective: Objective
    counter: Counter
    limits: PolishLimits
    spots: Spots  # the elite, the best first; the value is the exact fitness
    seen: set[bytes] = field(default_factory=set)
    looked_at: set[bytes] = field(default_factory=set)  # squads whose neighbours were scored
    walker: Spots | None = None  # a squad on its way up, apart from the elite
    stalled: int = 0

    @classmethod
    def of(
        cls,
        judge: Judge,
        objective: Objective,
        squads: np.ndarray,
        limits: PolishLimits,
        allowed: np.ndarray | None,
        kept: tuple[int, ...],
    ) -> _Climb:
        view = judge.view
        rows = np.take_along_axis(squads, np.argsort(view.pool.position[squads], axis=1, kind="stable"), axis=1)
        welcome = np.ones(len(view.signals), dtype=bool) if allowed is None else allowed
        stay = np.zeros(len(view.signals), dtype=bool)
        stay[[*kept, *([] if view.settings.captain is None else [view.settings.captain])]] = True
        scored = judge.score(rows, objective)
        best = _different(rows, scored.ranking)[: limits.elite]
        if not best.size:
            raise InputError("None of the squads to polish is legal. Repair them first.")
        shelves = _shelves(view, proposing_forms(view, objective)[0], scored, best, welcome, limits.depth)
        known = {squad.tobytes() for squad in np.sort(rows, axis=1)}
        return cls(judge, objective, Counter.of(shelves, stay), limits, _spots(scored).at(best), known)

    def step(self, rng: np.random.Generator) -> None:
        """Score a batch near the best squads, let the best of all be the new elite, and follow what led upwards."""
        self.stalled += 1
        here = self._to_look_at()
        tried = self._exchanged(rng) if here is None else self.counter.neighbours(here, self.limits.neighbours)
        fresh = self._unseen(tried[legal(tried, self.judge.view.wished)])
        if not len(fresh):
            self.walker = None
            return
        scored = self.judge.score(fresh, self.objective)
        found = _spots(scored).at(scored.ranking)
        floor = -inf if here is None else float(here.value[0]) + STEP
        self.walker = found.at(np.array([0])) if found.value.max(initial=-inf) > floor else None
        if found.value.max(initial=-inf) > self.spots.value.max() + STEP:
            self.stalled = 0
        both = self.spots.joined(found)
        self.spots = both.at(np.argsort(-both.value, kind="stable")[: self.limits.elite])

    def _to_look_at(self) -> Spots | None:
        """Return the squad whose neighbours are next: the best, then who is on its way up, then others of the elite."""
        leader, others = self.spots.at(np.array([0])), (self.spots.at(np.array([n])) for n in range(1, len(self.spots)))
        for spot in (leader, *([] if self.walker is None else [self.walker]), *others):
            key = np.sort(spot.squads[0]).tobytes()
            if key not in self.looked_at:
                self.looked_at.add(key)
                return spot
        return None

    def _exchanged(self, rng: np.random.Generator) -> np.ndarray:
        row = np.arange(self.limits.batch)
        heat = self.limits.heat * COOLING ** (row // len(self.spots) % COLDEST)
        return self.counter.exchanged(self.spots.at(row % len(self.spots)), rng, heat)

    def _unseen(self, squads: np.ndarray) -> np.ndarray:
        """Return the squads that were never scored here, each once."""
        fresh = []
        for place, squad in enumerate(np.sort(squads, axis=1)):
            key = squad.tobytes()
            if key not in self.seen:
                self.seen.add(key)
                fresh.append(place)
        return np.asarray(squads[fresh])


def _shelves(
    view: SquadView, form: StandardForm, scored: ScoredSquads, best: np.ndarray, welcome: np.ndarray, depth: int
) -> Shelves:
    """Return who may come into the best squads; where the armband moves, newcomers count as rungs of their ladders."""
    squads = scored.squads[best]
    if view.signals.rules.captaincy.mode is CaptaincyMode.LOCKED:
        return Shelves.of(form, squads, welcome, depth)
    stocked = Shelves.of(ladder_form(view, form, scored.lineups.starters[best[0]]), squads, welcome, depth)
    unled = replace(form, captain=np.zeros(len(form)))
    return replace(stocked, form=unled, more=Rungs(view.signals.armband, form.multiplier - 1).gains)


def _different(squads: np.ndarray, ranking: np.ndarray) -> np.ndarray:
    """Return the rows of a ranking whose squads did not come before."""
    first = np.unique(np.sort(squads[ranking], axis=1), axis=0, return_index=True)[1]
    return np.asarray(ranking[np.sort(first)])


def _spots(scored: ScoredSquads) -> Spots:
    """Return squads in the roles that their line-ups give them."""
    lineups, squads = scored.lineups, scored.squads
    starts = (squads[:, :, None] == lineups.starters[:, None, :]).any(axis=2)
    return Spots(squads, starts, (squads == lineups.captain[:, None]).argmax(axis=1), scored.fitness)
