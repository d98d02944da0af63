"""Which objective measures best for a standing, worked out beside the page: nobody waits for it.

    desk = AdviceDesk()                                  one per server
    desk.told(visitor, key, world, draw, measure)        -> Advice: at once, complete or still running

`draw()` makes the field of a world, `measure(field)` the recommendation; neither may call Streamlit. One is measured at
a time, and a question that its visitor has replaced by another before its turn is dropped.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar

from data.errors import ThetaXIError
from engine.field import Field
from engine.standing_choice import Recommendation
from ui.chances_job import RETRY

ADVICE_KEPT = 64
VISITORS_KEPT = 256
"""Visitors whose latest question is remembered; who is forgotten asks again at his next look."""

Value = TypeVar("Value")
UNFORESEEN = "The measurement failed; the server's log names the cause. The formula still holds."


@dataclass(frozen=True, slots=True)
class Advice:
    """What is known of the best objective for a standing."""

    found: Recommendation | None = None
    error: str = ""
    since: float = field(default_factory=time.monotonic)

    @property
    def running(self) -> bool:
        """Whether more is to come."""
        return self.found is None and not self.error

    @property
    def worth_a_retry(self) -> bool:
        """Whether it failed a while ago: what was in the way may be gone."""
        return bool(self.error) and time.monotonic() - self.since > RETRY


class AdviceDesk:
    """Measures one standing after the other and remembers the answers."""

    def __init__(self, *, kept: int = ADVICE_KEPT) -> None:
        self._told: OrderedDict[str, Advice] = OrderedDict()
        self._asked: OrderedDict[str, str] = OrderedDict()  # visitor → the key of his latest question
        self._field: tuple[str, Field] | None = None
        self._kept = kept
        self._lock, self._place = threading.Lock(), threading.Lock()

    def told(
        self,
        visitor: str,
        key: str,
        world: str,
        draw: Callable[[], Field],
        measure: Callable[[Field], Recommendation],
    ) -> Advice:
        """Return what is known under a key; where nothing is, the measurement starts now."""
        with self._lock:
            _remember(self._asked, visitor, key, VISITORS_KEPT)
            if key in self._told and not self._told[key].worth_a_retry:
                return self._told[key]
            _remember(self._told, key, Advice(), self._kept)
        threading.Thread(target=self._run, args=(key, world, draw, measure), name="advice", daemon=True).start()
        return Advice()

    def _run(self, key: str, world: str, draw: Callable[[], Field], measure: Callable[[Field], Recommendation]) -> None:
        with self._place:
            if self._dropped(key):
                return
            found = self._measured(world, draw, measure)
        with self._lock:
            if key in self._told:
                self._told[key] = found

    def _dropped(self, key: str) -> bool:
        with self._lock:
            unwanted = key not in self._asked.values()
            if unwanted:
                self._told.pop(key, None)
            return unwanted

    def _measured(self, world: str, draw: Callable[[], Field], measure: Callable[[Field], Recommendation]) -> Advice:
        try:
            if self._field is None or self._field[0] != world:
                self._field = (world, draw())
            return Advice(measure(self._field[1]))
        except ThetaXIError as error:
            return Advice(error=str(error))
        except Exception:
            logging.getLogger("thetaxi").exception("A measurement of objectives failed")
            return Advice(error=UNFORESEEN)


def _remember(kept: OrderedDict[str, Value], key: str, value: Value, most: int) -> None:
    kept[key] = value
    kept.move_to_end(key)
    while len(kept) > most:
        kept.popitem(last=False)
