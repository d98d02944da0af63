"""Where a visitor names the rivals he plays against: up to twenty squads pasted, or the best of a league by number."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from data.errors import ThetaXIError
from models.signals import Signals
from ui.web.choice.frame import Chosen
from ui.web.choice.session import attach_rivals, rivals_of
from ui.web.drawing.escaping import as_markdown
from ui.web.squads.entry_import import fetch_rivals, has_entries
from ui.web.squads.rival_squads import MOST_RIVALS, BroughtRivals, read_rivals
from ui.web.squads.squad_desk import draw_fetch, draw_said
from ui.web.squads.uploads import LONGEST_PASTE

SAID = "_rivals_said"
PASTE_HINT = "Anna:\nHarry Kane (C), ENG\n… eleven or fifteen players\n\nBen:\n…"


def draw_rivals(chosen: Chosen, signals: Signals) -> None:
    """Draw who the rivals are, and the ways to name them."""
    rivals = rivals_of(chosen.plan)
    if rivals:
        names = ", ".join(rival.name for rival in rivals)
        st.success(f"You play against {as_markdown(names)}: on every page, ownership is counted among them alone.")
        st.button("Play against all managers again", key="no_rivals", on_click=lambda: attach_rivals(()))
    else:
        st.caption("You play against all managers. Name rivals to count ownership among them alone.")
    _draw_paste(chosen, signals)
    if has_entries(chosen.world.rulebook):
        _draw_league(signals)
    draw_said(*st.session_state.get(SAID, ("", ())))


def _draw_paste(chosen: Chosen, signals: Signals) -> None:
    st.text_area(
        f"Squads of up to {MOST_RIVALS} rivals, an empty line between two",
        key="rivals_paste",
        placeholder=PASTE_HINT,
        height=180,
        max_chars=LONGEST_PASTE,
        help="A first line that ends with a colon is the rival's name; (C) behind a player gives him the armband.",
    )
    st.button("Play against these rivals", key="read_rivals", on_click=_read_paste, args=(chosen, signals))


def _read_paste(chosen: Chosen, signals: Signals) -> None:
    text = st.session_state.rivals_paste
    if text and text.strip():
        _attach(lambda: read_rivals(text, chosen.snapshot, signals))


def _draw_league(signals: Signals) -> None:
    mine = st.session_state.get("my_entry")
    draw_fetch(
        "Or a classic league, by the number in its address",
        "rivals_league",
        f"its first {MOST_RIVALS} squads",
        "Play against this league",
        "Asking the game for the squads of this league …",
        lambda url, league: _attach(lambda: fetch_rivals(url, league, signals, entry=mine)),
    )


def _attach(bring: Callable[[], BroughtRivals]) -> None:
    try:
        brought = bring()
    except ThetaXIError as error:
        st.session_state[SAID] = (str(error), ())
        return
    st.session_state[SAID] = ("", brought.remarks)
    attach_rivals(brought.rivals)
