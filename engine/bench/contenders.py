"""Who competes in the search for a squad: one interface, one clock, the same standard form for all.

A contender is given a form, a generator and CPU seconds. It reports every new best on its way and hands in its answers.
CPU seconds are counted, those of started solvers included: a busy machine slows nobody's figures.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from importlib import import_module
from importlib.util import find_spec
from itertools import count
from math import inf

import numpy as np

from data.errors import InputError, UnknownError, did_you_mean
from engine.bench.moves import LENT, Moves, legal_starts
from engine.fitness.standard_form import StandardForm, settled
from engine.rules.exact import LinearValues, linear_optimum
from engine.search.climbing.start import THRIFT_STEPS, QuickSettings, first_squads, search_form

OnBest = Callable[[float, float, np.ndarray], bool]
"""Told CPU seconds so far, value and squad (s,) of every new best; says whether that is good enough to stop."""

MOST_ANSWERS = 240
"""Squads that a contender hands in at most, the best first: as many as a board's options are chosen from."""

APART = 3
"""Men in whom two squads handed in differ at least: nearer ones are no choice on a board either."""

SEEN_KEPT = 10_000
"""Squads that a race remembers besides its bests: the first ones, which differ the most."""

RACED = (
    "Ours is the climbing on the standard form from which a board has its first squad, and which improves what it "
    "breeds. The evolution around it does not race: it is there for the exact fitness and for options that differ."
)
"""Which part of the product's search competes: the one that others can be held against on a proved optimum."""

CLIMB = QuickSettings()
CALM = (-0.02, 0.0, 0.08, 0.16, 0.32, 0.64)
"""Points per squared point of variance that options give up besides: from a wilder squad to the calmest there is."""

OPTIONS = QuickSettings(starts=4)
"""How the options besides the best squad are found: 20 ms for each leaning."""

BATCH = 256
BY_WORTH = replace(LENT, heat=0.7)
"""How whole squads are drawn out of nothing, so many at a time: a little greedier than newcomers are."""

WALL_PATIENCE = 10.0
"""Seconds on the wall for each of CPU that a solver is given: it looks at the wall, and a busy machine is no fault."""

CHAINS = 64
HOT, COLD, COOLING = 2.0, 0.05, 500
"""Points of loss that annealing takes with probability 1/e at first and in the end, and the steps in between."""


def cpu_seconds() -> float:
    """Return the CPU seconds of this process and of every child that has ended, such as a solver."""
    children = os.times()
    return time.process_time() + children.children_user + children.children_system


@dataclass(slots=True, eq=False)
class Race:
    """One run in progress: its clock, what was found, and whether it is over."""

    form: StandardForm
    seconds: float
    on_best: OnBest
    clock: Callable[[], float] = cpu_seconds
    best: float = -inf
    lead: np.ndarray | None = None  # (s,) the best squad
    seen: list[tuple[np.ndarray, np.ndarray]] = field(default_factory=list)  # squads (p, s) and values (p,) offered
    remembered: int = 0
    enough: bool = False
    started: float = field(init=False)

    def __post_init__(self) -> None:
        self.started = self.clock()

    @property
    def spent(self) -> float:
        """CPU seconds since the start."""
        return self.clock() - self.started

    @property
    def over(self) -> bool:
        """Whether to stop: somebody said enough, or the time has run out."""
        return self.enough or self.spent >= self.seconds

    def offer(self, squads: np.ndarray, values: np.ndarray) -> None:
        """Take note of legal squads (p, s), worth at least their values; report the best if it beats all before."""
        row = int(values.argmax())
        better = values[row] > self.best
        if self.remembered < SEEN_KEPT or better:
            self.seen.append((np.array(squads), np.array(values)))
            self.remembered += len(squads)
        if better:
            self.best, self.lead = float(values[row]), np.array(squads[row])
            self.enough = self.on_best(self.spent, self.best, self.lead)

    def offer_settled(self, squads: np.ndarray) -> None:
        """Take note of legal squads (p, s) in their best roles."""
        self.offer(squads, settled(self.form, squads)[2])

    def answers(self) -> np.ndarray:
        """Return (a, s) the best squad, then the best of those offered that are apart from all before."""
        if self.lead is None:
            return np.empty((0, self.form.pool.size), dtype=np.int64)
        values = np.concatenate([values for _, values in self.seen])
        order = np.argsort(-values, kind="stable")
        left = np.concatenate([squads for squads, _ in self.seen])[order[np.isfinite(values[order])]]
        holds = np.zeros((len(left), len(self.form)), dtype=bool)
        np.put_along_axis(holds, left, True, axis=1)
        chosen, apart = [self.lead], np.ones(len(left), dtype=bool)
        while len(chosen) < MOST_ANSWERS:
            apart &= holds[:, chosen[-1]].sum(axis=1) <= self.form.pool.size - APART
            if not apart.any():
                break
            chosen.append(left[apart.argmax()])
        return np.stack(chosen)


@dataclass(frozen=True, slots=True)
class Contender:
    """A way to search."""

    name: str
    configuration: str  # what it does and with which settings, in one line
    search: Callable[[Race, np.random.Generator], None]  # offers squads until the race is over
    modules: tuple[str, ...] = ()  # of a library it needs

    @property
    def library(self) -> str:
        """The library it needs; empty for none."""
        return self.modules[0].partition(".")[0] if self.modules else ""

    def solve(self, form: StandardForm, rng: np.random.Generator, seconds: float, on_best: OnBest) -> np.ndarray:
        """Return (a, s) the squads it hands in, the best first, within so many CPU seconds."""
        try:
            for module in self.modules:  # nobody's clock runs while his library is loaded
                import_module(module)
        except ImportError:
            raise missing_library(self.library) from None
        race = Race(form, seconds, on_best)
        self.search(race, rng)
        return race.answers()


