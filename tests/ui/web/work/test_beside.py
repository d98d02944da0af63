"""What is made ready in advance is made once, one piece at a time, and a mishap harms nobody."""

from __future__ import annotations

import logging
import threading
import time

import pytest

from ui.web.work.beside import Beside

SOON = 5.0


def finished(beside: Beside, key: str) -> None:
    """Wait until a next piece may start."""
    limit = time.monotonic() + SOON
    while not beside.start(key, lambda: None):
        assert time.monotonic() < limit
        time.sleep(0.005)


def test_a_piece_of_work_is_done_once() -> None:
    beside, done = Beside(), []
    assert beside.start("pool", lambda: done.append(1))
    finished(beside, "next")
    assert not beside.start("pool", lambda: done.append(2))
    assert done == [1]


def test_nothing_starts_while_something_is_under_way() -> None:
    beside, gate = Beside(), threading.Event()
    assert beside.start("first", lambda: gate.wait(SOON) and None)  # type: ignore[func-returns-value]
    assert not beside.start("second", lambda: None)
    gate.set()
    finished(beside, "second")


def test_a_mishap_is_logged_and_the_place_is_free_again(caplog: pytest.LogCaptureFixture) -> None:
    beside = Beside()
    with caplog.at_level(logging.WARNING, logger="thetaxi"):
        beside.start("broken", lambda: [][0])  # type: ignore[arg-type]
        finished(beside, "next")
    assert "IndexError" in caplog.text


def test_only_so_many_pieces_are_remembered() -> None:
    beside = Beside(kept=1)
    beside.start("first", lambda: None)
    finished(beside, "second")
    finished(beside, "first")
