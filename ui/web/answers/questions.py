"""Questions a manager asks of a board: why not him, and what would a booster bring this round?"""

from __future__ import annotations

import pandas as pd
import streamlit as st

from data.errors import ThetaXIError
from engine.board.board import Option
from engine.board.boosters import BoosterValue
from engine.board.why import Why
from engine.fitness.wishes import rows_of
from ui.web.choice.frame import Chosen, desk_of, objective_of, signals_of
from ui.web.choice.player_picker import draw_one
from ui.web.choice.wishes import player_labels
from ui.web.drawing.charts.waterfall import TERM_NAMES, draw_waterfall
from ui.web.drawing.escaping import as_markdown
from ui.web.drawing.plain_table import ShownColumn, draw_table
from ui.web.work import kept
from ui.web.work.orders import order_key

SWAP_COLUMNS = {"Points": ShownColumn("{:+.2f}"), "Owned": ShownColumn("{:+.1f}%"), "Price": ShownColumn("{:+.1f}")}
PLAYED = "played already"
BOOSTER_COLUMNS = {"Points": ShownColumn("{:+.1f}", "Added to this round"), "How": ShownColumn(prose=True)}


def draw_why_not(chosen: Chosen, option: Option) -> None:
    """Draw the best squad with a named player and what he costs by term."""
    player = draw_one(
        "Why not …?",
        player_labels(signals_of(chosen)),
        placeholder="Name a player to see the best squad with him, and what he costs",
        key="why_not",
        persist_state="page",
    )
    rows = rows_of((player,), signals_of(chosen)) if player is not None else ()
    if not rows:
        return
    try:
        answer = _why(chosen, rows[0], option.rows)
    except ThetaXIError as error:
        st.warning(as_markdown(str(error)), icon=":material/block:")
        return
    st.markdown(f"**{as_markdown(answer.sentence)}**")
    terms = {TERM_NAMES.get(name, name): value for name, value in answer.terms.items()}
    draw_waterfall(terms, "Difference")
    if answer.swaps:
        draw_table(swap_rows(answer), "Who goes and who comes", SWAP_COLUMNS)


def why_sentence(chosen: Chosen, row: int, option: Option) -> str:
    """Return what a player costs against the squad of an option, in one sentence."""
    return _why(chosen, row, option.rows).sentence


def swap_rows(answer: Why) -> pd.DataFrame:
    """Return who goes and who comes between the two squads."""
    return pd.DataFrame(
        [
            {"Out": s.first.name, "In": s.second.name, "Points": s.points, "Owned": s.owned * 100, "Price": s.price}
            for s in answer.swaps
        ]
    )


@st.cache_resource(
    max_entries=kept.ANSWERS.most,
    show_spinner="Looking for the best squad with him …",
    hash_funcs={Chosen: order_key},
)
def _why(chosen: Chosen, row: int, base: tuple[int, ...]) -> Why:
    return desk_of(chosen).why(objective_of(chosen), row, base)


def draw_boosters(chosen: Chosen, option: Option) -> None:
    """Draw what each booster would add this round; one that may not be played says why."""
    values = _boosters(chosen, option.rows)
    if not values:
        st.caption("This game has no boosters.")
        return
    draw_table(booster_rows(values, chosen.plan.chips), "What each booster would add this round", BOOSTER_COLUMNS)
    if not all(value.confirmed for value in values):
        st.caption("\\* what it does is not confirmed by the official rules yet.")


def booster_rows(values: tuple[BoosterValue, ...], left: tuple[str, ...] | None = None) -> pd.DataFrame:
    """Return the boosters as a table, those allowed this round first; `left` are those not played yet, where known."""
    return pd.DataFrame(
        [
            {
                "Booster": value.title + ("" if value.confirmed else " *"),
                "Points": None if _is_played(value, left) else value.points,
                "This round": PLAYED if _is_played(value, left) else "allowed" if value.legal else "not allowed",
                "How": value.how,
            }
            for value in values
        ]
    )


def _is_played(value: BoosterValue, left: tuple[str, ...] | None) -> bool:
    """Return whether a booster of this round is known to be gone; of one for other rounds the rules tell enough."""
    return value.legal and left is not None and value.key not in left


@st.cache_resource(max_entries=kept.ANSWERS.most, show_spinner="Valuing the boosters …", hash_funcs={Chosen: order_key})
def _boosters(chosen: Chosen, rows: tuple[int, ...]) -> tuple[BoosterValue, ...]:
    return desk_of(chosen).boosters(objective_of(chosen), rows)
