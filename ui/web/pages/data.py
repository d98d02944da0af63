"""Data: which facts the page rests on, how old they are and what is missing; refresh, own projections, the rulebook."""

from __future__ import annotations

from datetime import UTC, datetime

import streamlit as st

from data.errors import ThetaXIError
from data.rules import load_rules
from ui.web.answers.data_report import (
    SHOWN_DIGITS,
    WorldFacts,
    age_in_words,
    missing_facts,
    rulebook_table,
    stale_warnings,
)
from ui.web.answers.world_list import draw_worlds, worlds_at_hand
from ui.web.choice.frame import Chosen, choose_round
from ui.web.choice.projection_desk import draw_projections
from ui.web.drawing.clock import visitor_zone, zone_name
from ui.web.drawing.escaping import as_markdown
from ui.web.drawing.figures import Figure, draw_figures
from ui.web.drawing.plain_table import ShownColumn, draw_table
from ui.web.work.refresh_view import draw_sources


def show() -> None:
    """Draw the page; a competition that cannot be opened takes with it only what is said about itself."""
    st.title("Data")
    now, worlds = datetime.now(UTC), worlds_at_hand()
    try:
        chosen = choose_round()
    except ThetaXIError as error:
        st.error(as_markdown(str(error)), icon=":material/error:")
        chosen = None
    facts = worlds.get(chosen.plan.world) if chosen else None
    over = chosen is not None and chosen.over(now)
    first, second = st.container(), st.container()  # of what is over, the game being played comes first
    with second if over else first:
        if chosen and isinstance(facts, WorldFacts):
            _draw_facts(chosen, facts, now)
        draw_worlds(worlds, now)
    with first if over else second:
        st.header("Refresh from a live source")
        draw_sources()
    if chosen:
        st.header("Your own projections")
        draw_projections(chosen)
        st.header("Rules")
        _draw_rules(chosen)


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
    for sentence in stale_warnings(facts, snapshot, title, now, where="above" if chosen.over(now) else "below"):
        st.warning(sentence, icon=":material/schedule:")
    missing = list(missing_facts(snapshot))
    if missing:
        with st.expander(f"What is missing ({len(missing)})"):
            st.text("\n".join(f"• {sentence}" for sentence in missing))
    else:
        st.caption("Nothing that the models ask for is missing.")


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
