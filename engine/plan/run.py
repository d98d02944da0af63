"""The whole search of a plan on one screen, in the order it runs.

1. Seeding: the linear problem is solved: relaxation, bound, a beam guided by its prices, boosters placed (`linear`).
2. Scoring: every plan found is scored by the full objective, round by round (`fitness`).
3. Breeding: children of the best, whole rounds of one with the intentions of another, and small changes (`breeding`).
4. Finishing: near neighbours of the best are scored too, as long as one is better (`finishing`).
5. Choosing: plans whose first moves differ, the best of each.

The linear bound says how far the answer can be from the best in its linear part.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from engine.fitness.judge import Objective
from engine.plan.breeding.breeder import PlanBreeder, PlanProposal, lineage_words
from engine.plan.finishing import FinishSettings, neighbours
from engine.plan.fitness import ScoredPlans, score_plans
from engine.plan.linear.answer import LinearAnswer
from engine.plan.linear.chips import solve_linear
from engine.plan.linear.plans import plan_value
from engine.plan.linear.problem import PlanProblem
from engine.plan.linear.search import LinearSettings
from engine.plan.moves import Plan
from engine.plan.rounds import PlanRounds
from models.streams import Stream, stream

PlanKey = tuple[tuple[str | None, tuple[int, ...], tuple[int, ...]], ...]
"""What tells plans apart."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanSearchSettings:
    """How hard a plan is searched for."""

    linear: LinearSettings = field(default_factory=LinearSettings)
    finish: FinishSettings = field(default_factory=FinishSettings)
    options: int = 4  # plans with different first moves at most
    generations: int = 2  # of bred plans
    children: int = 12  # of each generation


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
    linear: LinearAnswer
    value: float  # the best plan's linear part
    scored: int
    lineage: Mapping[PlanKey, str] = field(default_factory=dict)  # where the rounds of bred plans come from, in words

    @property
    def best(self) -> Plan:
        """The plan of the highest fitness."""
        return self.plans[0]


def search_plans(
    rounds: PlanRounds,
    problem: PlanProblem,
    objective: Objective,
    settings: PlanSearchSettings | None = None,
    *,
    stop: Callable[[], bool] = lambda: False,
) -> Iterator[PlanProgress | PlanSearch]:
    """Yield progress and what was found last; after a stop request it is the best so far."""
    settings = settings or PlanSearchSettings()
    yield PlanProgress("Solving the rounds together", 0, -np.inf)
    linear = solve_linear(problem, settings.linear)
    known = _Known(rounds, objective)
    known.score([valued.plan for valued in linear.plans])
    yield PlanProgress("Scoring plans", len(known), known.best)
    breeder = PlanBreeder(problem, stream(0, Stream.PLANS, rounds.rounds[0]))
    titled = [(f"solved plan {number}", valued.plan) for number, valued in enumerate(linear.plans, 1)]
    asked = breeder.seeds(titled)
    known.tell(breeder, asked)
    for _ in range(settings.generations):
        if stop():
            break
        asked = breeder.ask(settings.children)
        known.score([one.plan for one in asked])
        known.tell(breeder, asked)
        yield PlanProgress("Breeding plans", len(known), known.best)
    for _ in range(settings.finish.steps):
        before = known.best
        if stop():
            break
        for plan in known.leaders(settings.finish.leaders):
            known.score(neighbours(problem, plan, settings.finish))
        yield PlanProgress("Trying changes of the best plans", len(known), known.best)
        if known.best <= before + settings.finish.least:
            break
    plans = known.leaders(settings.options)
    value = plan_value(problem, plans[0])
    fitness = tuple(known.fitness[plan.key()] for plan in plans)
    titles = [rounds.signals[0].rules.round_title(number) for number in rounds.rounds]
    lineage = {one.plan.key(): lineage_words(breeder, row, titles) for row, one in enumerate(breeder.plans)}
    yield PlanSearch(tuple(plans), fitness, linear, value, len(known), lineage)


class _Known:
    """Plans scored so far; each is scored once."""

    def __init__(self, rounds: PlanRounds, objective: Objective) -> None:
        self.rounds, self.objective = rounds, objective
        self.plans: dict[PlanKey, Plan] = {}
        self.fitness: dict[PlanKey, float] = {}

    def __len__(self) -> int:
        return len(self.plans)

    @property
    def best(self) -> float:
        """The highest fitness."""
        return max(self.fitness.values(), default=-np.inf)

    def score(self, plans: list[Plan]) -> None:
        """Score plans that are not known yet."""
        new = {plan.key(): plan for plan in plans if plan.key() not in self.plans}
        if not new:
            return
        found: ScoredPlans = score_plans(self.rounds, list(new.values()), self.objective)
        self.plans |= new
        self.fitness |= dict(zip(new, found.fitness.tolist(), strict=True))

    def tell(self, breeder: PlanBreeder, asked: Sequence[PlanProposal]) -> None:
        """Tell a breeder what its proposals are worth."""
        breeder.tell(asked, np.array([self.fitness[one.plan.key()] for one in asked]))

    def leaders(self, count: int) -> list[Plan]:
        """Return the best plans behind different first moves, the best first."""
        ranked = sorted(self.plans, key=lambda key: (-self.fitness[key], str(key)))
        firsts: dict[object, Plan] = {}
        for key in ranked:
            firsts.setdefault(self.plans[key].first_key(), self.plans[key])
        return list(firsts.values())[:count]
