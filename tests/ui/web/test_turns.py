"""Few pages are drawn at once, a part of a page needs no turn of its own, and a turn ends however its page ends."""

from __future__ import annotations

import threading
from contextlib import suppress

from ui.web.turns import PLACES, turn

PATIENCE = 30.0
MANY = PLACES * 3


def test_no_more_pages_are_drawn_at_once_than_there_are_places() -> None:
    inside, most, lock, full = 0, 0, threading.Lock(), threading.Barrier(PLACES)

    def page() -> None:
        nonlocal inside, most
        with turn():
            with lock:
                inside += 1
                most = max(most, inside)
            full.wait(PATIENCE)  # each is passed by as many as there are places, so so many were inside at once
            with lock:
                inside -= 1

    pages = [threading.Thread(target=page) for _ in range(MANY)]
    for one in pages:
        one.start()
    for one in pages:
        one.join(PATIENCE)
    assert not any(one.is_alive() for one in pages)
    assert most == PLACES


def test_a_part_of_a_page_has_the_turn_of_its_page() -> None:
    done = []

    def page() -> None:
        with turn(), turn():
            done.append(True)

    pages = [threading.Thread(target=page) for _ in range(MANY)]
    for one in pages:
        one.start()
    for one in pages:
        one.join(PATIENCE)
    assert len(done) == MANY


def test_a_page_that_ends_early_leaves_its_turn() -> None:
    for _ in range(MANY):
        with suppress(SystemExit), turn():
            raise SystemExit
    with turn():
        pass
