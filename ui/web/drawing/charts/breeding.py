"""A search as it goes: the best score and the mean of each generation, and how alike the best squads are."""

from __future__ import annotations

from collections.abc import Sequence

import altair as alt
import pandas as pd

from engine.search.breeding.evolution import Progress
from ui.web.drawing.look import palette, term_colours

HEIGHT, ALIKE_HEIGHT = 280, 190
BEST, MEAN = "Best so far", "Mean of the generation"
PERCENT = 100.0


def progress_table(history: Sequence[Progress]) -> pd.DataFrame:
    """Return one row per generation: best, mean, and the percentage of men that the best squads share."""
    rows = [(step.generation, step.best, step.mean, PERCENT * step.diversity) for step in history]
    return pd.DataFrame(rows, columns=["generation", BEST, MEAN, "alike"])


def progress_words(history: Sequence[Progress]) -> str:
    """Return where a search stands, in one sentence."""
    if not history:
        return "The first squads are being solved."
    last = history[-1]
    return (
        f"Generation {last.generation}: {last.evaluations:,} squads scored, best {last.best:.2f}, mean of the latest "
        f"{last.mean:.2f}; two of the best twenty share {last.diversity:.0%} of their men."
    )


def draw_scores(table: pd.DataFrame, dark: bool) -> alt.Chart:
    """Return best and mean by generation."""
    long = table.melt("generation", [BEST, MEAN], "line", "score").dropna()
    kinds, colours = [BEST, MEAN], term_colours(dark)
    legend = alt.Legend(title=None, orient="top", symbolType="stroke", symbolSize=300)
    chart: alt.Chart = (
        alt.Chart(long)
        .mark_line(point=True, strokeWidth=2.5)
        .encode(
            x=_generation(),
            y=alt.Y("score:Q", title="Score", scale=alt.Scale(zero=False)),
            color=alt.Color("line:N", scale=alt.Scale(domain=kinds, range=[colours[0], colours[1]]), legend=legend),
            strokeDash=alt.StrokeDash("line:N", scale=alt.Scale(domain=kinds, range=[[1, 0], [5, 4]]), legend=legend),
            tooltip=["generation:Q", "line:N", alt.Tooltip("score:Q", format=".2f")],
        )
        .properties(height=HEIGHT)
    )
    return chart


def draw_alike(table: pd.DataFrame, dark: bool) -> alt.Chart:
    """Return how much two of the best twenty squads have in common, by generation."""
    chart: alt.Chart = (
        alt.Chart(table)
        .mark_area(line={"color": palette(dark)["popular"]}, color=palette(dark)["popular"], opacity=0.25)
        .encode(
            x=_generation(),
            y=alt.Y("alike:Q", title="Men shared, %", scale=alt.Scale(domain=[0, PERCENT])),
            tooltip=["generation:Q", alt.Tooltip("alike:Q", format=".0f")],
        )
        .properties(height=ALIKE_HEIGHT)
    )
    return chart


def _generation() -> alt.X:
    return alt.X("generation:Q", title="Generation", axis=alt.Axis(tickMinStep=1, format="d"))
