"""The peers: genetic algorithms of pymoo and of DEAP, with operators made for squads. Both libraries are optional.

Each competes twice. `pymoo-ga` and `deap-ga` are the libraries as a good engineer uses them (`PLAIN`), with the best of
the settings tried on matchday 1 under each θ by the mean CPU time to 99.9 % of the optimum: populations of 50 to 400,
rates of 0.05, 0.1 and 0.2 per man, tournaments of 3 and 5. The `…-lent` have our own moves besides (`LENT`), tuned so
among populations of 16, 32 and 96 and heats of 0.5, 1, 3 and endless. Sixteen squads did for DEAP, but not in round 2.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np

from engine.bench.contenders import OnBest, Race, missing_library
from engine.bench.moves import LENT, PLAIN, Craft, Moves, legal_starts
from engine.fitness.standard_form import StandardForm

SEEDS = 2**31
"""Seeds that both libraries take."""


@dataclass(frozen=True, slots=True)
class PymooGenetic:
    """pymoo's GA: every operator works on the whole population at once."""

    population: int = 400
    rate: float = 0.05  # of replacing each man
    craft: Craft = PLAIN
    name: str = "pymoo-ga"
    library: str = "pymoo"

    @property
    def configuration(self) -> str:
        """How it is set up."""
        return f"pymoo GA, {_words(self.population, self.rate, self.craft)}, its own tournaments and survival"

    def solve(self, form: StandardForm, rng: np.random.Generator, seconds: float, on_best: OnBest) -> np.ndarray:
        """Breed generation after generation until the time is over."""
        library = _Pymoo.loaded()
        race = Race(form, seconds, on_best)
        moves = Moves.of(form, self.craft)
        algorithm = library.algorithm(moves, self, rng)
        while not race.over:
            asked = algorithm.ask()
            tried = asked.get("X").astype(np.int64)
            found = moves.values(tried)
            asked.set("F", -found[:, None])
            race.offer(tried, found)
            algorithm.tell(infills=library.evaluated(asked))
        return race.answers()


@dataclass(frozen=True, slots=True)
class _Pymoo:
    """The parts of pymoo that are used."""

    genetic: Any
    crossover: Any
    mutation: Any
    problem: Any
    termination: Any

    @classmethod
    def loaded(cls) -> _Pymoo:
        """Import pymoo, or say how to get it."""
        return cls(
            genetic=_library("pymoo.algorithms.soo.nonconvex.ga"),
            crossover=_library("pymoo.core.crossover"),
            mutation=_library("pymoo.core.mutation"),
            problem=_library("pymoo.core.problem"),
            termination=_library("pymoo.core.termination"),
        )

    def algorithm(self, moves: Moves, settings: PymooGenetic, rng: np.random.Generator) -> Any:
        """Return pymoo's GA with our operators, ready to be asked."""
        size = moves.form.pool.size
        problem = self.problem.Problem(n_var=size, n_obj=1, xl=0, xu=len(moves.form) - 1, vtype=int)
        genetic = self.genetic.GA(
            pop_size=settings.population,
            sampling=legal_starts(moves, rng, settings.population),
            crossover=self._crossover(moves, rng),
            mutation=self._mutation(moves, rng, settings),
            eliminate_duplicates=True,
        )
        endless = self.termination.NoTermination()
        genetic.setup(problem, termination=endless, seed=int(rng.integers(SEEDS)), verbose=False)
        return genetic

    def evaluated(self, asked: Any) -> Any:
        """Mark individuals as valued."""
        for individual in asked:
            individual.evaluated.update({"F", "G", "H"})
        return asked

    def _crossover(self, moves: Moves, rng: np.random.Generator) -> Any:
        class ByPosition(self.crossover.Crossover):  # type: ignore[misc,name-defined]
            """In each position men of both parents."""

            def _do(self, _problem: Any, parents: np.ndarray, *_: Any, **__: Any) -> np.ndarray:
                first, second = parents.astype(np.int64)
                return np.stack([moves.crossed(first, second, rng), moves.crossed(first, second, rng)])

        return ByPosition(2, 2)

    def _mutation(self, moves: Moves, rng: np.random.Generator, settings: PymooGenetic) -> Any:
        class Replaced(self.mutation.Mutation):  # type: ignore[misc,name-defined]
            """Men replaced at a rate, then repaired."""

            def _do(self, _problem: Any, squads: np.ndarray, *_: Any, **__: Any) -> np.ndarray:
                return bred(moves, squads.astype(np.int64), rng, settings.rate)

        return Replaced(prob=1.0)


