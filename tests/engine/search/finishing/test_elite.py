"""The elite is polished on the exact fitness, and never worse for it."""

from __future__ import annotations

import numpy as np

from engine.rules.conflicts import Demands
from engine.rules.legality import legal
from engine.search.breeding.proposal import EXACT, OPERATOR_NAMES
from engine.search.finishing.elite import exact_elite
from tests.cases.judged_worlds import an_evolution, small_judge


def test_the_polished_elite_is_legal_known_as_such_and_at_least_as_good() -> None:
    evolution = an_evolution("gain")
    before = evolution.best
    proposal = exact_elite(evolution)
    assert legal(proposal.squads, small_judge().view.wished).all()
    assert set(proposal.operator.tolist()) == {OPERATOR_NAMES.index(EXACT)}
    assert small_judge().score(proposal.squads, evolution.objective).fitness.max() >= before - 1e-9


def test_a_polished_squad_is_the_child_of_the_one_it_shares_most_with() -> None:
    evolution = an_evolution("gain")
    proposal = exact_elite(evolution)
    squads = evolution.population.columns.squads
    for squad, parent in zip(proposal.squads, proposal.parent[:, 0], strict=True):
        assert np.isin(squads[parent], squad).sum() == np.isin(squads, squad).sum(axis=1).max()


def test_wishes_are_kept_and_a_stop_request_leaves_all_as_it_is() -> None:
    star = int(np.argmax(small_judge().view.signals.xev))
    evolution = an_evolution(demands=Demands(never=(star,)))
    assert not (exact_elite(evolution).squads == star).any()
    evolution.stop = lambda: True
    assert not len(exact_elite(evolution))
