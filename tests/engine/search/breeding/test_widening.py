"""Squads that lean where the survivors do not."""

from __future__ import annotations

import numpy as np
import pytest

from engine.fitness.judge import text_objective
from engine.rules.legality import legal
from engine.search.breeding.evolution import Evolution
from engine.search.breeding.proposal import OPERATOR_NAMES, SEEDED, WIDENED
from engine.search.breeding.widening import widened
from tests.cases.judged_worlds import BRIEF, an_evolution, small_judge


@pytest.fixture
def worked_out_once() -> None:
    """Nothing is brief here: how far it reaches is what is looked at."""


@pytest.mark.parametrize("theta", ["protect", "gain"])
def test_the_wider_squads_are_legal_and_reach_both_ends_of_the_spectrum(theta: str) -> None:
    evolution = an_evolution(theta)
    proposal = widened(evolution)
    assert legal(proposal.squads, small_judge().view.pool).all()
    assert set(proposal.operator.tolist()) == {OPERATOR_NAMES.index(WIDENED)}
    best = evolution.population.best()
    bands = {*evolution.bands(proposal.squads).tolist(), int(evolution.population.columns.band[best])}
    assert {0, 2} <= bands


def test_some_of_them_have_another_captain() -> None:
    evolution = an_evolution()
    best = evolution.population.best()
    captains = small_judge().score(widened(evolution).squads, evolution.objective).lineups.captain
    assert (captains != evolution.population.columns.captain[best]).any()


def test_far_squads_share_less_with_the_best_than_the_reference_pool_does() -> None:
    evolution = an_evolution()
    proposal = widened(evolution, far=True)
    far = proposal.squads[proposal.operator == OPERATOR_NAMES.index(SEEDED)]
    held = np.unique(evolution.population.columns.squads)
    assert len(far)
    assert np.isin(far, held).sum(axis=1).mean() < np.isin(small_judge().pool, held).sum(axis=1).mean()


def test_without_a_standard_form_far_squads_stand_in() -> None:
    judge = small_judge()
    objective = text_objective("fitness Mine { gate feasible maximize raw_xev: 1 }", "mine.fitness", judge.view, {})
    evolution = Evolution(judge, objective, None, np.random.default_rng(1), BRIEF)
    first = evolution.seeded(judge.pool[:5], np.zeros(5))
    evolution.tell(first, judge.score(first.squads, objective))
    assert len(widened(evolution)) > 5


def test_a_stop_request_ends_the_widening() -> None:
    evolution = an_evolution()
    evolution.stop = lambda: True
    proposal = widened(evolution)
    assert OPERATOR_NAMES.index(WIDENED) not in set(proposal.operator.tolist())
