"""Long jobs in pieces: on all local cores by default, or on a Dask cluster by its address.

A piece must not depend on another one, nor on where it runs: whatever is random comes from a seed in its task. So the
results are the same everywhere, in whatever order they come.
"""

from __future__ import annotations

import os
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Generic, TypeVar

from threadpoolctl import threadpool_limits

from data.errors import InputError, ModelError, UnreachableError

Task = TypeVar("Task")
Result = TypeVar("Result")
Value = TypeVar("Value")

ALL_CORES = -1
SAFE_PATH = "PYTHONSAFEPATH"
"""Tells a new Python not to import from the folder it is started in, which may be anybody's."""

PATIENCE = 10.0
"""Seconds to wait for the answer of a cluster."""


@dataclass(frozen=True, slots=True)
class JobStep:
    """How far a long job is."""

    done: int
    total: int
    doing: str


def run_jobs(
    work: Callable[[Task], Result],
    tasks: Sequence[Task],
    *,
    cluster: str | None = None,
    cores: int = ALL_CORES,
) -> Iterator[tuple[int, Result]]:
    """Yield the place of each task and its result, as soon as it is there.

    `work` and the tasks are sent to other processes, so `work` is a function of a module. When a worker of a cluster
    dies, its pieces are done again elsewhere.
    """
    if cores == 0:
        raise InputError("No core at all does no work. Give --cores 1 or more, or -1 for all.")
    if cluster is None and (cores == 1 or len(tasks) < 2):
        yield from (_placed(work, place, task) for place, task in enumerate(tasks))
        return
    from joblib import Parallel, delayed
    from joblib.externals.loky.process_executor import TerminatedWorkerError

    with _backend(cluster), _safe_path():
        pieces = (delayed(_placed)(work, place, task) for place, task in enumerate(tasks))
        try:
            yield from Parallel(n_jobs=cores, return_as="generator_unordered", batch_size=1)(pieces)
        except TerminatedWorkerError:
            raise ModelError(
                "A process that worked on this was ended from outside or ran out of memory. Run the command again, "
                "with --cores 1 if memory is short."
            ) from None


def last_of(steps: Iterable[object], kind: type[Result]) -> Result:
    """Return what a long job yields when it is done, all steps on the way left aside."""
    for step in steps:
        if isinstance(step, kind):
            return step
    raise ModelError("The work ended before its last step. Start it again.")


def work_on_one_core() -> None:
    """Let this process compute on one core from now on, so that a seed gives the same bytes everywhere.

    Linear algebra on several gives other last bits, and searches side by side would wait for each other's helpers.
    """
    threadpool_limits(limits=1)


def check_cluster(cluster: str | None) -> None:
    """Refuse a cluster that does not answer, before anything is given up for it."""
    with _backend(cluster):
        pass


def _placed(work: Callable[[Task], Result], place: int, task: Task) -> tuple[int, Result]:
    """Work on one core: linear algebra on several gives other last bits, and counts their seconds together."""
    with threadpool_limits(limits=1):
        return place, work(task)


@contextmanager
def _backend(cluster: str | None) -> Iterator[None]:
    """Let joblib work on a cluster where one is named."""
    if cluster is None:
        yield
        return
    from joblib import parallel_config

    try:
        from distributed import Client
    except ImportError:
        raise InputError(
            "Dask is not installed, so there is no cluster to use. Install it with: pip install 'thetaxi[cluster]'."
        ) from None
    try:
        client = Client(cluster, timeout=PATIENCE)  # type: ignore[no-untyped-call]
    except (OSError, ValueError, TimeoutError) as error:
        raise UnreachableError(
            f"No Dask cluster answers at {cluster}: {error}. Start one with `dask scheduler`, or leave --cluster out."
        ) from None
    with client, parallel_config(backend="dask", client=client):
        yield


@contextmanager
def _safe_path() -> Iterator[None]:
    """Let the processes started meanwhile import what we do, and nothing from the working directory."""
    before = os.environ.get(SAFE_PATH)
    os.environ[SAFE_PATH] = "1"
    try:
        yield
    finally:
        if before is None:
            os.environ.pop(SAFE_PATH, None)
        else:
            os.environ[SAFE_PATH] = before


class Shared(Generic[Value]):
    """Values that several threads ask for: each is made once, and only who wants the same one waits."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._known: OrderedDict[str, Value] = OrderedDict()
        self._turns: dict[str, threading.Lock] = {}
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._known)

    def of(self, key: str, make: Callable[[], Value]) -> Value:
        """Return the value of a key, made now where it is not known."""
        with self._lock:
            turn = self._turns.setdefault(key, threading.Lock())
        with turn:
            try:
                with self._lock:
                    known = self._known.get(key)
                found = make() if known is None else known
                self._remember(key, found)
            finally:
                with self._lock:
                    self._turns.pop(key, None)
            return found

    def _remember(self, key: str, found: Value) -> None:
        with self._lock:
            self._known[key] = found
            self._known.move_to_end(key)
            while len(self._known) > self.most:
                self._known.popitem(last=False)
