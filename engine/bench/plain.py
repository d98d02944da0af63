"""Contenders without a library of evolution: ours, random squads, greed, the linear solver, annealing."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field, replace
from itertools import count
from math import inf

import numpy as np

from engine.bench.contenders import OnBest, Race, settled_value
from engine.bench.moves import LENT, Craft, Moves, legal_starts
from engine.fitness.standard_form import StandardForm, settled
from engine.rules.exact import LinearValues, linear_optimum
from engine.rules.solver import Program
from engine.search.climbing.start import THRIFT_STEPS, QuickSettings, first_squads, search_form

WALL_PATIENCE = 10.0
"""Seconds on the wall for each of CPU that a solver is given: it looks at the wall, and a busy machine is no fault."""

CALM = (-0.02, 0.0, 0.08, 0.16, 0.32, 0.64)
"""Points per squared point of variance that options give up besides: from a wilder squad to the calmest there is."""

OPTIONS = QuickSettings(starts=4)
"""How the options besides the best squad are found: 20 ms for each leaning."""

BY_WORTH = replace(LENT, heat=0.7)
"""How whole squads are drawn out of nothing: a little greedier than newcomers are."""


@dataclass(frozen=True, slots=True)
class Ours:
    """The search of this product: thrifty starts, exchanges of any number of men, then swaps and pairs."""

    settings: QuickSettings = field(default_factory=QuickSettings)
    name: str = "ours"
    library: str = ""

    @property
    def configuration(self) -> str:
        """How it is set up."""
        return (
            f"exchanges of any number of men by a knapsack, from {self.settings.starts} thrifty squads (noise "
            f"{self.settings.noise:g} points), heat {self.settings.limits.heat:g}, patience "
            f"{self.settings.limits.patience:g}; swaps and pairs of swaps on the best; then options as on a board: "
            "thrifty squads that like it calmer or wilder, with and without the best squad's captain"
        )

    def solve(self, form: StandardForm, rng: np.random.Generator, seconds: float, on_best: OnBest) -> np.ndarray:
        """Exchange until the time is over."""
        race = Race(form, seconds, on_best)

        def offer(squad: np.ndarray, value: float) -> None:
            race.offer(squad[None, :], np.array([value]))

        limits = replace(self.settings.limits, seconds=seconds, kicks=sys.maxsize)
        asked = replace(self.settings, limits=limits)
        found = search_form(form, rng, asked, on_best=offer, stop=lambda: race.over, clock=race.clock)
        race.offer(found.squads, found.value)
        options = _options(form, found.squads[0], rng)
        race.offer(options, settled(form, options)[2])
        return race.answers()


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


@dataclass(frozen=True, slots=True)
class RandomRepair:
    """Squads drawn by worth and repaired, one batch after the other."""

    batch: int = 256
    craft: Craft = BY_WORTH
    name: str = "random"
    library: str = ""

    @property
    def configuration(self) -> str:
        """How it is set up."""
        return f"squads out of nothing, {self.batch} at a time; {self.craft.words}"

    def solve(self, form: StandardForm, rng: np.random.Generator, seconds: float, on_best: OnBest) -> np.ndarray:
        """Draw until the time is over."""
        race, moves = Race(form, seconds, on_best), Moves.of(form, self.craft)
        while not race.over:
            squads, fine = moves.repaired(moves.drawn(rng, self.batch))
            if fine.any():
                race.offer(squads[fine], moves.values(squads[fine]))
        return race.answers()


@dataclass(frozen=True, slots=True)
class Greedy:
    """The worthiest men by points less a price for millions: one squad, no search."""

    name: str = "greedy"
    library: str = ""

    @property
    def configuration(self) -> str:
        """How it is set up."""
        return f"worthiest men first, a million priced by {THRIFT_STEPS} halvings until the squad is affordable"

    def solve(self, form: StandardForm, rng: np.random.Generator, seconds: float, on_best: OnBest) -> np.ndarray:
        """Take one squad."""
        race = Race(form, seconds, on_best)
        squad = first_squads(form, rng, QuickSettings(starts=1), np.ones(len(form), dtype=bool), ())[:1]
        value = np.array([settled_value(form, squad[0])])
        race.offer(squad, value)
        return race.answers()


@dataclass(frozen=True, slots=True)
class LinearSolver:
    """PuLP's optimum of the linear part: variance and pairs do not exist for it."""

    name: str = "pulp-linear"
    library: str = ""

    @property
    def configuration(self) -> str:
        """How it is set up."""
        return "PuLP with its CBC, the linear part by role to proved optimality; variance and stacks left out"

    def solve(self, form: StandardForm, rng: np.random.Generator, seconds: float, on_best: OnBest) -> np.ndarray:  # noqa: ARG002
        """Solve once."""
        Program()  # nobody's clock runs while his library is loaded
        race = Race(form, seconds, on_best)
        bench = float(np.mean([form.bench_keeper, *form.bench_outfield]))
        values = LinearValues(form.linear + form.squad, bench * form.linear + form.squad, form.captain)
        squad = linear_optimum(values, form.pool, form.lineups, seconds=WALL_PATIENCE * seconds).squad[None, :]
        value = np.array([settled_value(form, squad[0])])
        race.offer(squad, value)
        return race.answers()


@dataclass(frozen=True, slots=True)
class Annealing:
    """Simulated annealing on single swaps, many chains side by side so that they are valued at once."""

    chains: int = 64
    hot: float = 2.0  # points of loss taken with probability 1/e at the start
    cold: float = 0.05  # and at the end
    cooling: int = 500  # steps from hot to cold; then it is heated again
    craft: Craft = LENT
    name: str = "annealing"
    library: str = ""

    @property
    def configuration(self) -> str:
        """How it is set up."""
        return (
            f"{self.chains} chains of single swaps, temperature {self.hot:g} to {self.cold:g} points in "
            f"{self.cooling} steps, reheated until the end; {self.craft.words}"
        )

    def solve(self, form: StandardForm, rng: np.random.Generator, seconds: float, on_best: OnBest) -> np.ndarray:
        """Swap one man in every chain, keep what is better or not too much worse, cool down, start again."""
        race, moves = Race(form, seconds, on_best), Moves.of(form, self.craft)
        squads = legal_starts(moves, rng, self.chains)
        values = moves.values(squads)
        race.offer(squads, values)
        for step in count():
            if race.over:
                break
            tried, fine = moves.repaired(moves.swapped(squads, rng))
            worth = np.where(fine, moves.values(tried), -inf)
            better = worth - values > -self._temperature(step) * rng.exponential(size=self.chains)
            squads, values = np.where(better[:, None], tried, squads), np.where(better, worth, values)
            race.offer(squads, values)
        return race.answers()

    def _temperature(self, step: int) -> float:
        """Return the temperature of a step: falling geometrically, again and again."""
        return float(self.hot * (self.cold / self.hot) ** (step % self.cooling / self.cooling))
