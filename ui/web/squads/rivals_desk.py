"""Where a visitor names the rivals he plays against: his league by number, or up to twenty squads pasted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping

import pandas as pd
import streamlit as st

from data.errors import ThetaXIError
from data.rules import GameRules
from data.sources.fpl.managers.leagues import MOST_RIVALS as MOST_OF_LEAGUE
from engine.rank.rivals import Rival, listed_names
from models.signals import Signals
from ui.web.answers.opponents_view import league_words, standing_words
from ui.web.choice.frame import Chosen, rivals_here
from ui.web.choice.opponents import CROWD_WORDS, lead_words, rivals_of
from ui.web.choice.session import attach_rivals, change, controlled, linked
from ui.web.drawing.escaping import as_markdown
from ui.web.drawing.plain_table import ShownColumn, draw_table
from ui.web.squads.account_words import chips_words
from ui.web.squads.entry_import import fetch_rivals
from ui.web.squads.fetch_form import draw_fetch, draw_said, has_entries
from ui.web.squads.rival_squads import MOST_RIVALS, BroughtRivals, read_rivals
from ui.web.squads.uploads import LONGEST_PASTE

SAID = "_rivals_said"
PASTE_HINT = "Anna:\nHarry Kane (C), ENG\n… eleven or fifteen players\n\nBen:\n…"
ALL_OF_THEM = 0
ALL_WORDS = "All of them; your standing is that to the next above you, or below if you lead"
UNKNOWN = "not known"


def draw_rivals(chosen: Chosen, signals: Signals) -> None:
    """Draw who the rivals are and how the visitor stands, and the ways to name them."""
    rivals = rivals_of(chosen.plan)
    if rivals:
        _draw_named(chosen, rivals, signals)
    else:
        _draw_crowd(chosen)
        against = CROWD_WORDS[chosen.crowd]
        st.caption(f"You play against {against}. Name rivals to count ownership among them alone.")
    if has_entries(chosen.world.rulebook):
        _draw_league(chosen, signals)
    _draw_paste(chosen, signals)
    draw_said(*st.session_state.get(SAID, ("", ())))


def _draw_crowd(chosen: Chosen) -> None:
    """Draw which managers the field is made of; only a league has best ones to choose."""
    if chosen.rules.kind != "league":
        return
    st.segmented_control(
        "The field",
        list(CROWD_WORDS),
        format_func=lambda crowd: CROWD_WORDS[crowd].capitalize(),
        required=True,
        help="What the best 10,000 own is estimated from how public ownership moves; owned % stays that of everybody.",
        **linked("crowd", chosen.crowd, str),
    )


def _draw_named(chosen: Chosen, rivals: tuple[Rival, ...], signals: Signals) -> None:
    names = as_markdown(listed_names([rival.name for rival in rivals_here(chosen)]))
    against = f"You play against {names}{league_words(chosen)}: on every page, ownership is counted among them alone."
    if names:
        st.success(f"{against}{standing_words(chosen)}")
    _draw_aim(chosen, rivals)
    if any(rival.rank is not None for rival in rivals):
        title = "Rivals with rank, points to them, captains and chips left"
        draw_table(
            league_rows(rivals, signals, chosen.rules),
            title,
            {name: ShownColumn(prose=True) for name in ("Captains of late", "Chips left")},
        )
        if chosen.plan.counted is not None:
            st.caption(f"Points and squads as they stood before round {chosen.plan.counted}.")
    st.button("Play against all managers again", key="no_rivals", on_click=lambda: attach_rivals(()))


def _draw_aim(chosen: Chosen, rivals: tuple[Rival, ...]) -> None:
    """Draw the choice of the one rival to be measured against."""
    if len(rivals) < 2:
        return
    called = {ALL_OF_THEM: ALL_WORDS} | {place: aim_words(rival) for place, rival in enumerate(rivals, start=1)}
    aimed = chosen.plan.rival if chosen.plan.rival in called else ALL_OF_THEM
    st.selectbox(
        "Measure yourself against",
        list(called),
        format_func=called.__getitem__,
        key=controlled("rival_choice", aimed),
        on_change=lambda: change(rival=st.session_state.rival_choice or None, lead=None, left=None),
    )


def aim_words(rival: Rival) -> str:
    """Return what a rival is called in the choice of whom to be measured against."""
    return rival.name if rival.ahead is None else f"{rival.name}: you are {lead_words(rival.ahead)}"


def league_rows(rivals: tuple[Rival, ...], signals: Signals, rules: GameRules) -> pd.DataFrame:
    """Return the rivals of a league as a table, in the order they were read."""
    short = dict(zip(signals.player_id.tolist(), signals.short, strict=True))
    return pd.DataFrame(
        [
            {
                "Rank": "–" if rival.rank is None else str(rival.rank),
                "Team": rival.name,
                "You are": UNKNOWN if rival.ahead is None else lead_words(rival.ahead),
                "Captain": short.get(rival.captain, UNKNOWN),
                "Captains of late": captain_words(rival, short),
                "Chips left": UNKNOWN if rival.chips is None else chips_words(rival.chips, rules),
            }
            for rival in rivals
        ]
    )


def captain_words(rival: Rival, short: Mapping[int, str]) -> str:
    """Return whom a rival captained in the last rounds, and how often it was the crowd's choice."""
    if not rival.captains:
        return UNKNOWN
    counts = Counter(short.get(number, "somebody who left") for number in rival.captains)
    named = ", ".join(name if count == 1 else f"{name} ×{count}" for name, count in counts.most_common())
    if rival.with_crowd is None:
        return named
    return f"{named}; with the crowd in {rival.with_crowd} of {len(rival.captains)}"


def _draw_paste(chosen: Chosen, signals: Signals) -> None:
    st.text_area(
        f"Squads of up to {MOST_RIVALS} rivals, an empty line between two",
        key="rivals_paste",
        placeholder=PASTE_HINT,
        height=180,
        max_chars=LONGEST_PASTE,
        help="A first line that ends with a colon is the rival's name; (C) behind a player gives him the armband.",
    )
    st.button("Play against these rivals", key="read_rivals", on_click=_read_paste, args=(chosen, signals))


def _read_paste(chosen: Chosen, signals: Signals) -> None:
    text = st.session_state.rivals_paste
    if text and text.strip():
        _attach(chosen, lambda: read_rivals(text, chosen.snapshot, signals))


def _draw_league(chosen: Chosen, signals: Signals) -> None:
    entry, rounds = chosen.plan.entry, chosen.world.tables["rounds"]
    if entry is None:
        st.caption("Import your squad by its entry number first: your league then tells your points to each rival.")
    draw_fetch(
        "Your classic league, by the number in its address",
        "rivals_league",
        chosen.plan.league,
        f"its table and at most {MOST_OF_LEAGUE} squads, {'the first' if entry is None else 'those nearest to you'}",
        "Play against this league",
        "Asking the game for the squads of this league …",
        lambda url, number: _attach(
            chosen,
            lambda: fetch_rivals(url, number, signals, entry=entry, rounds=rounds),
            number,
        ),
    )


def _attach(chosen: Chosen, bring: Callable[[], BroughtRivals], league: int | None = None) -> None:
    try:
        brought = bring()
    except ThetaXIError as error:
        st.session_state[SAID] = (str(error), ())
        return
    st.session_state[SAID] = ("", brought.remarks)
    attach_rivals(brought.rivals, league=league, counted=chosen.snapshot.round if league else None)
