"""A part of the page that is drawn again and again by itself while something goes on beside it."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st


def draw_until(over: Callable[[], bool], every: float, draw: Callable[[], object]) -> None:
    """Draw this every so many seconds; once it is over, the whole page is drawn anew."""

    @st.fragment(run_every=every)
    def live() -> None:
        if over():
            st.rerun()
        draw()

    live()
