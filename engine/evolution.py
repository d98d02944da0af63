"""The search, ask and tell: it proposes squads and learns their scores; it never scores, draws or prints itself."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from math import inf

import numpy as np

from data.errors import InfeasibleError, InputError
from engine.blocks import tag_blocks
from engine.candidates import NO_PARENT, scored_candidates
from engine.conflicts import Demands
from engine.crossover import cross
from engine.explain import Yardstick
from engine.fitness import ScoredSquads
from engine.judge import Aim, Judge
from engine.legality import legal
from engine.local_search import Limits, improve
from engine.mutation import OPERATORS, mutate
from engine.population import Population
from engine.repair import repair
from engine.selection import select_parents
from engine.standard_form import StandardForm

SEEDED, CROSSED, POLISHED = "seed", "crossover", "local search"
OPERATOR_NAMES = (SEEDED, CROSSED, POLISHED, *OPERATORS)
"""How a candidate came about; its place is the operator code."""

BLOCK_BONDS = np.array([3.0, 2.0, 1.5, 0.5, 0.0])
"""Points that breaking a block counts in a repair, by block: the captain core last, the enabler bench first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EvolutionSettings:
    """How long and how wide the search breeds."""

    children: int = 48  # per generation
    parents: int = 160  # best candidates that may become parents
    crossed: float = 0.6  # share of children bred by crossover; the others by mutation
    strength: float = 0.2  # chance of a further step in a mutation
    polished: int = 2  # children per generation taken to a local optimum
    kicks: int = 1  # times each of them is shaken and improved again
    generations: int = 40
    evaluations: int = 20_000
    seconds: float = inf

    def __post_init__(self) -> None:
        for name in ("children", "parents", "generations", "evaluations"):
            if getattr(self, name) < 1:
                raise InputError(f"Evolution settings: {name} is {getattr(self, name)!r}; at least 1 is needed.")
        for name in ("crossed", "strength"):
            if not 0 <= getattr(self, name) <= 1:
                raise InputError(f"Evolution settings: {name} is {getattr(self, name)!r}; it is a share from 0 to 1.")


@dataclass(frozen=True, slots=True, eq=False)
class Proposal:
    """Squads the search would like to know the score of: row i of every array is one of them."""

    squads: np.ndarray  # (c, 15)
    parent: np.ndarray  # (c, 2) rows of the population, −1 for none
    operator: np.ndarray  # (c,) place in OPERATOR_NAMES
    archetype: np.ndarray  # (c,) of the first parent


@dataclass(frozen=True, slots=True)
class Progress:
    """How far the search is after a generation."""

    generation: int
    evaluations: int
    stalled: int  # generations without a better squad
    best: float
    mean: float  # of the latest generation's legal children
    seconds: float


