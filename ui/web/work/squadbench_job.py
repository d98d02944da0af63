"""A bench beside the page: one for all visitors, in a process of its own, because it measures CPU seconds.

    scheduler.again(bench_task())          starts it, or goes on from the sessions that are finished; one at a time
    scheduler.state(bench_task())          whether it runs, and the error with which the last one ended
    scheduler.stop(bench_task())           ends it with all its workers; finished sessions stay
    sessions_so_far()                      how far it is, at once

The process is the command line's own `thetaxi squadbench --quick`.
"""

from __future__ import annotations

import atexit
import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

from data.errors import ThetaXIError
from engine.bench.contenders import competing
from engine.bench.leaderboard import QUICK
from engine.bench.run import bench_folder, sessions_done
from ui.web.work.background import BENCHES, BENCHING
from ui.web.work.scheduler import Job, JobPart, Task

COMMAND = (sys.executable, "-c", "from ui.terminal.main import main; main()", "squadbench", "--quick", "--json")
WIDE = {"COLUMNS": "4000"}
"""Lets the command write each message on one line, however long."""

SPARED = 1
"""Cores that are left to the page."""

CODE = Path(__file__).parents[3]
LOG = "last-run.txt"
POLL = 0.1  # seconds between two looks at the process
ENDING_SECONDS = 5.0
"""Seconds a stopped process has to end by itself."""

TRACE = "Traceback (most recent call last)"
UNTOLD = f"The bench ended early; {LOG} in its folder names the cause. Start it again: finished sessions are kept."


def sessions_so_far() -> tuple[float, str]:
    """Return how far the quick bench is, from 0 to 1, and a line about it."""
    done, total = sessions_done(bench_folder(QUICK)), QUICK.sessions * len(competing())
    if done is None:
        return 0.0, "Proving the optimum of every round and objective …"
    return min(1.0, done / total), f"{done} of {total} sessions are finished"


def bench_task(*, fresh: bool = False) -> Task[None]:
    """Return the task to run the quick bench; with `fresh` earlier sessions are set aside: nobody removes them."""
    cores = max(1, (os.cpu_count() or 1) - SPARED)
    command = [*COMMAND, "--cores", str(cores), *(["--set-aside"] if fresh else [])]
    return Task(BENCHES, "quick", (JobPart(BENCHING, lambda job: _run(command, job)),), None)


def _run(command: list[str], job: Job[None]) -> None:
    """Run a bench to its end, or until it is stopped; one that ends early is an error in its own last words."""
    folder = bench_folder(QUICK)
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / LOG).open("wb") as log:
        process = subprocess.Popen(
            command, cwd=CODE, env=os.environ | WIDE, stdout=subprocess.DEVNULL, stderr=log, start_new_session=True
        )
    atexit.register(_end, process)
    while process.poll() is None and not job.is_over():
        job.rest(POLL)
    _end(process)
    atexit.unregister(_end)
    if process.returncode and not job.is_over():
        raise ThetaXIError(_last_words(folder / LOG))


def _end(process: subprocess.Popen[bytes]) -> None:
    """End a process and those it has started, unless it has ended by itself."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        if process.poll() is None:
            with suppress(ProcessLookupError, subprocess.TimeoutExpired):
                os.killpg(process.pid, number)
                process.wait(ENDING_SECONDS)


def _last_words(log: Path) -> str:
    said = log.read_text(encoding="utf-8", errors="replace").strip()
    return UNTOLD if not said or TRACE in said else said.splitlines()[-1].strip()
