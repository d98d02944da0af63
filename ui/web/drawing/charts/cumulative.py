"""Two plans against an average manager, round by round: lines that add up, one band filled, one dashed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import altair as alt
import numpy as np
import pandas as pd

from engine.board.board import EIGHT_IN_TEN
from ui.web.drawing.look import palette

HEIGHT = 300
LABEL_ROOM = 90  # pixels to the right of the last round
BAND = 0.35
APART = 0.08
"""Share of the height that two names need between them."""


def cumulative_table(
    titles: Sequence[str], plans: Mapping[str, tuple[Sequence[float], Sequence[float]]], field: Sequence[float]
) -> pd.DataFrame:
    """Return one row per plan and round: what it is ahead of an average manager by then, and the range of it.

    `plans` are the points and the variance of each round; `field` what an average manager is expected to score.
    """
    rows = []
    for name, (points, variance) in plans.items():
        ahead = np.cumsum(np.asarray(points) - np.asarray(field))
        half = EIGHT_IN_TEN * np.sqrt(np.cumsum(variance))
        rows += [
            {"round": title, "plan": name, "ahead": mean, "low": mean - wide, "high": mean + wide}
            for title, mean, wide in zip(titles, ahead.tolist(), half.tolist(), strict=True)
        ]
    return pd.DataFrame(rows)


def cumulative_words(table: pd.DataFrame) -> str:
    """Return what the chart shows, for who does not see it."""
    last = table.groupby("plan", sort=False).last()
    return "; ".join(
        f"{plan}: {row.ahead:+.0f} on an average manager after {row['round']}, {row.low:+.0f} to {row.high:+.0f}"
        for plan, row in last.iterrows()
    )


def draw_cumulative(table: pd.DataFrame, dark: bool) -> alt.LayerChart | alt.FacetChart:
    """Return the chart of a table of two plans; the first has the filled band."""
    colours = palette(dark)
    plans, rounds = list(dict.fromkeys(table["plan"])), list(dict.fromkeys(table["round"]))
    inks = dict(zip(plans, (colours["gain"], colours["loss"]), strict=False))
    last = _ends(table[table["round"] == rounds[-1]], float(table["high"].max() - table["low"].min()))
    x = alt.X("round:O", sort=rounds, title=None, axis=alt.Axis(labelAngle=0, labelColor=colours["quiet"]))
    y = alt.Y("ahead:Q", title="Points over an average manager", axis=alt.Axis(labelColor=colours["quiet"]))
    hue = alt.Color("plan:N", scale=alt.Scale(domain=plans, range=list(inks.values())), legend=None)
    first, second = (table[table["plan"] == plan] for plan in (plans[0], plans[-1]))
    layers = [
        alt.Chart(first).mark_area(opacity=BAND, color=inks[plans[0]]).encode(x=x, y=alt.Y("low:Q"), y2="high:Q"),
        *(
            alt.Chart(second).mark_line(strokeDash=[5, 4], strokeWidth=1.2, color=inks[plans[-1]]).encode(x=x, y=edge)
            for edge in ("low:Q", "high:Q")
        ),
        alt.Chart(table).mark_line(point=True, strokeWidth=2.4).encode(x=x, y=y, color=hue),
        alt.Chart(last)
        .mark_text(align="left", dx=10, fontWeight="bold", clip=False)
        .encode(x=x, y="label_at:Q", text="told:N", color=hue),
    ]
    return alt.layer(*layers).properties(height=HEIGHT, padding={"right": LABEL_ROOM, "left": 5, "top": 5, "bottom": 5})


def _ends(rows: pd.DataFrame, spread: float) -> pd.DataFrame:
    """Return the last points with their names, kept apart where the lines end close to each other."""
    told = [f"{plan} {ahead:+.0f}" for plan, ahead in zip(rows["plan"], rows["ahead"], strict=True)]
    rows = rows.assign(told=told, label_at=rows["ahead"]).sort_values("ahead")
    gap = APART * spread - float(rows["ahead"].iloc[-1] - rows["ahead"].iloc[0])
    if len(rows) > 1 and gap > 0:
        rows["label_at"] = rows["ahead"] + np.array([-gap / 2, gap / 2])
    return rows
