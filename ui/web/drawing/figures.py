"""A few large figures side by side, each with its name above it and a few words below; nothing of them is cut."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import NamedTuple

import streamlit as st


class Figure(NamedTuple):
    """One figure."""

    name: str
    value: str
    more: str


def written(value: object, form: str) -> str:
    """Return a number in a form such as "{:+.2f}"; what rounds to nothing has no minus."""
    text = form.format(value)
    return form.format(0.0) if text == form.format(-0.0) else text


def span_words(low: float, high: float) -> str:
    """Return a range in whole points, such as 33–79; of one that begins below nothing -2 to 64."""
    ends = [written(end, "{:.0f}") for end in (low, high)]
    return (" to " if ends[0].startswith("-") else "–").join(ends)


def draw_figures(figures: Sequence[Figure]) -> None:
    """Draw figures, four in a row where there is room."""
    st.html(figures_html(figures))


def figures_html(figures: Sequence[Figure]) -> str:
    """Return figures as a list of terms and values."""
    drawn = "".join(
        f'<div><dt>{escape(name)}</dt><dd class="xi-big">{escape(value)}</dd>'
        f'<dd class="xi-small">{escape(more)}</dd></div>'
        for name, value, more in figures
    )
    return f'<dl class="xi-four" data-testid="four">{drawn}</dl>'
