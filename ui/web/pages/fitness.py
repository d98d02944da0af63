"""Fitness: one squad under protect, neutral and gain side by side, and the spec behind each, open to change."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
import streamlit as st

from data.errors import SpecError, ThetaXIError
from engine.board.board import Board
from engine.board.squad_input import roles, squad_rows
from engine.fitness.explanation import Decomposition
from engine.fitness.judge import Judge, Objective, named_objective, text_objective
from engine.fitness.objective import HIGHEST_W, MEANINGS, RANK, STRONGEST_K
from engine.fitness.squad_scoring import CARRY_EARLY, CARRY_KNOCKOUT
from engine.language.spec import SUFFIX, shipped_names, shipped_text
from ui.web.answers.option_view import marked_terms, option_names
from ui.web.choice.frame import Chosen, choose_round, judge_of
from ui.web.choice.objective_choice import draw_objective, meaning
from ui.web.choice.plan import THETAS, Plan
from ui.web.choice.plan_board import shown_board
from ui.web.choice.session import OwnSpec, attach_spec, spec_of
from ui.web.drawing.charts.waterfall import TERM_NAMES, draw_waterfall
from ui.web.drawing.escaping import as_markdown
from ui.web.drawing.plain_table import ShownColumn, draw_table
from ui.web.drawing.words import FIGURE_HELP
from ui.web.squads.squad_desk import PASTE_HINT
from ui.web.squads.squad_use import searched
from ui.web.squads.squad_worth import reach

OPTIMUM, OWN = "Most expected points", "My own squad"
LONGEST_SPEC = 20_000
SLIDER_STEPS = 100
SAME_STRENGTH = 1e-9
SMALLEST_REACH = 0.01
"""How far a slider goes at least: a strength that starts at 0 can be moved too."""

STARTS = [*MEANINGS, *(name for name in shipped_names() if name not in MEANINGS)]


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
    st.header("The spec behind it", help="A spec is a short text that says what a squad gains and loses points for.")
    _draw_editor(chosen, judge, squad)


def _choose_squad(chosen: Chosen, judge: Judge) -> np.ndarray | None:
    source = st.segmented_control("Squad", [OPTIMUM, OWN], default=OPTIMUM, key="squad_source", required=True)
    if source == OPTIMUM:
        return np.asarray(judge.pool[-1])
    text = st.text_area("Your 15 players", key="own_squad", placeholder=PASTE_HINT, height=240, max_chars=4_000)
    if not text.strip():
        st.info("Paste your squad to see it scored.")
        return None
    try:
        rows, remarks = squad_rows(text, chosen.snapshot, judge.view.signals)
    except ThetaXIError as error:
        st.error(as_markdown(str(error)), icon=":material/error:")
        return None
    for remark in remarks:
        st.caption(as_markdown(remark))
    return rows


def _draw_three(judge: Judge, squad: np.ndarray) -> None:
    results = {theta: judge.decompose(squad, named_objective(theta, judge.view)) for theta in MEANINGS}
    for column, theta in zip(st.columns(3), MEANINGS, strict=True):
        with column:
            st.subheader(theta.capitalize())
            st.caption(meaning(theta))
            _draw_result(results[theta])
    if any(result.provisional for result in results.values()):
        st.caption("\\* rests on a rule that the official rules do not confirm.")


def _draw_result(result: Decomposition) -> None:
    st.metric("Fitness", f"{result.fitness:.1f}", delta=reach(result), delta_color="off", delta_arrow="off")
    if result.disqualified:
        st.error("This squad breaks the rules of the round, so it is never ranked.", icon=":material/block:")
    draw_waterfall(marked_terms(result), "Fitness")
    st.caption(
        as_markdown(f"Watch: {result.watch}") if result.watch else "Watch: no single term does most of the work."
    )


def _draw_squad(judge: Judge, squad: np.ndarray) -> None:
    lineup = judge.sent_out(squad[None, :], named_objective("neutral", judge.view)).lineups
    with st.expander("The squad and its line-up under neutral"):
        table = [
            {"Player": p["name"], "Team": p["team"], "Position": p["position"], "Role": p["role"], "xEV": p["xev"]}
            for p in roles(judge.view.signals, squad, lineup)
        ]
        label = "The fifteen players with team, position, role and expected points"
        draw_table(pd.DataFrame(table), label, {"xEV": ShownColumn("{:.2f}")})


def _draw_editor(chosen: Chosen, judge: Judge, squad: np.ndarray) -> None:
    plan = chosen.plan
    index = STARTS.index(plan.theta) if plan.theta in STARTS else 0
    start = st.selectbox("Start from", STARTS, index, key="spec_start", required=True)
    own = spec_of(plan) if start == plan.theta else None
    text = st.text_area(
        "Spec",
        value=own.text if own else shipped_text(start),
        key=f"spec_{start}",
        height=520,
        max_chars=LONGEST_SPEC,
        help="Leave the box or press Ctrl+Enter to check it and score the squad by it.",
    )
    try:
        objective = text_objective(text, f"{start}{SUFFIX}", judge.view, _given(plan, start))
        objective = _with_sliders(objective, start)
        result = judge.decompose(squad, objective)
    except SpecError as error:
        st.error("This spec has an error:")
        st.code(str(error), language=None)
        return
    st.success(
        as_markdown(
            f"{objective.name} is fine: {', '.join(TERM_NAMES.get(term, term) for term in objective.spec.terms)}."
        ),
        icon=":material/check:",
    )
    usual = text_objective(text, f"{start}{SUFFIX}", judge.view, {})
    defaults = dict(usual.spec.parameters) | usual.parameters
    changed = tuple(item for item in objective.parameters.items() if item[1] != defaults[item[0]])
    _draw_use(plan, start, OwnSpec(objective.name, text, changed))
    _draw_ranking(searched(chosen), objective)
    st.subheader("The squad above under this spec", anchor=False)
    _draw_result(result)


def _given(plan: Plan, start: str) -> dict[str, float]:
    """Return the strengths that the plan sets in the spec it judges by."""
    if start != plan.theta:
        return {}
    if own := spec_of(plan):
        return dict(own.parameters)
    strengths = {"kappa": plan.k} if start == RANK else {"k": plan.k, "w": plan.w}
    return {name: value for name, value in strengths.items() if value is not None}


def _draw_use(plan: Plan, start: str, spec: OwnSpec) -> None:
    """Draw the way of an edited spec to Pick, or that Pick judges by it already."""
    in_use = spec_of(plan) == spec
    as_it_comes = start in THETAS and spec.text == shipped_text(start) and not spec.parameters
    st.button(
        "Pick uses it" if in_use else "Use it on Pick",
        key="use_spec",
        type="primary",
        disabled=in_use or as_it_comes,
        on_click=attach_spec,
        args=(spec, start if start in THETAS else plan.theta or "neutral"),
        help="Once the spec is edited: Pick then searches by it, with the strengths that you moved. It stays in this "
        "browser tab; a link that is opened elsewhere goes back to the shipped one and says so.",
    )


def _with_sliders(objective: Objective, start: str) -> Objective:
    """Let the strengths of a spec be moved; one that it does not declare has no slider."""
    if not objective.spec.parameters:
        return objective
    values = {}
    defaults = dict(objective.spec.parameters) | objective.parameters
    for column, (name, default) in zip(st.columns(len(defaults)), defaults.items(), strict=True):
        low, high = slider_range(name, default, start)
        values[name] = column.slider(
            name,
            low,
            high,
            default,
            step=(high - low) / SLIDER_STEPS,
            format="%.3f",
            key=f"{start}_{name}_{default}",
            help=str(FIGURE_HELP[name]) if name in FIGURE_HELP else None,
        )
    for sentence in parameter_words(objective.spec.parameters, values):
        st.caption(as_markdown(sentence))
    return Objective(objective.name, objective.spec, values)


def parameter_words(written: Mapping[str, float], values: Mapping[str, float]) -> list[str]:
    """Return a sentence for each strength in force that is not what the text of the spec says."""
    return [
        f"{name} = {values[name]:g} is in force where the text says {value:g}: {_reason(value, name, values[name])}."
        for name, value in written.items()
        if abs(values[name] - value) > SAME_STRENGTH
    ]


def _reason(value: float, name: str, now: float) -> str:
    if name == "c" and value == CARRY_EARLY and now == CARRY_KNOCKOUT:
        return (
            f"the stage sets the weight of later rounds, {CARRY_KNOCKOUT:g} in the knock-outs and {CARRY_EARLY:g} in "
            "the groups; write another number into the text to set it yourself"
        )
    return "the slider sets it"


def slider_range(name: str, default: float, theta: str) -> tuple[float, float]:
    """Return how far a strength may be moved: as far as it makes sense, and always around its default."""
    usual = {"k": STRONGEST_K, "w": HIGHEST_W.get(theta, 1.0), "c": 1.0, "kappa": STRONGEST_K}
    reach = max(usual.get(name, 0.0), 2 * abs(default), SMALLEST_REACH)
    return (-reach if name == "kappa" or default < 0 else 0.0), reach


def _draw_ranking(chosen: Chosen, objective: Objective) -> None:
    """Draw how the options of the plan's board rank under the spec as it is edited."""
    st.subheader("Your options under this spec", anchor=False)
    draw_objective(chosen.plan)
    board = shown_board(chosen)
    if board is None:
        return
    scored = judge_of(chosen).sent_out(np.array([option.rows for option in board.options]), objective)
    alive = [None if gone else float(score) for score, gone in zip(scored.fitness, scored.disqualified, strict=True)]
    table = ranking_table(board, objective.name, alive)
    st.markdown(f"**{as_markdown(ranking_words(table, objective.name))}**")
    draw_table(
        table,
        f"The options of {board.objective} in the order of {objective.name}, with their place and score under both",
        {"Now": ShownColumn("{:.0f}")} | dict.fromkeys(map(str, table.columns[4:]), ShownColumn("{:.2f}")),
    )


