"""Chances are simulated beside the page, once for all who ask the same, and a failure is a sentence."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

import pytest

from data.errors import ModelError
from ui.chances_job import UNFORESEEN, ChancesDesk, Told

PATIENCE = 10.0
FIELD: Any = object()
FOUND: Any = ("chances",)


def told_in_the_end(ask: Callable[[], Told]) -> Told:
    limit = time.monotonic() + PATIENCE
    while ask().running:
        assert time.monotonic() < limit, "it never came"
        time.sleep(0.002)
    return ask()


def test_the_answer_is_not_waited_for_and_simulated_once() -> None:
    desk, leave, counted = ChancesDesk(), threading.Event(), []

    def simulate(field: Any) -> Any:
        leave.wait(PATIENCE)
        counted.append(field)
        return FOUND

    def ask() -> Told:
        return desk.told("key", "world", lambda: FIELD, simulate)

    assert ask().running
    assert ask().running
    leave.set()
    assert told_in_the_end(ask).chances == FOUND
    assert counted == [FIELD]


def test_a_field_is_drawn_once_for_its_world() -> None:
    desk, draws = ChancesDesk(), []

    def draw() -> Any:
        draws.append(1)
        return FIELD

    for key in ("one", "two"):
        told_in_the_end(lambda key=key: desk.told(key, "world", draw, lambda field: FOUND))  # type: ignore[misc]
    assert len(draws) == 1


@pytest.mark.parametrize(("error", "said"), [(ModelError("No field."), "No field."), (ValueError("x"), UNFORESEEN)])
def test_a_failure_is_a_sentence(error: Exception, said: str) -> None:
    desk = ChancesDesk()

    def failing(field: Any) -> Any:
        raise error

    assert told_in_the_end(lambda: desk.told("key", "world", lambda: FIELD, failing)).error == said


def test_only_so_many_answers_are_kept() -> None:
    desk, simulated = ChancesDesk(kept=2), []

    def ask(key: str) -> Told:
        return desk.told(key, "world", lambda: FIELD, lambda field: simulated.append(key) or FOUND)  # type: ignore[func-returns-value]

    for key in ("a", "b", "c", "a"):
        told_in_the_end(lambda key=key: ask(key))  # type: ignore[misc]
    assert simulated == ["a", "b", "c", "a"]


def test_a_failure_is_tried_again_after_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    desk, tries = ChancesDesk(), []

    def simulate(field: Any) -> Any:
        tries.append(1)
        if len(tries) == 1:
            raise ModelError("The solver ran out of time.")
        return FOUND

    def ask() -> Told:
        return desk.told("key", "world", lambda: FIELD, simulate)

    assert told_in_the_end(ask).error == "The solver ran out of time."
    assert ask().error
    monkeypatch.setattr("ui.chances_job.RETRY", 0.0)
    assert told_in_the_end(ask).chances == FOUND
    assert len(tries) == 2
