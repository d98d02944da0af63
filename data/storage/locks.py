"""One process at a time in a folder; the lock of a process that is killed ends with it."""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from data.errors import InputError

PATIENCE = 60.0
"""Seconds to wait for another who writes: a world takes one or two, so who takes longer hangs."""

POLL = 0.01  # seconds between two attempts


@contextmanager
def alone_in(folder: Path, patience: float = PATIENCE) -> Iterator[None]:
    """Hold a folder that exists; whoever else wants to write there, thread or process, waits for his turn.

    The folder itself is locked, so no file is left behind.
    """
    handle = os.open(folder, os.O_RDONLY)
    try:
        _take(handle, folder, patience)
        try:
            yield
        finally:
            fcntl.flock(handle, fcntl.LOCK_UN)  # closing is not enough where a child process has the handle too
    finally:
        os.close(handle)


def _take(handle: int, folder: Path, patience: float) -> None:
    limit = time.monotonic() + patience
    while True:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() >= limit:
                raise InputError(
                    f"Another process has been writing to {folder} for {patience:.0f} seconds. "
                    "Wait for it or end it, then try again."
                ) from None
            time.sleep(POLL)
        else:
            return
