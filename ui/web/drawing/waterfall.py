"""A score as the sum of its named terms: a horizontal waterfall, every bar with its number, terms at zero kept.

It is a table drawn by the style sheet: screen readers read it, text keeps its size on a phone, and a browser draws it
in a tenth of the time a charting library takes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from ui.web.drawing.figures import written

TERM_NAMES = {
    "raw_xev": "Expected points",
    "captaincy_uplift": "Captaincy",
    "cs_corr_bonus": "Clean-sheet correlation",
    "progression_carry": "Progression carry",
    "ownership_leverage": "Ownership leverage",
    "variance_term": "Variance",
    "feasibility_penalty": "Feasibility",
    "preferences": "Preferences",
    "transfer_cost": "Transfer cost",
}
"""What the page calls the terms of a fitness; a term of a user's own keeps its name."""


@dataclass(frozen=True, slots=True)
class Bar:
    """One row of a waterfall: where it starts, where it ends, and whether it gains, loses or is the total."""

    term: str
    start: float
    end: float
    kind: str

    @property
    def label(self) -> str:
        """The number beside the bar; the total has no sign, and nothing is lost by less than a hundredth."""
        return f"{self.end:.2f}" if self.kind == "total" else written(self.end - self.start, "{:+.2f}")


def waterfall_bars(terms: Mapping[str, float], total: str) -> tuple[Bar, ...]:
    """Return one bar per term, each from where the one before ended, and the total last."""
    bars, running = [], 0.0
    for name, value in terms.items():
        bars.append(Bar(name, running, running + value, "loss" if value < 0 else "gain"))
        running += value
    return (*bars, Bar(total, 0.0, running, "total"))


def reach(bars: Sequence[Bar]) -> tuple[float, float]:
    """Return from where to where the bars go, zero included."""
    ends = [0.0, *(edge for bar in bars for edge in (bar.start, bar.end))]
    return min(ends), max(ends)


def draw_waterfall(terms: Mapping[str, float], total: str, place: DeltaGenerator | None = None) -> None:
    """Draw the waterfall of these terms, here or in a container."""
    (place or st).html(waterfall_html(terms, total))


def waterfall_html(terms: Mapping[str, float], total: str) -> str:
    """Return the waterfall as a table: the term, its bar, its points."""
    bars = waterfall_bars(terms, total)
    low, high = reach(bars)
    scale = 100 / (high - low or 1.0)
    zero = f"--zero:{(0.0 - low) * scale:.2f}%"
    rows = "".join(_row(bar, low, scale) for bar in bars)
    return (
        f'<table class="xi-fall" data-testid="waterfall" style="{zero}">'
        f'<caption class="xi-hidden">{escape(total)} as the sum of its terms, in points</caption>'
        f"<tbody>{rows}</tbody></table>"
    )


def _row(bar: Bar, low: float, scale: float) -> str:
    left, width = (min(bar.start, bar.end) - low) * scale, abs(bar.end - bar.start) * scale
    return (
        f'<tr class="xi-{bar.kind}"><th scope="row">{escape(bar.term)}</th>'
        f'<td aria-hidden="true"><div><i style="left:{left:.2f}%;width:{width:.2f}%"></i></div></td>'
        f"<td>{bar.label}</td></tr>"
    )
