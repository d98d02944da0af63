"""Short pauses of the server: what a full collection of garbage has looked at once, the next ones do not look at again.

Python looks through every object that is alive when it collects, and nobody gets his turn meanwhile, not even a health
check. With worlds, beliefs and boards in memory that was a quarter of a second of work for sixteen visitors, more for
sixty, and every pause above .12 s that was seen on a server in use was one of these. What is alive after a collection
is set aside, so the next one sees only what is new. Garbage among it that refers to itself in a circle waits for a look
through everything, which is taken when it is due and the server has little to do.
"""

from __future__ import annotations

import gc
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

TURN = 0.001
"""Seconds a busy thread keeps the interpreter from others: those who answer clicks, and the first page's files."""

OLDEST = 2
"""The generation whose collection looks through everything that is not set aside."""

WHOLE_EVERY = 600.0
"""Seconds after which everything is looked through again."""

LITTLE = 0.25
"""Share of a core used since the last collection below which the server has little to do."""


@dataclass(slots=True)
class Collector:
    """Sets aside what survived a full collection; told of each by the interpreter (`gc.callbacks`)."""

    clock: Callable[[], float] = time.monotonic
    worked: Callable[[], float] = time.process_time
    _whole: float = field(init=False)
    _last: tuple[float, float] = field(init=False)  # clock and work at the last full collection

    def __post_init__(self) -> None:
        self._whole = self.clock()
        self._last = self._whole, self.worked()

    def __call__(self, phase: str, info: Mapping[str, Any]) -> None:
        """Look through everything where that is due, else set aside what is alive."""
        if info["generation"] != OLDEST:
            return
        if phase == "stop":
            gc.freeze()
            self._last = self.clock(), self.worked()
        elif self.clock() - self._whole >= WHOLE_EVERY and self._idle():
            gc.unfreeze()
            self._whole = self.clock()

    def _idle(self) -> bool:
        since, before = self._last
        return self.worked() - before <= LITTLE * (self.clock() - since)


def pause_briefly() -> None:
    """Keep the pauses of this process short from now on; what it has loaded so far is set aside at once."""
    sys.setswitchinterval(TURN)
    gc.freeze()
    if not any(isinstance(one, Collector) for one in gc.callbacks):
        gc.callbacks.append(Collector())


@contextmanager
def uncollected() -> Iterator[None]:
    """Collect no garbage meanwhile: what is imported stays, and a third of the time went into looking through it."""
    gc.disable()
    try:
        yield
        gc.freeze()
    finally:
        gc.enable()