@dataclass(frozen=True, slots=True)
class DeapGenetic:
    """DEAP's toolbox: individuals are lists, mated and mutated one by one; repair and value come in batches."""

    population: int = 200
    rate: float = 0.05
    craft: Craft = PLAIN
    crossing: float = 0.9  # probability that two parents are crossed
    tournament: int = 3
    name: str = "deap-ga"
    library: str = "deap"

    @property
    def configuration(self) -> str:
        """How it is set up."""
        return (
            f"DEAP, {_words(self.population, self.rate, self.craft)}, crossed {self.crossing:g}, "
            f"tournaments of {self.tournament}, the best of old and new survive"
        )

    def solve(self, form: StandardForm, rng: np.random.Generator, seconds: float, on_best: OnBest) -> np.ndarray:
        """Breed by a μ + λ scheme until the time is over."""
        library = _library("deap.tools"), _library("deap.base")
        race, moves = Race(form, seconds, on_best), Moves.of(form, self.craft)
        with _seeded(rng):
            _Deap(*library, self, moves, rng).evolve(race)
        return race.answers()


class _Deap:
    """One run of DEAP."""

    def __init__(self, tools: Any, base: Any, settings: DeapGenetic, moves: Moves, rng: np.random.Generator) -> None:
        self._tools, self._settings, self._moves, self._rng = tools, settings, moves, rng
        self._fitness = type("Fitness", (base.Fitness,), {"weights": (1.0,)})
        self._toolbox = base.Toolbox()
        self._toolbox.register("select", tools.selTournament, tournsize=settings.tournament)
        self._toolbox.register("mate", self._mate)

    def evolve(self, race: Race) -> None:
        """Breed until the race is over."""
        settings = self._settings
        living = self._valued(legal_starts(self._moves, self._rng, settings.population), race)
        while not race.over:
            parents = self._toolbox.select(living, settings.population)
            children = [
                child
                for first, second in zip(parents[::2], parents[1::2], strict=False)
                for child in self._toolbox.mate(first, second)
            ]
            squads = bred(self._moves, np.array(children, dtype=np.int64), self._rng, settings.rate)
            living = self._tools.selBest(self._distinct([*living, *self._valued(squads, race)]), settings.population)

    def _mate(self, first: list[int], second: list[int]) -> tuple[list[int], list[int]]:
        if random.random() >= self._settings.crossing:
            return first, second
        one, two = np.array(first)[None, :], np.array(second)[None, :]
        child, other = (self._moves.crossed(one, two, self._rng)[0].tolist() for _ in range(2))
        return child, other

    def _valued(self, squads: np.ndarray, race: Race) -> list[Any]:
        values = self._moves.values(squads)
        race.offer(squads, values)
        return [self._individual(squad, value) for squad, value in zip(squads.tolist(), values.tolist(), strict=True)]

    def _individual(self, squad: list[int], value: float) -> Any:
        one: Any = _Individual(squad)
        one.fitness = self._fitness()
        one.fitness.values = (value,)
        return one

    def _distinct(self, living: list[Any]) -> list[Any]:
        return list({tuple(sorted(one)): one for one in living}.values())


class _Individual(list[int]):
    """A squad as DEAP wants it: a list with a fitness."""

    fitness: Any


def peers() -> tuple[PymooGenetic | DeapGenetic, ...]:
    """Return both libraries as a good engineer uses them, then both with our own craft lent to them."""
    return (
        PymooGenetic(),
        DeapGenetic(),
        PymooGenetic(name="pymoo-ga-lent", craft=LENT, population=96, rate=0.05),
        DeapGenetic(name="deap-ga-lent", craft=LENT, population=96, rate=0.1),
    )


def bred(moves: Moves, squads: np.ndarray, rng: np.random.Generator, rate: float) -> np.ndarray:
    """Return (p, s) mutated and repaired squads; where that cannot be made legal, fresh ones."""
    after, fine = moves.repaired(moves.mutated(squads, rng, rate))
    if not fine.all():
        after[~fine] = legal_starts(moves, rng, int((~fine).sum()))
    return after


def _words(population: int, rate: float, craft: Craft) -> str:
    return f"population {population}, crossover by position, each man replaced at a rate of {rate:g}; {craft.words}"


def _library(module: str) -> Any:
    """Import a part of an optional library, or say how to get it."""
    try:
        return import_module(module)
    except ImportError:
        raise missing_library(module.partition(".")[0]) from None


@contextmanager
def _seeded(rng: np.random.Generator) -> Iterator[None]:
    """Seed Python's own generator, which DEAP draws from, and leave it as it was."""
    before = random.getstate()
    random.seed(int(rng.integers(SEEDS)))
    try:
        yield
    finally:
        random.setstate(before)
