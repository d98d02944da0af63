"""What measures best for a stated standing: played against the field beside the page, told when it is there."""

from __future__ import annotations

import numpy as np
import pandas as pd
import streamlit as st

from engine.fitness.objective import MEANINGS, RANK
from engine.rank.field import Field
from engine.rank.recommendation import MOST_POINTS, Recommendation
from engine.rank.standing import SIMULATIONS
from ui.web.answers.chances_beside import whom
from ui.web.choice.frame import Chosen, desk_of
from ui.web.choice.objective_choice import TITLES
from ui.web.choice.session import change, visitor
from ui.web.drawing.escaping import as_markdown
from ui.web.drawing.plain_table import Column, draw_table
from ui.web.work.field_desk import FieldDesk, Told
from ui.web.work.orders import usual_glance

POLL = 1.0  # seconds between two looks
NEAREST = "neutral"
"""The objective to choose where the most points measures best: of all shipped ones it asks for them most plainly."""

SHOWN = TITLES | {MOST_POINTS: "Most points"}


@st.cache_resource
def advice_desk() -> FieldDesk[Recommendation]:
    """Return the one desk of this server."""
    return FieldDesk("measurement of objectives")


def draw_advice(chosen: Chosen, lead: float, left: int) -> None:
    """Draw which objective measures best for a lead (a deficit is negative), or that it is being measured."""
    advice = asked(chosen, lead, left)
    if not advice.running:
        _draw_told(chosen, advice, lead, left)
        return

    @st.fragment(run_every=POLL)
    def waiting() -> None:
        if not asked(chosen, lead, left).running:
            st.rerun()
        st.caption(
            f":material/hourglass_top: Playing it {SIMULATIONS:,} times to see which objective serves you best …"
        )

    waiting()


def asked(chosen: Chosen, lead: float, left: int) -> Told[Recommendation]:
    """Return what is known of the best objective; where nothing is, the measurement starts now."""
    plan, desk = chosen.plan, desk_of(chosen)
    squads = {theta: np.array(usual_glance(chosen, theta).rows) for theta in MEANINGS}

    def measure(field: Field) -> Recommendation:
        return desk.advice(lead, rounds_left=left, against=field, squads=squads)

    return advice_desk().told(
        repr((chosen.scene_key, plan.locks, plan.bans, lead, left)),
        repr((chosen.key, plan.rivals)),
        desk.opponents,
        measure,
        asker=visitor(),
    )


def _draw_told(chosen: Chosen, advice: Told[Recommendation], lead: float, left: int) -> None:
    if advice.found is None:
        st.warning(as_markdown(advice.error), icon=":material/casino:")
        return
    found = advice.found
    theta, k = choice_of(found)
    st.markdown(f"**{as_markdown(found.reason)}**")
    st.button(
        f"Use {TITLES[theta]}" + ("" if k is None else f" with κ = {k:g}"),
        key="use_measured",
        type="primary",
        on_click=change,
        kwargs={"theta": theta, "k": k, "w": None, "lead": lead, "left": left},
    )
    draw_table(
        advice_rows(found),
        "Objectives with the chance of each to be ahead at the end",
        {"Points": Column("{:.1f}", "Mean of this round")},
    )
    wished = chosen.plan.locks or chosen.plan.bans
    wishes = " Rank and the most points are measured without those you must have or never pick." if wished else ""
    st.caption(
        f"First looks, not whole boards, against {whom(found.against)}; {SIMULATIONS:,} simulations, 95 % intervals in "
        f"brackets.{wishes}"
    )


def choice_of(found: Recommendation) -> tuple[str, float | None]:
    """Return the objective to choose, and κ where it is rank."""
    best = found.best.objective
    return (NEAREST if best == MOST_POINTS else best), (found.kappa if best == RANK else None)


def advice_rows(found: Recommendation) -> pd.DataFrame:
    """Return the objectives with what they measured, the best chance first."""
    return pd.DataFrame(
        [
            {"Objective": SHOWN[one.objective], "Ahead at the end": str(one.ahead), "Points": one.points}
            for one in found.measured
        ]
    )
