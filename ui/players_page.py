"""Players: everybody who can be picked in a round, what is expected of him, and why."""

from __future__ import annotations

import altair as alt
import numpy as np
import pandas as pd
import streamlit as st

from data.domain import POSITIONS
from data.names import folded
from models.signals import Signals
from ui.distribution import draw_distribution
from ui.frame import Chosen, choose_round, ink, signals_of
from ui.waterfall import draw_waterfall

POSITION_COLOURS = ["#a48a14", "#006e59", "#4f6dd2", "#a218f0"]
"""GK, DEF, MID, FWD from the seven-term palette that stays apart under three kinds of colour blindness."""

ORDERS = {"xEV": "xEV", "Ceiling": "Ceiling", "EO": "EO", "Value": "Value", "Owned": "Owned"}
LINE_NAMES = {
    "appearance": "Plays",
    "sixty_minutes": "Plays 60 minutes",
    "goals": "Goals",
    "free_kick_goals": "Free-kick goals",
    "assists": "Assists",
    "clean_sheet": "Clean sheet",
    "goals_conceded": "Goals conceded",
    "saves": "Saves",
    "penalty_saved": "Penalties saved",
    "penalty_missed": "Penalties missed",
    "tackles": "Tackles",
    "chances_created": "Chances created",
    "shots_on_target": "Shots on target",
    "penalty_won": "Penalties won",
    "penalty_conceded": "Penalties conceded",
    "yellow_cards": "Yellow cards",
    "red_cards": "Red cards",
    "own_goals": "Own goals",
    "scouting_bonus": "Scouting bonus",
    "defensive_contributions": "Defensive contributions",
    "bonus": "Bonus",
    "your_projection": "Your projection",
}


def show() -> None:
    """Draw the page."""
    st.title("Players")
    chosen = choose_round()
    snapshot = chosen.snapshot
    title = chosen.rules.round_title(snapshot.round)
    st.caption(f"{chosen.world.title} · {title} · deadline {snapshot.deadline:%a %d %b %Y, %H:%M} UTC")
    signals = signals_of(chosen)
    _draw_notes(signals)
    table = player_table(signals, chosen)
    found = _filtered(table)
    if found.empty:
        st.info("No player fits these filters. Clear the search or choose another position or team.")
        return
    st.markdown(f"**{len(found):,} of {len(table):,} players**")
    _draw_table(found)
    _draw_player(signals, found)
    _draw_chart(found)


def player_table(signals: Signals, chosen: Chosen) -> pd.DataFrame:
    """Return the players of a round as the page shows them; shares in percent, `row` points into the signals."""
    names = chosen.snapshot.teams.set_index("code")["name"]
    exposure = signals.exposure
    kinds = np.select([exposure.template, exposure.differential], ["Template", "Differential"], "")
    table = pd.DataFrame(
        {
            "Player": signals.name,
            "Team": pd.Series(signals.codes).map(names).to_numpy(),
            "Position": np.array(POSITIONS)[signals.position],
            "Opponent": signals.opponents,
            "Price": signals.price,
            "xEV": signals.xev,
            "Floor": signals.floor,
            "Ceiling": signals.ceiling,
            "Value": signals.xev / signals.price,
            "Starts": signals.start * 100,
            "Owned": chosen.snapshot.players["owned"].to_numpy() * 100,
            "EO": exposure.eo * 100,
            "Kind": kinds,
            "Status": pd.Series(signals.status).str.capitalize(),
            "row": np.arange(len(signals)),
        }
    )
    return table.sort_values(["xEV", "Price"], ascending=False, ignore_index=True)


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


def player_terms(signals: Signals, row: int) -> dict[str, float]:
    """Return a player's lines as people call them, in the rulebook's order; they sum to his xEV."""
    return {LINE_NAMES.get(name, name): float(values[row]) for name, values in signals.points.lines.items()}


