"""What the server keeps is bounded, all of it together too."""

from __future__ import annotations

import threading

from engine.jobs import Shared
from ui.web.work import kept
from ui.web.work.kept import Bound

BUDGET = 500.0  # megabytes


def test_all_that_is_kept_fits_into_a_small_server() -> None:
    bounds = [bound for bound in vars(kept).values() if isinstance(bound, Bound)]
    assert len(bounds) > 10
    assert sum(bound.most * bound.megabytes for bound in bounds) < BUDGET


def test_who_wants_the_same_waits_for_it_and_who_wants_another_does_not() -> None:
    shared, begun, leave, made = Shared[str](4), threading.Event(), threading.Event(), list[str]()

    def slowly() -> str:
        begun.set()
        leave.wait(60.0)
        made.append("slow")
        return "slow"

    threads = [threading.Thread(target=shared.of, args=("slow", slowly)) for _ in range(2)]
    for thread in threads:
        thread.start()
    assert begun.wait(60.0)
    assert shared.of("quick", lambda: "quick") == "quick"
    assert made == []
    leave.set()
    for thread in threads:
        thread.join()
    assert made == ["slow"]


def test_the_least_recently_used_goes_first() -> None:
    shared, made = Shared[str](2), list[str]()
    for key in ("a", "b", "a", "c", "a", "b"):
        shared.of(key, lambda key=key: made.append(key) or key)  # type: ignore[misc, func-returns-value]
    assert made == ["a", "b", "c", "b"]
