"""Which objective serves a standing best, measured."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engine.fitness.judge import Judge
from engine.fitness.objective import RANK
from engine.fitness.squad_view import SquadView
from engine.rank.field import Field, observed_field, rivals_field
from engine.rank.field_draw import Tastes
from engine.rank.recommendation import (
    GAIN,
    KAPPAS,
    MOST_POINTS,
    NEUTRAL,
    PROTECT,
    Breeder,
    chosen_kappa,
    rank_objective,
    recommend,
)
from engine.rules.conflicts import Demands
from engine.rules.legality import legal
from tests.cases.judged_worlds import a_judge, cup_signals


@pytest.fixture(scope="module")
def judge() -> Judge:
    return a_judge(cup_signals())


@pytest.fixture(scope="module")
def field() -> Field:
    return observed_field(cup_signals(), 120, Tastes(2))


def test_a_strength_is_taken_only_beyond_luck() -> None:
    luck = np.random.default_rng(0).random(400)
    noise = np.random.default_rng(1).normal(0.0, 0.1, 400)
    assert chosen_kappa({0.0: luck, 0.03: luck + 0.05 + noise, -0.03: luck - 0.05}) == 0.03
    assert chosen_kappa({0.0: luck, 0.03: luck + 0.001 + noise - noise.mean()}) == 0.0
    assert chosen_kappa({0.0: luck, 0.03: luck - 0.2}) == 0.0


def test_the_most_points_is_among_the_strengths() -> None:
    assert 0.0 in KAPPAS
    assert min(KAPPAS) < 0 < max(KAPPAS)


def test_a_higher_strength_stays_closer_to_the_field(judge: Judge, field: Field) -> None:
    view = SquadView(judge.view.signals, exposure=field.exposure(judge.view.signals))
    breeder = Breeder(view, np.random.default_rng(0), kicks=1)
    squads = breeder.best(*map(breeder.rank, (-0.05, 0.0, 0.1)))
    assert legal(squads, view.pool).all()
    swing = view.look(squads)[0].squad["relative_variance"]
    points = view.look(squads)[0].squad["raw_xev"] + view.look(squads)[0].squad["captaincy_uplift"]
    assert swing[0] > swing[1] > swing[2]
    assert points[1] >= points.max() - 1e-9


def test_the_rank_aim_carries_its_strength(judge: Judge) -> None:
    objective = rank_objective(judge.view, -0.03)
    assert objective.parameters["kappa"] == -0.03
    assert objective.parameters["c"] == 0.0


@pytest.mark.soak
def test_a_lead_over_a_rival_asks_for_cover_and_a_deficit_for_something_else(judge: Judge) -> None:
    signals = judge.view.signals
    breeder = Breeder(judge.view, np.random.default_rng(0), kicks=1)
    (most,) = breeder.best(breeder.rank(0.0))
    rival = replace(rivals_field(signals, most[None, :]), ladder=True)
    ahead, behind = (
        recommend(judge, lead, rival, np.random.default_rng(1), rounds_left=1, n=600) for lead in (10.0, -20.0)
    )
    assert ahead.best.objective in (MOST_POINTS, PROTECT)
    assert ahead.best.ahead.value == 1.0
    assert ahead.choice in (NEUTRAL, PROTECT)
    assert behind.best.objective == GAIN
    assert behind.strength_of(GAIN) == -behind.kappa > 0
    assert "To erase a deficit of 20, gain measures best" in behind.reason
    assert [one.ahead.value for one in behind.measured] == sorted(
        (one.ahead.value for one in behind.measured), reverse=True
    )


def test_every_objective_is_in_the_race_each_on_its_own_side(judge: Judge, field: Field) -> None:
    found = recommend(judge, 10.0, field, np.random.default_rng(1), n=300)
    assert {one.objective for one in found.measured} == {MOST_POINTS, PROTECT, NEUTRAL, GAIN}
    assert legal(np.array([one.squad for one in found.measured]), judge.view.pool).all()
    assert found.best in found.measured
    assert all(one.k is None or one.k >= 0 for one in found.measured)
    assert found.strength_of(MOST_POINTS) is None
    assert found.strength_of(RANK) == found.kappa


@pytest.mark.soak
def test_the_race_keeps_to_the_demands(judge: Judge, field: Field) -> None:
    man = int(judge.pool[0][0])
    found = recommend(judge, 10.0, field, np.random.default_rng(1), n=100, demands=Demands(must=(man,)))
    assert all(man in one.squad for one in found.measured)
