"""How the pages look beyond Streamlit's theme: one palette, one style sheet that follows light and dark by itself.

`style_sheet()` is injected once per page by `frame.guarded`. `term_colours(dark)` are the seven colours that stay
apart under three kinds of colour blindness (worst pair ΔE 21.8 light, 20.5 dark); text stands beside each.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import streamlit as st

STYLES = Path(__file__).parent / "styles"
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
    "vice": ("#14201b", "#14201b"),
    "ring": ("#ffd23f", "#ffd23f"),
    "doubt": ("#ffb020", "#ffb020"),
    "fix0": ("#ffffff", "#0f1613"),  # no match; then from easy to hard, each with its ink
    "fix0_ink": ("#4c5a54", "#b3c1ba"),
    "fix1": ("#0b6b3a", "#2fbf74"),
    "fix1_ink": ("#ffffff", "#04150c"),
    "fix2": ("#a9e3bd", "#1b4d33"),
    "fix2_ink": ("#0c2b19", "#d9f5e4"),
    "fix3": ("#e3e6ea", "#36423c"),
    "fix3_ink": ("#1c2420", "#eef4f0"),
    "fix4": ("#ffc9a3", "#6b3a18"),
    "fix4_ink": ("#3d1c05", "#ffe3cf"),
    "fix5": ("#9b1c31", "#c2334a"),
    "fix5_ink": ("#ffffff", "#ffffff"),
    "brand": ("#006e59", "#2fd283"),
    "tint": ("#e3f3ec", "#12342a"),  # of what is selected
    "chip": ("#7a12b8", "#c99bf0"),  # boosters
    "chip_ink": ("#ffffff", "#1c0330"),
    "chip_tint": ("#f9f1fd", "#241530"),
    "answer": ("#0d3b2e", "#0f4d3c"),  # the one loud card
    "answer_ink": ("#ffffff", "#ffffff"),
    "answer_quiet": ("#b9d8cb", "#b9d8cb"),
    "answer_good": ("#8ff0bd", "#8ff0bd"),
    "band": ("#7dbfa5", "#2f7f61"),  # of a range
    "track": ("#e3e8e5", "#2a3731"),
    "soon": ("#fff1cf", "#4a3a10"),  # how long there is left
    "soon_ink": ("#6b4700", "#ffdf8a"),
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


@cache
def style_sheet() -> str:
    """Return the style of everything we draw ourselves; the browser takes the light or the dark colours."""
    named = "".join(
        f"--xi-{name.replace('_', '-')}:light-dark({light},{dark});" for name, (light, dark) in COLOURS.items()
    )
    sheets = "".join(sheet.read_text(encoding="utf-8") for sheet in sorted(STYLES.glob("*.css")))
    return f"<style>:root{{{named}}}{sheets}</style>"


def draw_closed_drawer(page: str) -> None:
    """Close the drawer of pages that lies over a narrow page, once for each page that is opened.

    Streamlit does so on telephones, and leaves it open in any other narrow window.
    """
    close = f"if (innerWidth <= {NARROW}) document.querySelector('{DRAWER}')?.click()"
    with st.container(key="drawer"):
        st.html(f"<script>/* {page} */ {close}</script>", unsafe_allow_javascript=True)
