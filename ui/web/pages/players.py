"""Players: everybody who can be picked in a round, what is expected of him and why; must, never, his own chance."""

from __future__ import annotations

import altair as alt
import numpy as np
import pandas as pd
import streamlit as st

from data.domain import POSITIONS
from data.naming.names import folded
from engine.fitness.wishes import rows_of
from engine.rank.rivals import rival_exposure
from models.crowd.ownership import Exposure
from models.reasons import player_reasons
from models.signals import Signals
from ui.web.answers.player_dialog import open_player
from ui.web.answers.told_by_game import FORMATS, told_columns
from ui.web.choice.frame import Chosen, choose_round, draw_notes, is_dark, rivals_here, signals_of
from ui.web.choice.player_picker import draw_one
from ui.web.choice.players_editor import (
    AGAINST,
    CLICKED,
    HIDDEN,
    MUST,
    NEVER,
    PERCENT,
    PROBLEM,
    STARTS,
    draw_editor,
    own_words,
    regime_words,
)
from ui.web.choice.wishes import draw_lists
from ui.web.drawing.clock import local_time, visitor_zone, zone_name
from ui.web.drawing.escaping import as_markdown
from ui.web.drawing.look import term_colours
from ui.web.drawing.player_card import draw_player
from ui.web.plans.horizon_view import draw_clubs, draw_horizon_players

POSITION_COLOURS = (1, 3, 0, 4)
"""GK, DEF, MID, FWD as places in `term_colours`, which stay apart under three kinds of colour blindness."""

VIEWS = (ROUND, AHEAD, CLUBS) = ("This round", "Rounds to come", "Clubs")
ORDERS = ("xEV", "Ceiling", "EO", "Value", "Owned", "Price")


def show() -> None:
    """Draw the page."""
    st.title("Players")
    chosen = choose_round()
    snapshot = chosen.snapshot
    title = chosen.rules.round_title(snapshot.round)
    zone = visitor_zone()
    deadline = f"{local_time(snapshot.deadline, zone)} {zone_name(zone)}"
    st.caption(f"{as_markdown(chosen.world.title)} · {title} · deadline {deadline}")
    if snapshot.coming.empty:
        _draw_listed(chosen)
        return
    signals = signals_of(chosen)
    draw_notes(chosen)
    view = st.segmented_control(
        "What to show",
        VIEWS,
        default=VIEWS[0],
        required=True,
        key="view",
        bind="query-params",
        label_visibility="collapsed",
    )
    if view == CLUBS:
        draw_clubs(chosen)
        return
    table = player_table(signals, chosen, field_of(chosen, signals))
    draw_lists(chosen.plan, {row.id: f"{row.Player} ({row.Team})" for row in table.itertuples(index=False)})
    if problem := st.session_state.pop(PROBLEM, ""):
        st.error(as_markdown(problem), icon=":material/error:")
    found = _filtered(table, sorts=view == ROUND)
    if found.empty:
        st.info("No player fits these filters. Clear the search or choose another position or team.")
        return
    st.markdown(f"**{len(found):,} of {len(table):,} players**")
    if view == AHEAD:
        draw_horizon_players(chosen, found)
        return
    draw_editor(found, chosen)
    _draw_opened(signals, chosen, found)
    _draw_chart(found)


def _draw_listed(chosen: Chosen) -> None:
    """Draw who is on offer in a round without a match, of which nothing can be expected: prices, owners and news."""
    st.info("This round has no match yet, so no points can be expected. Players, prices and owners are those of today.")
    players = chosen.snapshot.players.sort_values(["owned", "player_id"], ascending=[False, True], ignore_index=True)
    columns = {"Player": players["name"], "Team": players["team"], "Position": players["position"]}
    columns |= {"Price": players["price"], "Owned": 100 * players["owned"], "Status": players["status"]}
    table = pd.DataFrame(columns | told_columns(players, players["player_id"].to_numpy()))
    formats = {"Price": "%.1f", "Owned": "%.1f%%"} | {name: FORMATS[name] for name in FORMATS if name in table}
    shown = {name: st.column_config.NumberColumn(format=layout) for name, layout in formats.items()}
    st.dataframe(table, hide_index=True, column_config=shown)


