"""Asking the game for something by its number, and what is to be said about what was brought."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from ui.web.choice.frame import Chosen
from ui.web.choice.plan import HIGHEST_NUMBER
from ui.web.drawing.escaping import as_markdown
from ui.web.squads.team_json import BroughtSquad

GAME = "fpl"
"""How the rulebooks of the game begin whose squads can be fetched by number."""


def has_entries(rulebook: str) -> bool:
    """Return whether squads of a game can be fetched by number."""
    return rulebook.startswith(GAME)


def fetched_squad(chosen: Chosen, url: str, entry: int) -> BroughtSquad:
    """Return the squad a manager brings into the chosen round."""
    from ui.web.squads.entry_import import fetch_squad  # who never asks never loads what reads the game's answers

    return fetch_squad(url, entry, chosen.snapshot, chosen.rules)


def draw_said(problem: str, remarks: Sequence[str]) -> None:
    """Draw what went wrong and what was noticed while squads were brought."""
    if problem:
        st.error(as_markdown(problem), icon=":material/error:")
    if remarks:
        st.warning(as_markdown("\n".join(remarks)), icon=":material/edit_note:")


def draw_fetch(
    label: str,
    key: str,
    known: int | None,
    what: str,
    button: str,
    meanwhile: str,
    bring: Callable[[str, int], None],
) -> None:
    """Draw a number, at first the `known` one, and the button that asks the game's own address for what it means."""
    number = st.number_input(label, min_value=1, max_value=HIGHEST_NUMBER, value=known, step=1, key=key)
    from ui.web.work.refresh_job import SOURCES

    url = SOURCES["fpl"].base_url
    st.caption(f"The button asks {as_markdown(url)} for {what}.")
    if st.button(button, key=f"read_{key}") and number:
        with st.spinner(meanwhile):
            bring(url, int(number))
        st.rerun()
