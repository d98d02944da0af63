"""Searches beside the page: a board first, then what can be proved of it.

How a page uses it (see `ui.web.work.orders` for ready-made orders and `ui.web.work.search_view` for drawing):

- `search_task(key, search, prove)` says what to do: `search(stop)` yields `Progress` … then the `Board`; `prove(board)`
  gives the claim and runs after the board is out. Neither may call Streamlit.
- `(job,) = attended(task)` starts it, or joins one that runs or has finished with the same key.
- `job.now.told` is what was `Bred`: the `history` of progress and the `board` (or None); see `ui.web.work.scheduler`.
- `job.stop(visitor())` asks for the best so far.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial

from engine.board.board import Board, Claim
from engine.search.breeding.evolution import Progress
from ui.web.work.background import PROVING, SEARCHES, SEARCHING
from ui.web.work.scheduler import Job, JobPart, Task

BREATH = 0.005
"""Seconds the search rests after each generation, so that clicks are answered meanwhile: measured 230 ms with it."""


@dataclass(frozen=True, slots=True, eq=False)
class Bred:
    """What is known of a search."""

    history: tuple[Progress, ...] = ()
    board: Board | None = None


SearchJob = Job[Bred]


def search_task(
    key: str,
    search: Callable[[Callable[[], bool]], Iterator[Progress | Board]],
    prove: Callable[[Board], Claim] | None = None,
    beliefs: str = "",
) -> Task[Bred]:
    """Return the task to search; `beliefs` names what is believed of the players, which is large and shared."""

    def bred(job: SearchJob) -> Bred:
        for step in search(job.is_over):
            if isinstance(step, Board):
                return replace(job.now.told, board=step)
            job.tell(Bred((*job.now.told.history, step)))
            time.sleep(BREATH)
        return job.now.told

    proof = (JobPart(PROVING, partial(_proved, prove)),) if prove else ()
    return Task(SEARCHES, key, (JobPart(SEARCHING, bred), *proof), Bred(), beliefs)


def _proved(prove: Callable[[Board], Claim], job: SearchJob) -> Bred:
    told = job.now.told
    return replace(told, board=told.board and replace(told.board, proof=prove(told.board)))