def _draw_opened(signals: Signals, chosen: Chosen, found: pd.DataFrame) -> None:
    """Draw the card of the player whose name was pressed, and below the table the one who was asked for by name."""
    if clicked := st.session_state.get(CLICKED):
        row = int(found["row"].iloc[clicked["row"]])
        open_player(chosen, int(signals.player_id[row]))
    rows = dict(zip(found["id"], found["row"], strict=True))
    labels = {row.id: f"{row.Player} ({row.Team})" for row in found.itertuples(index=False)}
    asked = draw_one("Open a player", labels, key="opened", help="His expected points line by line")
    row = int(rows.get(asked, found["row"].iloc[0]))
    draw_player(signals, row, player_reasons(signals, chosen.snapshot, row))


def field_of(chosen: Chosen, signals: Signals) -> Exposure:
    """Return the field the visitor plays against: his rivals where he named some, else all managers."""
    rivals = rivals_here(chosen)
    return rival_exposure(rivals, signals) if rivals else signals.exposure


def player_table(signals: Signals, chosen: Chosen, exposure: Exposure) -> pd.DataFrame:
    """Return the players of a round as the page shows them; shares in percent, `row` points into the signals."""
    names = chosen.snapshot.teams.set_index("code")["name"]
    plan = chosen.plan
    kinds = np.select([exposure.template, exposure.differential], ["Template", "Differential"], "")
    table = pd.DataFrame(
        {
            MUST: np.isin(signals.player_id, plan.locks),
            NEVER: np.isin(signals.player_id, plan.bans),
            "Player": signals.name,
            "Team": pd.Series(signals.codes).map(names).to_numpy(),
            "Position": np.array(POSITIONS)[signals.position],
            "Opponent": signals.opponents,
            "Price": signals.price,
            "xEV": signals.xev,
            STARTS: signals.start * PERCENT,
            "Plays": signals.p_play * PERCENT,
            "EO": exposure.eo * PERCENT,
            "Kind": kinds,
            AGAINST: regime_words(signals, rows_of(plan.current, signals), exposure),
            "Yours": own_words(signals),
            "Owned": signals.owned * PERCENT,
            "Floor": signals.floor,
            "Ceiling": signals.ceiling,
            "Value": signals.xev / signals.price,
            "Status": pd.Series(signals.status).str.capitalize(),
            **told_columns(chosen.snapshot.players, signals.player_id),
            "row": np.arange(len(signals)),
            "id": signals.player_id,
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


def _filtered(table: pd.DataFrame, *, sorts: bool) -> pd.DataFrame:
    """Draw the search and return who fits it; unless `sorts`, the order is chosen elsewhere."""
    search, position, team, order = st.columns([2, 2, 2, 2])
    text = search.text_input("Search", placeholder="Name, with or without accents", key="search", max_chars=60)
    positions = position.pills("Position", POSITIONS, selection_mode="multi", key="position", bind="query-params")
    teams = team.multiselect("Team", sorted(table["Team"].unique()), key="team", placeholder="All teams")
    found = matching(table, text, positions, teams)
    if not sorts:
        return found
    by = order.selectbox("Sort by", ORDERS, key="sort", bind="query-params", required=True)
    return found.sort_values([by, "row"], ascending=[False, True], ignore_index=True)


def _draw_chart(table: pd.DataFrame) -> None:
    st.subheader("What the field pays for")
    terms = term_colours(is_dark())
    order, colours = list(POSITIONS), [terms[place] for place in POSITION_COLOURS]
    chart = (
        alt.Chart(table.drop(columns=HIDDEN))
        .mark_point(size=60, opacity=0.75, filled=True)
        .encode(
            x=alt.X("xEV:Q", title="Expected points"),
            y=alt.Y("Owned:Q", title="Owned (%)"),
            color=alt.Color("Position:N", sort=order, scale=alt.Scale(domain=order, range=colours)),
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
    st.altair_chart(chart, width="stretch", alt=chart_words(table))


def chart_words(table: pd.DataFrame) -> str:
    """Return the chart in one sentence, for whoever does not see it."""
    if table.empty:
        return "No player fits"
    best = table.loc[table["xEV"].idxmax()]
    return (
        f"Ownership against expected points of {len(table):,} players; most is expected of {best['Player']}, "
        f"{best['xEV']:.1f} points, owned by {best['Owned']:.0f} %"
    )
