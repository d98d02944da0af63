"""From nothing to a good squad in a blink: thrifty squads to start from, and a herd that exchanges their men.

No solver takes part. The first squads are the worthiest men when a million costs points, under several formations and
with noise; from there a herd finds squads within 0.1 % of the proved optimum in some hundredths of a second.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from math import inf, sqrt

import numpy as np

from engine.fitness.standard_form import StandardForm
from engine.rules.conflicts import Demands
from engine.rules.count_rules import Tally
from engine.rules.legality import legal
from engine.rules.money import payable
from engine.rules.repair import repair
from engine.search.climbing.herd import STEP, Herd
from engine.search.climbing.limits import Limits
from engine.search.climbing.local_search import LocalSearch, together
from engine.search.climbing.shelves import Spots, worth_stocking

THRIFT_FROM, THRIFT_TO, THRIFT_STEPS = 0.01, 20.0, 11
"""Points that a million may cost, and how often that range is halved on the scale of its logarithm."""

OnBest = Callable[[np.ndarray, float], None]
"""Told of every new best: the squad (s,) and its value."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QuickSettings:
    """How a squad is found from nothing."""

    limits: Limits = field(default_factory=lambda: Limits(kicks=60, stalled=30))
    starts: int = 8
    noise: float = 0.5  # points of noise on what men bring, in all starts but the first
    finished_after: int = 25  # exchanges without a new best after which swaps and pairs are tried on it
    anew_after: int = 40  # exchanges without a better squad after which the herd starts from other thrifty squads
    elite: int = 12  # best squads that are remembered


def search_form(
    form: StandardForm,
    rng: np.random.Generator,
    settings: QuickSettings | None = None,
    *,
    allowed: np.ndarray | None = None,
    kept: tuple[int, ...] = (),
    begin: np.ndarray | None = None,
    on_best: OnBest = lambda _squad, _value: None,
    stop: Callable[[], bool] = lambda: False,
    clock: Callable[[], float] = time.perf_counter,
) -> Spots:
    """Return the best squads of a standard form that the limits allow to find, the best of all first.

    `begin` (p, s) are legal squads to start from besides the thrifty ones. The same seed gives the same squad where
    `kicks` end the search, not seconds.
    """
    asked = settings or QuickSettings()
    until = clock() + asked.limits.seconds
    search = LocalSearch(form, allowed, kept, asked.limits, clock, stop)
    must = tuple(np.flatnonzero(search.market.stay).tolist())
    welcome = np.ones(len(form), dtype=bool) if allowed is None else allowed
    squads = first_squads(form, rng, asked, welcome, must)
    if begin is not None:
        squads = np.concatenate([np.stack([search.settled(squad).squad for squad in begin]), squads])

    def gathered(squads: np.ndarray) -> Herd:
        return Herd.of(form, squads, allowed, search.market.stay, asked.limits, together=True)

    hunt, noisier = _Hunt(search, gathered(squads), asked, on_best), replace(asked, noise=2 * asked.noise)
    for _ in range(asked.limits.kicks):
        if search.over(until):
            break
        if hunt.stalled >= asked.anew_after:
            hunt.anew(gathered(first_squads(form, rng, noisier, welcome, must, plain=0)))
        hunt.step(rng, until)
    return hunt.finished(until)


def first_squads(
    form: StandardForm,
    rng: np.random.Generator,
    settings: QuickSettings,
    allowed: np.ndarray,
    kept: tuple[int, ...],
    *,
    plain: int = 1,
) -> np.ndarray:
    """Return (p, s) legal squads by position: thrifty ones, or one repaired where thrift alone breaks a limit.

    The first, as many as `plain`, are bought without noise.
    """
    stock = np.union1d(worth_stocking(form, allowed, settings.limits.depth_of_market), np.array(kept, dtype=np.int64))
    shop = _Shop(form, stock, kept)
    found: list[np.ndarray] = []
    for number in range(settings.starts):
        noise = rng.normal(scale=settings.noise, size=len(stock)) * (number >= plain)
        squad = shop.squad(noise, form.lineups[number % len(form.lineups)])
        if squad is not None and legal(squad[None, :], form.pool)[0]:
            found.append(squad)
    if found:
        return np.stack(found)
    never = tuple(np.flatnonzero(~allowed).tolist())
    squad = repair(_worthiest(form, stock), form.pool, form.linear, Demands(must=kept, never=never)).squad
    return squad[np.argsort(form.pool.position[squad], kind="stable")][None, :]


def _worthiest(form: StandardForm, stock: np.ndarray) -> np.ndarray:
    """Return (s,) the most valuable men of each position, whatever they cost."""
    best = stock[np.argsort(-form.linear[stock], kind="stable")]
    return np.concatenate([best[form.pool.position[best] == p][:count] for p, count in enumerate(form.pool.shape)])


