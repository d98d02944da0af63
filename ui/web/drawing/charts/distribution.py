"""How many points, how likely: a player's distribution as bars, with floor, expectation and ceiling named."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from models.players.points import GRID

if TYPE_CHECKING:
    import altair as alt

BAR, MARK = "#4f6dd2", "#a48a14"
LEAST_SHOWN = 0.0005


def distribution_table(mass: np.ndarray) -> pd.DataFrame:
    """Return points and probability from the first to the last score worth showing."""
    shown = np.flatnonzero(mass >= LEAST_SHOWN)
    rows = slice(shown[0], shown[-1] + 1)
    return pd.DataFrame({"points": GRID[rows], "probability": mass[rows]})


def draw_distribution(mass: np.ndarray, floor: float, xev: float, ceiling: float) -> alt.LayerChart | alt.FacetChart:
    """Return the bars of a distribution with three marks."""
    import altair as alt  # when the first card is opened: no page has to wait for it

    table = distribution_table(mass)
    bars = (
        alt.Chart(table)
        .mark_bar(color=BAR, width={"band": 0.8})
        .encode(
            x=alt.X("points:O", title="Points", axis=alt.Axis(labelAngle=0)),
            y=alt.Y("probability:Q", title="Probability", axis=alt.Axis(format="%")),
            tooltip=["points", alt.Tooltip("probability", format=".1%")],
        )
    )
    marks = pd.DataFrame({"points": [int(floor), round(xev), int(ceiling)], "mark": ["floor", "expected", "ceiling"]})
    text = (
        alt.Chart(marks)
        .mark_text(color=MARK, dy=-6, fontWeight="bold", baseline="bottom")
        .encode(x="points:O", y=alt.datum(float(table["probability"].max())), text="mark:N")
    )
    rules = alt.Chart(marks).mark_rule(color=MARK, strokeDash=[4, 3]).encode(x="points:O")
    return alt.layer(bars, rules, text).properties(height=260)
