"""Squads that lean where the survivors do not: calmer, wilder, safer, rarer, other captains, other men.

Each leaning is the standard form with a small tilt, improved from the best squad: the least fitness is given up for it.
Where a spec has no standard form, and on every re-run, squads of the reference pool that share least with the survivors
come in as well.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from engine.fitness.explanation import Band
from engine.fitness.standard_form import StandardForm
from engine.search.breeding.evolution import Evolution
from engine.search.breeding.proposal import WIDENED, Proposal
from engine.search.climbing.limits import Limits
from engine.search.climbing.local_search import improve

RISK_STEP = 0.01
"""Points per squared point of variance that the first calm or wild form adds: half of protect's default k."""

COVER_STEP = 0.3
"""Points for each point of template exposure at its ceiling: protect's default leverage."""

DARE_STEP = 0.06
"""Points for each point of a differential's ceiling: one and a half times gain's default leverage."""

OTHERS_STEP = 0.25
"""Points by which each man of the best squad is worth less to whoever looks for other men."""

REACHING = 8
"""Tries to reach a band: the tilt is doubled until it is reached, then halved towards the weakest that does."""

NO_ARMBAND = 100.0
"""Points that keep the armband off a man."""

STRENGTHS = (1.0, 3.0)
"""How strongly each form leans the first time; a re-run leans further."""

FAR = 32
"""Squads of the reference pool that share least with the survivors, for a search without a form or a re-run."""

SURVIVORS = 20
"""The best candidates from which far squads are far."""

LIMITS = Limits(kicks=0, pairs_within=0.0)
"""Single swaps are enough for squads that breed on: pairs of them take as long again."""


def widened(evolution: Evolution, push: float = 1.0, far: bool = False) -> Proposal:
    """Return squads that lean to every side, made of the best one, and with `far` some that share little with it."""
    best = evolution.population.best()
    if best is None:
        return evolution.ask()
    parts = [*_leaning(evolution, best, push), *_banded(evolution, best, push)]
    if far or not parts:
        parts.append(_far(evolution))
    return evolution.mended(Proposal.joined(parts))


def _leaning(evolution: Evolution, best: int, push: float) -> Iterator[Proposal]:
    """Yield the best squad improved on the form with each of its tilts but those of variance."""
    if evolution.form is None:
        return
    for strength in STRENGTHS:
        for form in leaning_forms(evolution.form, evolution, best, push * strength):
            if evolution.stop():
                return
            yield _improved(evolution, form, best)


def leaning_forms(form: StandardForm, evolution: Evolution, best: int, strength: float) -> Iterator[StandardForm]:
    """Yield forms that like what the field owns, what it does not own, other men, another captain."""
    view, columns = evolution.judge.view, evolution.population.columns
    exposure, ceiling = view.field_exposure, view.signals.ceiling
    men, captain = columns.squads[best], columns.captain[best : best + 1]
    yield replace(form, linear=form.linear + strength * COVER_STEP * exposure.template * exposure.eo * ceiling)
    yield replace(form, linear=form.linear + strength * DARE_STEP * exposure.differential * (1 - exposure.eo) * ceiling)
    yield replace(form, squad=_less(form.squad, men, strength * OTHERS_STEP))
    yield replace(
        form,
        captain=_less(form.captain, captain, NO_ARMBAND),
        squad=_less(form.squad, captain, strength * OTHERS_STEP),
    )


def _banded(evolution: Evolution, best: int, push: float) -> Iterator[Proposal]:
    """Yield squads ever calmer and ever wilder, until the lowest and the highest variance band are just reached."""
    form, band = evolution.form, int(evolution.population.columns.band[best])
    if form is None:
        return
    for sign, wanted in ((1.0, 0), (-1.0, len(Band) - 1)):
        weak, strong = 0.0, 0.0
        for _ in range(REACHING if band != wanted else 0):
            if evolution.stop():
                return
            strength = (weak + strong) / 2 if strong else max(2 * weak, 1.0)
            found = _improved(evolution, replace(form, risk=form.risk + sign * push * strength * RISK_STEP), best)
            yield found
            if evolution.bands(found.squads)[0] == wanted:
                strong = strength
            else:
                weak = strength


def _improved(evolution: Evolution, form: StandardForm, best: int) -> Proposal:
    start = evolution.population.columns.squads[best][None, :]
    allowed, kept = evolution.allowed, evolution.kept
    squads = improve(form, start, evolution.rng, LIMITS, allowed, kept, stop=evolution.stop).squads
    return evolution.descended(squads, np.array([best]), WIDENED)


def _far(evolution: Evolution) -> Proposal:
    """Return reference squads that share least with the survivors, as seeds without a conviction."""
    population, pool = evolution.population, evolution.judge.pool
    held = np.unique(population.columns.squads[population.query(top=SURVIVORS)])
    fresh = pool[population.rows_of(pool) < 0]
    near = np.argsort(np.isin(fresh, held).sum(axis=1), kind="stable")[:FAR]
    return evolution.seeded(fresh[near], np.full(len(near), evolution.unconvinced))


def _less(points: np.ndarray, men: np.ndarray, by: float) -> np.ndarray:
    lowered = points.copy()
    lowered[men] -= by
    return lowered
