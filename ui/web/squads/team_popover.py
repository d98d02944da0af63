"""My team in a row of controls: whose squad the page plans for, how to bring one, and how to do without."""

from __future__ import annotations

import streamlit as st

from ui.web.choice.frame import Chosen, signals_of
from ui.web.choice.session import change
from ui.web.drawing.escaping import as_markdown
from ui.web.squads.fetch_form import draw_fetch, draw_said, fetched_squad, has_entries
from ui.web.squads.squad_desk import current_draft, lay_out
from ui.web.squads.team_store import known_team

NOBODY = {"current": (), "budget": None, "free": None, "changes": None}


def draw_team(chosen: Chosen, whole: st.Page) -> None:
    """Draw whose team is planned for; opened, the ways to bring one. `whole` is the page with all of them.

    The server is not told when it opens or closes: who leaves the page while it is open would be led back once.
    """
    kept = known_team(chosen)
    with st.popover(team_words(chosen), icon=":material/person:", key="team"):
        if kept:
            st.button("My team as last time", key="last_team", type="primary", on_click=change, kwargs=kept)
        draft = current_draft(chosen)
        draw_said(draft.problem, draft.remarks)
        if draft.whole and draft.player_ids != chosen.plan.current:
            st.button("Plan for the squad I laid out", key="take_team", type="primary", on_click=_take, args=(chosen,))
        if has_entries(chosen.world.rulebook):
            draw_fetch(
                "Entry number, from the address of your Points page",
                "week_entry",
                chosen.plan.entry,
                "the squad of the last deadline",
                "Fetch my team",
                "Asking the game for this squad …",
                lambda url, entry: _fetch(chosen, url, entry),
            )
        st.page_link(whole, label="Paste or upload it, name my league", icon=":material/upload:")
        if chosen.plan.current:
            st.button("Show me without a team", key="no_team", on_click=change, kwargs=NOBODY)


def team_words(chosen: Chosen) -> str:
    """Return whose team it is in a few words."""
    plan = chosen.plan
    if not plan.current:
        return "Add my team"
    told = [f"Entry {plan.entry}" if plan.entry else "My team"]
    if plan.budget is not None:
        told.append(f"{chosen.rules.currency}{plan.budget:.1f}m")
    if plan.free is not None:
        told.append(f"{plan.free} free transfer{'s' * (plan.free != 1)}")
    if len(told) == 1 and not plan.entry:
        told.append(f"{len(plan.current)} players")
    return as_markdown(" · ".join(told))


def _fetch(chosen: Chosen, url: str, entry: int) -> None:
    lay_out(chosen, lambda: fetched_squad(chosen, url, entry))
    _take(chosen)


def _take(chosen: Chosen) -> None:
    """Plan for the squad that is laid out, if it is whole."""
    draft = current_draft(chosen)
    if draft.whole:
        prices = draft.prices(signals_of(chosen))
        change(
            current=draft.player_ids,
            selling=prices if draft.selling else (),
            budget=draft.budget,
            free=draft.free_transfers,
            changes=None,
        )
