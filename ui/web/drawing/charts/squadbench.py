"""The leaderboard as bars: each contender's score with its 95 % interval."""

from __future__ import annotations

from collections.abc import Sequence

import altair as alt
import pandas as pd

from engine.bench.leaderboard import SHOWN, Placing
from engine.bench.score import band_of
from ui.web.drawing.look import palette

ROW_HEIGHT, AXIS_HEIGHT = 34, 60
NAME_LIMIT = 160  # pixels of a contender's name
TICK = 0.25


def score_table(entries: Sequence[Placing]) -> pd.DataFrame:
    """Return one row for each contender: score, the ends of its interval within 0 and 1, and words."""
    rows = [
        (one.contender, one.score, max(one.low, 0.0), min(one.high, 1.0), f"{one.score:.{SHOWN}f}", band_of(one.score))
        for one in entries
    ]
    return pd.DataFrame(rows, columns=["contender", "score", "low", "high", "label", "band"])


def draw_scores(table: pd.DataFrame, dark: bool) -> alt.LayerChart:
    """Return a bar for each contender, the best on top, with its interval and its figure."""
    order, colours = list(table["contender"]), palette(dark)
    y = alt.Y("contender:N", sort=order, title=None, axis=alt.Axis(labelLimit=NAME_LIMIT, labelOverlap=False))
    scale = alt.Scale(domain=[0.0, 1.0 + TICK])
    base = alt.Chart(table).encode(y=y)
    bars = base.mark_bar(color=colours["popular"], opacity=0.75).encode(
        x=alt.X("score:Q", title="Score", scale=scale, axis=alt.Axis(values=[0, TICK, 2 * TICK, 3 * TICK, 1])),
        tooltip=["contender:N", "label:N", "band:N"],
    )
    interval = base.mark_rule(color=colours["ink"], strokeWidth=2).encode(x=alt.X("low:Q", scale=scale), x2="high:Q")
    words = base.mark_text(align="left", dx=6, color=colours["ink"]).encode(
        x=alt.X("high:Q", scale=scale), text="label:N"
    )
    return alt.LayerChart(layer=[bars, interval, words], height=ROW_HEIGHT * len(table) + AXIS_HEIGHT)


def score_words(entries: Sequence[Placing]) -> str:
    """Return the leaderboard in one sentence, for whoever does not see the bars."""
    told = [f"{entry.contender} {entry.score:.{SHOWN}f} ± {entry.half:.{SHOWN}f}" for entry in entries]
    return f"Scores from best to worst: {', '.join(told)}."
