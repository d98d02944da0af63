"""The armband as a timeline: who may wear it, from which kick-off, and the score from which he keeps it."""

from __future__ import annotations

from datetime import tzinfo
from html import escape

import streamlit as st

from engine.board.board import Option
from models.armband.ladder import Rung
from ui.web.drawing.clock import kickoff_time


def draw_armband_timeline(option: Option, zone: tzinfo) -> None:
    """Draw the wearers of the armband in the order of their matches."""
    st.html(timeline_html(option, zone))


def timeline_html(option: Option, zone: tzinfo) -> str:
    """Return the wearers as a list: kick-off in a zone, name, and the rule once the match is over."""
    men, ladder = {man.row: man for man in option.men}, option.armband
    steps = "".join(
        f'<li class="{name}"><time>{escape(kickoff_time(men[rung.player].kickoff, zone))}</time>'
        f"<strong>{escape(men[rung.player].short)}</strong><span>{escape(rule_of(rung))}</span></li>"
        for name, rung in [("xi-first", ladder.captain), *(("", rung) for rung in ladder.later)]
    )
    return f'<ol class="xi-ladder" data-testid="ladder" aria-label="The armband, match by match">{steps}</ol>'


def rule_of(rung: Rung) -> str:
    """Return what to do once a wearer has played, in two or three words."""
    return "keep him" if rung.move_to is None else f"keep from {rung.keep_from}"
