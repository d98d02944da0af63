"""What is alive is looked through once: later collections see what is new, and everything when little is to do."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator

import pytest

from ui.web.work.collector import LITTLE, WHOLE_EVERY, Collector, pause_briefly, uncollected


class Circle:
    """Refers to itself, so nobody but a collection frees it."""

    def __init__(self) -> None:
        self.own = self


class Times:
    """A clock and a count of work that a test sets."""

    def __init__(self) -> None:
        self.now, self.work = 0.0, 0.0


@pytest.fixture
def times() -> Iterator[Times]:
    told = Times()
    before = list(gc.callbacks)
    gc.callbacks.append(Collector(lambda: told.now, lambda: told.work))
    yield told
    gc.callbacks[:] = before
    gc.unfreeze()


def test_what_survived_is_not_looked_at_again(times: Times) -> None:
    alive = [Circle() for _ in range(5_000)]
    gc.collect()
    assert gc.get_freeze_count() >= len(alive)
    assert sum(isinstance(one, Circle) for one in gc.get_objects()) == 0


def test_new_garbage_is_still_freed(times: Times) -> None:
    gc.collect()
    gone = weakref.ref(Circle())
    gc.collect()
    assert gone() is None


def test_garbage_among_what_was_set_aside_is_freed_when_it_is_due_and_little_is_to_do(times: Times) -> None:
    circle = Circle()
    gone = weakref.ref(circle)
    gc.collect()
    del circle
    gc.collect()
    assert gone() is not None  # not due yet
    times.now, times.work = WHOLE_EVERY + 1, LITTLE * WHOLE_EVERY * 2
    gc.collect()
    assert gone() is not None  # due, but the server is busy
    times.now += 60.0
    gc.collect()
    assert gone() is None


def test_a_young_collection_sets_nothing_aside(times: Times) -> None:
    gc.collect()
    young = [Circle() for _ in range(100)]
    gc.collect(0)
    assert sum(isinstance(one, Circle) for one in gc.get_objects()) == len(young)


def test_a_server_sets_aside_what_it_has_loaded_at_once() -> None:
    before = list(gc.callbacks)
    try:
        loaded = [Circle() for _ in range(1_000)]
        pause_briefly()
        assert gc.get_freeze_count() >= len(loaded)
        assert any(isinstance(one, Collector) for one in gc.callbacks)
    finally:
        gc.callbacks[:] = before
        gc.unfreeze()


def test_nothing_is_collected_while_much_is_loaded_and_what_was_loaded_is_set_aside() -> None:
    before = gc.get_freeze_count()
    with uncollected():
        assert not gc.isenabled()
        alive = [Circle() for _ in range(5_000)]
    assert gc.isenabled()
    assert gc.get_freeze_count() >= before + len(alive)
    gc.unfreeze()


def test_garbage_is_collected_again_where_loading_fails() -> None:
    with pytest.raises(ImportError), uncollected():
        raise ImportError
    assert gc.isenabled()
