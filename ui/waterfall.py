"""A score as the sum of its named terms: a horizontal waterfall, every bar labelled, terms at zero kept."""

from __future__ import annotations

from collections.abc import Mapping

import altair as alt
import pandas as pd

from ui.look import DARK, LIGHT

BARS = {LIGHT.ink: ("#006e59", "#a218f0", "#6f6e85"), DARK.ink: ("#23be69", "#bfaff3", "#8c8892")}
"""Colours of gain, loss and total by the ink of the page: each has 3 : 1 or more on its ground."""

ROW_HEIGHT, AXIS_HEIGHT = 24, 50
LABEL_SIZE = 12
ROOM = 0.22
"""Share of the width kept free on the right: the label of the longest bar stands there, on a phone too."""

TERM_NAMES = {
    "raw_xev": "Expected points",
    "captaincy_uplift": "Captaincy",
    "cs_corr_bonus": "Clean-sheet correlation",
    "progression_carry": "Progression carry",
    "ownership_leverage": "Ownership leverage",
    "variance_term": "Variance",
    "feasibility_penalty": "Feasibility",
    "preferences": "Preferences",
    "transfer_cost": "Transfer cost",
}
"""What the page calls the terms of a fitness; a term of a user's own keeps its name."""


def waterfall_table(terms: Mapping[str, float], total: str) -> pd.DataFrame:
    """Return one row per term with where its bar starts and ends, and the total last."""
    rows, running = [], 0.0
    for name, value in terms.items():
        rows.append({"term": name, "from": running, "to": running + value, "value": value, "kind": _kind(value)})
        running += value
    rows.append({"term": total, "from": 0.0, "to": running, "value": running, "kind": "total"})
    table = pd.DataFrame(rows)
    return table.assign(
        label=[f"{v:+.2f}" if k != "total" else f"{v:.2f}" for v, k in zip(table.value, table.kind, strict=True)]
    )


def draw_waterfall(terms: Mapping[str, float], total: str, ink: str) -> alt.LayerChart | alt.FacetChart:
    """Return the waterfall of these terms; `ink` is the colour of text on the page."""
    table = waterfall_table(terms, total)
    edge = table[["from", "to"]].max(axis=1)
    table = table.assign(edge=edge)
    order = list(table["term"])
    axis = alt.Axis(labelLimit=220, labelOverlap=False, labelColor=ink, labelFontSize=LABEL_SIZE)
    y = alt.Y("term:N", sort=order, title=None, axis=axis)
    x = alt.X("from:Q", title="Points", scale=alt.Scale(domain=reach(table), nice=False))
    colour = alt.Color(
        "kind:N",
        legend=None,
        scale=alt.Scale(domain=["gain", "loss", "total"], range=list(BARS.get(ink, BARS[LIGHT.ink]))),
    )
    bars = (
        alt.Chart(table)
        .mark_bar(height={"band": 0.7})
        .encode(x=x, x2="to:Q", y=y, color=colour, tooltip=["term", "label"])
    )
    labels = (
        alt.Chart(table)
        .mark_text(align="left", dx=5, color=ink, fontSize=LABEL_SIZE)
        .encode(x="edge:Q", y=y, text="label:N")
    )
    return alt.layer(bars, labels).properties(height=ROW_HEIGHT * len(table) + AXIS_HEIGHT)


def reach(table: pd.DataFrame) -> list[float]:
    """Return from where to where the axis goes: zero, every bar, and room for the labels on the right."""
    ends = table[["from", "to"]].to_numpy()
    low, high = min(float(ends.min()), 0.0), max(float(ends.max()), 0.0)
    return [low, high + ROOM * (high - low or 1.0)]


def _kind(value: float) -> str:
    return "loss" if value < 0 else "gain"
