"""Answers that all processes of a test run share: what one of them worked out, the others read from disk."""

from __future__ import annotations

import fcntl
import hashlib
import os
import pickle
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

SHELF_VARIABLE = "THETAXI_TEST_SHELF"
"""Names the folder of the answers, which the run makes at its start and removes at its end."""

T = TypeVar("T")


def from_shelf(question: bytes, work: Callable[[], T]) -> T:
    """Return the answer to a question, worked out now where no process of this run has it yet."""
    file = Path(os.environ[SHELF_VARIABLE]) / hashlib.sha256(question).hexdigest()
    with _turn(file):
        if not file.exists():
            file.write_bytes(pickle.dumps(work()))
    answer: T = pickle.loads(file.read_bytes())
    return answer


@contextmanager
def _turn(file: Path) -> Iterator[None]:
    """Wait until no other process works on the same question."""
    with file.with_suffix(".turn").open("wb") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
