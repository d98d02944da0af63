"""A refresh in the background: one per live source for all visitors, because the world it writes is theirs together.

    desk = RefreshDesk()                     one per server; a page keeps it with `st.cache_resource`
    desk.start("fpl", base_url, details)     False where one is running already
    desk.state("fpl")                        -> RefreshState, replaced whole: safe to read at any time

No thread here touches Streamlit. A failure ends as a report that says which last good data is still in place.
"""

from __future__ import annotations

import logging
import os
import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from data.errors import ThetaXIError
from data.sources.fifa import source as fifa
from data.sources.fpl import source as fpl
from data.sources.live import refresh
from data.sources.report import SourceReport, Step
from data.worlds.library import world_folder

Refresh = Callable[[str, str, Path, bool, Callable[[Step], None]], SourceReport]


@dataclass(frozen=True, slots=True)
class LiveSource:
    """A game whose public feed can be fetched."""

    key: str  # as the command line calls it
    title: str
    variable: str  # environment variable with another address
    address: str  # the game's own

    @property
    def base_url(self) -> str:
        """The address in force: the operator's, else the game's own."""
        return os.environ.get(self.variable, "").strip() or self.address

    @property
    def world(self) -> str:
        """The name its world is kept under."""
        return f"{self.key}-live"


SOURCES = {
    source.key: source
    for source in (
        LiveSource("fifa", "World Cup Fantasy", "THETAXI_FIFA_URL", fifa.BASE_URL),
        LiveSource("fpl", "Fantasy Premier League", "THETAXI_FPL_URL", fpl.BASE_URL),
    )
}


@dataclass(frozen=True, slots=True)
class RefreshState:
    """How far a refresh is, and how the last one ended."""

    running: bool = False
    done: int = 0  # documents
    total: int = 0  # 0 while it is not known
    path: str = ""  # the last document that arrived
    report: SourceReport | None = None  # of the last refresh that ended
    failure: str = ""  # why there is no report

    @property
    def share(self) -> float:
        """The part that has arrived, 0..1."""
        return min(1.0, self.done / self.total) if self.total else 0.0


class RefreshDesk:
    """Starts refreshes and remembers how they went."""

    def __init__(self, fetch: Refresh = refresh) -> None:
        self._fetch = fetch
        self._states = {key: RefreshState() for key in SOURCES}
        self._lock = threading.Lock()

    def state(self, source: str) -> RefreshState:
        """Return the state of a source's refresh."""
        return self._states[source]

    def start(self, source: str, *, details: bool = False) -> bool:
        """Begin a refresh; false where one is running already."""
        with self._lock:
            if self._states[source].running:
                return False
            self._states[source] = RefreshState(running=True)
        thread = threading.Thread(
            target=self._run, args=(SOURCES[source], details), name=f"refresh {source}", daemon=True
        )
        thread.start()
        return True

    def _run(self, source: LiveSource, details: bool) -> None:
        try:
            report = self._fetch(
                source.key, source.base_url, world_folder(source.world), details, lambda step: self._moved(source, step)
            )
            self._states[source.key] = RefreshState(report=report)
        except ThetaXIError as error:
            self._states[source.key] = RefreshState(failure=str(error))
        except Exception:
            logging.getLogger("thetaxi").exception("A refresh of %s failed", source.key)
            self._states[source.key] = RefreshState(
                failure="The refresh failed for a reason of its own; the last good data is still in place. "
                "The server's log names the cause."
            )

    def _moved(self, source: LiveSource, step: Step) -> None:
        state = self._states[source.key]
        self._states[source.key] = replace(state, done=step.done, total=step.total, path=step.answer.path)
