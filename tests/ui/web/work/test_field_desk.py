"""Answers are worked out beside the page, once for all who ask the same, and a failure is a sentence."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

import pytest

from data.errors import ModelError
from ui.web.work.field_desk import FieldDesk, Told

PATIENCE = 10.0
FIELD: Any = object()
FOUND = "found"


def a_desk(**options: Any) -> FieldDesk[str]:
    return FieldDesk("simulation", **options)


def in_the_end(ask: Callable[[], Told[str]]) -> Told[str]:
    limit = time.monotonic() + PATIENCE
    while ask().running:
        assert time.monotonic() < limit, "it never came"
        time.sleep(0.002)
    return ask()


def test_an_answer_is_not_waited_for_and_worked_out_once() -> None:
    desk, leave, counted = a_desk(), threading.Event(), []

    def answer(field: Any) -> str:
        leave.wait(PATIENCE)
        counted.append(field)
        return FOUND

    def ask() -> Told[str]:
        return desk.told("key", "world", lambda: FIELD, answer)

    assert ask().running
    assert ask().running
    leave.set()
    assert in_the_end(ask).found == FOUND
    assert counted == [FIELD]


@pytest.mark.parametrize(("asker", "worked_on"), [("me", ["one", "three"]), ("", ["one", "two", "three"])])
def test_a_question_its_visitor_has_replaced_is_dropped(asker: str, worked_on: list[str]) -> None:
    desk, begun, leave, answered = a_desk(), threading.Event(), threading.Event(), []

    def asked(key: str) -> Told[str]:
        def answer(field: Any) -> str:
            begun.set()
            leave.wait(PATIENCE)
            answered.append(key)
            return FOUND

        return desk.told(key, "world", lambda: FIELD, answer, asker=asker)

    assert asked("one").running
    assert begun.wait(PATIENCE)
    assert asked("two").running
    assert asked("three").running
    leave.set()
    for key in worked_on:
        assert in_the_end(lambda key=key: desk.told(key, "world", lambda: FIELD, lambda _: "again")).found == FOUND  # type: ignore[misc]
    assert sorted(answered) == sorted(worked_on)


def test_a_field_is_drawn_once_for_its_world() -> None:
    desk, draws = a_desk(fields=1), []

    def draw() -> Any:
        draws.append(1)
        return FIELD

    for key, world in (("one", "cup"), ("two", "cup"), ("three", "league"), ("four", "cup")):
        in_the_end(lambda key=key, world=world: desk.told(key, world, draw, lambda _: FOUND))  # type: ignore[misc]
    assert len(draws) == 3


def test_only_so_many_answers_are_kept() -> None:
    desk, answered = a_desk(kept=2), []

    def ask(key: str) -> Told[str]:
        return desk.told(key, "world", lambda: FIELD, lambda _: answered.append(key) or FOUND)  # type: ignore[func-returns-value]

    for key in ("a", "b", "c", "a"):
        in_the_end(lambda key=key: ask(key))  # type: ignore[misc]
    assert answered == ["a", "b", "c", "a"]


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (ModelError("No match yet. Refresh."), "No match yet. Refresh."),
        (KeyError("x"), "The simulation failed; the server's log names the cause."),
    ],
)
def test_a_failure_is_a_sentence(error: Exception, said: str) -> None:
    def failing(field: Any) -> str:
        raise error

    desk = a_desk()
    assert in_the_end(lambda: desk.told("key", "world", lambda: FIELD, failing)).error == said


def test_a_failure_is_tried_again_after_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    desk, tries = a_desk(), []

    def answer(field: Any) -> str:
        tries.append(1)
        if len(tries) == 1:
            raise ModelError("The solver ran out of time.")
        return FOUND

    def ask() -> Told[str]:
        return desk.told("key", "world", lambda: FIELD, answer)

    assert in_the_end(ask).error == "The solver ran out of time."
    assert ask().error
    monkeypatch.setattr("ui.web.work.field_desk.RETRY", 0.0)
    assert in_the_end(ask).found == FOUND
    assert len(tries) == 2
