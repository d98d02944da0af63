"""Whoever asks the same gets the same answer; any other wish is another question."""

from __future__ import annotations

import threading
from datetime import UTC, datetime

import numpy as np
import pytest

from engine.desk import GENERATIONS
from engine.fitness.wishes import TeamWish
from engine.search.seeding.archetypes import SolvedSquads
from ui.web.choice.frame import open_chosen
from ui.web.choice.plan import Plan
from ui.web.work.orders import generations_of, order_key

BASE = Plan(round=1, theta="protect")


def key_of(plan: Plan) -> str:
    return order_key(open_chosen(plan, datetime.now(UTC)))


def test_the_same_plan_has_the_same_key() -> None:
    assert key_of(BASE) == key_of(Plan(round=1, theta="protect"))


@pytest.mark.parametrize(
    "change",
    [
        {"theta": "gain"},
        {"k": 0.03},
        {"bans": (5,)},
        {"locks": (5,)},
        {"formation": "4-4-2"},
        {"teams": (TeamWish("BRA", 1),)},
        {"generations": 40},
        {"budget": 99.0},
    ],
    ids=lambda change: next(iter(change)),
)
def test_any_wish_makes_another_key(change: dict[str, object]) -> None:
    assert key_of(BASE.with_changes(**change)) != key_of(BASE)


def test_generations_are_the_usual_ones_unless_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ui.web.work.orders.GENERATIONS", GENERATIONS)
    assert generations_of(Plan()) == GENERATIONS
    assert generations_of(Plan(generations=3)) == 3


def test_solved_squads_survive_many_threads_and_stay_bounded() -> None:
    shared, failures = SolvedSquads(4), []

    def ask(seed: int) -> None:
        for number in np.random.default_rng(seed).integers(0, 12, 300):
            squad, proved = shared.of(str(number), lambda number=number: (np.array([number]), True))  # type: ignore[misc]
            if squad[0] != number or not proved:
                failures.append(number)

    threads = [threading.Thread(target=ask, args=(seed,)) for seed in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert len(shared) <= 4
