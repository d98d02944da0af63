"""The rule of the armband as a choice of the visitor's: when it may move, and what is known about that."""

from __future__ import annotations

import streamlit as st

from data.rules import CaptaincyMode, load_rules
from ui.web.choice.frame import Chosen
from ui.web.choice.session import change, controlled
from ui.web.drawing.escaping import as_markdown

MODES = {
    CaptaincyMode.UNLIMITED: "After every match",
    CaptaincyMode.ONE_SWITCH: "Once",
    CaptaincyMode.LOCKED: "Not at all",
}
HELP = (
    "After every match: the armband may go on to a man who has yet to play, as often as you like. Once: the same, one "
    "time. Not at all: it stays, and the vice-captain has it if the captain does not play."
)


def draw_armband_rule(chosen: Chosen) -> None:
    """Draw when the armband may move."""
    shipped = load_rules(chosen.world.rulebook).captaincy.mode
    st.segmented_control(
        "The armband may move",
        list(MODES),
        format_func=MODES.__getitem__,
        key=controlled("captaincy_mode", chosen.rules.captaincy.mode),
        required=True,
        help=HELP,
        on_change=lambda: _take(shipped),
    )


def draw_armband_doubt(chosen: Chosen) -> None:
    """Draw what is known about the rule, where the official rules do not settle it."""
    captaincy = load_rules(chosen.world.rulebook).captaincy
    if not captaincy.confirmed:
        st.caption(as_markdown(f"On the armband: {captaincy.source}. Choose what your game does under Wishes."))


def _take(shipped: CaptaincyMode) -> None:
    mode = CaptaincyMode(st.session_state.captaincy_mode)
    change(captaincy=None if mode is shipped else mode.value)
