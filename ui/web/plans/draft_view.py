"""Drafts on a page: save the plan as it is under a name, open, copy or remove one; the browser keeps them."""

from __future__ import annotations

from dataclasses import fields

import streamlit as st

from ui.web.choice.frame import Chosen
from ui.web.choice.plan import Plan
from ui.web.choice.session import change
from ui.web.drawing.browser_store import browser_store
from ui.web.drawing.escaping import as_markdown
from ui.web.plans.drafts import LONGEST_NAME, Draft, named, read_drafts, with_copy, with_draft, without, written

STORE = "thetaxi_drafts"
KEPT, CHANGED, NAME = "_drafts", "_drafts_changed", "draft_name"


def known_drafts() -> tuple[Draft, ...]:
    """Return the visitor's drafts; those that his browser kept are there from the second run of his first page on."""
    state = st.session_state
    save = written(state[KEPT]) if state.get(CHANGED) else None
    held = browser_store(STORE, save)
    if held is not None and not state.get(CHANGED):
        state[KEPT] = read_drafts(held)
    return tuple(state.get(KEPT, ()))


def draw_drafts(chosen: Chosen) -> None:
    """Draw the drafts of a visitor, and where the plan that is shown becomes one."""
    drafts = known_drafts()
    with st.popover(f"Drafts ({len(drafts)})" if drafts else "Drafts", icon=":material/bookmark:", key="drafts"):
        st.text_input("Name of this plan", key=NAME, max_chars=LONGEST_NAME, placeholder="such as Wildcard in 26")
        st.button("Save as a draft", key="save_draft", type="primary", on_click=_save, args=(drafts, chosen.plan))
        for draft in drafts:
            _draw_draft(drafts, draft)
        if not drafts:
            st.caption("Drafts stay in this browser. Compare two of them on Compare, or send their link.")


def _draw_draft(drafts: tuple[Draft, ...], draft: Draft) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        name = as_markdown(draft.name)
        st.button(name, key=f"open_{draft.name}", help="Open this draft", on_click=_open, args=(draft.plan,))
        for label, icon, after in (
            ("Copy", "content_copy", with_copy(drafts, draft.name)),
            ("Remove", "delete", without(drafts, draft.name)),
        ):
            st.button(
                f"{label} {name}",
                key=f"{label}_{draft.name}",
                icon=f":material/{icon}:",
                type="tertiary",
                on_click=_keep,
                args=(after,),
            )


def _save(drafts: tuple[Draft, ...], plan: Plan) -> None:
    name = named(st.session_state.get(NAME, "")) or f"Draft {len(drafts) + 1}"
    _keep(with_draft(drafts, name, plan))
    st.session_state[NAME] = ""


def _keep(drafts: tuple[Draft, ...]) -> None:
    st.session_state[KEPT], st.session_state[CHANGED] = drafts, True


def _open(plan: Plan) -> None:
    """Show a draft: the address bar follows."""
    change(**{entry.name: getattr(plan, entry.name) for entry in fields(plan)})
