"""A part of the page that is drawn again and again by itself while something goes on beside it."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count

import streamlit as st

from ui.web.turns import turn

_drawn = count()


def draw_until(over: Callable[[], bool], every: float, draw: Callable[[], object]) -> None:
    """Draw this every so many seconds; once it is over, the whole page is drawn anew."""

    def live() -> None:
        with turn():
            if over():
                st.rerun()
            draw()

    # Streamlit knows a part by its name. One that a browser still asks for when the page has been drawn anew has to be
    # unknown by then: drawn once more in place of the page, whose end a busy server has yet to send, it cuts that off.
    live.__qualname__ = f"{live.__qualname__}.{next(_drawn)}"
    st.fragment(run_every=every)(live)()
