"""The rounds of a small league that plans of many tests are made for, and the objective they are judged by."""

from __future__ import annotations

import pytest

from engine.fitness.judge import Objective, named_objective
from engine.plan.fitness.rounds import PlanRounds
from tests.cases.plans.planned_rounds import rounds_of


@pytest.fixture(scope="module")
def rounds() -> PlanRounds:
    return rounds_of("league")


@pytest.fixture(scope="module")
def objective(rounds: PlanRounds) -> Objective:
    return named_objective("neutral", rounds.views[0])
