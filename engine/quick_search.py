"""The best squad that a second buys: local search on the standard form, then single swaps on the exact fitness."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from data.errors import ModelError
from data.rules import CaptaincyMode
from engine.board import Board
from engine.conflicts import Demands, Names
from engine.evolution import EvolutionSettings
from engine.fitness import ScoredSquads
from engine.judge import Aim, Judge
from engine.legality import legal
from engine.local_search import Limits, improve
from engine.neighbours import Neighbours, neighbours
from engine.repair import repair
from engine.run import PickSettings, pick
from engine.standard_form import StandardForm, standard_form
from engine.swaps import short_market

LIMITS = Limits(kicks=3)
"""How hard the local search tries from each start: some hundredths of a second."""

RUNG, RUNG_SHARE = 12.0, 0.75
"""Where the armband may move, a starter's points above the value of a usual ladder count so much more: that form finds
squads with a man for every kick-off, which a captain held all round does not ask for."""

CLIMBED = 3
"""Best local optima that go on by exact swaps: under a ladder the standard form is wrong by a point or so."""

MOST_STEPS = 15
"""Exact swaps at most; from a local optimum of the standard form one to four are usual."""

DEPTH_OF_MARKET = 6
"""A man whom so many beat at his price or below does not come in by an exact swap."""

PROMISING = 160
"""Swaps of a step whose fitness is reckoned: in the World Cup one of five, the best step among them."""

STEP = 1e-7
"""Points a step must bring: less is rounding of sums."""

SHORT = EvolutionSettings(generations=3)
"""How long a spec of the user's own breeds: it has no standard form to climb on."""


class _Market(NamedTuple):
    """Who may come in by an exact swap, and who may not leave."""

    men: np.ndarray  # (m,) player rows
    stay: tuple[int, ...]


def quick_best(
    judge: Judge, aim: Aim, rng: np.random.Generator, demands: Demands | None = None, starts: np.ndarray | None = None
) -> np.ndarray:
    """Return the squad (15,) of the highest fitness found that is legal and meets the demands.

    `starts` (p, 15) are tried besides the linear optimum and the squad one has. Demands that no squad can meet are an
    error that names the smallest set of them.
    """
    asked = demands or Demands()
    form = standard_form(judge.view, aim)
    squads = _legal_starts(judge, asked, starts)
    if form is None:
        return _best_of(judge, aim, np.concatenate([squads, _bred(judge, aim, rng, asked)]), 1)[0]
    allowed = np.ones(len(form), dtype=bool)
    allowed[list(asked.never)] = False
    forms = [form, *_ladder_forms(judge, form)]
    found = np.concatenate([improve(each, squads, rng, LIMITS, allowed, asked.wanted).squads for each in forms])
    found = found[_meeting(judge, asked, found)]
    best = _best_of(judge, aim, np.concatenate([squads, found]), CLIMBED)
    market = _Market(short_market(form, np.flatnonzero(allowed), DEPTH_OF_MARKET), asked.wanted)
    return _best_of(judge, aim, np.stack([_climbed(judge, aim, forms[-1], squad, market) for squad in best]), 1)[0]


def _legal_starts(judge: Judge, demands: Demands, starts: np.ndarray | None) -> np.ndarray:
    """Return (p, 15) the starts, the squad one has and the linear optimum, each repaired to the demands."""
    view = judge.view
    signals, current = view.signals, view.settings.current
    given = [judge.pool[-1], *([np.array(current)] if current else []), *(starts if starts is not None else ())]
    names = Names.of(signals)
    squads = [repair(squad, view.wished, signals.xev, demands, names=names).squad for squad in given]
    return np.asarray(np.unique([s[np.lexsort((s, signals.position[s]))] for s in squads], axis=0))


def _ladder_forms(judge: Judge, form: StandardForm) -> list[StandardForm]:
    """Return the form that stands for a moving armband: no captain held, every starter a rung of the ladder."""
    signals = judge.view.signals
    if signals.rules.captaincy.mode is CaptaincyMode.LOCKED:
        return []
    rung = RUNG_SHARE * signals.armband.surplus_over(RUNG)
    return [replace(form, linear=form.linear + rung, captain=np.zeros(len(form)))]


def _meeting(judge: Judge, demands: Demands, squads: np.ndarray) -> np.ndarray:
    """Return (p,) which squads keep the manager's own limits and demands too."""
    met = np.array([demands.met(squad) for squad in squads], dtype=bool)
    return np.asarray(legal(squads, judge.view.wished) & met)


def _bred(judge: Judge, aim: Aim, rng: np.random.Generator, demands: Demands) -> np.ndarray:
    """Return (p, 15) the options of a short search."""
    for step in pick(judge, aim, rng, PickSettings(evolution=SHORT, demands=demands)):
        if isinstance(step, Board):
            return np.array([option.rows for option in step.options])
    raise ModelError("The search ended without a board.")


def _climbed(judge: Judge, aim: Aim, form: StandardForm, squad: np.ndarray, market: _Market) -> np.ndarray:
    """Return the end of the steepest exact swaps from a squad, the most promising of each step looked at."""
    here = judge.score(squad[None, :], aim)
    for _ in range(MOST_STEPS):
        near = _promising(form, here, neighbours(here.squads[0], judge.view.wished, market.men, market.stay))
        scored = judge.score(near.squads, aim) if len(near) else here
        best = scored.ranking[:1]
        if not best.size or scored.fitness[best[0]] < here.fitness[0] + STEP:
            break
        here = judge.score(scored.squads[best], aim)
    return np.asarray(here.squads[0])


def _promising(form: StandardForm, here: ScoredSquads, near: Neighbours) -> Neighbours:
    """Return the neighbours that promise most when the newcomer takes the place of who leaves, others unmoved."""
    weight = (here.squads[0] == near.out[:, None]) @ here.lineups.weight[0]
    gain = weight * (form.linear[near.into] - form.linear[near.out]) + form.squad[near.into] - form.squad[near.out]
    return near.at(np.argsort(-gain, kind="stable")[:PROMISING])


def _best_of(judge: Judge, aim: Aim, squads: np.ndarray, count: int) -> list[np.ndarray]:
    """Return the `count` squads of the highest fitness, each once."""
    different = np.unique(np.sort(squads, axis=1), axis=0, return_index=True)[1]
    scored = judge.score(squads[np.sort(different)], aim)
    return list(scored.squads[scored.ranking[:count]])
