"""How a search looks: progress with a way to stop it, how it ended with the way on, then the words of its proof.

- `boards_of(chosen, {"Protect": job, …})` draws how searches go and how they end, and returns their boards by title.
- `draw_proof(job)` draws what is proved of the recommended squad, and waits for it without blocking the page.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import streamlit as st

from data.errors import InfeasibleError
from engine.board.board import Board, Verdict
from ui.web.choice.frame import Chosen
from ui.web.choice.session import visitor
from ui.web.choice.wishes import draw_way_out
from ui.web.drawing.escaping import as_markdown
from ui.web.drawing.live import draw_until
from ui.web.work.background import background, crowding
from ui.web.work.orders import generations_of
from ui.web.work.scheduler import Phase
from ui.web.work.search_job import SearchJob

POLL = 0.2  # seconds between two looks at a search
PROOF_POLL = 1.0


def boards_are_out(jobs: Mapping[str, SearchJob], generations: int) -> bool:
    """Draw the progress of searches by title until each has a board or an error; return whether that is so."""

    def ready() -> bool:
        return all(job.now.out or not job.now.running for job in jobs.values())

    def progress() -> None:
        for title, job in jobs.items():
            share, words = progress_in_words(job, title, generations)
            st.progress(share, text=words)
        words = "Stop and show the best so far"
        st.button(words, icon=":material/stop_circle:", key="stop_search", on_click=_stop, args=(jobs.values(),))

    if not ready():
        draw_until(ready, POLL * crowding(), progress)
        return False
    return True


def boards_of(chosen: Chosen, jobs: Mapping[str, SearchJob]) -> dict[str, Board]:
    """Draw how searches go, and how they end; return their boards by title once each has one, else nothing."""
    if not boards_are_out(jobs, generations_of(chosen.plan)):
        return {}
    boards = {}
    for title, job in jobs.items():
        board = draw_outcome(chosen, job, title)
        if board is None:
            return {}
        boards[title] = board
    return boards


def draw_outcome(chosen: Chosen, job: SearchJob, key: str = "") -> Board | None:
    """Draw how a search ended, with the way on, unless it simply came to its end; return its board if it has one."""
    state, board = job.now, job.now.told.board
    if isinstance(state.error, InfeasibleError):
        draw_way_out(chosen, state.error)
        return None
    if board is None:
        st.error(as_markdown(str(state.error)), icon=":material/error:")
    elif state.phase is Phase.STOPPED:
        st.info("The search was stopped: this is the best it had found.", icon=":material/stop_circle:")
    if state.phase in (Phase.STOPPED, Phase.FAILED):
        st.button("Search again", key=f"again_{key}", icon=":material/refresh:", on_click=_search_again, args=(job,))
    return board


def _search_again(job: SearchJob) -> None:
    background().forget(job.task, visitor())


def progress_in_words(job: SearchJob, title: str, generations: int) -> tuple[float, str]:
    """Return how far a search is, from 0 to 1, and a line about it."""
    told = job.now.told
    if told.board is not None:
        return 1.0, f"{title}: ready"
    if not told.history:
        waits = job.now.phase is Phase.WAITING
        return 0.0, f"{title}: {'waiting for a free place' if waits else 'finding squads to start from'} …"
    last = told.history[-1]
    share = min(last.generation / generations, 1.0)
    return share, f"{title}: generation {last.generation}, {last.evaluations:,} squads, best {last.best:.1f}"


def draw_proof(job: SearchJob) -> None:
    """Draw what is proved of the recommended squad; while it is being proved, look again by itself."""
    if job.now.running:
        every = PROOF_POLL * crowding()
        draw_until(lambda: not job.now.running, every, lambda: _draw_line(job))
    else:
        _draw_line(job)


def _draw_line(job: SearchJob) -> None:
    words, precise = proof_line(job)
    st.markdown(words, help=precise or None)


def proof_line(job: SearchJob) -> tuple[str, str]:
    """Return one line about how far from the best the recommended squad can be, and what is proved, precisely."""
    state, board = job.now, job.now.told.board
    if state.running:
        return ":material/hourglass_top: Can a better squad exist? Being computed …", ""
    if board is None or board.proof.verdict is Verdict.NOT_TRIED:
        why = "the search was stopped" if state.phase is Phase.STOPPED else "the proof failed"
        return f":material/help: Whether a better squad exists is not known: {why}.", ""
    icon = "verified" if board.proof.proved else "straighten"
    return f":material/{icon}: {board.proof.headline}.", f"The recommended squad is {board.proof}."


def _stop(jobs: Iterable[SearchJob]) -> None:
    for job in jobs:
        job.stop(visitor())
