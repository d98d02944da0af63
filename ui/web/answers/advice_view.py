"""What measures best for a stated standing: played against the field beside the page, told when it is there."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from engine.rank.chances import SIMULATIONS
from engine.rank.field import Field
from engine.rank.recommendation import MOST_POINTS, Recommendation
from ui.web.answers.chances_beside import whom
from ui.web.choice.frame import Chosen, desk_of
from ui.web.choice.objective_choice import TITLES
from ui.web.choice.session import change, visitor
from ui.web.drawing.escaping import as_markdown
from ui.web.drawing.plain_table import ShownColumn, draw_table
from ui.web.work.background import ADVICE, background
from ui.web.work.field_job import draw_when_told, field_task
from ui.web.work.scheduler import Job

SHOWN = TITLES | {MOST_POINTS: "Most points"}


def draw_advice(chosen: Chosen, lead: float, left: int) -> None:
    """Draw which objective measures best for a lead (a deficit is negative), or that it is being measured."""
    draw_when_told(
        lambda: asked(chosen, lead, left),
        f"Playing it {SIMULATIONS:,} times to see which objective serves you best …",
        lambda found: _draw_found(found, lead, left),
    )


def asked(chosen: Chosen, lead: float, left: int) -> Job[Recommendation | None]:
    """Return the measurement of the best objective; it starts now where it has not, and others of his are left."""
    desk = desk_of(chosen)

    def measure(field: Field) -> Recommendation:
        return desk.advice(lead, rounds_left=left, against=field)

    key = repr((chosen.asked_key, lead, left))
    background().attend(visitor(), ADVICE, {key})
    return background().job(field_task(ADVICE, key, chosen.field_key, desk.opponents, measure), visitor())


def _draw_found(found: Recommendation, lead: float, left: int) -> None:
    theta = found.choice
    k = found.strength_of(theta)
    st.markdown(f"**{as_markdown(found.reason)}**")
    st.button(
        f"Use {TITLES[theta]}" + ("" if k is None else f" with k = {k:g}"),
        key="use_measured",
        type="primary",
        on_click=change,
        kwargs={"theta": theta, "k": k, "w": None, "lead": lead, "left": left},
    )
    draw_table(
        advice_rows(found),
        "Objectives with the chance of each to be ahead at the end",
        {"Points": ShownColumn("{:.1f}", "Mean of this round")},
    )
    st.caption(
        f"Squads of a quick search, not whole boards, against {whom(found.against)}; {SIMULATIONS:,} simulations that "
        "no strength was chosen on, 95 % intervals in brackets."
    )


def advice_rows(found: Recommendation) -> pd.DataFrame:
    """Return the objectives with what they measured, the best chance first."""
    return pd.DataFrame(
        [
            {
                "Objective": SHOWN[one.objective],
                "Strength": "–" if one.k is None else f"k = {one.k:g}",
                "Ahead at the end": str(one.ahead),
                "Points": one.points,
            }
            for one in found.measured
        ]
    )
