"""Searches beside the page: a board first, then what can be proved of it.

How a page uses it (see `ui.web.work.orders` for ready-made orders and `ui.web.work.search_view` for drawing):

- `Order(key, search, prove)` says what to do: `search(stop)` yields `Progress` … then the `Board`; `prove(board)` gives
  the claim and runs after the board is out. Neither may call Streamlit.
- `job = searches().job(order, visitor())` starts it, or joins one that runs or has finished with the same key.
- `job.now.told` is what was `Bred`: the `history` of progress and the `board` (or None); see `ui.web.work.scheduler`.
- `job.stop(visitor())` asks for the best so far.
- `searches().attend(visitor(), {keys})` leaves all other searches of this visitor; call it once per page run.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial

from engine.board.board import Board, Claim
from engine.search.breeding.evolution import Progress
from ui.web.work.background import PROVING, SEARCHES, SEARCHING
from ui.web.work.scheduler import Job, Scheduler, Step, Task

BREATH = 0.005
"""Seconds the search rests after each generation, so that clicks are answered meanwhile: measured 230 ms with it."""


@dataclass(frozen=True, slots=True, eq=False)
class Bred:
    """What is known of a search."""

    history: tuple[Progress, ...] = ()
    board: Board | None = None


SearchJob = Job[Bred]


@dataclass(frozen=True, slots=True, eq=False)
class Order:
    """What to search for; whoever gives the same key wants the same."""

    key: str
    search: Callable[[Callable[[], bool]], Iterator[Progress | Board]]
    prove: Callable[[Board], Claim] | None = None
    beliefs: str = ""  # what is believed of the players: large, and kept as long as a search with it is

    @property
    def task(self) -> Task[Bred]:
        """The order as the scheduler takes it."""
        proof = (Step(PROVING, partial(_proved, self.prove)),) if self.prove else ()
        return Task(SEARCHES, self.key, (Step(SEARCHING, self._bred), *proof), Bred(), self.beliefs)

    def _bred(self, job: SearchJob) -> Bred:
        for step in self.search(job.is_over):
            if isinstance(step, Board):
                return replace(job.now.told, board=step)
            job.tell(Bred((*job.now.told.history, step)))
            time.sleep(BREATH)
        return job.now.told


def _proved(prove: Callable[[Board], Claim], job: SearchJob) -> Bred:
    told = job.now.told
    return replace(told, board=told.board and replace(told.board, proof=prove(told.board)))


@dataclass(frozen=True, slots=True)
class Searches:
    """All searches of this server."""

    scheduler: Scheduler

    def job(self, order: Order, visitor: str) -> SearchJob:
        """Return the search of an order: one that runs, one that has an answer, or one that starts now."""
        return self.scheduler.job(order.task, visitor)

    def again(self, order: Order, visitor: str) -> SearchJob:
        """Forget what is known of an order and search anew; a search that is under way goes on."""
        return self.scheduler.again(order.task, visitor)

    def attend(self, visitor: str, keys: Iterable[str]) -> None:
        """Leave every search of a visitor but these; one that nobody waits for stops."""
        self.scheduler.attend(visitor, SEARCHES, keys)
