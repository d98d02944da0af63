"""The best squad that a second buys: searched on standard forms, polished on the exact fitness, within every demand."""

from __future__ import annotations

import numpy as np

from engine.fitness.judge import Judge, Objective
from engine.fitness.standard_form import standard_form
from engine.jobs import last_of
from engine.rules.conflicts import Demands, Names
from engine.rules.repair import repair
from engine.search.breeding.evolution import EvolutionSettings
from engine.search.climbing.limits import Limits
from engine.search.climbing.start import QuickSettings
from engine.search.finishing.polish import PolishLimits, search_fitness
from engine.search.outcome import Breeding
from engine.search.run import PickSettings, search_squads

SEARCH = QuickSettings(limits=Limits(kicks=30, stalled=30))
POLISH = PolishLimits(steps=40, patience=12)
"""How hard the search tries: about a second in the World Cup."""

SHORT = EvolutionSettings(generations=3)
"""How long a spec is bred for that has no standard form to climb on."""


def quick_best(
    judge: Judge,
    objective: Objective,
    rng: np.random.Generator,
    demands: Demands | None = None,
    starts: np.ndarray | None = None,
) -> np.ndarray:
    """Return the squad (15,) of the highest fitness found that is legal and meets the demands.

    `starts` (p, 15) are tried besides the linear optimum and the squad one has. Demands that no squad can meet are an
    error that names the smallest set of them.
    """
    asked = demands or Demands()
    squads = _legal_starts(judge, asked, starts)
    if standard_form(judge.view, objective) is None:
        found = _bred(judge, objective, rng, asked)
    else:
        allowed = asked.allowed(len(judge.view.signals))
        found = search_fitness(
            judge, objective, rng, SEARCH, POLISH, allowed=allowed, kept=asked.wanted, begin=squads
        ).squads
    scored = judge.score(np.concatenate([squads, found]), objective)
    return np.asarray(scored.squads[scored.ranking[0]])


def _legal_starts(judge: Judge, demands: Demands, starts: np.ndarray | None) -> np.ndarray:
    """Return (p, 15) the starts, the squad one has and the linear optimum, each repaired to the demands."""
    view = judge.view
    signals, current = view.signals, view.settings.current
    given = [judge.pool[-1], *([np.array(current)] if current else []), *(starts if starts is not None else ())]
    names = Names.of(signals)
    squads = [repair(squad, view.wished, signals.xev, demands, names=names).squad for squad in given]
    return np.asarray(np.unique(view.pool.by_position(np.stack(squads)), axis=0))


def _bred(judge: Judge, objective: Objective, rng: np.random.Generator, demands: Demands) -> np.ndarray:
    """Return (p, 15) the options of a short search."""
    steps = search_squads(judge, objective, rng, PickSettings(evolution=SHORT, demands=demands))
    breeding = last_of(steps, Breeding)
    return np.asarray(breeding.population.columns.squads[list(breeding.options)])
