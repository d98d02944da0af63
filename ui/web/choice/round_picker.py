"""The choice of a round that fits thirty-eight: one back, the round with all others behind it, one on."""

from __future__ import annotations

import re

import streamlit as st

from ui.web.choice.session import change, controlled

OPEN = "round_open"
CHOICE = "round_choice"


def draw_round_picker(rounds: tuple[int, ...], now: int, title: str) -> None:
    """Draw the choice of a round; `title` is what the game calls the present one.

    The list closes by having another key in another round. One whose state the server tracks asks for this page again
    when it closes, and a press on the navigation beside the open list then ended where it began.
    """
    place = rounds.index(now)
    with st.container(horizontal=True, gap=None, vertical_alignment="center", key="round_picker", width="content"):
        _draw_step("‹", "Round before", "round_before", rounds[place - 1] if place else None)
        with st.container(key=OPEN, width="content"), st.popover(round_label(title), key=f"{OPEN}_{now}"):
            key, label = controlled(CHOICE, now), "Round"
            st.pills(label, rounds, key=key, required=True, on_change=_picked, label_visibility="collapsed")
        _draw_step("›", "Round after", "round_after", rounds[place + 1] if place + 1 < len(rounds) else None)


def _draw_step(label: str, words: str, key: str, target: int | None) -> None:
    st.button(label, key=key, help=words, disabled=target is None, on_click=change, kwargs={"round": target})


def _picked() -> None:
    """Open the round that was pressed; the list there is a new one, and closed."""
    change(round=st.session_state[CHOICE])


def round_label(title: str) -> str:
    """Return a round's title short enough for a row of controls."""
    return re.sub(r"^Gameweek ", "GW ", title)
