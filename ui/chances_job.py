"""The chances to hold a lead and to catch up, simulated beside the page: nobody waits for them.

    desk = ChancesDesk()                        one per server
    desk.told(key, world, draw, simulate)       -> Told: at once, complete or still running

`draw()` makes the field of a world, once for all who play in it; `simulate(field)` gives the chances. Neither may call
Streamlit. What is told is replaced whole, so it is safe to read at any time.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field

from data.errors import ThetaXIError
from engine.field import Field
from engine.standing import Chances

TOLD_KEPT = 128
FIELDS_KEPT = 4
"""Fields of a thousand managers that are kept: about a quarter of a megabyte each."""

RETRY = 30.0
"""Seconds after which a failure is tried again."""

UNFORESEEN = "The simulation failed; the server's log names the cause."


@dataclass(frozen=True, slots=True)
class Told:
    """What is known of the chances that were asked for."""

    chances: tuple[Chances, ...] = ()
    error: str = ""
    since: float = field(default_factory=time.monotonic)

    @property
    def running(self) -> bool:
        """Whether more is to come."""
        return not self.chances and not self.error

    @property
    def worth_a_retry(self) -> bool:
        """Whether it failed a while ago: what was in the way may be gone."""
        return bool(self.error) and time.monotonic() - self.since > RETRY


class ChancesDesk:
    """Simulates one request after the other and remembers the answers."""

    def __init__(self, *, kept: int = TOLD_KEPT, fields: int = FIELDS_KEPT) -> None:
        self._told: OrderedDict[str, Told] = OrderedDict()
        self._fields: OrderedDict[str, Field] = OrderedDict()
        self._kept, self._fields_kept = kept, fields
        self._lock, self._place = threading.Lock(), threading.Lock()

    def told(
        self, key: str, world: str, draw: Callable[[], Field], simulate: Callable[[Field], tuple[Chances, ...]]
    ) -> Told:
        """Return what is known under a key; where nothing is, the simulation starts now."""
        with self._lock:
            known = self._told.get(key)
            if known is not None and not known.worth_a_retry:
                return known
            self._told[key] = Told()
            while len(self._told) > self._kept:
                self._told.popitem(last=False)
        threading.Thread(target=self._run, args=(key, world, draw, simulate), name="chances", daemon=True).start()
        return Told()

    def _run(
        self, key: str, world: str, draw: Callable[[], Field], simulate: Callable[[Field], tuple[Chances, ...]]
    ) -> None:
        try:
            with self._place:
                found = Told(simulate(self._field(world, draw)))
        except ThetaXIError as error:
            found = Told(error=str(error))
        except Exception:
            logging.getLogger("thetaxi").exception("A simulation of chances failed")
            found = Told(error=UNFORESEEN)
        with self._lock:
            if key in self._told:
                self._told[key] = found

    def _field(self, world: str, draw: Callable[[], Field]) -> Field:
        if world not in self._fields:
            self._fields[world] = draw()
        self._fields.move_to_end(world)
        while len(self._fields) > self._fields_kept:
            self._fields.popitem(last=False)
        return self._fields[world]
