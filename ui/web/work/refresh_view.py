"""What a visitor sees of a refresh: its button, how far it is, what it came to, and what is held back."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import streamlit as st

from data.errors import ThetaXIError
from data.sources.report import SourceReport
from data.worlds.held import drop_held, held_world, take_held
from data.worlds.library import world_folder
from data.worlds.manifest import MANIFEST
from ui.web.choice.session import move_to
from ui.web.drawing.escaping import as_markdown
from ui.web.drawing.live import draw_until
from ui.web.work.background import background
from ui.web.work.refresh_job import (
    ODDS,
    SOURCES,
    LiveSource,
    RefreshOutcome,
    odds_task,
    odds_url,
    refresh_task,
)
from ui.web.work.scheduler import Phase, State, Task

REFUSED = "held_refused"
"""Where the session keeps why a held world could not be taken."""

POLL = 0.4  # seconds between two looks at a refresh


def draw_sources() -> None:
    """Draw the live sources, each with its button and what became of its last refresh."""
    st.caption("Nothing is fetched unless you press a button. A refresh that fails leaves the last good data in place.")
    for column, source in zip(st.columns(len(SOURCES)), SOURCES.values(), strict=True):
        with column, st.container(border=True):
            _draw_source(source)
    with st.container(border=True):
        _draw_odds()


def _draw_source(source: LiveSource) -> None:
    state = background().state(refresh_task(source))
    st.markdown(f"**{source.title}**")
    st.caption(f"From {as_markdown(source.base_url)} into a competition of its own.")
    st.checkbox(
        "Every player's match history too",
        key=f"details_{source.key}",
        help=source.details,
    )
    st.button(
        f"Refresh {source.title}",
        key=f"refresh_{source.key}",
        disabled=state.running,
        icon=":material/sync:",
        on_click=_start,
        args=(source,),
    )
    if state.running:
        _draw_running(source.key, refresh_task(source))
    else:
        _draw_outcome(source, state)


def _draw_odds() -> None:
    """Draw the button that lays bookmakers' odds beside the matches of the live league, and what became of it."""
    league, state = SOURCES["fpl"], background().state(odds_task())
    at_hand = (world_folder(league.world) / MANIFEST).is_file()
    first = "" if at_hand else f" Refresh {league.title} first: odds are laid beside its matches."
    st.markdown("**Bookmakers' odds**")
    st.caption(
        f"Averages of coming matches, and shots of played ones, from {as_markdown(odds_url())}. Optional: nothing is "
        f"used until you fetch it, and nothing of yours is sent.{first}"
    )
    st.button(
        "Fetch odds",
        key=f"refresh_{ODDS}",
        disabled=state.running or not at_hand,
        icon=":material/balance:",
        on_click=_start_odds,
    )
    if state.running:
        _draw_running(ODDS, odds_task())
    elif state.error:
        st.error(as_markdown(str(state.error)), icon=":material/error:")
    elif state.told.report is not None:
        _draw_report(state, state.told.report)


def _start(source: LiveSource) -> None:
    background().again(refresh_task(source, details=bool(st.session_state.get(f"details_{source.key}"))))


def _start_odds() -> None:
    background().again(odds_task())


def _draw_running(key: str, task: Task[RefreshOutcome]) -> None:
    st.button("Cancel", key=f"cancel_{key}", icon=":material/close:", on_click=lambda: background().stop(task))
    draw_until(lambda: not background().state(task).running, POLL, lambda: _draw_progress(task))


def _draw_progress(task: Task[RefreshOutcome]) -> None:
    told = background().state(task).told
    counted = f"{told.done} of {told.total} documents" if told.total else "asking for the first document"
    st.progress(told.share, text=f"Fetching: {counted}")


def _draw_outcome(source: LiveSource, state: State[RefreshOutcome]) -> None:
    if state.error:
        st.error(as_markdown(str(state.error)), icon=":material/error:")
    report = state.told.report
    _draw_held(source)
    if report is None or report.doubts:
        return
    _draw_report(state, report)
    if report.ok:
        st.button(f"Open {source.title}", key=f"open_{source.key}", on_click=move_to, args=(source.world,))


def _draw_report(state: State[RefreshOutcome], report: SourceReport) -> None:
    """Draw what a refresh brought, or why it did not."""
    if state.phase is Phase.STOPPED:
        st.info(as_markdown(f"The refresh was cancelled. Kept: {report.kept}."), icon=":material/cancel:")
        return
    if not report.ok:
        st.error(as_markdown(f"The refresh failed: {report.error}\nKept: {report.kept}."), icon=":material/cloud_off:")
        return
    counted = f"{len(report.fetched)} document{'s' * (len(report.fetched) != 1)}"
    documents = f"{counted}, {report.size / 1e3:,.0f} kB in {report.seconds:.1f} s"
    st.success(f"Fetched {documents} at {report.finished:%H:%M} UTC.", icon=":material/cloud_done:")
    for warning in report.warnings:
        st.caption(as_markdown(warning))


def _draw_held(source: LiveSource) -> None:
    """Draw what looks wrong about a world that is held back, and let the visitor decide."""
    folder = world_folder(source.world)
    held = held_world(folder)
    if held is None:
        return
    reasons = "\n".join(f"- {as_markdown(doubt)}" for doubt in held.doubts)
    st.warning(
        f"What was fetched at {held.since:%d %b %H:%M} UTC looks wrong and is held back; the data before it is still "
        f"in place.\n\n{reasons}",
        icon=":material/report:",
    )
    with st.container(horizontal=True):
        st.button("Take it", key=f"take_{source.key}", on_click=_decide, args=(source, take_held))
        st.button("Drop it", key=f"drop_{source.key}", on_click=_decide, args=(source, drop_held))
    if error := st.session_state.pop(REFUSED, None):
        st.error(as_markdown(error), icon=":material/error:")


def _decide(source: LiveSource, decide: Callable[[Path], object]) -> None:
    """Take or drop what is held back; another visitor may have done so before."""
    background().forget(refresh_task(source))
    try:
        decide(world_folder(source.world))
    except ThetaXIError as error:
        st.session_state[REFUSED] = str(error)
