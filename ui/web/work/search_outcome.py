"""Searches to their end: what is said of one that was stopped, that failed, or whose wishes conflict.

boards_of(chosen, {"Protect": job, …})      draws how they go and how they end, and returns their boards by title
"""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from data.errors import InfeasibleError
from engine.board.board import Board
from ui.web.choice.frame import Chosen
from ui.web.choice.session import visitor
from ui.web.choice.wishes import draw_way_out
from ui.web.drawing.escaping import as_markdown
from ui.web.work.background import background
from ui.web.work.orders import generations_of
from ui.web.work.scheduler import Phase
from ui.web.work.search_job import SearchJob
from ui.web.work.search_view import boards_are_out


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
