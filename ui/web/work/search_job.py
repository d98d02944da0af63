"""A search that runs in a thread while the page stays awake, and is shared by all who ask for the same.

How a page uses it (see `ui.web.work.orders` for ready-made orders and `ui.web.work.search_view` for drawing):

- `Order(key, search, prove)` says what to do: `search(stop)` yields `Progress` … then the `Board`; `prove(board)` gives
  the words of the proof and runs after the board is out. Neither may call Streamlit.
- `job = searches().job(order, visitor())` starts it, or joins one that runs or has finished with the same key.
- `job.now` is an immutable `JobState`: `phase`, `history` of progress, `board` (or None), `error` (a sentence).
- `job.stop(visitor())` asks for the best so far: the board still comes, for him; others who wait get a search of
  their own. A job without an open tab stops by itself.
- `searches().attend(visitor(), {keys})` leaves all other searches of this visitor; call it once per page run.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from enum import StrEnum

from data.errors import InfeasibleError, ThetaXIError
from engine.board.board import Board
from engine.search.breeding.evolution import Progress

BREATH = 0.005
"""Seconds the search rests after each generation, so that clicks are answered meanwhile: measured 230 ms with it."""

JOBS_KEPT = 64
"""Finished searches whose boards are kept; a board is a few kilobytes, its population about a megabyte."""

BELIEFS_KEPT = 8
"""Different beliefs whose searches are kept, the latest ones: those of one round take about 40 MB."""

SEARCHES_AT_ONCE = 2
"""Searches that run at the same time: one for each core of a small machine; others wait their turn."""

PROOFS_AT_ONCE = 1
"""Proofs keep a solver busy for seconds: one at a time leaves a core to those who wait for a board."""

PAINTING = 0.5
"""Seconds before a proof begins: the board is drawn meanwhile, and the two would only slow each other down."""

IDLE_POLL, LONGEST_WAIT = 0.05, 30.0
"""Seconds between two looks at whether nobody searches, and after which one goes on all the same."""

ABSENCE = 1.0
"""Seconds a tab may be gone before its search stops: a connection that was lost for a moment comes back by itself."""

UNFORESEEN = "The search failed. Search again; if it fails again, the server's log names the cause."


class Phase(StrEnum):
    """Where a search is."""

    WAITING = "waiting"
    BREEDING = "breeding"
    PROVING = "proving"  # the board is out
    DONE = "done"
    STOPPED = "stopped"  # on request: the board is the best so far
    FAILED = "failed"


@dataclass(frozen=True, slots=True, eq=False)
class Order:
    """What to search for; whoever gives the same key wants the same."""

    key: str
    search: Callable[[Callable[[], bool]], Iterator[Progress | Board]]
    prove: Callable[[Board], str] | None = None
    beliefs: str = ""  # what is believed of the players: large, and kept as long as a search with it is


@dataclass(frozen=True, slots=True, eq=False)
class JobState:
    """What is known of a search at one moment; the thread swaps whole states, so a reader never sees half of one."""

    phase: Phase = Phase.WAITING
    history: tuple[Progress, ...] = ()
    board: Board | None = None
    error: str = ""
    conflict: bool = False  # whether the error is about wishes that cannot hold together

    @property
    def running(self) -> bool:
        """Whether more is to come."""
        return self.phase in (Phase.WAITING, Phase.BREEDING, Phase.PROVING)


@dataclass(eq=False)
class SearchJob:
    """One search, its latest state and those who wait for it."""

    order: Order
    here: Callable[[str], bool]  # whether a visitor's tab is open
    queue: Callable[[], int] = lambda: 0  # searches of all visitors that wait or breed
    visitors: set[str] = field(default_factory=set)
    absence: float = ABSENCE
    now: JobState = field(default_factory=JobState)
    stoppers: set[str] = field(default_factory=set)  # those who asked for the best so far
    _wish: threading.Event = field(default_factory=threading.Event)
    _seen: float = field(default_factory=time.monotonic)  # when somebody was last there

    def stop(self, visitor: str) -> None:
        """Ask for the best so far; where the board is out, there is nothing to stop."""
        if self.now.board is None:
            self.stoppers.add(visitor)
            self._wish.set()

    def wanted(self) -> bool:
        """Return whether nobody asked to stop and somebody is there to see the answer, or was so a moment ago."""
        visitors = tuple(self.visitors)
        if any(self.here(visitor) for visitor in visitors):
            self._seen = time.monotonic()
        return not self._wish.is_set() and bool(visitors) and time.monotonic() - self._seen <= self.absence

    @property
    def left_alone(self) -> bool:
        """Whether it ended early only because nobody waited for it any more."""
        return self.now.phase is Phase.STOPPED and not self._wish.is_set()

    def answers(self, visitor: str) -> bool:
        """Return whether what is known is an answer for a visitor: another's stop or mishap is not."""
        if self.now.phase is Phase.STOPPED:
            return visitor in self.stoppers
        return self.now.phase is Phase.DONE or self.now.conflict or visitor in self.visitors

    def run(self, places: Places) -> None:
        """Search where that is still to be done, then prove; for a thread of its own."""
        try:
            if self.now.board is None:
                with places.searching:
                    self._search()
            if self.now.phase is Phase.PROVING:
                self._wish.wait(PAINTING)
                self._let_searches_pass()
                with places.proving:
                    self._prove()
        except ThetaXIError as error:
            self.now = replace(self.now, phase=Phase.FAILED, error=str(error), conflict=_is_conflict(error))
        except Exception:
            logging.getLogger("thetaxi").exception("A search failed")
            self.now = replace(self.now, phase=Phase.FAILED, error=UNFORESEEN)

    def _let_searches_pass(self) -> None:
        """Wait until nobody waits for a board, or for a while: a board is worth more than its proof."""
        _wait_while(lambda: self.queue() > 0 and self.wanted())

    def _search(self) -> None:
        """Search; what was cut short because everybody had left is begun anew for who comes back meanwhile."""
        while self._wish.is_set() or self.wanted():
            self.now = JobState(Phase.BREEDING)
            board, whole = self._bred()
            if self._wish.is_set():
                self.now = replace(self.now, phase=Phase.STOPPED, board=board)
                return
            if whole:
                self.now = replace(self.now, phase=Phase.PROVING if self.order.prove else Phase.DONE, board=board)
                return
        self.now = JobState(Phase.STOPPED)

    def _bred(self) -> tuple[Board | None, bool]:
        """Return the board, and whether the search was never asked to stop on the way."""
        cut = False

        def stop() -> bool:
            nonlocal cut
            cut = cut or not self.wanted()
            return cut

        board: Board | None = None
        for step in self.order.search(stop):
            if isinstance(step, Board):
                board = step
                break
            self.now = replace(self.now, history=(*self.now.history, step))
            time.sleep(BREATH)
        return board, not cut

    def _prove(self) -> None:
        """Add what can be proved; a proof that fails leaves the board as it is."""
        board, prove = self.now.board, self.order.prove
        if self.now.phase is not Phase.PROVING or board is None or prove is None:
            return
        if not self.wanted():
            self.now = replace(self.now, phase=Phase.STOPPED)
            return
        try:
            board = replace(board, proof=prove(board))
        except Exception:
            logging.getLogger("thetaxi").exception("A proof failed")
        if self.now.phase is Phase.PROVING:
            self.now = replace(self.now, phase=Phase.DONE, board=board)


