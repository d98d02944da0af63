"""Breeds until the options differ: chooses them, measures the floors, and re-seeds wider where they are missed.

At most two re-runs, each with seeds that lean further and with stronger mutation; then the board says honestly that its
options are close.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from engine.fitness.explanation import Band
from engine.search.breeding.diversity import Diversity, measure_diversity, pick_diverse, short_list
from engine.search.breeding.evolution import Evolution, Progress, breed
from engine.search.breeding.proposal import Proposal
from engine.search.breeding.widening import widened

CONSIDERED = 240
"""Best candidates that options are chosen from."""

OF_EACH_BAND = 60
"""And the best of each variance band, however far behind."""

RERUNS = 2
SHORTER = 3
"""Generations of a re-run."""

RAISED = 0.6
"""Chance of a further step in a re-run's mutations: three times the usual."""


SHOWN_PER_KIND = 2
"""Squads of each kind, band and leaning, that are sent out where options have to be chosen as they would be shown."""


@dataclass(frozen=True, slots=True, eq=False)
class Choice:
    """Options and how different they are."""

    rows: np.ndarray  # (m,) of the population, the best first
    diversity: Diversity


def choose(evolution: Evolution) -> Choice:
    """Return the best set of options that the population has, and how different they are as they will be shown.

    They are chosen in the line-ups that expect most, which is quick. Where an objective sends them out so that they
    miss a floor, they are chosen anew among the short list, each in the line-up it would be shown in.
    """
    judge, objective = evolution.judge, evolution.objective
    rows, yardstick, view = considered(evolution), judge.yardstick(objective), judge.view
    scored = judge.score(evolution.population.columns.squads[rows], objective)
    chosen = pick_diverse(scored, scored, yardstick, view)
    diversity = measure_diversity(judge.sent_out(scored.squads[chosen], objective), scored, yardstick, view)
    if not diversity.met:
        listed = short_list(scored, yardstick, view, SHOWN_PER_KIND)
        shown = judge.sent_out(scored.squads[listed], objective)
        chosen = listed[pick_diverse(shown, scored, yardstick, view)]
        diversity = measure_diversity(judge.sent_out(scored.squads[chosen], objective), scored, yardstick, view)
    return Choice(rows[chosen], diversity)


def considered(evolution: Evolution) -> np.ndarray:
    """Return the rows options are chosen from: the best of all, and of each band."""
    ranked, columns = evolution.population.query(), evolution.population.columns
    band = columns.band[ranked]
    kept = np.arange(len(ranked)) < CONSIDERED
    for code in range(len(Band)):
        kept[np.flatnonzero(band == code)[:OF_EACH_BAND]] = True
    return np.asarray(ranked[kept])


def govern(
    evolution: Evolution,
    seeds: Proposal,
    *,
    opening: Sequence[Callable[[Evolution], Proposal]] = (widened,),
    closing: Sequence[Callable[[Evolution], Proposal]] = (),
    clock: Callable[[], float] = time.perf_counter,
) -> Generator[Progress, None, Choice]:
    """Breed from the seeds, and again from wider ones where the options are too close; return the choice.

    `opening` makes the generations after the seeds; `closing` makes squads that are scored last, stopped or not.
    """
    started, given = clock(), evolution.settings
    yield from breed(evolution, seeds, clock=clock, started=started, opening=opening)
    _close(evolution, closing)
    choice = choose(evolution)
    for rerun in range(1, RERUNS + 1):
        if choice.diversity.met or evolution.stop() or clock() - started >= given.seconds:
            break
        evolution.settings = replace(given, strength=RAISED, generations=evolution.generation + SHORTER)
        yield from breed(evolution, widened(evolution, 2.0**rerun, far=True), clock=clock, started=started)
        choice = choose(evolution)
    evolution.settings = given
    return choice


def _close(evolution: Evolution, closing: Sequence[Callable[[Evolution], Proposal]]) -> None:
    for make in closing:
        proposal = make(evolution)
        if len(proposal):
            evolution.tell(proposal, evolution.judge.score(proposal.squads, evolution.objective))
