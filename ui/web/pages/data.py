"""Data: which facts the page rests on, how old they are and what is missing; refresh, own projections, the rulebook."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pandas as pd
import streamlit as st

from data.errors import ThetaXIError
from data.rules import load_rules
from data.worlds.library import list_worlds
from data.worlds.world import MANIFEST, open_world
from ui.web.answers.data_report import (
    SHOWN_DIGITS,
    WorldFacts,
    age_in_words,
    missing_facts,
    rulebook_table,
    stale_warnings,
    world_facts,
)
from ui.web.choice.frame import Chosen, choose_round
from ui.web.choice.projection_desk import draw_projections
from ui.web.choice.session import move_to
from ui.web.drawing.clock import visitor_zone, zone_name
from ui.web.drawing.escaping import as_markdown
from ui.web.drawing.figures import Figure, draw_figures
from ui.web.drawing.live import draw_until
from ui.web.drawing.plain_table import ShownColumn, draw_table
from ui.web.work import kept
from ui.web.work.background import background
from ui.web.work.refresh_job import SOURCES, LiveSource, RefreshOutcome, refresh_task
from ui.web.work.scheduler import State

POLL = 0.4  # seconds between two looks at a refresh


def show() -> None:
    """Draw the page."""
    st.title("Data")
    chosen = choose_round()
    now = datetime.now(UTC)
    worlds = {entry.name: told(entry.name, entry.folder, bundled=entry.bundled) for entry in list_worlds()}
    facts = worlds[chosen.plan.world]
    if isinstance(facts, WorldFacts):
        _draw_facts(chosen, facts, now)
    _draw_worlds(worlds, now)
    st.header("Refresh from a live source")
    _draw_sources()
    st.header("Your own projections")
    draw_projections(chosen)
    st.header("Rules")
    _draw_rules(chosen)


def told(name: str, folder: Path, *, bundled: bool) -> WorldFacts | str:
    """Return a world in figures, or the sentence that says why it cannot be opened."""
    return _told(name, folder, (folder / MANIFEST).read_text(encoding="utf-8", errors="replace"), bundled)


@st.cache_resource(max_entries=kept.FACTS.most, show_spinner=False)
def _told(name: str, folder: Path, manifest: str, bundled: bool) -> WorldFacts | str:
    try:
        return world_facts(name, open_world(folder), manifest, bundled=bundled)
    except ThetaXIError as error:
        return str(error)


def worlds_table(worlds: dict[str, WorldFacts | str], now: datetime) -> pd.DataFrame:
    """Return one row per competition at hand; one that cannot be opened says why."""
    rows = [_world_row(name, facts, now) for name, facts in worlds.items()]
    return pd.DataFrame(rows)


def _world_row(name: str, facts: WorldFacts | str, now: datetime) -> dict[str, object]:
    if isinstance(facts, str):
        return {"Name": name, "Title": facts, "Origin": "Cannot be opened"}
    return {
        "Name": name,
        "Title": facts.title,
        "Origin": facts.origin,
        "Rounds": f"{facts.rounds[0]} to {facts.rounds[-1]}",
        "Players": facts.players,
        "Facts": age_in_words(facts, now),
        "Checksum": facts.checksum,
    }


def _draw_facts(chosen: Chosen, facts: WorldFacts, now: datetime) -> None:
    snapshot = chosen.snapshot
    title = chosen.rules.round_title(snapshot.round)
    zone = visitor_zone()
    deadline = snapshot.deadline.astimezone(zone)
    draw_figures(
        (
            Figure("Players", f"{len(snapshot.players):,}", "can be picked"),
            Figure("Teams", str(facts.teams), "in the competition"),
            Figure("Matches", str(len(snapshot.coming)), "in this round"),
            Figure("Deadline", f"{deadline:%a %d %b}", f"{deadline:%H:%M} {zone_name(zone)}"),
        )
    )
    st.caption(
        f"{as_markdown(facts.title)} · {title} · {facts.origin.lower()}, {age_in_words(facts, now)} · "
        f"what is known at this deadline has the checksum {snapshot.checksum[:SHOWN_DIGITS]}"
    )
    for sentence in stale_warnings(facts, snapshot, title, now):
        st.warning(sentence, icon=":material/schedule:")
    missing = list(missing_facts(snapshot))
    if missing:
        with st.expander(f"What is missing ({len(missing)})"):
            st.text("\n".join(f"• {sentence}" for sentence in missing))
    else:
        st.caption("Nothing that the models ask for is missing.")


def _draw_worlds(worlds: dict[str, WorldFacts | str], now: datetime) -> None:
    with st.expander(f"Competitions at hand ({len(worlds)})", expanded=len(worlds) > 1):
        draw_table(
            worlds_table(worlds, now),
            "The competitions at hand with origin, rounds, players, age of the facts and checksum",
            {"Title": ShownColumn(prose=True), "Players": ShownColumn("{:,.0f}")},
        )


def _draw_sources() -> None:
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


def _draw_rules(chosen: Chosen) -> None:
    shipped = load_rules(chosen.world.rulebook)
    unconfirmed = len(shipped.unconfirmed())
    words = "every section is confirmed by the official rules"
    if unconfirmed:
        counted = "1 section is" if unconfirmed == 1 else f"{unconfirmed} sections are"
        words = f"{counted} not confirmed by the official rules, and what rests on it is marked as provisional"
    st.caption(f"{as_markdown(shipped.title)}: {words}.")
    draw_table(
        rulebook_table(chosen.rules),
        "The rulebook: what each section says, whether the official rules confirm it, and its source",
        {"Rule": ShownColumn(prose=True), "Source": ShownColumn(prose=True)},
    )
    with st.expander("Where these facts come from"):
        st.text(chosen.world.sources or "This competition names no source.")
