"""The line that names whom the visitor plays against and how he stands, on every page that weighs squads."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from data.domain import Crowd
from engine.rank.rivals import Rival, listed_names
from ui.web.choice.frame import Chosen, rivals_here
from ui.web.choice.opponents import CROWD_WORDS, aimed_at, beside_words, known_lead, lead_words, neighbours
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
        st.page_link(change_it, label="Change it on My team")


def league_words(chosen: Chosen) -> str:
    """Return of which league the rivals are, where they were read from one."""
    return "" if chosen.plan.league is None else f" of league {chosen.plan.league}"


def standing_words(chosen: Chosen) -> str:
    """Return how the visitor stands as Markdown, to follow another sentence; nothing where it is not known."""
    told = standing_sentence(chosen)
    return f" {as_markdown(told)}" if told else ""


def standing_sentence(chosen: Chosen) -> str:
    """Return how the visitor stands against his rivals in a sentence, or nothing where it is not known."""
    lead = known_lead(chosen.plan)
    if lead is None:
        return ""
    left = chosen.plan.left or chosen.rules.rounds - chosen.snapshot.round + 1
    rounds = f"with {left} round{'s' * (left != 1)} left"
    rivals = aimed_at(chosen.plan)
    if chosen.plan.lead is not None or len(rivals) < 2:
        return f"You are {lead_words(lead)}, {rounds}."
    return f"You are {_between(rivals)}, {rounds}."


def _between(rivals: Sequence[Rival]) -> str:
    """Return the next above and the next below, the one that is the standing first."""
    above, below = neighbours(rivals)
    words = [f"{beside_words(rival)} (next {side})" for rival, side in ((above, "above"), (below, "below")) if rival]
    return " and ".join(words)
