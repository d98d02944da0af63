"""The whole search of a plan on one screen, in the order it runs.

1. Seeding: the linear problem is solved: relaxation, bound, a beam guided by its prices, boosters placed (`linear`); so
   is the plan that leaves the squad alone now, and whether hits pay is asked of shaken forecasts (`advice`).
2. Breeding, the evolution: crossover and mutation of rounds, boosters and lines, children made legal (`breeding`).
3. Scoring: every plan is scored by the full objective, round by round (`fitness`).
4. Finishing: near neighbours of the best are scored too, as long as one is better (`finishing`).

The linear bound says how far the answer can be from the best in its linear part.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from data.errors import InfeasibleError
from engine.fitness.judge import Objective
from engine.plan.advice.sensitivity import HitVerdict, hit_verdict
from engine.plan.breeding.breeder import PlanBreeder, PlanProposal, lineage_words
from engine.plan.finishing import FinishSettings, neighbours
from engine.plan.fitness.known_lineups import KnownLineups
from engine.plan.fitness.plan_fitness import score_plans
from engine.plan.fitness.rounds import PlanRounds
from engine.plan.linear.answer import LinearAnswer
from engine.plan.linear.chips import solve_linear
from engine.plan.linear.plans import plan_value
from engine.plan.linear.problem import MOST_HITS, PlanProblem
from engine.plan.linear.search import LinearSettings, PlacedSearch
from engine.plan.moves.moves import Plan

LINEAR, ROLLED, HITS = "linear optimum", "rolling", "hits"
"""Titles of seeds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanSearchSettings:
    """How hard a plan is searched for."""

    linear: LinearSettings = field(default_factory=LinearSettings)
    finish: FinishSettings = field(default_factory=FinishSettings)
    generations: int = 2
    children: int = 16  # of each
    leaders: int = 12  # plans with different first moves that are told in the end
    hits: bool = False  # whether transfers beyond the free ones are planned where they pay


@dataclass(frozen=True, slots=True)
class PlanProgress:
    """How far the search of a plan is."""

    doing: str
    scored: int  # plans scored by the full objective
    best: float  # fitness of the best of them; −inf before the first


@dataclass(frozen=True, slots=True, eq=False)
class PlanSearch:
    """What a search found: plans with different first moves, the best first, and what is known of the rest."""

    plans: tuple[Plan, ...]
    fitness: tuple[float, ...]
    lineage: tuple[str, ...]  # where each comes from, in words
    linear: LinearAnswer
    value: float  # the best plan's linear part
    placed_bound: float  # no plan with the best plan's boosters in their rounds has more
    rolling: float | None  # fitness that no first move gives up, or gains over the best with one; None for no choice
    scored: int
    breeder: PlanBreeder  # population, frontier and genomes of all that was bred
    hits: HitVerdict | None = None  # whether they pay; None where nobody asked

    @property
    def best(self) -> Plan:
        """The plan of the highest fitness."""
        return self.plans[0]


def search_plans(
    rounds: PlanRounds,
    problem: PlanProblem,
    objective: Objective,
    rng: np.random.Generator,
    settings: PlanSearchSettings | None = None,
    *,
    stop: Callable[[], bool] = lambda: False,
) -> Iterator[PlanProgress | PlanSearch]:
    """Yield progress and what was found last; after a stop request it is the best so far."""
    settings = settings or PlanSearchSettings()
    shake_rng, breed_rng = rng.spawn(2)
    yield PlanProgress("Solving the rounds together", 0, -np.inf)
    linear = solve_linear(problem, settings.linear, stop)
    yield PlanProgress("Solving the rounds together", 0, -np.inf)
    seeds = [(LINEAR, valued.plan) for valued in linear.plans]
    seeds += [] if stop() else _rolled(problem, linear.best.plan, settings)
    verdict = None
    if settings.hits and not stop():
        best = linear.best
        verdict = hit_verdict(problem.holding(best.plan.chips), settings.linear, shake_rng, best.value)
        if verdict.pays:
            problem = problem.asking(most_hits=_hits_of(problem))
            linear = solve_linear(problem, settings.linear, stop)
            seeds += [(HITS, valued.plan) for valued in linear.plans]
    known = _Known(rounds, objective, PlanBreeder(problem, breed_rng))
    known.tell(known.breeder.seeds(seeds))
    yield PlanProgress("Breeding plans", len(known), known.best)
    for _ in range(settings.generations):
        if stop():
            break
        known.tell(known.breeder.ask(settings.children))
        yield PlanProgress("Breeding plans", len(known), known.best)
    for _ in range(settings.finish.steps):
        before = known.best
        if stop():
            break
        for row in known.leaders(settings.finish.leaders):
            near = neighbours(problem, known.plan(row), settings.finish)
            known.tell([PlanProposal(plan, "finishing", (row,), known.breeder.plans[row].origin) for plan in near])
        yield PlanProgress("Trying changes of the best plans", len(known), known.best)
        if known.best <= before + settings.finish.least:
            break
    yield known.found(linear, problem, settings.leaders, verdict)


