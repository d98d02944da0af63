"""A real Dask cluster on this machine: a scheduler and workers, each a process of its own that can be killed."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from tests.conftest import ROOT
from tests.tools.loopback import free_port

START_SECONDS = 60.0
QUIET = {"DASK_DISTRIBUTED__DASHBOARD__LINK": "", "OMP_NUM_THREADS": "1"}


@dataclass(slots=True)
class Cluster:
    """A running cluster."""

    address: str
    workers: list[subprocess.Popen[bytes]] = field(default_factory=list)

    def kill_a_worker(self) -> None:
        """End one worker at once, as a power cut would."""
        self.workers[0].kill()
        self.workers[0].wait()


@contextmanager
def local_cluster(folder: Path, count: int = 2) -> Iterator[Cluster]:
    """Start a scheduler and so many workers of one thread each; end them all afterwards."""
    address = f"tcp://127.0.0.1:{free_port()}"
    scheduler = _started("scheduler", "--host", address, "--no-dashboard", "--no-jupyter", folder=folder)
    workers: list[subprocess.Popen[bytes]] = []
    try:
        options = ("--no-nanny", "--nthreads", "1", "--no-dashboard", "--local-directory", str(folder))
        workers += [_started("worker", address, *options, folder=folder) for _ in range(count)]
        _wait_for(address, count)
        yield Cluster(address, workers)
    finally:
        for process in (*workers, scheduler):
            process.kill()
            process.wait()


def _started(role: str, *arguments: str, folder: Path) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", f"distributed.cli.dask_{role}", *arguments]
    with (folder / f"{role}.log").open("ab") as log:
        return subprocess.Popen(command, cwd=ROOT, env=os.environ | QUIET, stdout=log, stderr=log)


def _wait_for(address: str, count: int) -> None:
    from distributed import Client

    until = time.monotonic() + START_SECONDS
    with Client(address, timeout=START_SECONDS) as client:  # type: ignore[no-untyped-call]
        client.wait_for_workers(count, timeout=max(until - time.monotonic(), 1.0))
