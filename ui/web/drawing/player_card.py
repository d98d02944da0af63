"""One player opened: where his expected points come from, and how many he may score."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from models.signals import Signals
from ui.web.drawing.charts.distribution import draw_distribution
from ui.web.drawing.escaping import as_markdown
from ui.web.drawing.waterfall import draw_waterfall

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


def draw_player(signals: Signals, row: int) -> None:
    """Draw one player (a row of the signals): his points line by line, and how likely each number of them is."""
    name, (low, high) = str(signals.name[row]), (signals.floor[row], signals.ceiling[row])
    st.subheader(f"{as_markdown(name)}: {signals.xev[row]:.2f} expected, {low:.0f} to {high:.0f} eight times in ten")
    left, right = st.columns(2)
    with left:
        _draw_lines(player_terms(signals, row))
    right.markdown("**How many, how likely**")
    chart = draw_distribution(signals.points.mass[row], low, float(signals.xev[row]), high)
    words = f"{name}: {signals.xev[row]:.2f} points expected, {low:.0f} to {high:.0f} eight times in ten"
    right.altair_chart(chart, width="stretch", key="distribution", alt=words)
    right.caption(chances_words(signals, row))


def larger_terms(terms: Mapping[str, float]) -> dict[str, float]:
    """Return the lines that would not be written as 0.00, and the sum of the others where there are any."""
    shown = {name: value for name, value in terms.items() if abs(value) >= SHOWN}
    rest = sum(value for name, value in terms.items() if name not in shown)
    return shown | ({"Other lines": rest} if rest else {})


def _draw_lines(terms: Mapping[str, float]) -> None:
    st.markdown("**Where the points come from**")
    draw_waterfall(terms, "xEV")


def chances_words(signals: Signals, row: int) -> str:
    """Return how likely a player starts and plays, and how sure that is."""
    return (
        f"{signals.start[row]:.0%} to start against {as_markdown(str(signals.opponents[row]))}, "
        f"{signals.p_play[row]:.0%} to play at all, confidence in his minutes {signals.confidence[row]:.0%}."
    )
