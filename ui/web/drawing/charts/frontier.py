"""Score against cost, squad by squad: the frontier strong, dominated squads faded, the chosen one ringed.

- `frontier_table(spectrum, cost, named, chosen)` is the table behind it, one row per squad.
- `draw_frontier(table, cost, dark)` draws it; a click on a mark selects it under `PICKED`, by its row.
- `cost_in_words(cost, value)` says a cost as a manager reads it.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import sqrt

import altair as alt
import numpy as np
import pandas as pd

from engine.search.outcome import Spectrum
from engine.search.population.population import Cost
from ui.web.drawing.look import palette

PICKED = "picked"
HEIGHT = 380
FRONTIER, DOMINATED = "Nothing better for less", "Another is better for less"
FADED = 0.4
AXES = {
    Cost.VARIANCE: "Swing: ± points, one standard deviation",
    Cost.PRICE: "Price, millions",
    Cost.CHANGES: "Transfers from your squad",
}
MARK_SIZE, OPTION_SIZE, RING_SIZE = 70, 150, 420
MARGIN, ABOVE = 30, -20
"""Pixels from the outermost marks to the frame, and from a mark up to its name: clear of the ring."""


def frontier_table(spectrum: Spectrum, cost: Cost, named: Mapping[int, str], chosen: int) -> pd.DataFrame:
    """Return one row per squad; `named` are the marks of the board's options by row of the population."""
    shown = np.sqrt(spectrum.cost) if cost is Cost.VARIANCE else spectrum.cost
    return pd.DataFrame(
        {
            "row": spectrum.row.astype(int),
            "score": spectrum.score,
            "cost": shown,
            "kind": np.where(spectrum.on_frontier, FRONTIER, DOMINATED),
            "name": [named.get(int(row), "") for row in spectrum.row],
            "chosen": spectrum.row == chosen,
            "words": [cost_in_words(cost, float(value)) for value in spectrum.cost],
        }
    )


def cost_in_words(cost: Cost, value: float) -> str:
    """Return a cost as a manager reads it."""
    if cost is Cost.VARIANCE:
        return f"swing ±{sqrt(value):.1f}"
    return f"{value:.1f}m" if cost is Cost.PRICE else f"{value:.0f} transfer{'s' * (value != 1)}"


def draw_frontier(table: pd.DataFrame, cost: Cost, dark: bool) -> alt.LayerChart | alt.FacetChart:
    """Return the chart; every mark can be clicked."""
    colours = palette(dark)
    x = alt.X("cost:Q", title=AXES[cost], scale=alt.Scale(zero=False, padding=MARGIN))
    y = alt.Y("score:Q", title="Score", scale=alt.Scale(zero=False, padding=MARGIN))
    picked = alt.selection_point(name=PICKED, fields=["row"], on="click", toggle=False)
    base = alt.Chart(table)
    line = (
        base.transform_filter(alt.datum.kind == FRONTIER)
        .mark_line(interpolate="step-after", strokeDash=[4, 3], opacity=0.7, color=colours["popular"])
        .encode(x=x, y=y, order="cost:Q")
    )
    ring = (
        base.transform_filter(alt.datum.chosen)
        .mark_point(size=RING_SIZE, strokeWidth=3, filled=False, color=colours["ink"])
        .encode(x=x, y=y)
    )
    names = (
        base.transform_filter(alt.datum.name != "")
        .mark_text(dy=ABOVE, fontWeight=600, color=colours["ink"])
        .encode(x=x, y=y, text="name:N")
    )
    return alt.layer(line, _marks(base, x, y, dark).add_params(picked), ring, names).properties(height=HEIGHT)


def _marks(base: alt.Chart, x: alt.X, y: alt.Y, dark: bool) -> alt.Chart:
    colours, kinds = palette(dark), [FRONTIER, DOMINATED]
    scale = alt.Scale(domain=kinds, range=[colours["popular"], colours["between"]])
    shapes = alt.Scale(domain=kinds, range=["diamond", "circle"])
    legend = alt.Legend(title=None, orient="top", labelLimit=300)
    chart: alt.Chart = base.mark_point(filled=True).encode(
        x=x,
        y=y,
        color=alt.Color("kind:N", scale=scale, legend=legend),
        shape=alt.Shape("kind:N", scale=shapes, legend=legend),
        size=alt.condition(alt.datum.name != "", alt.value(OPTION_SIZE), alt.value(MARK_SIZE)),
        opacity=alt.condition(alt.datum.kind == FRONTIER, alt.value(1.0), alt.value(FADED)),
        tooltip=[alt.Tooltip("score:Q", format=".2f"), alt.Tooltip("words:N", title="cost"), "kind:N", "name:N"],
    )
    return chart