def ranking_table(board: Board, spec: str, scores: Sequence[float | None]) -> pd.DataFrame:
    """Return the board's options in the order of another spec; None is a squad that its gates disqualify."""
    names = option_names(len(board.options))
    order = sorted(range(len(names)), key=lambda place: (scores[place] is None, -(scores[place] or 0.0)))
    rows = [
        {
            "Now": None if scores[place] is None else now,
            "Option": names[place],
            "Moves": move_words(place + 1, now) if scores[place] is not None else "disqualified",
            "Captain": board.options[place].captain.short,
            f"Score under {board.objective}": board.options[place].decomposition.fitness,
            f"Score under the edited {spec}": scores[place],
        }
        for now, place in enumerate(order, start=1)
    ]
    return pd.DataFrame(rows)


def move_words(before: int, now: int) -> str:
    """Return how a place changed, in a sign and words."""
    if before == now:
        return "= same place"
    return f"▲ up {before - now}" if now < before else f"▼ down {now - before}"


def ranking_words(table: pd.DataFrame, spec: str) -> str:
    """Return in one sentence which option the spec puts first, computed from the table."""
    ranked = table.dropna(subset=["Now"])
    if ranked.empty:
        return f"{spec} disqualifies every option."
    first = ranked.iloc[0]
    if bool((ranked["Moves"] == "= same place").all()) and len(ranked) == len(table):
        return f"{spec} ranks the options as they were: {first['Option']} first."
    return f"{spec} puts {first['Option']} first, at {first.iloc[-1]:.1f}; the order has changed."
