"""The terms of two plans side by side: two bars for each term, every bar labelled, terms at zero kept."""

from __future__ import annotations

import altair as alt
import pandas as pd

from ui.web.drawing.figures import written
from ui.web.drawing.look import palette, term_colours

ROW_HEIGHT, AXIS_HEIGHT = 44, 80
BAR_LIMIT = 220  # pixels of a term's name


def draw_pair(
    table: pd.DataFrame, dark: bool, *, title: str = "Points", form: str = "{:+.2f}"
) -> alt.LayerChart | alt.FacetChart:
    """Return grouped bars of a table with term, plan and points; `title` and `form` say what they are."""
    plans = list(dict.fromkeys(table["plan"]))
    terms = list(dict.fromkeys(table["term"]))
    table = table.assign(
        label=[written(value, form) for value in table["points"]], edge=table["points"].clip(lower=0.0)
    )
    y = alt.Y("term:N", sort=terms, title=None, axis=alt.Axis(labelLimit=BAR_LIMIT, labelOverlap=False))
    offset = alt.YOffset("plan:N", sort=plans)
    colour = alt.Color(
        "plan:N",
        sort=plans,
        scale=alt.Scale(domain=plans, range=list(term_colours(dark)[: len(plans)])),
        legend=alt.Legend(title=None, orient="top", labelLimit=BAR_LIMIT),
    )
    base = alt.Chart(table).encode(y=y, yOffset=offset)
    bars = base.mark_bar().encode(
        x=alt.X("points:Q", title=title), color=colour, tooltip=["plan:N", "term:N", "label:N"]
    )
    words = base.mark_text(align="left", dx=4, color=palette(dark)["ink"]).encode(x="edge:Q", text="label:N")
    return alt.layer(bars, words).properties(height=ROW_HEIGHT * len(terms) + AXIS_HEIGHT)
