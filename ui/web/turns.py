"""Turns: how many pages are drawn at once, so that the server answers everybody else meanwhile.

Every page is drawn by a thread of its own, and the one that answers requests waits for the interpreter behind all of
them, some twenty times for one answer: with sixty visitors at once a health check took up to 1.6 s. Who has no turn yet
waits without asking for the interpreter.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

PLACES = 3
"""Pages at once: more than two cores can draw, so that one that waits for another's figures keeps nobody waiting."""

_places = threading.BoundedSemaphore(PLACES)
_held = threading.local()


@contextmanager
def turn() -> Iterator[None]:
    """Wait for a turn and hold it; a part of a page that has one needs no other."""
    if getattr(_held, "yes", False):
        yield
        return
    with _places:
        _held.yes = True
        try:
            yield
        finally:
            _held.yes = False
