"""Players and clubs over the rounds to come on a page: how far, sorted by what, and the club ticker."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from ui.web.answers.plan_tables import short_title
from ui.web.answers.player_dialog import open_player
from ui.web.answers.player_marks import outlook_of
from ui.web.choice.frame import Chosen, signals_of
from ui.web.drawing.clickable import draw_clickable
from ui.web.drawing.rounds.horizon_table import horizon_html
from ui.web.drawing.rounds.ticker import ticker_html
from ui.web.plans.horizon import MOST_SHOWN, ORDERS, PRICE_CHANGE, club_rows, player_rows
from ui.web.work.plan_job import horizon_of

CLUB_ROUNDS = 6
"""Rounds of the club ticker: two tables stand side by side."""


def draw_horizon_players(chosen: Chosen, found: pd.DataFrame) -> None:
    """Draw the players that were found by what they bring over the rounds to come; a press on a name opens him."""
    outlook = outlook_of(chosen)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        most = len(outlook.rounds)
        rounds = st.slider("Rounds to look ahead", 1, most, min(horizon_of(chosen), most), key="ahead", width=240)
        told = PRICE_CHANGE in chosen.snapshot.players and chosen.snapshot.players[PRICE_CHANGE].notna().any()
        orders = ORDERS if told else ORDERS[:-1]
        by = st.segmented_control("Sort by", orders, default=orders[0], required=True, key="ahead_by")
    rows = player_rows(outlook, signals_of(chosen), found, chosen.snapshot.players, rounds, str(by))
    heads = [short_title(chosen.rules.round_title(number)) for number in outlook.rounds[:rounds]]
    label = f"Players with fixtures and points over {rounds} rounds"
    picked = draw_clickable(horizon_html(heads, rows, label, chosen.rules.currency), key="horizon")
    if picked.isdecimal():
        open_player(chosen, int(picked))
    st.caption(
        f"The first {min(MOST_SHOWN, len(rows))} of {len(found):,}. Points are expected over the rounds shown; EO is "
        f"how much of him the field has this round{'; a price rises at +100%, falls at -100%' if told else ''}."
    )


def draw_clubs(chosen: Chosen) -> None:
    """Draw the fixtures of all clubs, once for their attack and once for their defence."""
    outlook, signals = outlook_of(chosen, CLUB_ROUNDS), signals_of(chosen)
    names = dict(zip(chosen.snapshot.teams["code"], chosen.snapshot.teams["name"], strict=True))
    heads = [short_title(chosen.rules.round_title(number)) for number in outlook.rounds]
    for column, title, attack in zip(
        st.columns(2, gap="medium"),
        ("Attack: goals expected for a club", "Defence: goals expected against it"),
        (True, False),
        strict=True,
    ):
        with column:
            st.markdown(f"**{title}**")
            rows = club_rows(outlook, signals, names, attack=attack)
            st.html(ticker_html(heads, rows, f"{title}, easiest first; 1 easy to 5 hard"))
    st.caption("Behind each club its goals a match over these rounds, the easiest run first. 1 is easy, 5 hard.")
