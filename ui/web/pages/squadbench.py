"""SquadBench: how this search does against others on the same problems, and how that is measured."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from engine.bench.contenders import RACED, competing
from engine.bench.leaderboard import FULL, HEADS, QUICK, Placing, board_rows
from engine.bench.run import bench_folder, last_board, published_board
from engine.bench.score import BANDS, CAPPED, LEARNT, LEAST_SURVIVAL, WEIGHTS, Formula
from ui.web.choice.frame import is_dark
from ui.web.choice.session import current_plan
from ui.web.drawing.charts.squadbench import draw_scores, score_table, score_words
from ui.web.drawing.escaping import as_markdown
from ui.web.drawing.live import draw_until
from ui.web.drawing.plain_table import ShownColumn, draw_table
from ui.web.work.background import background
from ui.web.work.squadbench_job import bench_task, sessions_so_far

POLL = 1.0  # seconds between two looks at a bench
FULL_RUN = "thetaxi squadbench"
IN_WORDS = ("contender", "band", "confirmed")
"""Columns of a leaderboard that are no figures."""


def show() -> None:
    """Draw the page; it asks for no plan, but who passes by keeps his."""
    current_plan()
    st.title("SquadBench", anchor=False)
    st.markdown(
        "Is the search any good? Every contender looks for the best squad of the same rounds under the same "
        "objectives, and a solver has proved what the best is worth. They are compared by CPU seconds. "
        f"{RACED}"
    )
    _draw_run()
    board, published = last_board(), published_board()
    if board:
        _draw_board("Your last bench", board)
    else:
        st.info("No bench has been run here yet. Below is the one we ran.", icon=":material/leaderboard:")
    _draw_board("The full bench, as we ran it", published)
    _draw_contenders((*published, *board))
    with st.expander("How a score is made"):
        st.markdown(scoring_words())


def _draw_run() -> None:
    """Draw the button that runs the quick bench; while it runs its progress, and a way to stop it."""
    state = background().state(bench_task())
    if state.running:
        draw_until(lambda: not background().state(bench_task()).running, POLL, _draw_running)
        return
    if state.error:
        st.error(as_markdown(str(state.error)), icon=":material/error:")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.button("Run the quick bench", key="run_bench", type="primary", icon=":material/timer:", on_click=_start)
        st.checkbox("Begin anew", key="fresh_bench", help="Set finished sessions aside first, also those of old data.")
    st.caption(
        f"{QUICK.sessions} sessions of {QUICK.runs} runs for each contender, {QUICK.cap:g} CPU seconds a run at most: "
        "some minutes. It may be stopped at any time and goes on from the finished sessions. "
        f"The full size, {FULL.sessions} sessions of {FULL.runs} runs, takes hours: `{FULL_RUN}` on the command line, "
        "also on a cluster."
    )


def _start() -> None:
    background().again(bench_task(fresh=bool(st.session_state.get("fresh_bench"))))


def _draw_running() -> None:
    share, words = sessions_so_far()
    st.progress(share, text=words)
    st.button("Stop", key="stop_bench", icon=":material/stop_circle:", on_click=lambda: background().stop(bench_task()))


def _draw_board(title: str, board: Sequence[Placing]) -> None:
    for task in dict.fromkeys(entry.task for entry in board):
        entries = [entry for entry in board if entry.task == task]
        st.subheader(title, anchor=False)
        st.caption(as_markdown(f"{task}. Run on {entries[0].submitted[:10]}."))
        words = score_words(entries)
        chart = draw_scores(score_table(entries), is_dark())
        st.altair_chart(chart, width="stretch", key=f"scores_{title}_{task}", alt=words)
        st.caption("A bar is the score from 0 to 1, the line on it the 95 % interval of its runs.")
        columns = {head: ShownColumn("{}") for head in HEADS if head not in IN_WORDS}
        draw_table(pd.DataFrame(board_rows(entries), columns=list(HEADS)), words, columns)


def _draw_contenders(board: Sequence[Placing]) -> None:
    st.subheader("Who competes, and how each is set up", anchor=False)
    known = {one.name: one.configuration for one in competing()}
    for name, words in (known | {entry.contender: entry.configuration for entry in board}).items():
        st.markdown(f"**{as_markdown(name)}**: {as_markdown(words)}.")
    st.caption(
        "pymoo and DEAP compete twice: as a good engineer uses them, and with what helped ours lent to them. They are "
        f"optional: `pip install 'thetaxi[peers]'`. Sessions are kept in {as_markdown(str(bench_folder(QUICK)))}."
    )


def scoring_words() -> str:
    """Return the rules of the score in Markdown, from the figures that are in force."""
    formulas = "\n".join(f"- {formula}: {_weighted(formula)}" for formula in Formula)
    bands = ", ".join(f"{band} from {least:g}" for least, band in BANDS)
    return (
        f"{formulas}\n\n"
        "Success is the share of runs that reach 99.9 % of the proved optimum. Efficiency is the CPU time of the best "
        "contender over the time used. Speed is one minus the share of the time allowed after which "
        f"{LEARNT:.0%} of a session's runs have succeeded. Stability is one minus the variation between sessions. "
        "Survival is the share of legal answers, comfort the share of runs whose squads, chosen from as a board is, "
        "meet the diversity floors: ours looks for such squads after its goal, in time that is not counted, the others "
        "hand in the best they saw.\n\n"
        f"Where under {LEAST_SURVIVAL:.0%} of the answers are legal, the legal and diverse scores are at most "
        f"{CAPPED:g} of the success rate. Confirmed is the share of answers that the exact solver proves to be within "
        f"0.1 %; it is no part of the score. Bands: {bands}. Equal scores are ordered by lower variance, then better "
        "confirmation, then the earlier date."
    )


def _weighted(formula: Formula) -> str:
    return " + ".join(f"{weight:.2f} {name.replace('_', ' ')}" for name, weight in WEIGHTS[formula].items())