@dataclass(eq=False)
class Evolution:
    """A population that breeds towards an aim."""

    judge: Judge
    aim: Aim
    form: StandardForm | None  # None for a spec of the user's own: no local search then
    rng: np.random.Generator
    settings: EvolutionSettings = field(default_factory=EvolutionSettings)
    demands: Demands = field(default_factory=Demands)
    population: Population = field(init=False)
    generation: int = 0
    evaluations: int = 0
    stalled: int = 0

    def __post_init__(self) -> None:
        self.population = Population(self.judge.view.pool.size)
        self._yardstick: Yardstick = self.judge.yardstick(self.aim)
        self._tags: dict[int, np.ndarray] = {}  # by row of the population
        self._allowed = np.ones(len(self.judge.view.signals), dtype=bool)
        self._allowed[list(self.demands.never)] = False
        self._locked = np.zeros(len(self._allowed), dtype=bool)
        self._locked[list(self.demands.must)] = True

    def seeded(self, squads: np.ndarray, archetype: np.ndarray) -> Proposal:
        """Return the first proposal: the seeds themselves."""
        nobody = np.full((len(squads), 2), NO_PARENT)
        return Proposal(squads, nobody, np.zeros(len(squads), dtype=np.uint8), archetype)

    def ask(self) -> Proposal:
        """Return children of the best: crossed at block boundaries or mutated, repaired, a few polished."""
        rows = self.population.query(top=self.settings.parents)
        columns = self.population.columns.at(rows)
        chosen = select_parents(columns.score, columns.band, columns.disqualified, 2 * self.settings.children, self.rng)
        first, second = chosen.reshape(2, -1)
        tags = np.stack([self._tags[int(row)] for row in rows])
        crossed = self.rng.random(len(first)) < self.settings.crossed
        born, _ = cross(
            columns.squads[first],
            columns.squads[second],
            tags[first],
            tags[second],
            self.judge.view.pool.shape,
            self.rng,
        )
        mutated, code = mutate(
            columns.squads[first],
            tags[first],
            self.judge.view,
            self.rng,
            self.settings.strength,
            worth=self._worth(),
            allowed=self._allowed,
            locked=self._locked,
        )
        squads = np.where(crossed[:, None], born, mutated)
        operator = np.where(crossed, OPERATOR_NAMES.index(CROSSED), code + OPERATOR_NAMES.index(OPERATORS[0]))
        parent = np.stack([rows[first], np.where(crossed, rows[second], NO_PARENT)], axis=1)
        kept, squads = self._repaired(squads, tags[first])
        proposal = Proposal(squads, parent[kept], operator[kept].astype(np.uint8), columns.archetype[first][kept])
        return self._with_polished(proposal)

    def tell(self, proposal: Proposal, scored: ScoredSquads) -> None:
        """Learn the scores of a proposal."""
        before = self._best()
        band = self._yardstick.bands(scored.figures["variance"])
        admission = self.population.add(
            scored_candidates(
                scored,
                band=band,
                parent=proposal.parent,
                operator=proposal.operator,
                generation=self.generation,
                archetype=proposal.archetype,
            )
        )
        view = self.judge.view
        tags = tag_blocks(view.signals, view.field_exposure, scored.lineups)
        self._tags |= {int(row): tags[place] for place, row in enumerate(admission.row) if admission.admitted[place]}
        self.evaluations += len(scored)
        self.stalled = 0 if self._best() > before else self.stalled + 1
        self.generation += 1

    @property
    def state(self) -> dict[str, float]:
        """What a spec's `terminate when` may look at."""
        return {
            "generation": float(self.generation),
            "stalled": float(self.stalled),
            "evaluations": float(self.evaluations),
            "changes": 0.0,
        }

    def _best(self) -> float:
        row = self.population.best()
        return -inf if row is None else float(self.population.columns.score[row])

    def _worth(self) -> np.ndarray:
        return self.judge.view.signals.xev if self.form is None else self.form.linear

    def _repaired(self, squads: np.ndarray, tags: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return which children live, and they legal; value-bearing blocks are the last to be touched."""
        pool, worth = self.judge.view.wished, self._worth()
        sound = legal(squads, pool)
        fixed, alive = squads.copy(), []
        for row, squad in enumerate(squads):
            if not (sound[row] and self.demands.met(squad)):
                try:
                    fixed[row] = repair(squad, pool, worth, self.demands, weight=BLOCK_BONDS[tags[row]]).squad
                except InfeasibleError:
                    continue
            alive.append(row)
        return np.array(alive, dtype=np.int64), fixed[alive]

    def _with_polished(self, proposal: Proposal) -> Proposal:
        """Add local optima of the standard form, reached from the first children."""
        count = min(self.settings.polished, len(proposal.squads))
        if self.form is None or not count:
            return proposal
        better = improve(
            self.form,
            proposal.squads[:count],
            self.rng,
            Limits(kicks=self.settings.kicks),
            self._allowed,
            tuple(self.demands.must),
        ).squads
        return Proposal(
            np.concatenate([proposal.squads, better]),
            np.concatenate([proposal.parent, proposal.parent[:count]]),
            np.concatenate([proposal.operator, np.full(count, OPERATOR_NAMES.index(POLISHED), dtype=np.uint8)]),
            np.concatenate([proposal.archetype, proposal.archetype[:count]]),
        )


def breed(
    evolution: Evolution,
    seeds: np.ndarray,
    archetype: np.ndarray,
    *,
    stop: Callable[[], bool] = lambda: False,
    clock: Callable[[], float] = time.perf_counter,
) -> Iterator[Progress]:
    """Score and breed generation after generation; a listener may stop at any yield with the best so far intact."""
    started = clock()
    proposal = evolution.seeded(seeds, archetype)
    settings = evolution.settings
    while True:
        scored = evolution.judge.score(proposal.squads, evolution.aim)
        evolution.tell(proposal, scored)
        alive = scored.fitness[~scored.disqualified]
        yield Progress(
            evolution.generation,
            evolution.evaluations,
            evolution.stalled,
            evolution._best(),
            float(alive.mean()) if alive.size else float("nan"),
            clock() - started,
        )
        done = evolution.generation >= settings.generations or evolution.evaluations >= settings.evaluations
        if done or stop() or clock() - started >= settings.seconds or evolution.aim.spec.stops(evolution.state):
            return
        proposal = evolution.ask()
