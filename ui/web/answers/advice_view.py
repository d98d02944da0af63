"""What measures best for a stated standing: played against the field beside the page, told when it is there."""

from __future__ import annotations

import numpy as np
import pandas as pd
import streamlit as st

from engine.fitness.objective import MEANINGS, RANK
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
from ui.web.work.orders import usual_glance
from ui.web.work.scheduler import Job

NEAREST = "neutral"
"""The objective to choose where the most points measures best: of all shipped ones it asks for them most plainly."""

SHOWN = TITLES | {MOST_POINTS: "Most points"}


def draw_advice(chosen: Chosen, lead: float, left: int) -> None:
    """Draw which objective measures best for a lead (a deficit is negative), or that it is being measured."""
    draw_when_told(
        lambda: asked(chosen, lead, left),
        f"Playing it {SIMULATIONS:,} times to see which objective serves you best …",
        lambda found: _draw_found(chosen, found, lead, left),
    )


def asked(chosen: Chosen, lead: float, left: int) -> Job[Recommendation | None]:
    """Return the measurement of the best objective; it starts now where it has not, and others of his are left."""
    desk = desk_of(chosen)
    squads = {theta: np.array(usual_glance(chosen, theta).rows) for theta in MEANINGS}

    def measure(field: Field) -> Recommendation:
        return desk.advice(lead, rounds_left=left, against=field, squads=squads)

    key = repr((chosen.asked_key, lead, left))
    background().attend(visitor(), ADVICE, {key})
    return background().job(field_task(ADVICE, key, chosen.field_key, desk.opponents, measure), visitor())


def _draw_found(chosen: Chosen, found: Recommendation, lead: float, left: int) -> None:
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
        {"Points": ShownColumn("{:.1f}", "Mean of this round")},
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
