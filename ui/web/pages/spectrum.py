"""Spectrum: every squad that was bred, between its score and what it costs in swing, price or transfers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
import streamlit as st

from engine.board.board import Board, Option
from engine.search.outcome import Breeding, Spectrum
from engine.search.population.genome import genome_id
from engine.search.population.population import Cost
from ui.web.answers.option_view import draw_four, draw_take_away, draw_why_it_scores, option_names
from ui.web.answers.player_dialog import draw_squad
from ui.web.choice.frame import Chosen, is_dark, judge_of, signals_of
from ui.web.choice.plan_board import choose_plan, shown_board
from ui.web.drawing.charts.frontier import AXES, PICKED, cost_in_words, draw_frontier, frontier_table
from ui.web.drawing.escaping import as_markdown
from ui.web.squads.squad_desk import option_of
from ui.web.squads.squad_use import draw_in_use, draw_use, searched
from ui.web.work.orders import order_key

COSTS = {"Swing": Cost.VARIANCE, "Price": Cost.PRICE, "Transfers": Cost.CHANGES}
SHOWN = 300
"""Best squads on the chart, besides the whole frontier: more are a cloud that nobody can click into."""

CHOICE = "_spectrum"


def show() -> None:
    """Draw the page."""
    st.title("The spectrum", anchor=False)
    opened = choose_plan()
    chosen = searched(opened)
    draw_in_use(opened)
    board = shown_board(chosen, bred=True)
    if board is None or board.breeding is None:
        return
    cost = _choose_cost(chosen)
    spectrum = board.breeding.spectrum(cost, SHOWN)
    row = _chosen_row(chosen, board.breeding)
    st.markdown(spectrum_words(spectrum, cost, len(board.breeding.population)))
    _draw_chart(chosen, board.breeding, spectrum, cost, row)
    _draw_list(chosen, board.breeding, spectrum, cost, row)
    _draw_squad(opened, chosen, board, row)
    _draw_frontier_table(chosen, board.breeding, spectrum, cost)


def spectrum_words(spectrum: Spectrum, cost: Cost, bred: int) -> str:
    """Return what the frontier says, computed from it: its two ends and what lies between them."""
    frontier = np.flatnonzero(spectrum.on_frontier)
    best, cheapest = int(frontier[0]), int(frontier[-1])
    told = (
        f"{len(spectrum.row):,} of {bred:,} squads that were tried. For {len(frontier)} of them no other has as much "
        "for less: the frontier."
    )
    if best == cheapest:
        return f"{told} The best score is also the cheapest, {cost_in_words(cost, float(spectrum.cost[best]))}."
    given = spectrum.score[best] - spectrum.score[cheapest]
    return (
        f"{told} From {cost_in_words(cost, float(spectrum.cost[best]))} down to "
        f"{cost_in_words(cost, float(spectrum.cost[cheapest]))} costs {given:.1f} of the score."
    )


def names_by_row(breeding: Breeding) -> dict[int, str]:
    """Return what the board's options are called, by row of the population."""
    return dict(zip(breeding.options, option_names(len(breeding.options)), strict=True))


def _choose_cost(chosen: Chosen) -> Cost:
    """Ask what the score is weighed against; transfers mean nothing without a squad to start from."""
    names = list(COSTS) if chosen.plan.current else [name for name in COSTS if COSTS[name] is not Cost.CHANGES]
    name = st.segmented_control(
        "Score against", names, default=names[0], key="cost", bind="query-params", required=True
    )
    return COSTS[name]


def _chosen_row(chosen: Chosen, breeding: Breeding) -> int:
    """Return the squad looked at: what was clicked or listed last in this search, else the recommended one."""
    key, row = st.session_state.get(CHOICE, ("", 0))
    known = key == order_key(chosen) and 0 <= row < len(breeding.population)
    return int(row) if known else breeding.options[0]


