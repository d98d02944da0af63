"""A bench beside the page: one for all visitors, in a process of its own, because it measures CPU seconds.

    desk = BenchDesk()          one per server; a page keeps it with `st.cache_resource`
    desk.start()                False where one is running already; goes on from the sessions that are finished
    desk.state()                -> BenchState, at once
    desk.stop()                 ends it; finished sessions stay and the next start goes on from there

The process is the command line's own `thetaxi squadbench --quick`. Nothing here touches Streamlit.
"""

from __future__ import annotations

import atexit
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from engine.bench.contenders import competing
from engine.bench.leaderboard import QUICK
from engine.bench.run import bench_folder, sessions_done

COMMAND = (sys.executable, "-c", "from ui.terminal.main import main; main()", "squadbench", "--quick", "--json")
WIDE = {"COLUMNS": "4000"}
"""Lets the command write each message on one line, however long."""

SPARED = 1
"""Cores that are left to the page."""

CODE = Path(__file__).parents[3]
LOG = "last-run.txt"
ENDING_SECONDS = 5.0
"""Seconds a stopped process has to end by itself."""

TRACE = "Traceback (most recent call last)"
UNTOLD = f"The bench ended early; {LOG} in its folder names the cause. Start it again: finished sessions are kept."


@dataclass(frozen=True, slots=True)
class BenchState:
    """How far a bench is, and how the last one ended."""

    running: bool = False
    done: int | None = None  # finished sessions; None while the optima are being proved
    total: int = 0  # sessions altogether
    failure: str = ""  # why the last one ended early

    @property
    def share(self) -> float:
        """The part that is done, 0..1."""
        return min(1.0, (self.done or 0) / self.total) if self.total else 0.0

    @property
    def words(self) -> str:
        """Where it stands, in one line."""
        if self.done is None:
            return "Proving the optimum of every round and objective …"
        return f"{self.done} of {self.total} sessions are finished"


class BenchDesk:
    """Starts the quick bench, tells how far it is, and ends it."""

    def __init__(self, command: Sequence[str] = COMMAND) -> None:
        self._command = tuple(command)
        self._process: subprocess.Popen[bytes] | None = None
        self._stopped = False
        self._lock = threading.Lock()

    def start(self, *, fresh: bool = False) -> bool:
        """Begin, or go on; with `fresh` earlier sessions are removed first. False where one is running already."""
        with self._lock:
            if self._running:
                return False
            folder = bench_folder(QUICK)
            folder.mkdir(parents=True, exist_ok=True)
            cores = max(1, (os.cpu_count() or 1) - SPARED)
            command = [*self._command, "--cores", str(cores), *(["--fresh"] if fresh else [])]
            with (folder / LOG).open("wb") as log:
                self._process = subprocess.Popen(
                    command,
                    cwd=CODE,
                    env=os.environ | WIDE,
                    stdout=subprocess.DEVNULL,
                    stderr=log,
                    start_new_session=True,
                )
            self._stopped = False
            atexit.register(self.stop)
            return True

    def stop(self) -> None:
        """End the bench and all its workers."""
        with self._lock:
            if self._process is None or not self._running:
                return
            self._stopped = True
            _signal(self._process, signal.SIGTERM)
            try:
                self._process.wait(ENDING_SECONDS)
            except subprocess.TimeoutExpired:
                _signal(self._process, signal.SIGKILL)
                self._process.wait()

    def state(self) -> BenchState:
        """Return how far it is."""
        total = QUICK.sessions * len(competing())
        return BenchState(self._running, sessions_done(bench_folder(QUICK)), total, self._failure)

    @property
    def _running(self) -> bool:
        return self._process is not None and self._process.poll() is None

    @property
    def _failure(self) -> str:
        process = self._process
        if process is None or self._stopped or not process.poll():
            return ""
        said = (bench_folder(QUICK) / LOG).read_text(encoding="utf-8", errors="replace").strip()
        return UNTOLD if not said or TRACE in said else said.splitlines()[-1].strip()


def _signal(process: subprocess.Popen[bytes], number: signal.Signals) -> None:
    """Send a signal to a process and to those it has started, unless they have ended meanwhile."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, number)
