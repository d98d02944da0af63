"""The board that a page looks into: the choice of objective beside the round, and the search behind it.

- `chosen = choose_plan()` draws round and objective; `chosen.plan.theta` is None until somebody chooses.
- `board = shown_board(chosen)` starts or joins the search, draws its progress and gives the board once it is out.
"""

from __future__ import annotations

import streamlit as st

from engine.board.board import Board
from ui.web.choice.frame import Chosen, choose_round
from ui.web.choice.objective_choice import TITLES, draw_objective
from ui.web.work.orders import attended, board_order
from ui.web.work.search_view import boards_of


def choose_plan() -> Chosen:
    """Draw the choice of round and objective side by side and return it."""
    controls = st.container(horizontal=True, gap="medium")
    chosen = choose_round(controls)
    with controls:
        draw_objective(chosen.plan)
    return chosen


def shown_board(chosen: Chosen, *, bred: bool = False) -> Board | None:
    """Return the board of the plan; while it is being bred, or where none can be, draw that and return nothing.

    With `bred` it knows all that was bred for it.
    """
    theta = chosen.plan.theta
    if theta is None:
        attended()
        st.info("Choose an objective: what a squad is worth depends on it.", icon=":material/touch_app:")
        return None
    (job,) = attended(board_order(chosen, bred=bred))
    return boards_of(chosen, {TITLES[theta]: job}).get(TITLES[theta])
