"""Every eleven a squad may send out, and the most promising of them."""

from __future__ import annotations

import numpy as np

from engine.lineup.elevens import all_elevens
from tests.cases.form_cases import LINEUPS, SHAPE


def test_the_usual_squad_has_so_many_elevens_as_its_formations_allow() -> None:
    elevens = all_elevens(LINEUPS, SHAPE)
    assert len(elevens) == 2 * 2 * 1 * 1 + 2 * 1 * 2 * 1
    assert (elevens.starts.sum(axis=1) == 5).all()


def test_who_waits_is_whoever_of_the_outfield_does_not_start() -> None:
    elevens = all_elevens(LINEUPS, SHAPE)
    for starts, waiting in zip(elevens.starts, elevens.waiting, strict=True):
        assert waiting.tolist() == [column for column in range(2, 7) if not starts[column]]


def test_the_best_elevens_hold_the_worthiest_men() -> None:
    elevens, worth = all_elevens(LINEUPS, SHAPE), np.random.default_rng(3).uniform(0, 6, (5, 7))
    chosen = elevens.best(worth, 3)
    value = worth @ elevens.starts.T
    for row in range(len(worth)):
        assert np.sort(value[row, chosen[row]]).tolist() == np.sort(value[row])[-3:].tolist()


def test_all_elevens_are_tried_where_no_number_or_a_larger_one_is_named() -> None:
    elevens = all_elevens(LINEUPS, SHAPE)
    for count in (None, len(elevens), 100):
        assert elevens.best(np.zeros((2, 7)), count).tolist() == [list(range(len(elevens)))]
