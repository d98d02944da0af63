"""What two plans do to the chances: to be ahead of the field, or of the rivals, after each round. Simulated beside."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import pandas as pd
import streamlit as st

from engine.plan.answer.plan_board import PlanOption
from engine.plan.fitness.rounds import PlanRounds
from engine.rank.intervals import Estimate
from engine.rank.kept_edge import EDGE_KEPT
from ui.web.answers.plan_tables import short_title
from ui.web.choice.frame import Chosen, desk_of, is_dark
from ui.web.choice.opponents import known_lead, lead_words
from ui.web.drawing.charts.chance_lines import chance_lines_words, draw_chance_lines
from ui.web.drawing.escaping import as_markdown
from ui.web.work.background import CHANCES, background
from ui.web.work.field_job import draw_when_told, field_task
from ui.web.work.scheduler import Job

if TYPE_CHECKING:
    from engine.rank.field import Field

Found = tuple[tuple[Estimate, ...], ...]


def draw_chances_ahead(chosen: Chosen, rounds: PlanRounds, plans: Mapping[str, PlanOption]) -> None:
    """Draw the chance of each plan to be ahead after every round; while it is simulated, say so."""
    st.markdown("**Chance to be ahead, round by round**")
    draw_when_told(
        lambda: asked(chosen, rounds, list(plans.values())),
        "Playing both plans against the field …",
        lambda found: _draw_found(chosen, plans, found),
    )


def asked(chosen: Chosen, rounds: PlanRounds, options: Sequence[PlanOption]) -> Job[Found | None]:
    """Return the simulation of plans against whom the visitor plays; it starts now where it has not."""
    desk, lead = desk_of(chosen), known_lead(chosen.plan) or 0.0

    def simulate(field: Field) -> Found:
        return desk.plan_chances(options, rounds, lead, field)

    key = repr(("plans", chosen.field_key, lead, [option.plan.key() for option in options]))
    return background().job(field_task(CHANCES, key, chosen.field_key, desk.opponents, simulate))


def chance_table(plans: Mapping[str, PlanOption], found: Found) -> pd.DataFrame:
    """Return one row per plan and round with the chance to be ahead by then, and its interval."""
    return pd.DataFrame(
        [
            {"round": short_title(card.title), "plan": name, "chance": one.value, "low": one.low, "high": one.high}
            for (name, option), chances in zip(plans.items(), found, strict=True)
            for card, one in zip(option.cards, chances, strict=True)
        ]
    )


def _draw_found(chosen: Chosen, plans: Mapping[str, PlanOption], found: Found) -> None:
    table, lead = chance_table(plans, found), known_lead(chosen.plan)
    words = chance_lines_words(table)
    st.altair_chart(draw_chance_lines(table, is_dark()), width="stretch", key="pair_chances", alt=words)
    st.caption(
        f"{as_markdown(from_words(lead))} Nobody's boosters count here, and others make transfers too. Of a plan's "
        f"forecast lead on them {EDGE_KEPT:.0%} is counted: about so much came true when it was measured."
    )


def from_words(lead: float | None) -> str:
    """Return from where the chances are counted."""
    return "From level points." if lead is None else f"From {lead_words(lead)}."
