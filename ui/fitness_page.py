"""Fitness: one squad under protect, neutral and gain side by side, and the spec behind each, open to change."""

from __future__ import annotations

import numpy as np
import streamlit as st

from data.errors import SpecError, ThetaXIError
from engine.explain import Decomposition
from engine.judge import Aim, Judge, aim_at, text_aim
from engine.language import shipped_names, shipped_text
from engine.objective import MEANINGS
from engine.squad_input import roles, squad_rows
from ui.frame import Chosen, choose_round, ink, judge_of
from ui.waterfall import TERM_NAMES, draw_waterfall

OPTIMUM, OWN = "Most expected points", "My own squad"
LONGEST_SPEC = 20_000
STARTS = [*MEANINGS, *(name for name in shipped_names() if name not in MEANINGS)]
EXAMPLE = "One player per line, by name or number; a team code after a comma helps:\nHarry Kane, ENG\n…"


def show() -> None:
    """Draw the page."""
    st.title("Fitness")
    chosen = choose_round()
    judge = judge_of(chosen)
    squad = _choose_squad(chosen, judge)
    if squad is None:
        return
    _draw_three(judge, squad)
    _draw_squad(judge, squad)
    st.header("The spec behind it")
    _draw_editor(chosen, judge, squad)


def decomposed_terms(result: Decomposition) -> dict[str, float]:
    """Return the terms as the page calls them, provisional ones marked."""
    marks = {name: " *" if name in result.provisional else "" for name in result.terms}
    return {TERM_NAMES.get(name, name) + marks[name]: value for name, value in result.terms.items()}


def _choose_squad(chosen: Chosen, judge: Judge) -> np.ndarray | None:
    source = st.segmented_control("Squad", [OPTIMUM, OWN], default=OPTIMUM, key="squad_source", required=True)
    if source == OPTIMUM:
        return np.asarray(judge.pool[-1])
    text = st.text_area("Your 15 players", key="own_squad", placeholder=EXAMPLE, height=240, max_chars=4_000)
    if not text.strip():
        st.info("Paste your squad to see it scored.")
        return None
    try:
        rows, remarks = squad_rows(text, chosen.snapshot, judge.view.signals)
    except ThetaXIError as error:
        st.error(str(error), icon=":material/error:")
        return None
    for remark in remarks:
        st.caption(remark)
    return rows


def _draw_three(judge: Judge, squad: np.ndarray) -> None:
    for column, (theta, meaning) in zip(st.columns(3), MEANINGS.items(), strict=True):
        with column:
            st.subheader(theta.capitalize())
            st.caption(f"{meaning[0].upper()}{meaning[1:]}.")
            _draw_result(judge.decompose(squad, aim_at(theta, judge.view)), theta)
    st.caption("\\* rests on a rule that the official rules do not confirm: the armband setting, for one.")


def _draw_result(result: Decomposition, key: str) -> None:
    swing = f"swing ±{np.sqrt(result.variance):.0f} points, {result.band}"
    st.metric("Fitness", f"{result.fitness:.1f}", delta=swing, delta_color="off", delta_arrow="off")
    if result.disqualified:
        st.error("This squad breaks the rules of the round, so it is never ranked.", icon=":material/block:")
    st.altair_chart(draw_waterfall(decomposed_terms(result), "Fitness", ink()), width="stretch", key=f"terms_{key}")
    st.caption(f"Watch: {result.watch}" if result.watch else "Watch: no single term does most of the work.")


def _draw_squad(judge: Judge, squad: np.ndarray) -> None:
    with st.expander("The squad and its line-up"):
        table = [
            {"Player": p["name"], "Team": p["team"], "Position": p["position"], "Role": p["role"], "xEV": p["xev"]}
            for p in roles(judge.view.signals, squad)
        ]
        st.dataframe(
            table,
            hide_index=True,
            column_config={"xEV": st.column_config.NumberColumn(format="%.2f")},
            alt="The fifteen players with team, position, role and expected points",
        )


def _draw_editor(chosen: Chosen, judge: Judge, squad: np.ndarray) -> None:
    start = st.selectbox("Start from", STARTS, key="spec_start", required=True)
    text = st.text_area(
        "Spec",
        value=shipped_text(start),
        key=f"spec_{start}",
        height=520,
        max_chars=LONGEST_SPEC,
        help="Leave the box or press Ctrl+Enter to check it and score the squad by it.",
    )
    try:
        aim = text_aim(text, f"{start}.fitness", judge.view, {})
        aim = _with_sliders(aim, start)
        result = judge.decompose(squad, aim)
    except SpecError as error:
        st.error("This spec has an error:")
        st.code(str(error), language=None)
        return
    st.success(f"{aim.name} is fine: {', '.join(TERM_NAMES.get(term, term) for term in aim.spec.terms)}.")
    _draw_result(result, f"own_{chosen.snapshot.round}")


def _with_sliders(aim: Aim, start: str) -> Aim:
    if not aim.spec.parameters:
        return aim
    columns = st.columns(len(aim.spec.parameters))
    values = {}
    defaults = dict(aim.spec.parameters) | aim.parameters
    for column, (name, default) in zip(columns, defaults.items(), strict=True):
        step = max(abs(default) / 10, 0.001)
        values[name] = column.number_input(name, value=default, step=step, format="%.3f", key=f"{start}_{name}")
    return Aim(aim.name, aim.spec, values)