def _climbed(race: Race, rng: np.random.Generator) -> None:
    """Exchange until the time is over, then look for squads that like it calmer or wilder."""

    def offer(squad: np.ndarray, value: float) -> None:
        race.offer(squad[None, :], np.array([value]))

    asked = replace(CLIMB, limits=replace(CLIMB.limits, seconds=race.seconds, kicks=sys.maxsize))
    found = search_form(race.form, rng, asked, on_best=offer, stop=lambda: race.over, clock=race.clock)
    race.offer(found.squads, found.value)
    race.offer_settled(_options(race.form, found.squads[0], rng))


def _options(form: StandardForm, best: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Return (p, s) thrifty squads that like it calmer or wilder, each with and without the best squad's captain."""
    everybody = np.ones(len(form), dtype=bool)
    others = everybody.copy()
    others[best[form.captain[best].argmax()]] = False
    return np.concatenate(
        [
            first_squads(replace(form, risk=form.risk + calm), rng, OPTIONS, allowed, ())
            for calm in CALM
            for allowed in (everybody, others)
        ]
    )


def _drawn(race: Race, rng: np.random.Generator) -> None:
    """Draw squads by worth and repair them, one batch after the other."""
    moves = Moves.of(race.form, BY_WORTH)
    while not race.over:
        squads, fine = moves.repaired(moves.drawn(rng, BATCH))
        if fine.any():
            race.offer(squads[fine], moves.values(squads[fine]))


def _greedy(race: Race, rng: np.random.Generator) -> None:
    """Take the worthiest men by points less a price for millions: one squad, no search."""
    everybody = np.ones(len(race.form), dtype=bool)
    race.offer_settled(first_squads(race.form, rng, QuickSettings(starts=1), everybody, ())[:1])


def _linear(race: Race, _rng: np.random.Generator) -> None:
    """Solve the linear part once: variance and pairs do not exist for it."""
    form = race.form
    start = form.linear + form.starting + form.squad
    values = LinearValues(start, form.usual_bench * form.linear + form.squad, form.captain)
    best = linear_optimum(values, form.pool, form.lineups, seconds=WALL_PATIENCE * race.seconds)
    race.offer_settled(best.squad[None, :])


def _annealed(race: Race, rng: np.random.Generator) -> None:
    """Swap one man in every chain, keep what is better or not too much worse, cool down, start again.

    Many chains go side by side so that they are valued at once.
    """
    moves = Moves.of(race.form, LENT)
    squads = legal_starts(moves, rng, CHAINS)
    values = moves.values(squads)
    race.offer(squads, values)
    for step in count():
        if race.over:
            break
        tried, fine = moves.repaired(moves.swapped(squads, rng))
        worth = np.where(fine, moves.values(tried), -inf)
        temperature = HOT * (COLD / HOT) ** (step % COOLING / COOLING)
        better = worth - values > -temperature * rng.exponential(size=CHAINS)
        squads, values = np.where(better[:, None], tried, squads), np.where(better, worth, values)
        race.offer(squads, values)


OURS = Contender(
    "ours",
    f"exchanges of any number of men by a knapsack, from {CLIMB.starts} thrifty squads (noise {CLIMB.noise:g} points), "
    f"heat {CLIMB.limits.heat:g}, patience {CLIMB.limits.patience:g}; swaps and pairs of swaps on the best; then "
    "options as on a board: thrifty squads that like it calmer or wilder, with and without the best squad's captain",
    _climbed,
)
RANDOM = Contender("random", f"squads out of nothing, {BATCH} at a time; {BY_WORTH.words}", _drawn)
GREEDY = Contender(
    "greedy", f"worthiest men first, a million priced by {THRIFT_STEPS} halvings until the squad is affordable", _greedy
)
LINEAR = Contender(
    "pulp-linear",
    "PuLP with its CBC, the linear part by role to proved optimality; variance and stacks left out",
    _linear,
    ("pulp",),
)
ANNEALING = Contender(
    "annealing",
    f"{CHAINS} chains of single swaps, temperature {HOT:g} to {COLD:g} points in {COOLING} steps, reheated until the "
    f"end; {LENT.words}",
    _annealed,
)


def find_contenders(names: list[str] | None = None) -> tuple[Contender, ...]:
    """Return the contenders of these names; all where none is given, ours first."""
    from engine.bench.genetic import PEERS

    known = {contender.name: contender for contender in (OURS, RANDOM, GREEDY, LINEAR, *PEERS, ANNEALING)}
    for name in names or []:
        if name not in known:
            raise UnknownError(f"Nobody called {name!r} competes. {did_you_mean(name, known)}")
    return tuple(known[name] for name in dict.fromkeys(names or known))


def competing(names: list[str] | None = None) -> tuple[Contender, ...]:
    """Return who can compete here: all whose library is installed, or those named, who must be able to."""
    chosen = find_contenders(names)
    absent = [one for one in chosen if one.library and find_spec(one.library) is None]
    if names and absent:
        raise missing_library(absent[0].library)
    return tuple(one for one in chosen if one not in absent)


def missing_library(library: str) -> InputError:
    """Return the error that says how to get an optional library."""
    return InputError(
        f"{library} is not installed, so its contender cannot compete. "
        "Leave it out, or install it with: pip install 'thetaxi[peers]'."
    )
