"""The list that players are picked from: a name is found with or without its accents, and Enter takes one man.

Streamlit compares what is typed with what an option says, letter by letter. So an option whose name has letters that
a keyboard lacks says it again in plain ones, on a second line that the style sheet keeps out of sight.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from data.naming.names import folded

PLACEHOLDER = "Type a name"


def draw_picker(title: str, labels: Mapping[int, str], place: DeltaGenerator | None = None, **more: Any) -> list[int]:
    """Draw a list of players by label and return who is picked; `more` goes to Streamlit's list."""
    found: list[int] = (place or st).multiselect(
        title,
        list(labels),
        format_func=lambda player: searchable(labels.get(player, f"Player {player}")),
        filter_mode="contains",
        select_all=False,
        wrap=True,
        **({"placeholder": PLACEHOLDER} | more),
    )
    return found


def draw_one(
    title: str, labels: Mapping[int, str], place: DeltaGenerator | None = None, *, key: str, **more: Any
) -> int | None:
    """Draw the list for one player and return him; another who is picked takes his place."""

    def keep_latest() -> None:
        st.session_state[key] = st.session_state[key][-1:]

    return latest(draw_picker(title, labels, place, key=key, **({"on_change": keep_latest} | more)))


def latest(players: Sequence[int]) -> int | None:
    """Return who was picked last, if anybody was."""
    return players[-1] if players else None


def searchable(label: str) -> str:
    """Return a label, followed by the name in plain letters where these differ."""
    name = label.partition(" (")[0]
    plain = folded(name)
    return label if plain == name.casefold() else f"{label}\n{plain}"
