"""What a visitor sees of a refresh: its button, how far it is, and what it came to."""

from __future__ import annotations

import streamlit as st

from ui.web.choice.session import move_to
from ui.web.drawing.escaping import as_markdown
from ui.web.drawing.live import draw_until
from ui.web.work.background import background
from ui.web.work.refresh_job import SOURCES, LiveSource, RefreshOutcome, refresh_task
from ui.web.work.scheduler import State

POLL = 0.4  # seconds between two looks at a refresh


def draw_sources() -> None:
    """Draw the live sources, each with its button and what became of its last refresh."""
    st.caption("Nothing is fetched unless you press a button. A refresh that fails leaves the last good data in place.")
    for column, source in zip(st.columns(len(SOURCES)), SOURCES.values(), strict=True):
        with column, st.container(border=True):
            _draw_source(source)


def _draw_source(source: LiveSource) -> None:
    state = background().state(refresh_task(source))
    st.markdown(f"**{source.title}**")
    st.caption(f"From {as_markdown(source.base_url)} into the competition {source.world}.")
    st.checkbox(
        "Every player's match history too",
        key=f"details_{source.key}",
        help="Some hundred requests more; the models know minutes and event counts better.",
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
        draw_until(lambda: not background().state(refresh_task(source)).running, POLL, lambda: _draw_progress(source))
    else:
        _draw_outcome(source, state)


def _start(source: LiveSource) -> None:
    background().again(refresh_task(source, details=bool(st.session_state.get(f"details_{source.key}"))))


def _draw_progress(source: LiveSource) -> None:
    told = background().state(refresh_task(source)).told
    counted = f"{told.done} of {told.total} documents" if told.total else "asking for the first document"
    st.progress(told.share, text=f"Fetching: {counted}")


def _draw_outcome(source: LiveSource, state: State[RefreshOutcome]) -> None:
    if state.error:
        st.error(as_markdown(str(state.error)), icon=":material/error:")
    report = state.told.report
    if report is None:
        return
    if not report.ok:
        st.error(as_markdown(f"The refresh failed: {report.error}\nKept: {report.kept}."), icon=":material/cloud_off:")
        return
    documents = f"{len(report.fetched)} documents, {report.size / 1e3:,.0f} kB in {report.seconds:.1f} s"
    st.success(f"Fetched {documents} at {report.finished:%H:%M} UTC.", icon=":material/cloud_done:")
    for warning in report.warnings:
        st.caption(as_markdown(warning))
    st.button(f"Open {source.world}", key=f"open_{source.key}", on_click=move_to, args=(source.world,))
