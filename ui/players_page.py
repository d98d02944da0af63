"""Players: everybody who can be picked in a round, with price, ownership and points so far."""

from __future__ import annotations

import altair as alt
import pandas as pd
import streamlit as st

from data.domain import POSITIONS
from data.names import folded
from data.snapshot import Snapshot
from ui.frame import choose_round

POSITION_COLOURS = ["#a48a14", "#006e59", "#4f6dd2", "#a218f0"]
"""GK, DEF, MID, FWD from the seven-term palette that stays apart under three kinds of colour blindness."""


def show() -> None:
    """Draw the page."""
    st.title("Players")
    chosen = choose_round()
    snapshot = chosen.snapshot
    title = chosen.rules.round_title(snapshot.round)
    st.caption(f"{chosen.world.title} · {title} · deadline {snapshot.deadline:%a %d %b %Y, %H:%M} UTC")
    table = player_table(snapshot)
    found = _filtered(table)
    if found.empty:
        st.info("No player fits these filters. Clear the search or choose another position or team.")
        return
    st.markdown(f"**{len(found):,} of {len(table):,} players**")
    _draw_table(found)
    _draw_chart(found)


def player_table(snapshot: Snapshot) -> pd.DataFrame:
    """Return the players of a round as the page shows them; ownership in percent."""
    scored = snapshot.points.groupby("player_id")["points"].sum()
    players = snapshot.players
    names = snapshot.teams.set_index("code")["name"]
    table = pd.DataFrame(
        {
            "Player": players["name"],
            "Team": players["team"].map(names),
            "Position": players["position"],
            "Price": players["price"],
            "Owned": players["owned"] * 100,
            "Points": players["player_id"].map(scored).fillna(0).astype("int64"),
            "Status": players["status"].str.capitalize(),
        }
    )
    return table.sort_values(["Owned", "Price"], ascending=False, ignore_index=True)


def matching(table: pd.DataFrame, text: str, positions: list[str], teams: list[str]) -> pd.DataFrame:
    """Return the rows that fit a search (accents and case do not matter) and the chosen positions and teams."""
    if text.strip():
        wanted = folded(text)
        table = table[table["Player"].map(folded).str.contains(wanted, regex=False)]
    if positions:
        table = table[table["Position"].isin(positions)]
    if teams:
        table = table[table["Team"].isin(teams)]
    return table


def _filtered(table: pd.DataFrame) -> pd.DataFrame:
    search, position, team = st.columns([2, 2, 2])
    text = search.text_input("Search", placeholder="Name, with or without accents", key="search", max_chars=60)
    positions = position.pills("Position", POSITIONS, selection_mode="multi", key="position", bind="query-params")
    teams = team.multiselect("Team", sorted(table["Team"].unique()), key="team", placeholder="All teams")
    return matching(table, text, positions, teams)


def _draw_table(table: pd.DataFrame) -> None:
    most = max(float(table["Owned"].max()), 1.0)
    st.dataframe(
        table,
        hide_index=True,
        height=420,
        column_config={
            "Price": st.column_config.NumberColumn(format="%.1f", help="Millions"),
            "Owned": st.column_config.ProgressColumn(
                format="%.1f%%", min_value=0, max_value=most, help="Share of all managers who own the player"
            ),
            "Points": st.column_config.NumberColumn(help="Official points of the earlier rounds"),
        },
        alt="Players with team, position, price, ownership, points so far and status",
    )


def _draw_chart(table: pd.DataFrame) -> None:
    st.subheader("What the field pays for")
    order = list(POSITIONS)
    chart = (
        alt.Chart(table)
        .mark_point(size=60, opacity=0.75, filled=True)
        .encode(
            x=alt.X("Price:Q", title="Price (millions)", scale=alt.Scale(zero=False)),
            y=alt.Y("Owned:Q", title="Owned (%)"),
            color=alt.Color("Position:N", sort=order, scale=alt.Scale(domain=order, range=POSITION_COLOURS)),
            shape=alt.Shape("Position:N", sort=order),
            tooltip=[
                "Player",
                "Team",
                "Position",
                alt.Tooltip("Price", format=".1f"),
                alt.Tooltip("Owned", format=".1f"),
            ],
        )
        .properties(height=320)
    )
    st.altair_chart(chart, width="stretch")