def _filtered(table: pd.DataFrame) -> pd.DataFrame:
    search, position, team, order = st.columns([2, 2, 2, 2])
    text = search.text_input("Search", placeholder="Name, with or without accents", key="search", max_chars=60)
    positions = position.pills("Position", POSITIONS, selection_mode="multi", key="position", bind="query-params")
    teams = team.multiselect("Team", sorted(table["Team"].unique()), key="team", placeholder="All teams")
    by = order.selectbox("Sort by", list(ORDERS), key="sort", bind="query-params", required=True)
    found = matching(table, text, positions, teams)
    return found.sort_values([ORDERS[by], "row"], ascending=[False, True], ignore_index=True)


def _draw_notes(signals: Signals) -> None:
    if signals.scoring_provisional:
        st.warning("The scoring rules are not confirmed: every figure is provisional.", icon=":material/warning:")
    notes = [*signals.notes, *(flag.text for flag in signals.crowd)]
    if notes:
        with st.expander(f"What to know about these figures ({len(notes)})"):
            st.text("\n".join(f"• {note}" for note in notes))


def _draw_table(table: pd.DataFrame) -> None:
    share = {"format": "%.1f%%", "min_value": 0}
    st.dataframe(
        table.drop(columns="row"),
        hide_index=True,
        height=420,
        column_config={
            "Price": st.column_config.NumberColumn(format="%.1f", help="Millions"),
            "xEV": st.column_config.NumberColumn(format="%.2f", help="Expected points of the round"),
            "Floor": st.column_config.NumberColumn(format="%d", help="Reached nine times in ten"),
            "Ceiling": st.column_config.NumberColumn(format="%d", help="Passed one time in ten"),
            "Value": st.column_config.NumberColumn(format="%.2f", help="Expected points per million"),
            "Starts": st.column_config.NumberColumn(format="%.0f%%", help="Chance to be in the eleven"),
            "Owned": st.column_config.ProgressColumn(
                **share, max_value=_most(table["Owned"]), help="Share of all managers who own him"
            ),
            "EO": st.column_config.ProgressColumn(
                **share, max_value=_most(table["EO"]), help="Exposure of the field: owned and started, plus armbands"
            ),
            "Kind": st.column_config.TextColumn(
                help="Template: missing him hurts. Differential: rare, with a ceiling."
            ),
        },
        alt="Players with opponent, price, expected points, range, value, chance to start, ownership and exposure",
    )


def _most(column: pd.Series) -> float:
    return max(float(column.max()), 1.0)


def _draw_player(signals: Signals, table: pd.DataFrame) -> None:
    rows = dict(zip(table["Player"], table["row"], strict=True))
    name = st.selectbox("Open a player", list(rows), key="opened", help="His expected points line by line")
    row = int(rows[name])
    low, high = signals.floor[row], signals.ceiling[row]
    st.subheader(f"{name}: {signals.xev[row]:.2f} expected, {low:.0f} to {high:.0f} eight times in ten")
    left, right = st.columns(2)
    left.markdown("**Where the points come from**")
    left.altair_chart(draw_waterfall(player_terms(signals, row), "xEV", ink()), width="stretch", key="lines")
    right.markdown("**How many, how likely**")
    chart = draw_distribution(signals.points.mass[row], low, float(signals.xev[row]), high)
    right.altair_chart(chart, width="stretch", key="distribution")
    right.caption(
        f"{signals.start[row]:.0%} to start against {signals.opponents[row]}, "
        f"confidence in his minutes {signals.confidence[row]:.0%}."
    )


def _draw_chart(table: pd.DataFrame) -> None:
    st.subheader("What the field pays for")
    order = list(POSITIONS)
    chart = (
        alt.Chart(table.drop(columns="row"))
        .mark_point(size=60, opacity=0.75, filled=True)
        .encode(
            x=alt.X("xEV:Q", title="Expected points"),
            y=alt.Y("Owned:Q", title="Owned (%)"),
            color=alt.Color("Position:N", sort=order, scale=alt.Scale(domain=order, range=POSITION_COLOURS)),
            shape=alt.Shape("Position:N", sort=order),
            tooltip=[
                "Player",
                "Team",
                "Position",
                alt.Tooltip("xEV", format=".2f"),
                alt.Tooltip("Owned", format=".1f"),
            ],
        )
        .properties(height=320)
    )
    st.altair_chart(chart, width="stretch")
