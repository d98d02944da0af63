"""The calibration as a picture: expected against official points, and how often points fell where they should."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import altair as alt
import numpy as np
import pandas as pd

from engine.replay.report import save_chart

INK, ACCENT, FADED = "#1b1b1f", "#006e59", "#9190a4"


def save_reliability(reliability: pd.DataFrame, transform: Sequence[float], path: Path) -> None:
    """Draw the plots into a PNG or SVG file: tenths of player-rounds, and the shares of the integral transform."""
    chart = alt.hconcat(_expected_against_official(reliability), _transform(transform)).resolve_scale(
        color="independent"
    )
    save_chart(chart.configure_view(stroke=None), path)


def _expected_against_official(table: pd.DataFrame) -> alt.LayerChart | alt.FacetChart:
    table = table.assign(low=table["official"] - 2 * table["error"], high=table["official"] + 2 * table["error"])
    top = float(np.ceil(np.nanmax(table[["expected", "high"]])))  # one player alone has no error
    diagonal = alt.Chart(pd.DataFrame({"x": [0, top], "y": [0, top]})).mark_line(color=FADED, strokeDash=[4, 4])
    x = alt.X("expected:Q", title="Expected points", scale=alt.Scale(domain=[0, top]))
    bars = alt.Chart(table).mark_rule(color=ACCENT).encode(x=x, y="low:Q", y2="high:Q")
    dots = (
        alt.Chart(table)
        .mark_point(color=ACCENT, filled=True, size=60)
        .encode(x=x, y=alt.Y("official:Q", title="Official points (mean, two standard errors)"))
    )
    line = diagonal.encode(x="x:Q", y="y:Q")
    return alt.layer(line, bars, dots).properties(width=320, height=320, title="Tenths of the relevant players")


def _transform(shares: Sequence[float]) -> alt.LayerChart | alt.FacetChart:
    edges = np.linspace(0, 1, len(shares) + 1)
    table = pd.DataFrame({"from": edges[:-1], "to": edges[1:], "share": shares})
    bars = (
        alt.Chart(table)
        .mark_bar(color=ACCENT, stroke="white")
        .encode(
            x=alt.X("from:Q", title="Where the points fell in the distribution", axis=alt.Axis(format="%")),
            x2="to:Q",
            y=alt.Y("share:Q", title="Share of player-rounds", axis=alt.Axis(format="%")),
        )
    )
    even = alt.Chart(pd.DataFrame({"y": [1 / len(shares)]})).mark_rule(color=INK, strokeDash=[4, 4]).encode(y="y:Q")
    return alt.layer(bars, even).properties(width=320, height=320, title="Flat is right, ∪ too sure, ∩ too unsure")
