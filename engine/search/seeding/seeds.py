"""What a search begins with: a quick squad, the archetypes, and reference squads where they could not be solved."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from data.errors import SolverError
from engine.search.breeding.evolution import Evolution
from engine.search.breeding.proposal import POLISHED, Proposal
from engine.search.climbing.limits import Limits
from engine.search.climbing.local_search import improve
from engine.search.seeding.archetypes import ARCHETYPE_NAMES, SolvedSquads, archetype_squads
from engine.search.seeding.memory import Memory

QUICK, DRAWN = "quick search", "reference squad"
SEED_NAMES = (*ARCHETYPE_NAMES, QUICK, DRAWN)
"""Where seeds come from, by archetype code."""

CREW = 2
"""Archetypes solved at a time: the solver is a process of its own."""

STOP_GAP = 64
"""Reference squads, the linear optimum among them, that stand in for archetypes left unsolved."""

VARIANTS = 2
"""Mutated copies of every archetype, as many times as memory likes it."""


LIMITS = Limits(kicks=30)
"""How hard the archetypes are improved, side by side: a tenth of a second."""


def gathered(evolution: Evolution, quick: np.ndarray, archetypes: list[tuple[np.ndarray, int]]) -> Proposal:
    """Return the archetypes as seeds; where some are missing also the quick squad (15,) and reference squads."""
    seeds = list(archetypes)
    if len(seeds) < len(ARCHETYPE_NAMES):
        seeds += [(quick, SEED_NAMES.index(QUICK))]
        seeds += [(squad, SEED_NAMES.index(DRAWN)) for squad in evolution.judge.pool[-STOP_GAP:]]
    squads, codes = zip(*seeds, strict=True)
    return evolution.mended(evolution.seeded(np.stack(squads), np.array(codes)))


def latecomer(evolution: Evolution, quick: np.ndarray) -> Proposal:
    """Return the quick squad as a seed that comes last: what was bred without it keeps its own descent."""
    return evolution.mended(evolution.seeded(quick[None, :], np.array([SEED_NAMES.index(QUICK)])))


def liking(memory: Memory, objective: str) -> np.ndarray:
    """Return (a,) how much each origin of seeds is favoured: archetypes by memory, the others not."""
    return np.concatenate([memory.tilt(objective, ARCHETYPE_NAMES), np.ones(len(SEED_NAMES) - len(ARCHETYPE_NAMES))])


def first_children(evolution: Evolution) -> Proposal:
    """Return what is made of the seeds before they breed: local optima and mutated copies."""
    return Proposal.joined([*_polished(evolution), _varied(evolution)])


def _polished(evolution: Evolution) -> Iterator[Proposal]:
    seeds = np.flatnonzero(evolution.population.columns.archetype < len(ARCHETYPE_NAMES))
    if evolution.form is None or evolution.stop() or not len(seeds):
        return
    starts, allowed, kept = evolution.population.columns.squads[seeds], evolution.allowed, evolution.kept
    squads = improve(evolution.form, starts, evolution.rng, LIMITS, allowed, kept, stop=evolution.stop).squads
    yield evolution.mended(evolution.descended(squads, seeds, POLISHED))


def _varied(evolution: Evolution) -> Proposal:
    """Return mutated copies of the archetypes, more of those that memory likes: one of each at least."""
    archetype = evolution.population.columns.archetype
    seeds = np.flatnonzero(archetype < len(ARCHETYPE_NAMES))
    likes = np.ones(len(SEED_NAMES)) if evolution.tilt is None else evolution.tilt
    times = np.maximum(1, np.round(VARIANTS * likes[archetype[seeds]])).astype(np.int64)
    return evolution.mended(evolution.mutated(np.repeat(seeds, times)))


class _StoppedError(Exception):
    """A stop request came before all archetypes were solved."""


class _UntilStopped(SolvedSquads):
    """Solved squads that solve nothing new after a stop request."""

    def __init__(self, known: SolvedSquads, stop: Callable[[], bool]) -> None:
        self._cache, self._stop = known, stop
        self.found: list[np.ndarray] = []

    def of(self, key: str, solve: Callable[[], np.ndarray]) -> np.ndarray:
        """Return the squad of a key, unless the search was stopped."""
        if self._stop():
            raise _StoppedError
        squad = self._cache.of(key, solve)
        self.found.append(squad)
        return squad


def solved(evolution: Evolution, cache: SolvedSquads | None) -> list[tuple[np.ndarray, int]]:
    """Return archetypes with their codes, as many as were solved before a stop request or a failure of the solver."""
    known = _UntilStopped(cache if cache is not None else SolvedSquads(), evolution.stop)
    with ThreadPoolExecutor(CREW) as crew:
        try:
            seeds = archetype_squads(evolution.judge.view, demands=evolution.demands, cache=known, each=crew.map)
        except (_StoppedError, SolverError):
            return [(squad, SEED_NAMES.index(DRAWN)) for squad in known.found]
    return [(squad, code) for code, squad in enumerate(seeds)]
