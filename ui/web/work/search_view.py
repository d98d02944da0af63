"""How a running search looks: progress with a way to stop it, then the words of its proof.

- `if not boards_are_out(jobs): return` draws the progress of one or more searches and says whether to go on; the page
  is drawn anew by itself when the boards are there.
- `draw_proof(job)` draws what is proved of the recommended squad, and waits for it without blocking the page.
"""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from engine.board.board import Verdict
from ui.web.choice.session import visitor
from ui.web.work.background import SEARCHING, background
from ui.web.work.scheduler import Phase
from ui.web.work.search_job import SearchJob

POLL = 0.2  # seconds between two looks at a search
PROOF_POLL = 1.0
UNCROWDED = 2
"""Searches at once that do not get into each other's way."""


def boards_are_out(jobs: Sequence[SearchJob], titles: Sequence[str], generations: int) -> bool:
    """Draw the progress of searches until each has a board or an error; return whether that is so."""
    if _ready(jobs):
        return True

    @st.fragment(run_every=POLL * crowding())
    def progress() -> None:
        if _ready(jobs):
            st.rerun()
        for job, title in zip(jobs, titles, strict=True):
            share, words = progress_in_words(job, title, generations)
            st.progress(share, text=words)
        st.button(
            "Stop and show the best so far",
            icon=":material/stop_circle:",
            key="stop_search",
            on_click=_stop,
            args=(jobs,),
        )

    progress()
    return False


def crowding() -> float:
    """Return how much rarer to look when many search at once: each look takes time from those who are waited for."""
    return max(1.0, background().busy(SEARCHING) / UNCROWDED)


def progress_in_words(job: SearchJob, title: str, generations: int) -> tuple[float, str]:
    """Return how far a search is, from 0 to 1, and a line about it."""
    told = job.now.told
    if told.board is not None:
        return 1.0, f"{title}: ready"
    if not told.history:
        waits = job.now.phase is Phase.WAITING
        return 0.0, f"{title}: {'waiting for a free place' if waits else 'solving six convictions to start from'} …"
    last = told.history[-1]
    share = min(last.generation / generations, 1.0)
    return share, f"{title}: generation {last.generation}, {last.evaluations:,} squads, best {last.best:.1f}"


def draw_proof(job: SearchJob) -> None:
    """Draw what is proved of the recommended squad; while it is being proved, look again by itself."""
    if not job.now.running:
        st.markdown(proof_line(job))
        return

    @st.fragment(run_every=PROOF_POLL * crowding())
    def proof() -> None:
        if not job.now.running:
            st.rerun()
        st.markdown(proof_line(job))

    proof()


def proof_line(job: SearchJob) -> str:
    """Return one line about how far from the optimum the recommended squad can be."""
    state, board = job.now, job.now.told.board
    if state.running:
        return ":material/hourglass_top: How far from the optimum? Being computed …"
    if board is None or board.proof.verdict is Verdict.NOT_TRIED:
        why = "the search was stopped" if state.phase is Phase.STOPPED else "the proof failed"
        return f":material/help: How far from the optimum is not known: {why}."
    return f":material/{'verified' if board.proof.proved else 'straighten'}: The recommended squad is {board.proof}."


def _stop(jobs: Sequence[SearchJob]) -> None:
    for job in jobs:
        job.stop(visitor())


def _ready(jobs: Sequence[SearchJob]) -> bool:
    return all(job.now.out or not job.now.running for job in jobs)