def _draw_chart(chosen: Chosen, breeding: Breeding, spectrum: Spectrum, cost: Cost, row: int) -> None:
    key = f"spectrum_{cost}"

    def clicked() -> None:
        picked = st.session_state[key].selection.get(PICKED, [])
        if picked:
            st.session_state[CHOICE] = (order_key(chosen), int(picked[0]["row"]))

    marks = {option: str(number) for number, option in enumerate(breeding.options, start=1)}
    table = frontier_table(spectrum, cost, marks, row)
    st.altair_chart(
        draw_frontier(table, cost, is_dark()),
        width="stretch",
        key=key,
        on_select=clicked,
        selection_mode=PICKED,
        alt=f"Score against {AXES[cost]} of {len(table)} squads; the list below has the frontier in words",
    )
    st.caption(
        "Click a mark to see its squad, or take it from the list. Numbers are the options of Pick, 1 the recommended. "
        "Scores here are the search's, in the line-up that expects most; your objective may send a squad out for a "
        "little more, which is what its own figures tell."
    )


def _draw_list(chosen: Chosen, breeding: Breeding, spectrum: Spectrum, cost: Cost, row: int) -> None:
    """Draw the keyboard's twin of the click: the options, the frontier, and whatever was clicked."""
    frontier = spectrum.row[spectrum.on_frontier].tolist()
    rows = list(dict.fromkeys([*breeding.options, *frontier, row]))
    labels = {one: squad_label(breeding, one, cost) for one in rows}
    key = f"spectrum_list_{cost}"
    st.session_state[key] = row

    def listed() -> None:
        st.session_state[CHOICE] = (order_key(chosen), int(st.session_state[key]))

    st.selectbox(
        "Squad",
        rows,
        key=key,
        format_func=lambda one: labels.get(one, str(one)),
        on_change=listed,
        help="The same as a click on a mark of the chart.",
    )


def squad_label(breeding: Breeding, row: int, cost: Cost) -> str:
    """Return a squad of the population in a few words."""
    columns = breeding.population.columns
    signals = breeding.evolution.judge.view.signals
    name = names_by_row(breeding).get(row)
    place = "on the frontier" if row in breeding.population.frontier(cost) else "dominated"
    said = [
        *([name] if name else []),
        f"score {columns.score[row]:.1f}",
        cost_in_words(cost, float(getattr(columns, cost)[row])),
        f"captain {signals.short[columns.captain[row]]}",
        place,
        genome_id(row),
    ]
    return " · ".join(said)


def _draw_squad(opened: Chosen, chosen: Chosen, board: Board, row: int) -> None:
    option = bred_option(chosen, board, row)
    draw_four(option, judge_of(chosen).view.pool.budget)
    left, right = st.columns([6, 5], gap="medium")
    with left:
        draw_squad(chosen, option, key="spectrum_squad", label="The chosen squad")
    with right:
        draw_use(opened, option, "spectrum")
        draw_why_it_scores(option)
        st.caption(as_markdown(option.lineage))
        draw_take_away(board, option, "spectrum")


def bred_option(chosen: Chosen, board: Board, row: int) -> Option:
    """Return a squad of the population as an option of its own."""
    breeding = board.breeding
    if breeding is None or row in breeding.options:
        return board.options[breeding.options.index(row)] if breeding else board.recommended
    origin = breeding.lineage(row), breeding.repair_log(row)
    return option_of(chosen, breeding.population.columns.squads[row], None, origin)


def _draw_frontier_table(chosen: Chosen, breeding: Breeding, spectrum: Spectrum, cost: Cost) -> None:
    with st.expander("The frontier as a table"):
        rows = spectrum.row[spectrum.on_frontier].tolist()
        st.dataframe(
            frontier_rows(breeding, rows, signals_of(chosen).short),
            hide_index=True,
            column_config=dict.fromkeys(("Score", "Swing", "Price"), st.column_config.NumberColumn(format="%.1f")),
            alt=f"The squads of the frontier of score against {AXES[cost]}",
        )


def frontier_rows(breeding: Breeding, rows: Sequence[int], short: np.ndarray) -> pd.DataFrame:
    """Return squads of the population as a table."""
    columns, names = breeding.population.columns, names_by_row(breeding)
    return pd.DataFrame(
        {
            "Option": [names.get(row, "") for row in rows],
            "Score": columns.score[rows],
            "Swing": np.sqrt(columns.variance[rows]),
            "Price": columns.price[rows],
            "Transfers": columns.changes[rows].astype(int),
            "Captain": [str(short[columns.captain[row]]) for row in rows],
        }
    )
