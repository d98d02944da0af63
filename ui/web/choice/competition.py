"""Which competition a page opens on, what it is called, and what is said when its deadline passes meanwhile.

The one used last is kept in the visitor's own browser, as a cookie; the server keeps nothing of it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

import streamlit as st

from data.errors import ThetaXIError
from data.worlds.library import DEFAULT_WORLD, WorldEntry
from data.worlds.manifest import manifest_text
from data.worlds.world import World, known_deadlines, open_world, world_title
from ui.web.drawing.live import draw_until
from ui.web.work import kept

COOKIE = "thetaxi_competition"
YEAR = 365 * 24 * 3600  # seconds a browser remembers it
AHEAD = "_deadline_ahead"
LOOK = 10.0  # seconds between two looks at the clock


def _deadlines(entry: WorldEntry) -> tuple[datetime, ...]:
    try:
        return _known_deadlines(entry.folder, manifest_text(entry.folder))
    except ThetaXIError:
        return ()


@st.cache_data(max_entries=kept.FACTS.most, show_spinner=False)
def _known_deadlines(folder: Path, manifest: str) -> tuple[datetime, ...]:  # noqa: ARG001 - new when refreshed
    """Return the deadlines of the rounds that can be opened; none where they cannot be read."""
    try:
        return known_deadlines(folder)
    except ThetaXIError:
        return ()


@st.cache_resource(max_entries=kept.WORLDS.most, show_spinner="Opening the competition …")
def opened_world(folder: Path, version: str) -> World:  # noqa: ARG001 - a refreshed world has a new version
    """Return the world in a folder, opened once for all visitors; a refreshed one has a new version."""
    return open_world(folder)


def _opens(entry: WorldEntry) -> bool:
    try:
        opened_world(entry.folder, manifest_text(entry.folder))
    except ThetaXIError:
        return False
    return True


def _title(folder: Path) -> str:
    try:
        return world_title(folder)
    except ThetaXIError:
        return folder.name


def titles(entries: Mapping[str, WorldEntry]) -> dict[str, str]:
    """Return what to call each competition; its folder's name only where two share a title or it has none."""
    found = {name: _title(entry.folder) for name, entry in entries.items()}
    shared = [title for title in found.values() if list(found.values()).count(title) > 1]
    return {name: f"{title} ({name})" if title in shared else title for name, title in found.items()}


def home(entries: Mapping[str, WorldEntry], now: datetime) -> str:
    """Return the competition to open when nobody says which: the one used last, else the nearest."""
    last = st.context.cookies.get(COOKIE, "")
    return last if last in entries else known_nearest(entries, now)


def known_nearest(entries: Mapping[str, WorldEntry], now: datetime) -> str:
    """Return the competition whose next deadline comes first, of those that are not broken."""
    ahead = {name: found for name, entry in entries.items() if (found := _deadlines(entry))}
    while (name := nearest(ahead, now)) in ahead and not _opens(entries[name]):
        del ahead[name]
    return name


def nearest(deadlines: Mapping[str, Sequence[datetime]], now: datetime) -> str:
    """Return whose next deadline comes first; where none is to come, whose last was latest."""
    coming = {name: min(later) for name, all_ in deadlines.items() if (later := [one for one in all_ if one > now])}
    if coming:
        return min(coming, key=lambda name: coming[name])
    past = {name: max(all_) for name, all_ in deadlines.items() if all_}
    return max(past, key=lambda name: past[name]) if past else DEFAULT_WORLD


def remember(world: str) -> None:
    """Let the visitor's browser remember the competition that he uses."""
    script = f"document.cookie = '{COOKIE}={world}; path=/; max-age={YEAR}; SameSite=Lax'"
    with st.container(key="used_last"):
        st.html(f"<script>{script}</script>", unsafe_allow_javascript=True)


def first_open(world: World, now: datetime) -> int:
    """Return the round to open when nobody says which: the next whose deadline comes.

    Where all deadlines are over it is the first without a result, and of a finished competition the first.
    """
    rounds = world.tables["rounds"]
    ahead = set(rounds.loc[rounds["deadline"] > now, "round"])
    return next((number for number in world.rounds if number in ahead), world.coming)


def draw_deadline_passed(place: tuple[str, int], title: str, deadline: datetime, now: datetime) -> None:
    """Watch the clock, and say it when the deadline of a competition's round passes while the page is open."""
    if deadline > now:
        st.session_state[AHEAD] = place
        draw_until(lambda: datetime.now(UTC) >= deadline, LOOK, lambda: None)
    elif st.session_state.get(AHEAD) == place:
        st.warning(
            f"The deadline of {title} has passed while this page was open: squads for it can no longer be changed. "
            "Refresh the data for the round after it.",
            icon=":material/alarm_off:",
        )
