"""A herd follows what is hardly a loss, remembers each squad's best, and turns back when it stalls."""

from __future__ import annotations

import numpy as np
import pytest

from engine.fitness.standard_form import form_value
from engine.rules.legality import legal
from engine.search.climbing.herd import Herd
from engine.search.climbing.limits import Limits
from tests.cases.objectives.form_cases import a_start, some_squads


def a_herd(seed: int, limits: Limits, *, together: bool = False, count: int = 4) -> Herd:
    form, begin = a_start(seed, count, players=40)
    return Herd.of(form, begin, None, np.zeros(len(form), dtype=bool), limits, together=together)


def test_the_best_only_rises_and_is_legal_and_worth_what_is_said() -> None:
    herd, rng = a_herd(3, Limits(heat=1.0)), np.random.default_rng(0)
    before = herd.best.value
    for _ in range(20):
        herd.step(rng)
        assert (herd.best.value >= before).all()
        before = herd.best.value
    assert legal(herd.best.squads, herd.form.pool).all()
    assert legal(herd.here.squads, herd.form.pool).all()
    best = herd.best
    assert form_value(herd.form, best.squads, best.starts, best.captain) == pytest.approx(best.value)


def test_a_stalled_squad_goes_back_to_its_own_best_or_to_the_best_of_all() -> None:
    for together in (False, True):
        herd, rng = a_herd(5, Limits(heat=3.0, patience=50.0, stalled=3), together=together), np.random.default_rng(1)
        for _ in range(60):
            herd.step(rng)
        same = np.ptp(herd.best.value) < 1e-9
        assert same if together else not herd.stalled.max() >= 3


def test_a_squad_from_elsewhere_takes_the_place_of_the_worst() -> None:
    herd = a_herd(6, Limits(depth_of_market=1))
    worst = herd.best.value.min()
    squad = some_squads(herd.form.pool, np.random.default_rng(77), 1)[0]
    led = herd.led_by(squad)
    assert (led.best.squads == squad).all(axis=1).any()
    assert (led.counter.shelves.known[squad] >= 0).all()
    assert (led.best.value == worst).sum() == 0
    led.step(np.random.default_rng(0))
