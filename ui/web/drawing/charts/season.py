"""A season as a chart: points beside the average manager, gameweek by gameweek, and stated chances beside what came."""

from __future__ import annotations

import altair as alt
import pandas as pd

from ui.web.drawing.look import palette

HEIGHT = 320


def draw_season(table: pd.DataFrame, dark: bool) -> alt.LayerChart:
    """Return a line for each policy: columns round, policy, gap (points more than the average manager)."""
    base = alt.Chart(table).encode(
        x=alt.X("round:O", title="Gameweek", axis=alt.Axis(labelAngle=0)),
        y=alt.Y("gap:Q", title="Points beside the average manager"),
        color=alt.Color(
            "policy:N", sort=list(dict.fromkeys(table["policy"])), legend=alt.Legend(title=None, orient="top")
        ),
        tooltip=["policy", "round", alt.Tooltip("gap:Q", format="+.0f")],
    )
    zero = alt.Chart(pd.DataFrame({"gap": [0]})).mark_rule(color=palette(dark)["popular"], strokeDash=[4, 4])
    return alt.LayerChart(layer=[zero.encode(y="gap:Q"), base.mark_line(), base.mark_point(size=30)], height=HEIGHT)


def draw_stated(table: pd.DataFrame, dark: bool) -> alt.LayerChart:
    """Return stated chances against the share that came true; on the diagonal both are alike."""
    percent, scale = alt.Axis(format="%"), alt.Scale(domain=[0, 1])
    dots = alt.Chart(table).mark_point(filled=True, size=70, opacity=1, color=palette(dark)["popular"])
    line = alt.Chart(pd.DataFrame({"stated": [0, 1], "happened": [0, 1]})).mark_line(
        strokeDash=[4, 4], color=palette(dark)["rare"]
    )
    x = alt.X("stated:Q", title="Chance that was stated", axis=percent, scale=scale)
    y = alt.Y("happened:Q", title="Share that came true", axis=percent, scale=scale)
    told = ["cases", alt.Tooltip("stated:Q", format=".1%"), alt.Tooltip("happened:Q", format=".1%")]
    return alt.LayerChart(layer=[line.encode(x=x, y=y), dots.encode(x=x, y=y, tooltip=told)], height=HEIGHT)