def _wait_while(busy: Callable[[], bool]) -> None:
    """Return as soon as nobody is busy, or after a while."""
    limit = time.monotonic() + LONGEST_WAIT
    while busy() and time.monotonic() < limit:
        time.sleep(IDLE_POLL)


def _is_conflict(error: ThetaXIError) -> bool:
    return isinstance(error, InfeasibleError)


@dataclass(frozen=True, slots=True, eq=False)
class Places:
    """How many threads may work at once, by kind of work."""

    searching: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(SEARCHES_AT_ONCE))
    proving: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(PROOFS_AT_ONCE))


class Searches:
    """All searches of this server: started once per key, kept while they are fresh."""

    def __init__(
        self,
        here: Callable[[str], bool],
        *,
        kept: int = JOBS_KEPT,
        places: Places | None = None,
        absence: float = ABSENCE,
    ) -> None:
        self._here, self._kept, self._places, self._absence = here, kept, places or Places(), absence
        self._jobs: OrderedDict[str, SearchJob] = OrderedDict()
        self._stopped: OrderedDict[tuple[str, str], SearchJob] = OrderedDict()  # by key and who stopped it
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._jobs)

    def job(self, order: Order, visitor: str) -> SearchJob:
        """Return the search of an order: one that runs, one that has an answer, or one that starts now."""
        with self._lock:
            if (order.key, visitor) in self._stopped:
                return self._stopped[order.key, visitor]
            job = self._jobs.get(order.key)
            if job is None or not (job.now.running or job.left_alone or job.answers(visitor)):
                self._set_aside(job)
                job = self._jobs[order.key] = SearchJob(order, self._here, self.queue, {visitor}, self._absence)
                self._start(job)
            job.visitors.add(visitor)
            if job.left_alone:
                after_board = Phase.PROVING if order.prove else Phase.DONE
                job.now = replace(job.now, phase=after_board if job.now.board else Phase.WAITING)
                if job.now.running:
                    self._start(job)
            self._jobs.move_to_end(order.key)
            self._forget_old()
            return job

    def attend(self, visitor: str, keys: Iterable[str]) -> None:
        """Leave every search of a visitor but these; one that nobody waits for stops."""
        wanted = set(keys)
        with self._lock:
            for key, job in self._jobs.items():
                if key not in wanted:
                    job.visitors.discard(visitor)

    def wait_until_idle(self) -> None:
        """Return when nobody is being bred for, or after a while; for work that nobody waits for."""
        _wait_while(lambda: self.queue() > 0)

    def queue(self) -> int:
        """Return how many searches wait or breed."""
        with self._lock:
            return sum(job.now.phase in (Phase.WAITING, Phase.BREEDING) for job in self._jobs.values())

    def again(self, order: Order, visitor: str) -> SearchJob:
        """Forget what is known of an order and search anew; a search that is under way goes on."""
        with self._lock:
            self._stopped.pop((order.key, visitor), None)
            job = self._jobs.get(order.key)
            if job is not None and job.now.phase not in (Phase.WAITING, Phase.BREEDING):
                job.visitors.discard(visitor)
                self._set_aside(self._jobs.pop(order.key), but=visitor)
        return self.job(order, visitor)

    def _set_aside(self, job: SearchJob | None, but: str = "") -> None:
        """Keep a search that was stopped for those who stopped it, as long as they are there."""
        if job is None:
            return
        self._stopped |= {(job.order.key, visitor): job for visitor in job.stoppers - {but}}
        self._stopped = OrderedDict((which, kept) for which, kept in self._stopped.items() if self._here(which[1]))
        while len(self._stopped) > self._kept:
            self._stopped.popitem(last=False)

    def _start(self, job: SearchJob) -> None:
        threading.Thread(target=job.run, args=(self._places,), name="search", daemon=True).start()

    def _forget_old(self) -> None:
        finished = [key for key, job in self._jobs.items() if not job.now.running]
        beliefs = list(dict.fromkeys(job.order.beliefs for job in reversed(self._jobs.values())))
        old = [key for key in finished if self._jobs[key].order.beliefs in beliefs[BELIEFS_KEPT:]]
        for key in {*old, *finished[: max(0, len(self._jobs) - self._kept)]}:
            del self._jobs[key]
