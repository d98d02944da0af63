"""Dial: what protect and gain do for the goals they are meant for, measured."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from engine.rank.published_table import published_table
from engine.rank.rank_table import COLUMNS, MEASURED, USUAL, Cell, tally
from engine.rank.recommendation import MOST_POINTS
from ui.web.choice.session import current_plan
from ui.web.drawing.plain_table import ShownColumn, draw_table

TITLES = {
    MOST_POINTS: "Most points",
    MEASURED: "At the measured strength",
    USUAL: "At the usual strength",
    "rank": "Either side",
}
MARKS = {"better": " ▲", "worse": " ▼", "": ""}


def show() -> None:
    """Draw the page; it asks for no plan, but who passes by keeps his."""
    current_plan()
    st.title("Does the dial do what it says?", anchor=False)
    st.markdown(
        "A round is played 20,000 times, with draws that no squad and no strength was chosen on, against 1,000 "
        "simulated managers or one rival who owns what everybody owns. Protect is judged by the leads it holds, gain "
        "by the deficits it erases and by the top 1 %. ▲ and ▼: better or worse than the squad with the most points, "
        "beyond luck (95 %, corrected for the whole table)."
    )
    cells = published_table()
    draw_table(pd.DataFrame(tally(cells)), "How often each objective is better and worse than the most points", {})
    st.caption(
        "The measured strength is what the page takes when you say where you stand. Where you are behind a weak field "
        "with rounds to come you are the favourite in spite of it: there the other side serves you better, and the "
        "page says so."
    )
    _draw_part(cells)


def _draw_part(cells: tuple[Cell, ...]) -> None:
    with st.container(horizontal=True):
        number = st.segmented_control("Round", _all(cells, "round"), default=1, key="dial_round", required=True)
        field = st.segmented_control(
            "Against", _all(cells, "field"), default=cells[0].field, key="dial_field", required=True
        )
        here = [cell for cell in cells if (cell.round, cell.field) == (number, field)]
        left = st.segmented_control(
            "Rounds left", _all(tuple(here), "rounds_left"), default=1, key=f"dial_left_{number}", required=True
        )
    table = goal_rows([cell for cell in here if cell.rounds_left == left])
    draw_table(table, "Chances by goal", dict.fromkeys(TITLES.values(), ShownColumn()))


def _all(cells: tuple[Cell, ...], name: str) -> list[object]:
    return list(dict.fromkeys(getattr(cell, name) for cell in cells))


def goal_rows(cells: list[Cell]) -> pd.DataFrame:
    """Return one row per goal: whose it is, and the chance in each column with its mark and strength."""
    rows = []
    for goal in dict.fromkeys(cell.goal for cell in cells):
        by_column = {cell.column: cell for cell in cells if cell.goal == goal}
        told = {TITLES[column]: _told(by_column[column]) for column in COLUMNS}
        rows.append({"Objective": by_column[MOST_POINTS].objective.capitalize(), "Goal": goal, **told})
    return pd.DataFrame(rows)


def _told(cell: Cell) -> str:
    strength = "" if cell.gain is None else f", k = {abs(cell.kappa):g}"
    return f"{cell.chance.value:.1%}{MARKS[cell.verdict]}{strength}"
