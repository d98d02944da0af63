"""The board that a page looks into: the choice of objective beside the round, and the search behind it.

- `chosen = choose_plan()` draws round and objective; `chosen.plan.theta` is None until somebody chooses.
- `board = shown_board(chosen)` starts or joins the search, draws its progress and gives the board once it is out.
"""

from __future__ import annotations

import streamlit as st

from engine.board.board import Board
from ui.web.choice.frame import Chosen, choose_round
from ui.web.choice.objective_choice import TITLES
from ui.web.choice.plan import Plan
from ui.web.choice.session import change, controlled, visitor
from ui.web.work.orders import board_order, generations_of, searches
from ui.web.work.search_job import SearchJob
from ui.web.work.search_outcome import draw_outcome
from ui.web.work.search_view import boards_are_out


def choose_plan() -> Chosen:
    """Draw the choice of round and objective side by side and return it."""
    controls = st.container(horizontal=True, gap="medium")
    chosen = choose_round(controls)
    with controls:
        draw_objective(chosen.plan)
    return chosen


def draw_objective(plan: Plan) -> None:
    """Draw the choice of objective; none is chosen silently."""
    st.segmented_control(
        "Objective",
        list(TITLES),
        key=controlled("theta_choice", plan.theta),
        format_func=TITLES.__getitem__,
        on_change=lambda: change(theta=st.session_state.theta_choice, k=None, w=None, lead=None, left=None),
    )


def shown_job(chosen: Chosen) -> SearchJob:
    """Return the search of the plan; the visitor leaves all others."""
    order = board_order(chosen)
    job = searches().job(order, visitor())
    searches().attend(visitor(), {order.key})
    return job


def shown_board(chosen: Chosen) -> Board | None:
    """Return the board of the plan; while it is being bred, or where none can be, draw that and return nothing."""
    theta = chosen.plan.theta
    if theta is None:
        searches().attend(visitor(), ())
        st.info("Choose an objective: what a squad is worth depends on it.", icon=":material/touch_app:")
        return None
    job = shown_job(chosen)
    if not boards_are_out([job], [TITLES[theta]], generations_of(chosen.plan)):
        return None
    return draw_outcome(chosen, job)
