"""What a search leaves behind for those who look closer: its candidates as genomes, their descent, the frontier."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from engine.fitness.explanation import Band, decompose
from engine.lineup.joint import NOBODY
from engine.search.breeding.evolution import Evolution
from engine.search.breeding.mending import Mend
from engine.search.breeding.proposal import OPERATOR_NAMES
from engine.search.population.ancestry import ABSENT, NEWCOMER, block_origins, block_wins
from engine.search.population.blocks import BLOCK_NAMES
from engine.search.population.candidates import NO_PARENT
from engine.search.population.genome import COMBINED, Genome, genome_id, lineage_text, squad_text
from engine.search.population.population import Cost, Population

NEW = "new"
"""What a block is said to be that no archetype brought."""


@dataclass(frozen=True, slots=True, eq=False)
class Spectrum:
    """Candidates between score and cost: item i of every array is one of them, the best first."""

    row: np.ndarray  # (p,) of the population
    score: np.ndarray  # (p,) points
    cost: np.ndarray  # (p,) in the cost's own unit
    on_frontier: np.ndarray  # (p,) nobody has as much for less


@dataclass(frozen=True, slots=True, eq=False)
class Breeding:
    """A finished search: every candidate, and how each came about."""

    evolution: Evolution
    archetypes: tuple[str, ...]  # by code: the convictions, then where other seeds came from
    convictions: int  # how many of them, the first, are archetypes that a memory may learn of
    options: tuple[int, ...]  # rows of the board's options, in its order
    flag: str = ""  # what could not be met, said honestly

    @property
    def population(self) -> Population:
        """All candidates."""
        return self.evolution.population

    @property
    def solved(self) -> int:
        """Candidates that a solver mended, since greed could not."""
        return sum(mend.solved for mend in self.evolution.repairs.values())

    @property
    def wins(self) -> np.ndarray:
        """(a, 5) blocks of the board's options that each archetype brought: what a memory learns."""
        rows = np.array(self.options)
        return block_wins(self.evolution.tags(rows), self.evolution.origins(rows), self.convictions)

    @property
    def learned_from(self) -> tuple[str, ...]:
        """The archetypes of `wins`."""
        return self.archetypes[: self.convictions]

    def spectrum(self, cost: Cost = Cost.VARIANCE, top: int | None = None) -> Spectrum:
        """Return the best candidates and all of the frontier with their score and cost."""
        columns, frontier = self.population.columns, self.population.frontier(cost)
        ranked = self.population.query(top=top)
        rows = np.union1d(ranked, frontier)
        rows = rows[np.argsort(-columns.score[rows], kind="stable")]
        price = np.asarray(getattr(columns, cost)[rows])
        return Spectrum(rows, columns.score[rows], price, np.isin(rows, frontier))

    def genome(self, row: int) -> Genome:
        """Return a candidate as a genome, with its blocks' origins, what was changed and repaired, and what it gained.

        Its id is its row, so it is the same one whenever it is asked for. In metadata `origins` are block → archetype
        or "new", `gained` the points above the better parent, 0 for a seed.
        """
        signals, ancestors = self.evolution.judge.view.signals, self.population.ancestors(row)
        one = self.population.columns.at(np.array([row]))
        captain, parents = int(one.captain[0]), [genome_id(parent) for parent in one.parent[0] if parent != NO_PARENT]
        return Genome(
            content=squad_text(one.squads[0], None if captain == NOBODY else captain, signals.short, signals.position),
            id=genome_id(row),
            parent_id=parents[0] if parents else None,
            lineage=lineage_text([genome_id(ancestor) for ancestor in ancestors]),
            scores={COMBINED: float(one.score[0])} | {cost.value: float(getattr(one, cost)[0]) for cost in Cost},
            metadata={
                "parents": tuple(parents),
                "generation": int(one.generation[0]),
                "operator": OPERATOR_NAMES[one.operator[0]],
                "archetype": self.archetypes[one.archetype[0]],
                "variance_band": str(list(Band)[one.band[0]]),
                "blocks": tuple(BLOCK_NAMES[tag] for tag in self.evolution.tags(np.array([row]))[0]),
                "admitted": True,
                "disqualified": bool(one.disqualified[0]),
                "origins": self.origins(row),
                "gained": self.gained(row),
                "lineage_in_words": self.lineage(row),
            },
            artifacts={
                "repair_log": self.repair_log(row),
                "mutation_log": self.changes(row),
                "substitution_watch": self._watch(one.squads),
            },
        )

    def _watch(self, squads: np.ndarray) -> str:
        """Return the substitution watch of a candidate as the search scored it."""
        judge, objective = self.evolution.judge, self.evolution.objective
        scored = judge.score(squads, objective)
        return decompose(scored, 0, objective.name, judge.yardstick(objective), judge.view.signals).watch

    def origins(self, row: int) -> dict[str, str]:
        """Return the archetype that each block of a candidate descends from."""
        rows = np.array([row])
        found = block_origins(self.evolution.tags(rows), self.evolution.origins(rows))[0]
        names = {NEWCOMER: NEW} | dict(enumerate(self.archetypes))
        return {
            block: names[int(code)] for block, code in zip(BLOCK_NAMES, found.tolist(), strict=True) if code != ABSENT
        }

    def gained(self, row: int) -> float:
        """Return the points a candidate has above the better of its parents; 0 for a seed."""
        columns = self.population.columns
        parents = columns.parent[row][columns.parent[row] >= 0]
        return float(columns.score[row] - columns.score[parents].max()) if parents.size else 0.0

    def changes(self, row: int) -> tuple[str, ...]:
        """Return whom a candidate has that its first parent had not, and for whom."""
        columns = self.population.columns
        parent = int(columns.parent[row, 0])
        if parent < 0:
            return ()
        before, after = columns.squads[parent], columns.squads[row]
        return self._swapped(np.setdiff1d(before, after), np.setdiff1d(after, before))

    def repair_log(self, row: int) -> tuple[str, ...]:
        """Return what repair changed in a candidate, or last in its line."""
        for candidate in (row, *reversed(self.population.ancestors(row))):
            mend = self.evolution.repairs.get(candidate)
            if mend is not None:
                return (self._repaired(mend, "" if candidate == row else f"its ancestor {genome_id(candidate)}"),)
        return ()

    def lineage(self, row: int) -> str:
        """Return whose blocks a candidate has and what was done on the way, in words."""
        blocks = self.origins(row)
        brought = {name: [block for block, origin in blocks.items() if origin == name] for name in blocks.values()}
        new = brought.pop(NEW, [])
        said = [" + ".join(f"{name}'s {listed(held)}" for name, held in brought.items())] if brought else []
        said += [f"{NEW}: {listed(new)}"] if new else []
        return "; ".join(said) + self._steps(row)

    def _steps(self, row: int) -> str:
        columns, line = self.population.columns, [*self.population.ancestors(row), row][1:]
        steps = [OPERATOR_NAMES[int(columns.operator[step])] for step in line]
        counted = [f"{name} ×{steps.count(name)}" if steps.count(name) > 1 else name for name in dict.fromkeys(steps)]
        return f" (by {listed(counted)})" if counted else ""

    def _repaired(self, mend: Mend, whose: str) -> str:
        swapped = "; ".join(self._swapped(np.array(mend.out), np.array(mend.into)))
        how = ", by the solver" if mend.solved else ""
        return f"{f'In {whose}: ' if whose else ''}{swapped}, for {mend.reason}{how}"

    def _swapped(self, out: np.ndarray, into: np.ndarray) -> tuple[str, ...]:
        """Return who came for whom, position by position."""
        signals, pool = self.evolution.judge.view.signals, self.evolution.judge.view.pool
        pairs = zip(*(pool.by_position(rows.astype(np.int64)) for rows in (out, into)), strict=False)
        return tuple(f"{signals.short[leaver]} → {signals.short[comer]}" for leaver, comer in pairs)


def listed(words: Sequence[str]) -> str:
    """Return words as a list in a sentence."""
    return f"{', '.join(words[:-1])} and {words[-1]}" if len(words) > 1 else "".join(words)
