"""The search, ask and tell: it proposes squads and learns their scores; it never scores, draws or prints itself."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from math import inf

import numpy as np
from pydantic import PositiveInt
from pydantic.dataclasses import dataclass as checked

from engine.fitness.explanation import Yardstick
from engine.fitness.judge import Judge, Objective
from engine.fitness.squad_scoring import ScoredSquads
from engine.fitness.standard_form import StandardForm
from engine.rules.conflicts import Demands
from engine.rules.legality import legal
from engine.search.breeding.crossover import cross
from engine.search.breeding.diversity import mean_overlap
from engine.search.breeding.mending import Dropped, Mend, Mender
from engine.search.breeding.mutation import OPERATORS, mutate
from engine.search.breeding.proposal import CROSSED, OPERATOR_NAMES, POLISHED, SEEDED, Proposal
from engine.search.breeding.selection import select_parents
from engine.search.climbing.limits import Limits
from engine.search.climbing.local_search import improve
from engine.search.population.ancestry import NEWCOMER, crossed_order, handed_on
from engine.search.population.blocks import ENGINE, tag_blocks
from engine.search.population.candidates import NO_PARENT, scored_candidates
from engine.search.population.population import Population
from models.settings import Share

ELITE = 20
"""The best candidates, whose overlap tells how diverse a population still is."""

MOST_DROPPED = 1_000
"""Dropped children that are remembered; the earliest are forgotten first."""


@checked(frozen=True, slots=True, kw_only=True)
class EvolutionSettings:
    """How long and how wide the search breeds."""

    children: PositiveInt = 48  # per generation
    parents: PositiveInt = 160  # best candidates that may become parents
    crossed: Share = 0.6  # share of children bred by crossover; the others by mutation
    strength: Share = 0.2  # chance of a further step in a mutation
    polished: int = 1  # children per generation taken to a local optimum
    kicks: int = 4  # exchanges each of them goes through first
    generations: PositiveInt = 10
    evaluations: PositiveInt = 20_000
    seconds: float = inf


@dataclass(frozen=True, slots=True)
class Progress:
    """How far the search is after a generation."""

    generation: int
    evaluations: int
    stalled: int  # generations without a better squad
    best: float
    mean: float  # of the latest generation's legal children
    seconds: float
    diversity: float  # share of their men that two of the best twenty have in common on average: 1 means collapse


@dataclass(eq=False)
class Evolution:
    """A population that breeds towards an objective."""

    judge: Judge
    objective: Objective
    form: StandardForm | None  # None for a spec that has none: no local search then
    rng: np.random.Generator
    settings: EvolutionSettings = field(default_factory=EvolutionSettings)
    demands: Demands = field(default_factory=Demands)
    tilt: np.ndarray | None = None  # (a,) how much likelier candidates of each archetype become parents
    stop: Callable[[], bool] = lambda: False
    unconvinced: int = 0  # archetype code of seeds without a conviction
    population: Population = field(init=False)
    generation: int = 0
    evaluations: int = 0
    stalled: int = 0
    dropped: list[tuple[int, str, str]] = field(default_factory=list)  # generation, operator, why
    repairs: dict[int, Mend] = field(default_factory=dict)  # by row of the population

    def __post_init__(self) -> None:
        view = self.judge.view
        self.population = Population(view.pool.size)
        self._yardstick: Yardstick = self.judge.yardstick(self.objective)
        self._tags: list[np.ndarray] = []  # by row of the population
        self._origin: list[np.ndarray] = []
        self.allowed = self.demands.allowed(len(view.signals))
        self.kept = replace(self.demands, captain=view.settings.captain).wanted
        self._locked = np.isin(np.arange(len(self.allowed)), self.kept)
        self.worth = view.signals.xev if self.form is None else self.form.linear
        self._mender = Mender(view.wished, replace(self.demands, must=self.kept), self.worth)

    def tags(self, rows: np.ndarray) -> np.ndarray:
        """Return (r, 15) the blocks of candidates, along their squads."""
        return self._along(self._tags, rows)

    def origins(self, rows: np.ndarray) -> np.ndarray:
        """Return (r, 15) the archetypes that brought the men of candidates, 255 for newcomers."""
        return self._along(self._origin, rows)

    def seeded(self, squads: np.ndarray, archetype: np.ndarray) -> Proposal:
        """Return the first proposal: the seeds themselves, each of its archetype."""
        size = self.population.size
        return Proposal(
            squads=squads,
            parent=np.full((len(squads), 2), NO_PARENT),
            operator=np.full(len(squads), OPERATOR_NAMES.index(SEEDED), dtype=np.uint8),
            archetype=np.asarray(archetype, dtype=np.uint8),
            tags=np.full(squads.shape, ENGINE, dtype=np.uint8),
            origin=np.repeat(np.asarray(archetype, dtype=np.uint8)[:, None], size, axis=1),
        )

    def ask(self) -> Proposal:
        """Return children of the best: crossed at block boundaries or mutated, repaired, a few polished."""
        rows = self.population.query(top=self.settings.parents)
        columns = self.population.columns.at(rows)
        liking = None if self.tilt is None else self.tilt[columns.archetype]
        count = 2 * self.settings.children
        chosen = rows[select_parents(columns.score, columns.band, columns.disqualified, count, self.rng, liking)]
        first, second = chosen.reshape(2, -1)
        crossed = self.rng.random(len(first)) < self.settings.crossed
        born = Proposal.joined([self._crossed(first[crossed], second[crossed]), self.mutated(first[~crossed])])
        return self._with_polished(self.mended(born))

    def tell(self, proposal: Proposal, scored: ScoredSquads) -> None:
        """Learn the scores of a proposal."""
        before = self.best
        admission = self.population.add(
            scored_candidates(
                scored,
                band=self._yardstick.bands(scored.figures["variance"]),
                parent=proposal.parent,
                operator=proposal.operator,
                generation=self.generation,
                archetype=proposal.archetype,
            )
        )
        view = self.judge.view
        tags = tag_blocks(view.signals, view.field_exposure, scored.lineups)
        for place in np.flatnonzero(admission.admitted).tolist():
            self._tags.append(tags[place])
            self._origin.append(proposal.origin[place])
            repaired = proposal.repairs[place] if proposal.repairs else None
            if repaired is not None:
                self.repairs[int(admission.row[place])] = repaired
        self.evaluations += len(scored)
        self.stalled = 0 if self.best > before else self.stalled + 1
        self.generation += 1

    def descended(self, squads: np.ndarray, parent: np.ndarray, operator: str) -> Proposal:
        """Return a proposal of squads (c, 15) that were made of one candidate each, the rows `parent` (c,)."""
        return Proposal(
            squads=self.population.columns.squads[parent],
            parent=np.stack([parent, np.full(len(parent), NO_PARENT)], axis=1),
            operator=np.full(len(parent), OPERATOR_NAMES.index(operator), dtype=np.uint8),
            archetype=self.population.columns.archetype[parent],
            tags=self.tags(parent),
            origin=self.origins(parent),
        ).turned_into(squads)

    def mended(self, proposal: Proposal) -> Proposal:
        """Return the children that are legal and meet the demands, repaired where greed can; the others are dropped."""
        done = self._mender.mend(proposal.squads, proposal.tags, self.stop)
        self._remember(done.dropped, proposal)
        return proposal.at(done.kept).turned_into(done.squads, repairs=done.repairs)

    def bands(self, squads: np.ndarray) -> np.ndarray:
        """Return (c,) the variance band of squads that are not candidates yet: 0 low, 1 medium, 2 high."""
        return self._yardstick.bands(self.judge.score(squads, self.objective).figures["variance"])

    @property
    def best(self) -> float:
        """The highest score so far, −∞ before the first."""
        row = self.population.best()
        return -inf if row is None else float(self.population.columns.score[row])

    @property
    def diversity(self) -> float:
        """How much the best candidates have in common: the mean overlap of two of them, 0 to 1."""
        return mean_overlap(self.population.columns.squads[self.population.query(top=ELITE)])

    @property
    def state(self) -> dict[str, float]:
        """What a spec's `terminate when` may look at."""
        return {"generation": self.generation, "stalled": self.stalled, "evaluations": self.evaluations, "changes": 0}

    def _along(self, kept: list[np.ndarray], rows: np.ndarray) -> np.ndarray:
        return np.array([kept[int(row)] for row in rows], dtype=np.uint8).reshape(len(rows), self.population.size)

    def _crossed(self, first: np.ndarray, second: np.ndarray) -> Proposal:
        squads = self.population.columns.squads
        mother, father = squads[first], squads[second]
        tags, other_tags = self.tags(first), self.tags(second)
        origin, other_origin = self.origins(first), self.origins(second)
        born, took = cross(mother, father, tags, other_tags, self.judge.view.wished.shape, self.rng)
        turned = crossed_order(born, mother, tags, took)

        def inherited(of_mother: np.ndarray, of_father: np.ndarray, otherwise: int) -> np.ndarray:
            straight = handed_on(born, (mother, father), (of_mother, of_father), otherwise)
            return np.where(turned, handed_on(born, (father, mother), (of_father, of_mother), otherwise), straight)

        return Proposal(
            squads=born,
            parent=np.stack([first, second], axis=1),
            operator=np.full(len(born), OPERATOR_NAMES.index(CROSSED), dtype=np.uint8),
            archetype=self.population.columns.archetype[first],
            tags=inherited(tags, other_tags, ENGINE),
            origin=inherited(origin, other_origin, NEWCOMER),
        )

    def mutated(self, first: np.ndarray) -> Proposal:
        """Return a mutated copy of each of some candidates."""
        squads = self.population.columns.squads[first]
        changed, code = mutate(
            squads,
            self.tags(first),
            self.judge.view,
            self.rng,
            self.settings.strength,
            worth=self.worth,
            allowed=self.allowed,
            locked=self._locked,
        )
        operator = (code + OPERATOR_NAMES.index(OPERATORS[0])).astype(np.uint8)
        return self.descended(changed, first, SEEDED).at(np.arange(len(first)), operator=operator)

    def _with_polished(self, proposal: Proposal) -> Proposal:
        """Add local optima of the standard form, reached from the first children."""
        count = min(self.settings.polished, len(proposal))
        if self.form is None or not count or self.stop():
            return proposal
        before = proposal.at(np.arange(count))
        limits = Limits(kicks=self.settings.kicks)
        squads = improve(self.form, before.squads, self.rng, limits, self.allowed, self.kept, stop=self.stop).squads
        polished = np.full(count, OPERATOR_NAMES.index(POLISHED), dtype=np.uint8)
        better = before.turned_into(squads, operator=polished)
        return Proposal.joined([proposal, better.at(np.flatnonzero(legal(squads, self.judge.view.wished)))])

    def _remember(self, dropped: Sequence[Dropped], proposal: Proposal) -> None:
        told = [(self.generation, OPERATOR_NAMES[int(proposal.operator[one.child])], one.reason) for one in dropped]
        self.dropped = [*self.dropped, *told][-MOST_DROPPED:]


