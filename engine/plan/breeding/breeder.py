"""Breeds plans by ask and tell: proposes legal children, learns their scores, and remembers where each comes from.

The caller scores. Everything a search of squads has is here again: an append-only population without duplicates, a
frontier of score against swing or transfers, lineage, and parents drawn by rank within their variance band.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from data.errors import InputError
from engine.plan.breeding.intents import CarriedOut, Carrier, PlanMend, intents_of
from engine.plan.breeding.variation import Mutator, cross
from engine.plan.linear.problem import PlanProblem
from engine.plan.moves.moves import Plan
from engine.search.breeding.selection import select_parents
from engine.search.population.candidates import NO_PARENT, candidates
from engine.search.population.genome import COMBINED, Genome, genome_id, lineage_text
from engine.search.population.population import Admission, Cost, Population

CROSSED_SHARE = 0.5
"""Share of the children that have two parents."""

TRIES = 4
"""Times the children asked for that are bred at most: many are known already once the population is large."""

NEWCOMER = -1
"""Origin of a round whose moves no seed brought."""


@dataclass(frozen=True, slots=True)
class PlanProposal:
    """A plan that the search would like to know the score of."""

    plan: Plan
    how: str  # the seed's title, "crossover: first rounds", "mutation: target", …
    parents: tuple[int, ...] = ()  # rows of the population
    origin: tuple[int, ...] = ()  # for each round the row of the seed that brought its moves, −1 where it is new
    repairs: tuple[PlanMend, ...] = ()


@dataclass(eq=False)
class PlanBreeder:
    """One search over plans: ask for proposals, tell their scores."""

    problem: PlanProblem
    rng: np.random.Generator
    carrier: Carrier = field(init=False)
    plans: list[PlanProposal] = field(default_factory=list, init=False)  # by row of the population
    population: Population = field(init=False)
    _mutator: Mutator = field(init=False, repr=False)
    _known: set[object] = field(default_factory=set, init=False, repr=False)

    def __post_init__(self) -> None:
        self.carrier = Carrier.of(self.problem, solver=False)
        self._mutator = Mutator(self.problem, self.carrier.worth)
        rounds, size = len(self.problem.rounds), self.problem.frame.size
        self.population = Population(rounds * (2 * size + 1))

    def seeds(self, plans: Sequence[tuple[str, Plan]]) -> list[PlanProposal]:
        """Return plans with their titles as proposals, each once."""
        new = [PlanProposal(plan, title) for title, plan in plans if self._is_new(plan)]
        return list({proposal.plan.key(): proposal for proposal in reversed(new)}.values())[::-1]

    def ask(self, count: int) -> list[PlanProposal]:
        """Return up to `count` new children of the plans that were told; fewer where breeding finds no more."""
        if not self.plans:
            raise InputError("No plan was told yet, so nothing can be bred. Tell the seeds and their scores first.")
        found: dict[object, PlanProposal] = {}
        for _ in range(TRIES * count):
            if len(found) >= count:
                break
            child = self._child()
            if child is not None and self._is_new(child.plan):
                found.setdefault(child.plan.key(), child)
        return list(found.values())

    def tell(
        self,
        proposals: Sequence[PlanProposal],
        score: np.ndarray,
        *,
        variance: np.ndarray | None = None,
        disqualified: np.ndarray | None = None,
    ) -> Admission | None:
        """Take in scored proposals; what failed is turned away. None where there was nothing to tell."""
        if not proposals:
            return None
        spread = np.zeros(len(proposals)) if variance is None else np.asarray(variance, dtype=float)
        parents = [(*one.parents, NO_PARENT, NO_PARENT)[:2] for one in proposals]
        admission = self.population.add(
            candidates(
                np.stack([self._row(one.plan) for one in proposals]),
                score,
                variance=spread,
                changes=np.array([one.plan.transfers for one in proposals], dtype=float),
                price=np.array([one.plan.hits for one in proposals], dtype=float),
                disqualified=False if disqualified is None else disqualified,
                parent=np.array(parents),
                generation=np.array([self._generation(one) for one in proposals]),
            )
        )
        for one, row, admitted in zip(proposals, admission.row, admission.admitted, strict=True):
            self._known.add(one.plan.key())
            if admitted:
                self.plans.append(one if one.origin else _seeded(one, int(row)))
        return admission

    def best(self, top: int = 1) -> list[int]:
        """Return the rows of the best plans, the best first."""
        return [int(row) for row in self.population.query(top=top)]

    def frontier(self, cost: Cost = Cost.VARIANCE) -> list[int]:
        """Return the rows of the frontier: swing by default; changes are transfers and price is hits."""
        return [int(row) for row in self.population.frontier(cost)]

    def genome(self, row: int, text: str) -> Genome:
        """Return a plan as the unit of evolution; `text` is its content in words."""
        line, one = self.population.ancestors(row), self.plans[row]
        score = float(self.population.columns.score[row])
        return Genome(
            content=text,
            id=genome_id(row),
            parent_id=genome_id(one.parents[0]) if one.parents else None,
            lineage=lineage_text([genome_id(ancestor) for ancestor in line]),
            scores={COMBINED: score, "transfers": one.plan.transfers, "hits": one.plan.hits},
            metadata={"operator": one.how, "parents": tuple(map(genome_id, one.parents)), "origin": one.origin},
            artifacts={"repairs": one.repairs},
        )

    def _is_new(self, plan: Plan) -> bool:
        return plan.key() not in self._known

    def _child(self) -> PlanProposal | None:
        columns = self.population.columns
        bands = np.searchsorted(np.quantile(columns.variance, (1 / 3, 2 / 3)), columns.variance, side="left")
        first, second = select_parents(columns.score, bands, columns.disqualified, 2, self.rng).tolist()
        crossed = first != second and self.rng.random() < CROSSED_SHARE
        ours, theirs = (intents_of(self.plans[row].plan) for row in (first, second))
        bred = cross(ours, theirs, self.problem.frame.position, self.rng) if crossed else None
        bred = bred or self._mutator.mutate(ours, self.rng)
        done = self.carrier.carry_out(bred.intents)
        parents = (first, second) if crossed else (first,)
        return None if done is None else self._proposal(done, bred.how, parents, bred.giver)

    def _proposal(self, done: CarriedOut, how: str, parents: tuple[int, ...], giver: tuple[int, ...]) -> PlanProposal:
        mended = {mend.round for mend in done.repairs}
        origin = tuple(
            NEWCOMER if side < 0 or number in mended else self.plans[parents[side]].origin[column]
            for column, (side, number) in enumerate(zip(giver, self.problem.rounds, strict=True))
        )
        return PlanProposal(done.plan, how, parents, origin, done.repairs)

    def _generation(self, one: PlanProposal) -> int:
        born = self.population.columns.generation
        return 1 + max((int(born[row]) for row in one.parents), default=-1)

    def _row(self, plan: Plan) -> np.ndarray:
        """Return what a population stores of a plan: men and booster of each round, told apart by their number."""
        stride = len(self.problem.frame) + 1
        keys = {offer.key: number + 1 for number, offer in enumerate(self.problem.chips)}
        chips = np.array([keys.get(chip or "", 0) for chip in plan.chips], dtype=np.int64)
        rounds = np.arange(len(plan.moves))[:, None] * stride
        parts = (plan.squads + rounds, plan.kept + rounds + len(plan.moves) * stride)
        chips = chips + np.arange(len(chips)) * stride + 2 * len(plan.moves) * stride
        return np.concatenate([*(part.ravel() for part in parts), chips])


def _seeded(one: PlanProposal, row: int) -> PlanProposal:
    return PlanProposal(one.plan, one.how, one.parents, (row,) * len(one.plan.moves), one.repairs)


def lineage_words(breeder: PlanBreeder, row: int, titles: Sequence[str]) -> str:
    """Return in words which rounds of a plan come from which seed; `titles` are those of the rounds."""
    origin = breeder.plans[row].origin
    named = [breeder.plans[seed].how if seed >= 0 else "bred anew" for seed in origin]
    runs: list[tuple[str, list[str]]] = []
    for name, title in zip(named, titles, strict=True):
        if runs and runs[-1][0] == name:
            runs[-1][1].append(title)
        else:
            runs.append((name, [title]))
    return ", ".join(f"{_span(rounds)}: {name}" for name, rounds in runs)


def _span(titles: Sequence[str]) -> str:
    return titles[0] if len(titles) == 1 else f"{titles[0]} to {titles[-1]}"
