"""Whoever asks the same gets the same answer; any other wish is another question."""

from __future__ import annotations

import threading
from datetime import UTC, datetime

import numpy as np
import pytest

from engine.board.bred_boards import bundled_boards
from engine.desk import GENERATIONS
from engine.fitness.wishes import TeamWish
from engine.search.seeding.archetypes import SolvedSquads
from ui.web.choice.frame import open_chosen
from ui.web.choice.plan import Plan
from ui.web.work.orders import board_order, generations_of, order_key
from ui.web.work.scheduler import SERVER, Job, Scheduler
from ui.web.work.search_job import Bred

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


def done(plan: Plan, *, bred: bool = False) -> Bred:
    """What an order of a plan tells once its board is out."""
    order = board_order(open_chosen(plan, datetime.now(UTC)), prove=False, bred=bred)
    job = Job(order, Scheduler())
    job.visitors.add(SERVER)
    return order.steps[0].work(job)


def test_a_board_that_comes_with_the_project_is_opened_and_searched_for_who_asks_how_it_was_bred() -> None:
    usual = BASE.with_changes(generations=GENERATIONS)
    opened, bred = done(usual), done(usual, bred=True)
    assert opened.board is not None
    assert opened.board.breeding is None
    assert opened.history == ()
    squads = [option["squad"] for option in bundled_boards()["wc2026", 1, "protect"].model_dump()["options"]]
    shown = [{man.player_id for man in option.men} for option in opened.board.options]
    assert shown == [set(squad) for squad in squads]
    assert bred.board is not None
    assert bred.board.breeding is not None
    assert len(bred.history) > 0


def test_a_board_of_another_seed_is_searched_once_for_all_who_ask() -> None:
    told = done(BASE.with_changes(seed=1, generations=1))
    assert told.board is not None
    assert told.board.breeding is not None


def test_the_two_are_known_apart_only_where_a_board_comes_with_the_project() -> None:
    def keys(plan: Plan) -> set[str]:
        chosen = open_chosen(plan, datetime.now(UTC))
        return {board_order(chosen, bred=bred).key for bred in (False, True)}

    assert len(keys(BASE)) == 2
    assert len(keys(BASE.with_changes(round=2))) == 1


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
