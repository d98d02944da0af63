"""How the pages look beyond Streamlit's theme: one palette, one style sheet, light and dark.

`style_sheet(dark)` is injected once per page by `frame.guarded`. `term_colours(dark)` are the seven colours that
stay apart under three kinds of colour blindness (worst pair ΔE 21.8 light, 20.5 dark); text stands beside each.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import streamlit as st

STYLE = Path(__file__).parent / "style.css"
LIGHT_TERMS = ("#121a7e", "#a48a14", "#9190a4", "#006e59", "#a218f0", "#522100", "#0a0011")
DARK_TERMS = ("#4f6dd2", "#f1ff3e", "#716c73", "#23be69", "#bfaff3", "#9d5000", "#d4fff2")
COLOURS = {
    "ink": ("#14201b", "#eef4f0"),  # text
    "quiet": ("#4c5a54", "#b3c1ba"),  # text of less weight
    "card": ("#ffffff", "#14201b"),
    "edge": ("#d5ddd8", "#33433b"),
    "turf": ("#2f8a55", "#1c5a37"),
    "stripe": ("#2a7f4d", "#185031"),
    "lines": ("rgba(255,255,255,.55)", "rgba(255,255,255,.35)"),
    "bench": ("#edf1ee", "#1a2420"),
    "popular": ("#121a7e", "#7f9bff"),
    "between": ("#9190a4", "#8c8892"),
    "rare": ("#a218f0", "#d3b8ff"),
    "armband": ("#ffd23f", "#ffd23f"),
    "vice": ("#e6e9f2", "#d9def0"),
    "ring": ("#ffd23f", "#ffd23f"),
    "gain": ("#006e59", "#23be69"),  # bars of a waterfall, 3 : 1 or more on the page
    "loss": ("#a218f0", "#bfaff3"),
    "total": ("#6f6e85", "#8c8892"),
    "on_primary": ("#ffffff", "#04150c"),  # text on a green button: no green passes under white text and as text itself
}
"""The colours of a page, light and dark; every text colour has at least 4.5 : 1 on its ground."""

DRAWER = "[data-testid=stSidebar][data-collapsed=false] [data-testid=stSidebarCollapseButton] button"
NARROW = 768  # pixels, up to which Streamlit lays the drawer over the page


def palette(dark: bool) -> dict[str, str]:
    """Return the colours of the page the visitor sees, by name."""
    return {name: colours[dark] for name, colours in COLOURS.items()}


def term_colours(dark: bool) -> tuple[str, ...]:
    """Return the seven colours of terms."""
    return DARK_TERMS if dark else LIGHT_TERMS


def style_sheet(dark: bool) -> str:
    """Return the style of everything we draw ourselves."""
    named = "".join(f"--xi-{name.replace('_', '-')}:{colour};" for name, colour in palette(dark).items())
    return f"<style>:root{{{named}}}{_style()}</style>"


def draw_closed_drawer(page: str) -> None:
    """Close the drawer of pages that lies over a narrow page, once for each page that is opened.

    Streamlit does so on telephones, and leaves it open in any other narrow window.
    """
    close = f"if (innerWidth <= {NARROW}) document.querySelector('{DRAWER}')?.click()"
    with st.container(key="drawer"):
        st.html(f"<script>/* {page} */ {close}</script>", unsafe_allow_javascript=True)


@cache
def _style() -> str:
    return STYLE.read_text(encoding="utf-8")
