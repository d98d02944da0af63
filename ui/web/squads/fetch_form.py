"""Asking the game for something by its number, and what is to be said about what was brought."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from ui.web.choice.plan import HIGHEST_NUMBER
from ui.web.drawing.escaping import as_markdown
from ui.web.work.refresh_job import SOURCES


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
    url = SOURCES["fpl"].base_url
    st.caption(f"The button asks {as_markdown(url)} for {what}.")
    if st.button(button, key=f"read_{key}") and number:
        with st.spinner(meanwhile):
            bring(url, int(number))
        st.rerun()
