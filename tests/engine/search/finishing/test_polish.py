"""The elite is polished on the exact fitness: never worse, always legal, whoever wrote the spec."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from data.errors import InputError
from engine.fitness.judge import Judge, Objective, named_objective, text_objective
from engine.fitness.reference import random_squads
from engine.fitness.squad_view import SceneSettings
from engine.rules.legality import legal
from engine.rules.pool import TeamLimit
from engine.search.climbing.limits import Limits
from engine.search.climbing.start import QuickSettings
from engine.search.finishing.polish import PolishLimits, ladder_form, polish, proposing_forms, search_fitness
from models.signals import Signals
from tests.cases.judged_worlds import a_judge

OWN = "fitness Mine { gate feasible maximize raw_xev: 1 maximize bench_xev: 2 }"
FEW = PolishLimits(steps=4, batch=24)
QUICK = QuickSettings(limits=Limits(kicks=5), starts=2)


@pytest.fixture(scope="module")
def judge(beliefs: Signals) -> Judge:
    return a_judge(beliefs, SceneSettings(budget=130.0))


@pytest.fixture(scope="module")
def squads(judge: Judge) -> np.ndarray:
    return random_squads(judge.view.signals.xev, judge.view.pool, np.random.default_rng(0), 6)


def objectives(judge: Judge) -> list[Objective]:
    return [
        named_objective("protect", judge.view),
        named_objective("gain", judge.view),
        text_objective(OWN, "own", judge.view, {}),
    ]


def test_a_polish_steps_up_under_any_spec_and_tells_the_best_first(judge: Judge, squads: np.ndarray) -> None:
    for objective in objectives(judge):
        before = judge.score(squads, objective).fitness.max()
        after = polish(judge, objective, squads, np.random.default_rng(0), FEW)
        assert after.fitness[0] > before
        assert (np.diff(after.fitness) <= 0).all()
        assert legal(after.squads, judge.view.wished).all()
        assert len(np.unique(np.sort(after.squads, axis=1), axis=0)) == len(after)


def test_without_steps_the_best_given_comes_back(judge: Judge, squads: np.ndarray) -> None:
    objective = named_objective("neutral", judge.view)
    same = polish(judge, objective, squads, np.random.default_rng(0), PolishLimits(steps=0, elite=1))
    assert same.fitness.tolist() == [judge.score(squads, objective).fitness.max()]


def test_the_manager_s_wishes_are_kept(judge: Judge, squads: np.ndarray) -> None:
    leader = int(squads[0, 10])
    settings = replace(judge.view.settings, captain=leader, teams=(TeamLimit(0, most=2),))
    led = a_judge(judge.view.signals, settings)
    view = led.view
    begin = squads[legal(squads, view.wished) & (squads == leader).any(axis=1)]
    allowed = np.arange(len(view.signals)) % 3 > 0
    kept = (int(squads[0, 0]),)
    found = search_fitness(
        led,
        named_objective("gain", view),
        np.random.default_rng(0),
        QUICK,
        FEW,
        allowed=allowed,
        kept=kept,
        begin=begin,
    )
    assert legal(found.squads, view.wished).all()
    assert (found.squads == leader).any(axis=1).all()
    assert (found.squads == kept[0]).any(axis=1).all()


def test_from_nothing_it_finds_what_beats_random_squads_and_the_same_again(judge: Judge, squads: np.ndarray) -> None:
    objective = named_objective("protect", judge.view)
    runs = [search_fitness(judge, objective, np.random.default_rng(2), QUICK, FEW) for _ in range(2)]
    assert runs[0].fitness[0] > judge.score(squads, objective).fitness.max()
    assert runs[0].squads.tobytes() == runs[1].squads.tobytes()


def test_an_armband_that_moves_is_proposed_for_by_a_form_without_a_captain(judge: Judge) -> None:
    form, ladder = proposing_forms(judge.view, named_objective("gain", judge.view))
    assert not ladder.captain.any()
    assert (ladder.linear >= form.linear).all()
    best = np.argsort(-judge.view.signals.xev)[:11]
    assert (ladder_form(judge.view, form, best).linear >= form.linear).all()


def test_squads_that_break_a_rule_and_senseless_limits_are_refused(judge: Judge, squads: np.ndarray) -> None:
    poor = a_judge(judge.view.signals, SceneSettings(budget=50.0))
    with pytest.raises(InputError, match="Repair them first"):
        polish(poor, named_objective("gain", poor.view), squads, np.random.default_rng(0), FEW)
    with pytest.raises(InputError, match="counts from 0 up"):
        PolishLimits(steps=-1)


@pytest.mark.soak
def test_what_is_polished_long_enough_has_no_better_neighbour(judge: Judge, squads: np.ndarray) -> None:
    objective = named_objective("gain", judge.view)
    long = PolishLimits(steps=30, patience=30, neighbours=1_500)
    best = polish(judge, objective, squads, np.random.default_rng(0), long)
    others = np.flatnonzero(~np.isin(np.arange(len(judge.view.signals)), best.squads[0]))
    near = np.stack([best.squads[0]] * len(others) * 15)
    near[np.arange(len(near)), np.repeat(np.arange(15), len(others))] = np.tile(others, 15)
    near = near[legal(near, judge.view.wished)]
    assert len(near) > 20
    assert judge.score(near, objective).fitness.max() <= best.fitness[0] + 1e-9
