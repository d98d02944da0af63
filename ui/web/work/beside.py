"""Work beside the page that nobody asked for yet: one piece at a time, each once, and never in anybody's way.

    beside = Beside()                 one per server
    beside.start(key, work)           -> whether it starts now; not if it was done, or another piece is under way

`work()` may not call Streamlit. What fails is logged and forgotten: whoever needs it makes it again and is told why.
"""

from __future__ import annotations

import logging
import threading
from collections import OrderedDict
from collections.abc import Callable

DONE_KEPT = 64
"""Pieces that are remembered as done; a forgotten one is only done again."""


class Beside:
    """A thread for what can be made ready in advance."""

    def __init__(self, kept: int = DONE_KEPT) -> None:
        self._done: OrderedDict[str, None] = OrderedDict()
        self._kept = kept
        self._lock, self._place = threading.Lock(), threading.Lock()

    def start(self, key: str, work: Callable[[], None]) -> bool:
        """Do a piece of work in a thread, unless it was done before or another is under way."""
        with self._lock:
            if key in self._done or not self._place.acquire(blocking=False):
                return False
            self._done[key] = None
            while len(self._done) > self._kept:
                self._done.popitem(last=False)
        threading.Thread(target=self._run, args=(work,), name="beside", daemon=True).start()
        return True

    def _run(self, work: Callable[[], None]) -> None:
        try:
            work()
        except Exception:
            logging.getLogger("thetaxi").warning("What was to be made ready in advance failed", exc_info=True)
        finally:
            self._place.release()
