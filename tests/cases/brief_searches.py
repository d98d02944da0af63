"""Searches that end at once: what is shown, kept and sent of a board or a plan does not depend on how good it is.

The long counts search as the product does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from engine.desk import Desk
from engine.plan.advice.sensitivity import shaken_values
from engine.plan.finishing import FinishSettings
from engine.plan.linear.beam.beam import BeamSettings
from engine.plan.linear.search import LinearSettings
from engine.plan.run import PlanProgress, PlanSearch, PlanSearchSettings, search_plans
from engine.search.climbing.limits import Limits
from engine.search.climbing.start import QuickSettings
from engine.search.finishing.polish import PolishLimits
from tests.conftest import SOAKING

GENERATIONS = 2
DRAWS = 8
"""Shaken forecasts by which a plan's first move is called firm."""

FEW_KICKS = Limits(kicks=1, stalled=3)
ONE_START = QuickSettings(limits=FEW_KICKS, starts=1)
NARROW = BeamSettings(width=100, rebuilt=1, climbs=2)
PLAN = PlanSearchSettings(
    linear=LinearSettings(wide=NARROW, proof=None, placements=3, tightened=1),
    finish=FinishSettings(steps=1, leaders=1, targets=2),
    generations=1,
    children=4,
)


def search_briefly(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let boards and plans of a test be searched for a moment, unless it says itself how hard."""
    if SOAKING:
        return
    for asked in (Desk.search, Desk.pick, Desk.compare):
        monkeypatch.setitem(asked.__kwdefaults__, "generations", GENERATIONS)
    monkeypatch.setattr("engine.search.seeding.seeds.LIMITS", FEW_KICKS)
    monkeypatch.setattr("engine.search.climbing.first_squad.SEARCH", ONE_START)
    monkeypatch.setattr("engine.search.finishing.elite.SEARCH", ONE_START)
    monkeypatch.setattr("engine.search.finishing.elite.POLISH", PolishLimits(steps=3, patience=2, neighbours=8))
    monkeypatch.setattr("engine.search.breeding.widening.STRENGTHS", (1.0,))
    monkeypatch.setattr("engine.search.breeding.widening.REACHING", 4)
    monkeypatch.setattr("engine.plan.planner.search_plans", _planned_briefly)
    monkeypatch.setattr("engine.season.week.QUICK", PLAN.linear)
    monkeypatch.setattr("engine.season.league.league_end.QUICK", PLAN.linear)
    monkeypatch.setattr("engine.plan.choosing.shaken_values", partial(shaken_values, draws=DRAWS))


def _planned_briefly(*given: Any, stop: Callable[[], bool] = lambda: False) -> Iterator[PlanProgress | PlanSearch]:
    *others, settings = given
    usual = settings == PlanSearchSettings(hits=settings.hits)
    return search_plans(*others, replace(PLAN, hits=settings.hits) if usual else settings, stop=stop)
