"""Players: everybody who can be picked in a round, what is expected of him and why; must, never, his own chance."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

import altair as alt
import numpy as np
import pandas as pd
import streamlit as st

from data.domain import POSITIONS
from data.errors import InputError
from data.names import folded
from models.ownership import Exposure
from models.signals import Signals
from ui.escaping import as_markdown
from ui.frame import Chosen, choose_round, rows_of, signals_of
from ui.plan import MOST_BANS, SQUAD_SIZE, Plan
from ui.player_card import draw_player
from ui.player_marks import (
    MUST,
    NEVER,
    PERCENT,
    STARTS,
    edits_of,
    marked,
    own_words,
    regime_words,
    with_start,
    without_starts,
)
from ui.rival_squads import rival_field
from ui.session import attach_own, change, controlled, own_table, rivals_of

POSITION_COLOURS = ["#a48a14", "#006e59", "#4f6dd2", "#a218f0"]
"""GK, DEF, MID, FWD from the seven-term palette that stays apart under three kinds of colour blindness."""

ORDERS = ("xEV", "Ceiling", "EO", "Value", "Owned", "Price")
EDITED = (MUST, NEVER, STARTS)
HIDDEN = ["row", "id"]
PROBLEM = "players_problem"
TABLE_HEIGHT = 420
KEY_LENGTH = 12


def show() -> None:
    """Draw the page."""
    st.title("Players")
    chosen = choose_round()
    snapshot = chosen.snapshot
    title = chosen.rules.round_title(snapshot.round)
    st.caption(f"{as_markdown(chosen.world.title)} · {title} · deadline {snapshot.deadline:%a %d %b %Y, %H:%M} UTC")
    signals = signals_of(chosen)
    _draw_notes(signals)
    table = player_table(signals, chosen, field_of(chosen, signals))
    _draw_wishes(table, chosen.plan)
    found = _filtered(table)
    if found.empty:
        st.info("No player fits these filters. Clear the search or choose another position or team.")
        return
    st.markdown(f"**{len(found):,} of {len(table):,} players**")
    _draw_table(found, chosen)
    draw_player(signals, dict(zip(found["Player"], found["row"], strict=True)))
    _draw_chart(found)


def field_of(chosen: Chosen, signals: Signals) -> Exposure:
    """Return the field the visitor plays against: his rivals where he named some, else all managers."""
    rivals = rivals_of(chosen.plan)
    return rival_field(rivals, signals) if rivals else signals.exposure


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
            "Regime": regime_words(signals, rows_of(plan.current, signals), exposure),
            "Yours": own_words(signals),
            "Owned": chosen.snapshot.players["owned"].to_numpy() * PERCENT,
            "Floor": signals.floor,
            "Ceiling": signals.ceiling,
            "Value": signals.xev / signals.price,
            "Status": pd.Series(signals.status).str.capitalize(),
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


def apply_edits(plan: Plan, own: pd.DataFrame | None, edits: dict[int, dict[str, object]]) -> tuple[Plan, object]:
    """Return the plan and the visitor's own table after what he changed in the players' table."""
    locks, bans = plan.locks, plan.bans
    for player_id, cells in edits.items():
        for column in (MUST, NEVER):
            if column in cells:
                locks, bans = marked(locks, bans, player_id, column, bool(cells[column]))
        if STARTS in cells:
            chance = cells[STARTS]
            own = with_start(own, player_id, float(chance) / PERCENT if isinstance(chance, int | float) else None)
    return plan.with_changes(locks=locks, bans=bans), own


def _draw_wishes(table: pd.DataFrame, plan: Plan) -> None:
    """Show must and never as lists: the same wishes as the ticks, for phones and keyboards."""
    labels = {row.id: f"{row.Player} ({row.Team})" for row in table.itertuples(index=False)}
    left, right = st.columns(2)
    for column, key, label, kept, most in (
        (left, "players_must", "Must have", plan.locks, SQUAD_SIZE),
        (right, "players_never", "Never pick", plan.bans, MOST_BANS),
    ):
        column.multiselect(
            label,
            list(labels),
            format_func=lambda number: labels.get(number, f"Player {number}"),
            key=controlled(key, [number for number in kept if number in labels]),
            max_selections=most,
            placeholder="Type a name",
            wrap=True,
            on_change=_listed,
            args=(plan,),
        )
    if problem := st.session_state.pop(PROBLEM, ""):
        st.error(as_markdown(problem), icon=":material/error:")


def _listed(plan: Plan) -> None:
    must, never = st.session_state.players_must, st.session_state.players_never
    entered = set(must) - set(plan.locks)
    bans = tuple(number for number in never if number not in entered)
    change(locks=tuple(number for number in must if number not in bans or number in entered), bans=bans)


def _filtered(table: pd.DataFrame) -> pd.DataFrame:
    search, position, team, order = st.columns([2, 2, 2, 2])
    text = search.text_input("Search", placeholder="Name, with or without accents", key="search", max_chars=60)
    positions = position.pills("Position", POSITIONS, selection_mode="multi", key="position", bind="query-params")
    teams = team.multiselect("Team", sorted(table["Team"].unique()), key="team", placeholder="All teams")
    by = order.selectbox("Sort by", ORDERS, key="sort", bind="query-params", required=True)
    found = matching(table, text, positions, teams)
    return found.sort_values([by, "row"], ascending=[False, True], ignore_index=True)


def _draw_notes(signals: Signals) -> None:
    if signals.scoring_provisional:
        st.warning("The scoring rules are not confirmed: every figure is provisional.", icon=":material/warning:")
    notes = [*signals.notes, *(flag.text for flag in signals.crowd)]
    if notes:
        with st.expander(f"What to know about these figures ({len(notes)})"):
            st.text("\n".join(f"• {note}" for note in notes))


def _draw_table(table: pd.DataFrame, chosen: Chosen) -> None:
    ids = [int(number) for number in table["id"]]
    key = _editor_key(chosen.plan, ids)
    shown = table.drop(columns=HIDDEN)
    if not chosen.plan.current:
        shown = shown.drop(columns="Regime")
    st.data_editor(
        shown,
        hide_index=True,
        height=TABLE_HEIGHT,
        key=key,
        disabled=[name for name in shown if name not in EDITED],
        on_change=_edited,
        args=(key, ids, chosen.plan),
        column_config=_columns(table),
        alt="Players with must and never, opponent, price, expected points, range, chance to start, ownership",
    )
    _draw_own(chosen)


def _editor_key(plan: Plan, ids: list[int]) -> str:
    """Return a key that changes with what the editor starts from: its remembered edits would lie over a new start."""
    start = (plan.world, plan.round, plan.locks, plan.bans, plan.own, ids)
    return f"players_{sha256(repr(start).encode()).hexdigest()[:KEY_LENGTH]}"


def _edited(key: str, ids: list[int], plan: Plan) -> None:
    try:
        after, own = apply_edits(plan, own_table(plan), edits_of(st.session_state[key], ids))
    except InputError as error:
        st.session_state[PROBLEM] = str(error)
        return
    change(locks=after.locks, bans=after.bans)
    if own is not own_table(plan):
        attach_own(own)


def _draw_own(chosen: Chosen) -> None:
    own = own_table(chosen.plan)
    squad = (
        "Regime is against your squad: hold what the field has too, a drop would cost rank, a leap gains it."
        if chosen.plan.current
        else "Bring your squad on the page My squad to see what each player is to it."
    )
    st.caption(f"Tick must or never, or write your own chance to start. {squad}")
    if own is None:
        return
    starts = int(own["p_start"].notna().sum()) if "p_start" in own else 0
    who = "1 player has" if len(own) == 1 else f"{len(own)} players have"
    st.info(f"{who} figures of your own, marked under Yours; they stay in this browser tab.")
    if starts:
        st.button(
            f"Leave {starts} start {'chance' if starts == 1 else 'chances'} to the model again",
            on_click=lambda: attach_own(without_starts(own)),
        )


def _columns(table: pd.DataFrame) -> dict[str, Any]:
    number, share = st.column_config.NumberColumn, st.column_config.ProgressColumn
    tick, text = st.column_config.CheckboxColumn, st.column_config.TextColumn
    return {
        MUST: tick(width="small", help="He must be in every squad."),
        NEVER: tick(width="small", help="No squad may have him."),
        "Price": number(format="%.1f", help="Millions"),
        "xEV": number(format="%.2f", help="Expected points of the round"),
        "Floor": number(format="%d", help="Reached nine times in ten"),
        "Ceiling": number(format="%d", help="Passed one time in ten"),
        "Value": number(format="%.2f", help="Expected points per million"),
        STARTS: number(
            format="%.0f%%", min_value=0, max_value=100, step=1, help="Chance to be in the eleven: write your own"
        ),
        "Plays": number(format="%.0f%%", help="Chance to play at all"),
        "Owned": share(
            format="%.1f%%", min_value=0, max_value=_most(table["Owned"]), help="Share of all managers who own him"
        ),
        "EO": share(
            format="%.1f%%",
            min_value=0,
            max_value=_most(table["EO"]),
            help="Exposure of the field: owned and started, plus armbands",
        ),
        "Kind": text(help="Template: missing him hurts. Differential: rare, with a ceiling."),
        "Regime": text(help="Hold: you and the field have him. Drop: the field has him. Leap: you have him, few do."),
        "Yours": text(help="Figures of your own that stand in place of the model's"),
    }


def _most(column: pd.Series) -> float:
    return max(float(column.max()), 1.0)


def _draw_chart(table: pd.DataFrame) -> None:
    st.subheader("What the field pays for")
    order = list(POSITIONS)
    chart = (
        alt.Chart(table.drop(columns=HIDDEN))
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
