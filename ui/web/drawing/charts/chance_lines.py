"""The chance of plans to be ahead after each round: a line for each, its end labelled, a rule at evens."""

from __future__ import annotations

import altair as alt
import pandas as pd

from ui.web.drawing.look import palette

HEIGHT = 240
LABEL_ROOM = 110  # pixels to the right of the last round
EVEN, MARGIN = 0.5, 0.05


def chance_lines_words(table: pd.DataFrame) -> str:
    """Return what the chart shows, for who does not see it."""
    last = table.groupby("plan", sort=False).last()
    return "; ".join(f"{plan}: {row.chance:.0%} to be ahead after {row['round']}" for plan, row in last.iterrows())


def draw_chance_lines(table: pd.DataFrame, dark: bool) -> alt.LayerChart | alt.FacetChart:
    """Return the chart of a table with round, plan and chance."""
    colours = palette(dark)
    plans, rounds = list(dict.fromkeys(table["plan"])), list(dict.fromkeys(table["round"]))
    low, high = min(table["chance"].min(), EVEN) - MARGIN, max(table["chance"].max(), EVEN) + MARGIN
    x = alt.X("round:O", sort=rounds, title=None, axis=alt.Axis(labelAngle=0, labelColor=colours["quiet"]))
    axis, scale = alt.Axis(format="%", labelColor=colours["quiet"]), alt.Scale(domain=[max(low, 0), min(high, 1)])
    y = alt.Y("chance:Q", title="Chance to be ahead", axis=axis, scale=scale)
    hue = alt.Color("plan:N", scale=alt.Scale(domain=plans, range=[colours["gain"], colours["loss"]]), legend=None)
    last = table[table["round"] == rounds[-1]].sort_values("chance")
    last = last.assign(told=[f"{plan} {chance:.0%}" for plan, chance in zip(last["plan"], last["chance"], strict=True)])
    last["dy"] = [10, -10][: len(last)]
    even = alt.Chart(pd.DataFrame({"chance": [EVEN]})).mark_rule(color=colours["quiet"], strokeDash=[4, 4])
    names = [
        alt.Chart(last.iloc[[row]])
        .mark_text(align="left", dx=10, dy=int(last["dy"].iloc[row]), fontWeight="bold", clip=False)
        .encode(x=x, y=y, text="told:N", color=hue)
        for row in range(len(last))
    ]
    lines = alt.Chart(table).mark_line(point=True, strokeWidth=2.4).encode(x=x, y=y, color=hue)
    room = {"right": LABEL_ROOM, "left": 5, "top": 5, "bottom": 5}
    return alt.layer(even.encode(y=y), lines, *names).properties(height=HEIGHT, padding=room)