def _rolled(problem: PlanProblem, plan: Plan, settings: PlanSearchSettings) -> list[tuple[str, Plan]]:
    """Return the best plan that leaves the squad alone now, a plan's later boosters played, where that is a choice."""
    frame = problem.frame
    if frame.first_squad or frame.transfers.first == frame.transfers.no_limit:
        return []
    most = problem.locks.most_transfers.copy()
    most[0] = 0
    quiet = problem.holding((problem.locks.chip_in[0], *plan.chips[1:])).asking(most_transfers=most)
    try:
        return [(ROLLED, solve_linear(quiet, replace(settings.linear, plans=1)).best.plan)]
    except InfeasibleError:  # somebody who is asked for has to come now
        return []


def _hits_of(problem: PlanProblem) -> np.ndarray:
    return np.asarray(np.maximum(problem.locks.most_hits, MOST_HITS))


def placed_bound(problem: PlanProblem, linear: LinearAnswer, plan: Plan) -> float:
    """Return the bound of a plan's own boosters in their rounds."""
    if plan.chips == linear.best.plan.chips:
        return linear.placed_bound
    return PlacedSearch.of(problem, plan.chips).bound


class _Known:
    """Plans scored so far; each is scored once, and the breeder remembers where it comes from."""

    def __init__(self, rounds: PlanRounds, objective: Objective, breeder: PlanBreeder) -> None:
        self.rounds, self.objective, self.breeder = rounds, objective, breeder
        self.fitness: list[float] = []  # by row of the population
        self.lineups = KnownLineups()

    def __len__(self) -> int:
        return len(self.fitness)

    @property
    def best(self) -> float:
        """The highest fitness."""
        return max(self.fitness, default=-np.inf)

    def plan(self, row: int) -> Plan:
        """Return the plan of a row."""
        return self.breeder.plans[row].plan

    def tell(self, proposals: Sequence[PlanProposal]) -> None:
        """Score proposals that are not known yet and tell the breeder."""
        seen = {one.plan.key() for one in self.breeder.plans}
        new = list({one.plan.key(): one for one in proposals if one.plan.key() not in seen}.values())
        if not new:
            return
        scored = score_plans(self.rounds, [one.plan for one in new], self.objective, known=self.lineups)
        self.breeder.tell(new, scored.fitness, variance=scored.variance.sum(axis=1))
        values = {plan.key(): float(value) for plan, value in zip(scored.plans, scored.fitness, strict=True)}
        self.fitness += [values[one.plan.key()] for one in self.breeder.plans[len(self.fitness) :]]

    def leaders(self, count: int) -> list[int]:
        """Return the rows of the best plans behind different first moves, the best first."""
        ranked = sorted(range(len(self)), key=lambda row: (-self.fitness[row], str(self.plan(row).key())))
        firsts: dict[object, int] = {}
        for row in ranked:
            firsts.setdefault(self.plan(row).first_key(), row)
        return list(firsts.values())[:count]

    @property
    def rolling(self) -> float | None:
        """What no first move gives up against the best plan, or gains over the best with one."""
        rolls = [self._rolls(row) for row in range(len(self))]
        values = [[self.fitness[row] for row, one in enumerate(rolls) if one is kind] for kind in (True, False)]
        if not all(values):
            return None
        return abs(max(values[0]) - max(values[1]))

    def _rolls(self, row: int) -> bool:
        first = self.plan(row).moves[0]
        return not first.into and first.chip is None

    def found(self, linear: LinearAnswer, problem: PlanProblem, count: int, hits: HitVerdict | None) -> PlanSearch:
        """Return the outcome."""
        rows, titles = self.leaders(count), self.rounds.titles
        return PlanSearch(
            plans=tuple(self.plan(row) for row in rows),
            fitness=tuple(self.fitness[row] for row in rows),
            lineage=tuple(lineage_words(self.breeder, row, titles) for row in rows),
            linear=linear,
            value=plan_value(problem, self.plan(rows[0])),
            placed_bound=placed_bound(problem, linear, self.plan(rows[0])),
            rolling=self.rolling,
            scored=len(self),
            breeder=self.breeder,
            hits=hits,
        )