def breed(
    evolution: Evolution,
    first: Proposal,
    *,
    opening: Sequence[Callable[[Evolution], Proposal]] = (),
    clock: Callable[[], float] = time.perf_counter,
    started: float | None = None,
) -> Iterator[Progress]:
    """Score and breed generation after generation; a listener may stop at any yield with the best so far intact.

    `opening` makes the generations after the first one, before the population breeds by itself.
    """
    began = clock() if started is None else started
    proposal, following = first, iter(opening)
    while True:
        scored = evolution.judge.score(proposal.squads, evolution.objective)
        evolution.tell(proposal, scored)
        yield _progress(evolution, scored, clock() - began)
        if _finished(evolution) or clock() - began >= evolution.settings.seconds:
            return
        proposal = next(following, Evolution.ask)(evolution)


def _progress(evolution: Evolution, scored: ScoredSquads, seconds: float) -> Progress:
    alive = scored.fitness[~scored.disqualified]
    return Progress(
        evolution.generation,
        evolution.evaluations,
        evolution.stalled,
        evolution.best,
        float(alive.mean()) if alive.size else float("nan"),
        seconds,
        evolution.diversity,
    )


def _finished(evolution: Evolution) -> bool:
    settings = evolution.settings
    full = evolution.generation >= settings.generations or evolution.evaluations >= settings.evaluations
    return full or evolution.stop() or evolution.objective.spec.stops(evolution.state)
