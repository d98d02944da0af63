"""The best objective is measured beside the page, once for all who ask the same, and only for who still asks."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

import pytest

from data.errors import ModelError
from ui.advice_job import UNFORESEEN, Advice, AdviceDesk

PATIENCE = 10.0
FIELD: Any = object()
FOUND: Any = "recommendation"


def in_the_end(ask: Callable[[], Advice]) -> Advice:
    limit = time.monotonic() + PATIENCE
    while ask().running:
        assert time.monotonic() < limit, "it never came"
        time.sleep(0.002)
    return ask()


def test_an_answer_is_not_waited_for_and_measured_once() -> None:
    desk, gate, counted = AdviceDesk(), threading.Event(), []

    def measure(field: Any) -> Any:
        gate.wait(PATIENCE)
        counted.append(field)
        return FOUND

    def ask() -> Advice:
        return desk.told("me", "key", "world", lambda: FIELD, measure)

    assert ask().running
    gate.set()
    assert in_the_end(ask).found == FOUND
    assert counted == [FIELD]


def test_a_question_its_visitor_has_replaced_is_dropped() -> None:
    desk, gate, measured = AdviceDesk(), threading.Event(), []

    def asked(key: str) -> Advice:
        def measure(field: Any) -> Any:
            gate.wait(PATIENCE)
            measured.append(key)
            return FOUND

        return desk.told("me", key, "world", lambda: FIELD, measure)

    for key in ("one", "two", "three"):
        assert asked(key).running
        time.sleep(0.02)
    gate.set()
    assert in_the_end(lambda: asked("three")).found == FOUND
    assert "two" not in measured


def test_one_field_serves_a_world() -> None:
    desk, drawn = AdviceDesk(), []
    for key in ("one", "two"):
        in_the_end(lambda key=key: desk.told("me", key, "world", lambda: drawn.append(1), lambda _: FOUND))  # type: ignore[misc,func-returns-value,return-value,arg-type]
    assert len(drawn) == 1


@pytest.mark.parametrize(
    ("error", "said"), [(ModelError("No match yet. Refresh."), "No match yet. Refresh."), (KeyError("x"), UNFORESEEN)]
)
def test_a_failure_is_a_sentence(error: Exception, said: str) -> None:
    def measure(field: Any) -> Any:
        raise error

    desk = AdviceDesk()
    assert in_the_end(lambda: desk.told("me", "key", "world", lambda: FIELD, measure)).error == said


def test_a_failure_is_tried_again_after_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    desk, tries = AdviceDesk(), []

    def measure(field: Any) -> Any:
        tries.append(1)
        if len(tries) == 1:
            raise ModelError("The solver ran out of time.")
        return FOUND

    def ask() -> Advice:
        return desk.told("anna", "key", "world", lambda: FIELD, measure)

    assert in_the_end(ask).error == "The solver ran out of time."
    assert ask().error
    monkeypatch.setattr("ui.advice_job.RETRY", 0.0)
    assert in_the_end(ask).found == FOUND
    assert len(tries) == 2
