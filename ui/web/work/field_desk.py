"""What needs the whole field to answer, worked out beside the page: nobody waits for it.

    desk = FieldDesk("simulation of chances")                    one per server and kind of question
    desk.told(key, world, draw, answer)                          -> Told: at once, complete or still running
    desk.told(key, world, draw, answer, asker=visitor)           the same, dropped once the visitor asks another

`draw()` makes the field of a world, once for all who play in it; `answer(field)` works out what is asked. Neither may
call Streamlit. One question is worked on at a time. What is told is replaced whole, so it is safe to read at any time.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from data.errors import ThetaXIError
from engine.rank.field import Field

TOLD_KEPT = 128
FIELDS_KEPT = 4
"""Fields of a thousand managers that are kept: about a quarter of a megabyte each."""

ASKERS_KEPT = 256
"""Visitors whose latest question is remembered; who is forgotten asks again at his next look."""

RETRY = 30.0
"""Seconds after which a failure is tried again."""

Found = TypeVar("Found")
Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class Told(Generic[Found]):
    """What is known of what was asked."""

    found: Found | None = None
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


@dataclass(frozen=True, slots=True)
class _Question(Generic[Found]):
    key: str
    world: str
    draw: Callable[[], Field]
    answer: Callable[[Field], Found]
    asked_by_one: bool  # and so dropped when he asks another


class FieldDesk(Generic[Found]):
    """Answers one question after the other and remembers the answers."""

    def __init__(self, what: str, *, kept: int = TOLD_KEPT, fields: int = FIELDS_KEPT) -> None:
        self.unforeseen = f"The {what} failed; the server's log names the cause."
        self._told: OrderedDict[str, Told[Found]] = OrderedDict()
        self._asked: OrderedDict[str, str] = OrderedDict()  # visitor → the key of his latest question
        self._fields: OrderedDict[str, Field] = OrderedDict()
        self._kept, self._fields_kept = kept, fields
        self._lock, self._place = threading.Lock(), threading.Lock()

    def told(
        self, key: str, world: str, draw: Callable[[], Field], answer: Callable[[Field], Found], *, asker: str = ""
    ) -> Told[Found]:
        """Return what is known under a key; where nothing is, the work on it starts now."""
        with self._lock:
            if asker:
                _remember(self._asked, asker, key, ASKERS_KEPT)
            known = self._told.get(key)
            if known is not None and not known.worth_a_retry:
                return known
            started: Told[Found] = Told()
            _remember(self._told, key, started, self._kept)
        question = _Question(key, world, draw, answer, bool(asker))
        threading.Thread(target=self._run, args=(question,), name="field-desk", daemon=True).start()
        return started

    def _run(self, question: _Question[Found]) -> None:
        with self._place:
            if question.asked_by_one and self._dropped(question.key):
                return
            found = self._answered(question)
        with self._lock:
            if question.key in self._told:
                self._told[question.key] = found

    def _dropped(self, key: str) -> bool:
        with self._lock:
            unwanted = key not in self._asked.values()
            if unwanted:
                self._told.pop(key, None)
            return unwanted

    def _answered(self, question: _Question[Found]) -> Told[Found]:
        try:
            return Told(question.answer(self._field(question)))
        except ThetaXIError as error:
            return Told(error=str(error))
        except Exception:
            logging.getLogger("thetaxi").exception(self.unforeseen)
            return Told(error=self.unforeseen)

    def _field(self, question: _Question[Found]) -> Field:
        known = self._fields.get(question.world)
        drawn = question.draw() if known is None else known
        _remember(self._fields, question.world, drawn, self._fields_kept)
        return drawn


def _remember(kept: OrderedDict[str, Value], key: str, value: Value, most: int) -> None:
    kept[key] = value
    kept.move_to_end(key)
    while len(kept) > most:
        kept.popitem(last=False)
