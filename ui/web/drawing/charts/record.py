"""Our record as charts: points and minutes as they were said and as they came, and errors by rounds ahead."""

from __future__ import annotations

import altair as alt
import numpy as np
import pandas as pd

from ui.web.drawing.look import palette

HEIGHT = 300
DASH = [4, 4]


def draw_points(table: pd.DataFrame, dark: bool) -> alt.LayerChart:
    """Return expected against official points by tenths, with two standard errors; on the diagonal both are alike."""
    table = table.assign(low=table["official"] - 2 * table["error"], high=table["official"] + 2 * table["error"])
    top = float(np.ceil(np.nanmax(table[["expected", "high"]].to_numpy(dtype=float))))
    colours, scale = palette(dark), alt.Scale(domain=[0, top])
    x = alt.X("expected:Q", title="Expected points", scale=scale)
    bars = alt.Chart(table).mark_rule(color=colours["popular"]).encode(x=x, y="low:Q", y2="high:Q")
    dots = _dots(table, dark).encode(
        x=x,
        y=alt.Y("official:Q", title="Official points", scale=alt.Scale(domainMax=top)),
        tooltip=[_figure("expected", ".2f"), _figure("official", ".2f"), "rows"],
    )
    return alt.LayerChart(layer=[_diagonal(top, dark), bars, dots], height=HEIGHT)


def draw_hours(table: pd.DataFrame, dark: bool) -> alt.LayerChart:
    """Return the chance of an hour as it was said against how often it came, by tenths."""
    percent = alt.Axis(format="%")
    dots = _dots(table, dark).encode(
        x=alt.X("said:Q", title="An hour was said", axis=percent, scale=alt.Scale(domain=[0, 1])),
        y=alt.Y("was:Q", title="And came", axis=percent, scale=alt.Scale(domain=[0, 1])),
        tooltip=[_figure("said", ".1%"), _figure("was", ".1%"), "rows"],
    )
    return alt.LayerChart(layer=[_diagonal(1.0, dark), dots], height=HEIGHT)


def draw_ahead(table: pd.DataFrame, dark: bool) -> alt.LayerChart:
    """Return the error by rounds ahead, a line for each forecast: columns horizon, rmse, forecast."""
    colours, names = palette(dark), list(dict.fromkeys(table["forecast"]))
    colour = alt.Color(
        "forecast:N",
        sort=names,
        scale=alt.Scale(domain=names, range=[colours["popular"], colours["rare"]]),
        legend=alt.Legend(title=None, orient="top"),
    )
    base = alt.Chart(table).encode(
        x=alt.X("horizon:O", title="Rounds ahead", axis=alt.Axis(labelAngle=0)),
        y=alt.Y("rmse:Q", title="RMSE of points", scale=alt.Scale(zero=False)),
        color=colour,
        tooltip=["forecast", "horizon", _figure("rmse", ".3f")],
    )
    return alt.LayerChart(
        layer=[
            base.mark_line(),
            base.mark_point(size=60, filled=True).encode(shape=alt.Shape("forecast:N", sort=names, legend=None)),
        ],
        height=HEIGHT,
    )


def _dots(table: pd.DataFrame, dark: bool) -> alt.Chart:
    chart: alt.Chart = alt.Chart(table).mark_point(color=palette(dark)["popular"], filled=True, size=70, opacity=1)
    return chart


def _diagonal(top: float, dark: bool) -> alt.Chart:
    line = alt.Chart(pd.DataFrame({"x": [0.0, top], "y": [0.0, top]})).encode(x="x:Q", y="y:Q")
    drawn: alt.Chart = line.mark_line(color=palette(dark)["between"], strokeDash=DASH)
    return drawn


def _figure(name: str, form: str) -> alt.Tooltip:
    return alt.Tooltip(name, format=form)
