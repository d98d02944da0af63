"""Line-ups that a search has met before are those that it would make again."""

from __future__ import annotations

from dataclasses import fields

import numpy as np
import pytest

from engine.fitness.judge import named_objective
from engine.lineup.lineups import Lineups
from engine.plan.fitness.known_lineups import KnownLineups
from engine.plan.fitness.plan_fitness import score_plans
from tests.cases.plans.planned_rounds import a_swap, held, rounds_of


def same(one: Lineups, other: Lineups) -> bool:
    return all(np.allclose(getattr(one, part.name), getattr(other, part.name)) for part in fields(Lineups))


@pytest.mark.parametrize("kind", ["league", "cup"])
def test_known_lineups_are_those_that_are_made(kind: str) -> None:
    rounds, known = rounds_of(kind), KnownLineups()
    view = rounds.views[0]
    plans = [held(rounds), held(rounds, swap={rounds.rounds[0]: a_swap(rounds)})]
    first, second = (np.array([plan.moves[0].squad]) for plan in plans)
    both = np.concatenate([second, first, second])
    assert same(known.of(view, first), view.lineups(first))
    assert same(known.of(view, both), view.lineups(both))
    assert same(known.of(view, second), view.lineups(second))


@pytest.mark.parametrize("theta", ["protect", "gain"])
@pytest.mark.parametrize("kind", ["league", "cup"])
def test_plans_score_the_same_with_the_lineups_that_another_objective_met(kind: str, theta: str) -> None:
    rounds, known = rounds_of(kind), KnownLineups()
    plans = [held(rounds), held(rounds, swap={rounds.rounds[-1]: a_swap(rounds)})]
    score_plans(rounds, plans, named_objective("neutral", rounds.views[0]), known=known)
    objective = named_objective(theta, rounds.views[0])
    found = score_plans(rounds, plans, objective, known=known)
    assert found.fitness == pytest.approx(score_plans(rounds, plans, objective).fitness, abs=1e-9)
