"""A squad taken over: Pick then shows exactly that one, and My team has it laid out.

- `draw_use(chosen, option)` draws the button that takes a squad over.
- `searched(chosen)` is the choice as it was before: pages that look at a whole search go on with that.
- `draw_in_use(chosen)` says that a squad is in use and gives the way back.

A squad in use is a plan with all of its men locked, so that the link reproduces it.
"""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from engine.board.board import Option
from ui.web.choice.frame import Chosen
from ui.web.choice.session import change
from ui.web.squads.squad_desk import current_draft, keep_draft

USED = "_used_squad"


def searched(chosen: Chosen) -> Chosen:
    """Return the choice without the locks of a squad in use; those that were there before it come back."""
    used, before = st.session_state.get(USED, ((), ()))
    locks = chosen.plan.locks
    if len(locks) < chosen.rules.squad.size:
        return chosen
    return replace(chosen, plan=chosen.plan.with_changes(locks=before if set(locks) == set(used) else ()))


def use_squad(chosen: Chosen, option: Option) -> None:
    """Take a squad over; for a callback."""
    ids = tuple(man.player_id for man in option.men)
    plan = searched(chosen).plan
    st.session_state[USED] = (ids, plan.locks)
    keep_draft(plan, ids, budget=plan.budget, free_transfers=plan.free)
    change(locks=ids)


def draw_use(chosen: Chosen, option: Option, key: str) -> None:
    """Draw the button that takes a squad over, or that it is in use already."""
    in_use = set(chosen.plan.locks) == {man.player_id for man in option.men}
    st.button(
        "Use this squad",
        key=f"use_{key}",
        type="primary",
        icon=":material/check:",
        on_click=use_squad,
        args=(chosen, option),
        disabled=in_use,
        help="Pick then shows this squad, and My team has it laid out.",
    )


def draw_in_use(chosen: Chosen) -> None:
    """Draw that a squad is in use, with the way back."""
    before = searched(chosen)
    if before is chosen:
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        laid_out = set(current_draft(chosen).player_ids) == set(chosen.plan.locks)
        where = ", and My team has it laid out" if laid_out else ""
        st.success(f"A squad is in use: Pick shows it{where}.", icon=":material/check_circle:")
        st.button(
            "Let Pick search again",
            key="release_squad",
            on_click=change,
            kwargs={"locks": before.plan.locks},
        )
