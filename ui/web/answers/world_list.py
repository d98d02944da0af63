"""The competitions at hand: one row for each, one that cannot be opened with the reason, and the way back.

worlds = worlds_at_hand()          each by name: in figures, or the sentence that says why it cannot be opened
draw_worlds(worlds, now)           the table, and below it what can be gone back to
"""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pandas as pd
import streamlit as st

from data.errors import ThetaXIError
from data.sources.refresh import span_in_words
from data.worlds.library import list_worlds, usable_world
from data.worlds.manifest import manifest_text
from data.worlds.restoring import EarlierState, restore_world, states_before
from ui.web.answers.data_report import WorldFacts, age_in_words, world_facts
from ui.web.drawing.escaping import as_markdown
from ui.web.drawing.plain_table import ShownColumn, draw_table
from ui.web.work import kept

Worlds = dict[str, WorldFacts | str]
SAID = "restore_said"
"""Where the session keeps what the last restore came to."""


def worlds_at_hand() -> Worlds:
    """Return every competition at hand in figures, or with the reason why it cannot be opened."""
    return {entry.name: told(entry.name, entry.folder, bundled=entry.bundled) for entry in list_worlds()}


def told(name: str, folder: Path, *, bundled: bool) -> WorldFacts | str:
    """Return a world in figures, or the sentence that says why it cannot be opened."""
    try:
        return _told(name, folder, manifest_text(folder), bundled)
    except ThetaXIError as error:
        return str(error)


@st.cache_resource(max_entries=kept.FACTS.most, show_spinner=False)
def _told(name: str, folder: Path, manifest: str, bundled: bool) -> WorldFacts | str:
    try:
        return world_facts(name, usable_world(folder), manifest, bundled=bundled)
    except ThetaXIError as error:
        return str(error)


def worlds_table(worlds: Worlds, now: datetime) -> pd.DataFrame:
    """Return one row per competition at hand; one that cannot be opened says why."""
    rows = [_world_row(name, facts, now) for name, facts in worlds.items()]
    return pd.DataFrame(rows)


def _world_row(name: str, facts: WorldFacts | str, now: datetime) -> dict[str, object]:
    if isinstance(facts, str):
        return {"Title": f"{name}: {facts}", "Origin": "Cannot be opened"}
    return {
        "Title": facts.title,
        "Origin": facts.origin,
        "Rounds": f"{facts.rounds[0]} to {facts.rounds[-1]}",
        "Players": facts.players,
        "Facts": age_in_words(facts, now),
        "Checksum": facts.checksum,
    }


def draw_worlds(worlds: Worlds, now: datetime) -> None:
    """Draw the competitions at hand, and for each that was saved more than once the way back."""
    with st.expander(f"Competitions at hand ({len(worlds)})", expanded=len(worlds) > 1):
        draw_table(
            worlds_table(worlds, now),
            "The competitions at hand with origin, rounds, players, age of the facts and checksum",
            {"Title": ShownColumn(prose=True), "Players": ShownColumn("{:,.0f}")},
        )
        for entry in list_worlds():
            if not entry.bundled and (states := states_before(entry.folder)):
                _draw_way_back(entry.name, entry.folder, states, now)
        if sentence := st.session_state.get(SAID):
            st.info(as_markdown(sentence), icon=":material/history:")


def _draw_way_back(name: str, folder: Path, states: tuple[EarlierState, ...], now: datetime) -> None:
    ages = {state.number: f"replaced {span_in_words(now - state.replaced)} ago" for state in states}
    with st.container(horizontal=True, vertical_alignment="bottom"):
        number = st.selectbox(
            f"Earlier state of {name}",
            list(ages),
            format_func=lambda one: f"{one}: {ages.get(one, '')}",
            key=f"state_{name}",
            width=260,
        )
        st.button(
            f"Go back in {name}",
            key=f"restore_{name}",
            icon=":material/history:",
            help="What is in place now is kept: go back again to undo it.",
            on_click=_go_back,
            args=(folder, number),
        )


def _go_back(folder: Path, number: int) -> None:
    try:
        found = restore_world(folder, number)
    except ThetaXIError as error:
        st.session_state[SAID] = str(error)
        return
    moment = f"{datetime.now(UTC):%H:%M} UTC"
    st.session_state[SAID] = f"{folder.name} is {found.title} again, as it was in state {number} (at {moment})."
