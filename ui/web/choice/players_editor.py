"""The table of players as a visitor edits it: ticks for must and never, a chance to start of his own.

    draw_editor(table, chosen)              draws it; `table` is that of the page Players
    apply_edits(plan, own, edits)           -> the plan and the visitor's own table after what he changed
    regime_words(signals, rows, exposure)   -> ("Hold", "", "Missing", …)   what each player is to the squad one has
    own_words(signals)                      -> ("", "xEV, start", …)     which figures are the visitor's own

A tick leaves the editor as it is, so that it keeps its place; wishes that came another way start a new one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from data.errors import InputError
from models.crowd.ownership import Exposure, Regime, regimes
from models.signals import Signals
from ui.web.answers.told_by_game import FORMATS, HELP
from ui.web.choice.frame import Chosen
from ui.web.choice.plan import Plan
from ui.web.choice.session import attach_own, change, own_table

MUST, NEVER, STARTS = "Must", "Never", "Starts"
P_START = "p_start"
PERCENT = 100.0
REGIME_WORDS = {Regime.NEUTRAL: "", Regime.HOLD: "Hold", Regime.DROP: "Missing", Regime.LEAP: "Difference"}
OWN_WORDS = {"xev": "xEV", "captain_share": "captained", P_START: "start"}
"""What the page calls a figure of the visitor's own where that is not its column."""

Ids = tuple[int, ...]

EDITED = (MUST, NEVER, STARTS)
HIDDEN = ["row", "id"]
PROBLEM = "players_problem"
AGAINST = "Against the field"
CLICKED = "players_clicked"  # where Streamlit tells which name was pressed
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


def marked(locks: Ids, bans: Ids, player_id: int, column: str, ticked: bool) -> tuple[Ids, Ids]:
    """Return must and never with one tick set or taken away; who enters the one list leaves the other."""
    chosen, other = (locks, bans) if column == MUST else (bans, locks)
    chosen = tuple(one for one in chosen if one != player_id)
    if ticked:
        chosen, other = (*chosen, player_id), tuple(one for one in other if one != player_id)
    return (chosen, other) if column == MUST else (other, chosen)


def with_start(own: pd.DataFrame | None, player_id: int, chance: float | None) -> pd.DataFrame | None:
    """Return the visitor's own table with a player's start probability (0..1) set, or left to the model again."""
    table = pd.DataFrame(index=pd.Index([], name="player_id", dtype="int64")) if own is None else own.copy()
    if P_START not in table:
        table[P_START] = np.nan
    table.loc[player_id, P_START] = np.nan if chance is None else chance
    table = table.dropna(how="all").dropna(axis="columns", how="all").sort_index()
    return None if table.empty else table


def without_starts(own: pd.DataFrame | None) -> pd.DataFrame | None:
    """Return the visitor's own table with every start probability left to the model again."""
    if own is None or P_START not in own:
        return own
    rest = own.drop(columns=P_START).dropna(how="all")
    return None if rest.empty else rest


def edits_of(state: Mapping[str, object], player_ids: Sequence[int]) -> dict[int, dict[str, object]]:
    """Return what was changed in a table editor, by player; row i of the editor is the i-th of the ids."""
    rows = state.get("edited_rows", {})
    return {player_ids[int(row)]: dict(cells) for row, cells in rows.items()} if isinstance(rows, Mapping) else {}


def shows(start: tuple[Ids, Ids], edits: Mapping[int, Mapping[str, object]], locks: Ids, bans: Ids) -> bool:
    """Return whether an editor that began with must and never, edited since, shows the wishes as they are now."""
    for column, began, now in ((MUST, start[0], locks), (NEVER, start[1], bans)):
        ticked = {player for player, cells in edits.items() if cells.get(column)}
        cleared = {player for player, cells in edits.items() if column in cells} - ticked
        if (set(began) - cleared) | ticked != set(now):
            return False
    return True


def regime_words(signals: Signals, current: Sequence[int], exposure: Exposure) -> np.ndarray:
    """Return what each player is to the squad one has (player rows); nothing for anybody without a squad."""
    if not current:
        return np.full(len(signals), "", dtype=object)
    found = regimes(np.array([current], dtype=np.int64), exposure)[0]
    return np.array([REGIME_WORDS[Regime(value)] for value in found], dtype=object)


def own_words(signals: Signals) -> np.ndarray:
    """Return which figures of each player are the visitor's own, in words."""
    words = np.full(len(signals), "", dtype=object)
    for column, given in signals.overridden.items():
        called = OWN_WORDS.get(column, column)
        for row in np.flatnonzero(given):
            words[row] = f"{words[row]}, {called}" if words[row] else called
    return words


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
        shown = shown.drop(columns=AGAINST)
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
        "Against the field is about your squad: whom both have, whom you are missing, who makes the difference."
        if chosen.plan.current
        else "Bring your squad on the page My team to see what each player is to it."
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
        "Player": st.column_config.ButtonColumn(
            type="tertiary", alignment="left", key=CLICKED, help="Press a name to open the player's card"
        ),
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
        AGAINST: text(
            help="Hold: you and the field have him. Missing: the field has him and you do not, so his points cost you "
            "rank. Difference: you have him and few others do, so his points gain it."
        ),
        "Yours": text(help="Figures of your own that stand in place of the model's"),
        "News": text(help=HELP["News"]),
        **{name: number(format=FORMATS.get(name, "%d"), help=words) for name, words in HELP.items() if name != "News"},
    }


def _most(column: pd.Series) -> float:
    return max(float(column.max()), 1.0)
