"""One player opened: where his expected points come from, and how many he may score."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from models.reasons import Reason
from models.signals import Signals
from ui.web.drawing.charts.distribution import draw_distribution
from ui.web.drawing.charts.waterfall import draw_waterfall
from ui.web.drawing.escaping import as_markdown

LINE_NAMES = {
    "appearance": "Plays",
    "sixty_minutes": "Plays 60 minutes",
    "free_kick_goals": "Free-kick goals",
    "penalty_saved": "Penalties saved",
    "penalty_missed": "Penalties missed",
    "penalty_won": "Penalties won",
    "penalty_conceded": "Penalties conceded",
}
"""What the page calls a line of the rulebook where people do not say it as it is written there."""

SHOWN = 0.005  # points: a smaller line would be written as 0.00


def player_terms(signals: Signals, row: int) -> dict[str, float]:
    """Return a player's lines as people call them, in the rulebook's order; they sum to his xEV."""
    lines = signals.points.lines.items()
    return {LINE_NAMES.get(name, name.replace("_", " ").capitalize()): float(values[row]) for name, values in lines}


def draw_player(signals: Signals, row: int, reasons: Sequence[Reason]) -> None:
    """Draw one player (a row of the signals): why, his points line by line, and how likely each number of them is."""
    name, (low, high) = str(signals.name[row]), (signals.floor[row], signals.ceiling[row])
    st.subheader(f"{as_markdown(name)}: {signals.xev[row]:.2f} expected, {low:.0f} to {high:.0f} eight times in ten")
    draw_reasons(reasons)
    left, right = st.columns(2)
    with left:
        _draw_lines(player_terms(signals, row))
    right.markdown("**How many, how likely**")
    chart = draw_distribution(signals.points.mass[row], low, float(signals.xev[row]), high)
    words = f"{name}: {signals.xev[row]:.2f} points expected, {low:.0f} to {high:.0f} eight times in ten"
    right.altair_chart(chart, width="stretch", key="distribution", alt=words)


def draw_reasons(reasons: Sequence[Reason]) -> None:
    """Draw why so much is expected of him, a sentence for each thing that decides."""
    st.markdown("**Why so much**")
    st.markdown("\n".join(f"- **{reason.about.capitalize()}**: {as_markdown(reason.text)}" for reason in reasons))


def larger_terms(terms: Mapping[str, float]) -> dict[str, float]:
    """Return the lines that would not be written as 0.00, and the sum of the others where there are any."""
    shown = {name: value for name, value in terms.items() if abs(value) >= SHOWN}
    rest = sum(value for name, value in terms.items() if name not in shown)
    return shown | ({"Other lines": rest} if rest else {})


def _draw_lines(terms: Mapping[str, float]) -> None:
    st.markdown("**Where the points come from**")
    draw_waterfall(terms, "xEV")
