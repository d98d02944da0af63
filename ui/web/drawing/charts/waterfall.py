"""A score as the sum of its named terms: a horizontal waterfall, every bar with its number, zeros one click away.

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
    "captaincy_uplift": "Captain again",
    "cs_corr_bonus": "Clean sheets together",
    "progression_carry": "Rounds to come",
    "ownership_leverage": "Rivals' ownership",
    "variance_term": "Swing",
    "feasibility_penalty": "Rules broken",
    "preferences": "Your preferences",
    "transfer_cost": "Transfer hits",
}
"""What the page calls the terms of a fitness; a term of a user's own keeps its name."""

SHOWN = 0.005
"""Points: a smaller term is written as 0.00."""

LARGE, ROOM, SLIVER = 0.75, 0.25, 0.02
"""The axis is cut where all sums lie above this share of the largest; what stays of the bars below, of the spread of
the sums and of the largest."""


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
    """Return from where to where the bars are drawn.

    Zero is included, unless one large term would leave the others a few pixels: the axis then begins further up.
    """
    edges = [edge for bar in bars for edge in (bar.start, bar.end)]
    steps = [bar.end for bar in bars]
    low, high = min(steps), max(steps)
    if min(edges) >= 0 and low > LARGE * high and len(bars) > 2:
        return low - (high - low) * ROOM - SLIVER * high, high
    return min(0.0, *edges), max(0.0, *edges)


def draw_waterfall(terms: Mapping[str, float], total: str, place: DeltaGenerator | None = None) -> None:
    """Draw the waterfall of these terms, here or in a container."""
    (place or st).html(waterfall_html(terms, total))


def waterfall_html(terms: Mapping[str, float], total: str) -> str:
    """Return the waterfall as a table: the term, its bar, its points; terms at zero are folded into one line."""
    zeros = [name for name, value in terms.items() if abs(value) < SHOWN]
    bars = waterfall_bars({name: value for name, value in terms.items() if name not in zeros}, total)
    low, high = reach(bars)
    scale = 100 / (high - low or 1.0)
    zero = f"--zero:{max(0.0 - low, 0.0) * scale:.2f}%"
    rows = "".join(_row(bar, low, scale) for bar in bars)
    cut = f"; the bars begin at {low:.0f}" if low > 0 else ""
    return (
        f'<table class="xi-fall" data-testid="waterfall" style="{zero}">'
        f'<caption class="xi-hidden">{escape(total)} as the sum of its terms, in points{cut}</caption>'
        f"<tbody>{rows}</tbody></table>{_folded(zeros)}"
    )


def _row(bar: Bar, low: float, scale: float) -> str:
    begin = max(min(bar.start, bar.end), low)
    left, width = (begin - low) * scale, (max(bar.start, bar.end) - begin) * scale
    cut = ' class="xi-cut"' if min(bar.start, bar.end) < low else ""
    return (
        f'<tr class="xi-{bar.kind}"><th scope="row">{escape(bar.term)}</th>'
        f'<td aria-hidden="true"><div><i{cut} style="left:{left:.2f}%;width:{width:.2f}%"></i></div></td>'
        f"<td>{bar.label}</td></tr>"
    )


def _folded(names: Sequence[str]) -> str:
    """Return the terms at zero as a line that opens."""
    if not names:
        return ""
    count = "One term is" if len(names) == 1 else f"{len(names)} terms are"
    return f'<details class="xi-zeros"><summary>{count} zero</summary>{escape(", ".join(names))}</details>'