@dataclass(slots=True, eq=False)
class _Shop:
    """Buys squads from the top of lists that thrift has sorted."""

    form: StandardForm
    stock: np.ndarray  # (m,) player rows
    kept: tuple[int, ...]

    def squad(self, noise: np.ndarray, lineup: tuple[int, int, int, int]) -> np.ndarray | None:
        """Return the squad of the lowest price of a million at which it can be paid for; None where none is found."""
        form, best = self.form, None
        low, high = THRIFT_FROM, THRIFT_TO
        own = form.covariance[self.stock, self.stock]
        worth = [
            weight * (form.linear[self.stock] + noise) + form.squad[self.stock] - form.risk * weight**2 * own
            for weight in (1.0, form.usual_bench)
        ]
        worth[0] += form.starting[self.stock]
        for _ in range(THRIFT_STEPS):
            thrift = sqrt(low * high)
            bought = self._bought([points - thrift * form.pool.price[self.stock] for points in worth], lineup)
            if bought is not None and payable(form.pool.price[bought].sum(), form.pool.budget):
                high, best = thrift, bought
            else:
                low = thrift
        return best

    def _bought(self, worth: list[np.ndarray], lineup: tuple[int, int, int, int]) -> np.ndarray | None:
        pool, tally, taken = self.form.pool, Tally(self.form.pool.counted, self.kept), list(self.kept)
        order = [self.stock[np.argsort(-points, kind="stable")] for points in worth]
        for place, size in enumerate(pool.shape):
            here = sum(pool.position[row] == place for row in self.kept)
            for wanted, men in ((lineup[place], order[0]), (size, order[1])):
                here = self._filled(men[pool.position[men] == place].tolist(), wanted, here, tally, taken)
            if here < size:
                return None
        squad = np.array(taken, dtype=np.int64)
        return np.asarray(squad[np.argsort(pool.position[squad], kind="stable")])

    def _filled(self, men: list[int], wanted: int, here: int, tally: Tally, taken: list[int]) -> int:
        """Take men until so many are here; return how many are."""
        for row in men:
            if here >= wanted:
                break
            if row not in taken and tally.takes(row):
                taken.append(row)
                here += 1
        return here


@dataclass(slots=True, eq=False)
class _Hunt:
    """A herd behind its best squad, which is finished by swaps and pairs whenever the herd stalls."""

    search: LocalSearch
    herd: Herd
    settings: QuickSettings
    on_best: OnBest
    best: float = -inf  # of all herds
    own_best: float = -inf  # of this one
    stalled: int = 0  # exchanges since then
    done: float = -inf  # value of its best that swaps and pairs have been tried on
    elite: dict[bytes, float] = field(default_factory=dict)  # value by squad

    def __post_init__(self) -> None:
        self._remember(self.herd.best)
        self._told()

    def step(self, rng: np.random.Generator, until: float) -> None:
        """Take the herd through an exchange; look closer at its best when nothing has come of many."""
        self._remember(self.herd.step(rng))
        self._told()
        if self.stalled >= self.settings.finished_after and self.own_best > self.done + STEP:
            spot = self.search.finished(self.herd.best.squads[self.herd.leader][None, :], until)[0]
            if spot.value > self.own_best + STEP:
                self.herd = self.herd.led_by(spot.squad)
                self._told()
            self.done = self.own_best

    def anew(self, herd: Herd) -> None:
        """Go on with another herd; the best squads of this one are remembered."""
        self.herd, self.own_best, self.done = herd, -inf, -inf
        self._remember(herd.best)
        self._told()

    def finished(self, until: float) -> Spots:
        """Return the best squads, the very best at a local optimum if time is left."""
        here = self.herd.best.squads
        known = [np.frombuffer(squad, dtype=here.dtype) for squad in self._best_of_elite()]
        best = known[0] if known else here[self.herd.leader]  # nobody is remembered where no roles are allowed
        spot = self.search.finished(best[None, :], until)[0]
        if spot.value > self.best + STEP:
            self.on_best(spot.squad, spot.value)
        self.elite.pop(np.sort(spot.squad).tobytes(), None)
        others = list(self._best_of_elite())[: self.settings.elite - 1]
        rest = [self.search.settled(np.frombuffer(squad, dtype=spot.squad.dtype)) for squad in others]
        return together([spot, *rest])

    def _remember(self, spots: Spots) -> None:
        """Keep the best squads seen, each once."""
        floor = min(self.elite.values()) if len(self.elite) >= self.settings.elite else -inf
        news = np.flatnonzero(spots.value > floor)
        if news.size:
            self.elite |= {np.sort(spots.squads[row]).tobytes(): float(spots.value[row]) for row in news}
            self.elite = self._best_of_elite()

    def _best_of_elite(self) -> dict[bytes, float]:
        best = sorted(self.elite.items(), key=lambda known: (-known[1], known[0]))
        return dict(best[: self.settings.elite])

    def _told(self) -> None:
        leader = self.herd.leader
        value = float(self.herd.best.value[leader])
        self.stalled += 1
        if value > self.own_best + STEP:
            self.own_best, self.stalled = value, 0
        if value > self.best + STEP:
            self.best = value
            self.on_best(self.herd.best.squads[leader], value)
