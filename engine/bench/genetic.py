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
from functools import partial
from typing import Any

import numpy as np

from engine.bench.contenders import Contender, Race
from engine.bench.moves import LENT, PLAIN, Craft, Moves, legal_starts

SEEDS = 2**31
"""Seeds that both libraries take."""

CROSSING, TOURNAMENT = 0.9, 3
"""Probability that DEAP crosses two parents, and how many compete to be one."""


@dataclass(frozen=True, slots=True)
class Genetics:
    """How a population breeds."""

    population: int
    rate: float  # of replacing each man
    craft: Craft

    @property
    def words(self) -> str:
        """What it does, for a configuration."""
        return (
            f"population {self.population}, crossover by position, each man replaced at a rate of {self.rate:g}; "
            f"{self.craft.words}"
        )

    def bred(self, moves: Moves, squads: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        """Return (p, s) mutated and repaired squads; where that cannot be made legal, fresh ones."""
        after, fine = moves.repaired(moves.mutated(squads, rng, self.rate))
        if not fine.all():
            after[~fine] = legal_starts(moves, rng, int((~fine).sum()))
        return after


def _with_pymoo(genetics: Genetics, race: Race, rng: np.random.Generator) -> None:
    """Breed generation after generation by pymoo's GA, whose operators work on the whole population at once."""
    moves = Moves.of(race.form, genetics.craft)
    algorithm = _pymoo_algorithm(genetics, moves, rng)
    while not race.over:
        asked = algorithm.ask()
        tried = asked.get("X").astype(np.int64)
        found = moves.values(tried)
        asked.set("F", -found[:, None])
        race.offer(tried, found)
        for individual in asked:
            individual.evaluated.update({"F", "G", "H"})
        algorithm.tell(infills=asked)


def _pymoo_algorithm(genetics: Genetics, moves: Moves, rng: np.random.Generator) -> Any:
    """Return pymoo's GA with our operators, ready to be asked."""
    from pymoo.algorithms.soo.nonconvex.ga import GA
    from pymoo.core.crossover import Crossover
    from pymoo.core.mutation import Mutation
    from pymoo.core.problem import Problem
    from pymoo.core.termination import NoTermination

    class ByPosition(Crossover):  # type: ignore[misc]
        """In each position men of both parents."""

        def _do(self, _problem: Any, parents: np.ndarray, *_: Any, **__: Any) -> np.ndarray:
            first, second = parents.astype(np.int64)
            return np.stack([moves.crossed(first, second, rng), moves.crossed(first, second, rng)])

    class Replaced(Mutation):  # type: ignore[misc]
        """Men replaced at a rate, then repaired."""

        def _do(self, _problem: Any, squads: np.ndarray, *_: Any, **__: Any) -> np.ndarray:
            return genetics.bred(moves, squads.astype(np.int64), rng)

    algorithm = GA(
        pop_size=genetics.population,
        sampling=legal_starts(moves, rng, genetics.population),
        crossover=ByPosition(2, 2),
        mutation=Replaced(prob=1.0),
        eliminate_duplicates=True,
    )
    problem = Problem(n_var=moves.form.pool.size, n_obj=1, xl=0, xu=len(moves.form) - 1, vtype=int)
    algorithm.setup(problem, termination=NoTermination(), seed=int(rng.integers(SEEDS)), verbose=False)
    return algorithm


def _with_deap(genetics: Genetics, race: Race, rng: np.random.Generator) -> None:
    """Breed by a μ + λ scheme of DEAP's: individuals are lists, mated one by one; repair and value come in batches."""
    from deap.tools import selBest, selTournament

    moves = Moves.of(race.form, genetics.craft)
    with _seeded(rng):
        living = _individuals(legal_starts(moves, rng, genetics.population), moves, race)
        while not race.over:
            parents = selTournament(living, genetics.population, TOURNAMENT)
            pairs = zip(parents[::2], parents[1::2], strict=False)
            children = [child for first, second in pairs for child in _mated(first, second, moves, rng)]
            squads = genetics.bred(moves, np.array(children, dtype=np.int64), rng)
            different = {tuple(sorted(one)): one for one in [*living, *_individuals(squads, moves, race)]}
            living = selBest(list(different.values()), genetics.population)


def _mated(first: list[int], second: list[int], moves: Moves, rng: np.random.Generator) -> tuple[list[int], list[int]]:
    if random.random() >= CROSSING:
        return first, second
    one, two = np.array(first)[None, :], np.array(second)[None, :]
    child, other = (moves.crossed(one, two, rng)[0].tolist() for _ in range(2))
    return child, other


def _individuals(squads: np.ndarray, moves: Moves, race: Race) -> list[Any]:
    """Return squads as DEAP wants them, lists with a fitness, after they were offered."""
    from deap.base import Fitness

    values = moves.values(squads)
    race.offer(squads, values)
    higher = type("Higher", (Fitness,), {"weights": (1.0,)})
    individuals = [_Individual(squad) for squad in squads.tolist()]
    for one, value in zip(individuals, values.tolist(), strict=True):
        one.fitness = higher((value,))
    return individuals


class _Individual(list[int]):
    """A squad as DEAP wants it: a list with a fitness."""

    fitness: Any


@contextmanager
def _seeded(rng: np.random.Generator) -> Iterator[None]:
    """Seed Python's own generator, which DEAP draws from, and leave it as it was."""
    before = random.getstate()
    random.seed(int(rng.integers(SEEDS)))
    try:
        yield
    finally:
        random.setstate(before)


def _pymoo(name: str, genetics: Genetics) -> Contender:
    words = f"pymoo GA, {genetics.words}, its own tournaments and survival"
    modules = ("algorithms.soo.nonconvex.ga", "core.crossover", "core.mutation", "core.problem", "core.termination")
    return Contender(name, words, partial(_with_pymoo, genetics), tuple(f"pymoo.{module}" for module in modules))


def _deap(name: str, genetics: Genetics) -> Contender:
    words = (
        f"DEAP, {genetics.words}, crossed {CROSSING:g}, tournaments of {TOURNAMENT}, the best of old and new survive"
    )
    return Contender(name, words, partial(_with_deap, genetics), ("deap.tools", "deap.base"))


PEERS = (
    _pymoo("pymoo-ga", Genetics(400, 0.05, PLAIN)),
    _deap("deap-ga", Genetics(200, 0.05, PLAIN)),
    _pymoo("pymoo-ga-lent", Genetics(96, 0.05, LENT)),
    _deap("deap-ga-lent", Genetics(96, 0.1, LENT)),
)
"""Both libraries as a good engineer uses them, then both with our own craft lent to them."""
