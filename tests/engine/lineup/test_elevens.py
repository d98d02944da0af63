"""Every eleven a squad may send out, and the most promising of them."""

from __future__ import annotations

import numpy as np

from engine.lineup.elevens import all_elevens
from tests.cases.objectives.form_cases import LINEUPS, SHAPE

ELEVENS = all_elevens(LINEUPS, SHAPE)


def test_the_usual_squad_has_so_many_elevens_as_its_formations_allow() -> None:
    assert len(ELEVENS) == 2 * 2 * 1 * 1 + 2 * 1 * 2 * 1
    assert (ELEVENS.starts.sum(axis=1) == 5).all()


def test_who_waits_is_whoever_of_the_outfield_does_not_start() -> None:
    for starts, waiting in zip(ELEVENS.starts, ELEVENS.waiting, strict=True):
        assert waiting.tolist() == [column for column in range(2, 7) if not starts[column]]


def test_the_best_elevens_hold_the_worthiest_men() -> None:
    worth = np.random.default_rng(3).uniform(0, 6, (5, 7))
    chosen = ELEVENS.best(worth, 3)
    value = worth @ ELEVENS.starts.T
    for row in range(len(worth)):
        assert np.sort(value[row, chosen[row]]).tolist() == np.sort(value[row])[-3:].tolist()


def test_all_elevens_are_tried_where_no_number_or_a_larger_one_is_named() -> None:
    for count in (None, len(ELEVENS), 100):
        assert ELEVENS.best(np.zeros((2, 7)), count).tolist() == [list(range(len(ELEVENS)))]
