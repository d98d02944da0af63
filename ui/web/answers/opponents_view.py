"""The line that names whom the visitor plays against and how he stands, on every page that weighs squads."""

from __future__ import annotations

import streamlit as st

from data.domain import Crowd
from engine.rank.rivals import listed_names
from ui.web.choice.frame import Chosen, rivals_here
from ui.web.choice.opponents import CROWD_WORDS, known_lead, lead_words
from ui.web.drawing.escaping import as_markdown


def draw_opponents(chosen: Chosen, change_it: st.Page) -> None:
    """Draw the rivals, where the field is not everybody, the standing against them, and the way to change it."""
    names = [rival.name for rival in rivals_here(chosen)]
    if not names and chosen.crowd is Crowd.ALL:
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="rivals"):
        whom = as_markdown(listed_names(names)) or CROWD_WORDS[chosen.crowd]
        against = f":material/swords: You play against **{whom}**{league_words(chosen)}."
        st.markdown(f"{against}{standing_words(chosen)}", width="content")
        st.page_link(change_it, label="Change it on My squad")


def league_words(chosen: Chosen) -> str:
    """Return of which league the rivals are, where they were read from one."""
    return "" if chosen.plan.league is None else f" of league {chosen.plan.league}"


def standing_words(chosen: Chosen) -> str:
    """Return how the visitor stands against his rivals in a sentence, or nothing where it is not known."""
    lead = known_lead(chosen.plan)
    if lead is None:
        return ""
    left = chosen.plan.left or chosen.rules.rounds - chosen.snapshot.round + 1
    middle = " the middle one of them" if len(rivals_here(chosen)) > 1 else ""
    of = {1: " of", -1: "", 0: " with"}[(lead > 0) - (lead < 0)] if middle else ""
    return f" You are {lead_words(lead)}{of}{middle}, with {left} round{'s' * (left != 1)} left."
