"""The table of players as a visitor edits it: ticks for must and never, a chance to start of his own.

    draw_editor(table, chosen)              draws it; `table` is that of the page Players
    apply_edits(plan, own, edits)           -> the plan and the visitor's own table after what he changed

A tick leaves the editor as it is, so that it keeps its place; wishes that came another way start a new one.
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from typing import Any

import pandas as pd
import streamlit as st

from data.errors import InputError
from ui.web.choice.frame import Chosen
from ui.web.choice.plan import Plan
from ui.web.choice.player_marks import (
    MUST,
    NEVER,
    PERCENT,
    STARTS,
    Ids,
    edits_of,
    marked,
    shows,
    with_start,
    without_starts,
)
from ui.web.choice.session import attach_own, change, own_table

EDITED = (MUST, NEVER, STARTS)
HIDDEN = ["row", "id"]
PROBLEM = "players_problem"
START = "_players_start"
TABLE_HEIGHT = 420
KEY_LENGTH = 12


@dataclass(frozen=True, slots=True)
class Start:
    """What an editor began with; the number tells apart two that began with the same."""

    number: int = 0
    locks: Ids = ()
    bans: Ids = ()

    def key(self, plan: Plan, ids: list[int]) -> str:
        """Return the key of the editor: another one for other players or figures, whose edits would be others'."""
        words = repr((self, plan.world, plan.round, plan.own, ids))
        return f"players_{sha256(words.encode()).hexdigest()[:KEY_LENGTH]}"


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


def draw_editor(table: pd.DataFrame, chosen: Chosen) -> None:
    """Draw the players with what can be ticked and written, and what is the visitor's own."""
    ids = [int(number) for number in table["id"]]
    start = _start(chosen.plan, ids)
    key = start.key(chosen.plan, ids)
    ticks = {MUST: table["id"].isin(start.locks), NEVER: table["id"].isin(start.bans)}
    shown = table.assign(**ticks).drop(columns=HIDDEN)
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


def _start(plan: Plan, ids: list[int]) -> Start:
    """Return what the editor begins with: as before while its edits explain the wishes, else the wishes as they are."""
    start: Start = st.session_state.get(START, Start())
    edits = edits_of(st.session_state.get(start.key(plan, ids), {}), ids)
    if not shows((start.locks, start.bans), edits, plan.locks, plan.bans):
        start = Start(start.number + 1, plan.locks, plan.bans)
    st.session_state[START] = start
    return start


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
