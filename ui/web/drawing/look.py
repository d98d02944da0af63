"""How the pages look beyond Streamlit's theme: one palette, one style sheet, light and dark.

`style_sheet(dark)` is injected once per page by `frame.guarded`. `term_colours(dark)` are the seven colours that
stay apart under three kinds of colour blindness (worst pair ΔE 21.8 light, 20.5 dark); text stands beside each.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

STYLE = Path(__file__).parent / "style.css"
LIGHT_TERMS = ("#121a7e", "#a48a14", "#9190a4", "#006e59", "#a218f0", "#522100", "#0a0011")
DARK_TERMS = ("#4f6dd2", "#f1ff3e", "#716c73", "#23be69", "#bfaff3", "#9d5000", "#d4fff2")


@dataclass(frozen=True, slots=True)
class Palette:
    """The colours of a page; every text colour has at least 4.5 : 1 on its ground."""

    ink: str  # text
    quiet: str  # text of less weight
    card: str
    edge: str
    turf: str
    stripe: str
    lines: str
    bench: str
    popular: str
    between: str
    rare: str
    armband: str
    vice: str
    ring: str
    gain: str  # bars of a waterfall, 3 : 1 or more on the page
    loss: str
    total: str
    on_primary: str  # text on a primary button: no one green passes under white text and as text itself


LIGHT = Palette(
    ink="#14201b",
    quiet="#4c5a54",
    card="#ffffff",
    edge="#d5ddd8",
    turf="#2f8a55",
    stripe="#2a7f4d",
    lines="rgba(255,255,255,.55)",
    bench="#edf1ee",
    popular="#121a7e",
    between="#9190a4",
    rare="#a218f0",
    armband="#ffd23f",
    vice="#e6e9f2",
    ring="#ffd23f",
    gain="#006e59",
    loss="#a218f0",
    total="#6f6e85",
    on_primary="#ffffff",
)
DARK = Palette(
    ink="#eef4f0",
    quiet="#b3c1ba",
    card="#14201b",
    edge="#33433b",
    turf="#1c5a37",
    stripe="#185031",
    lines="rgba(255,255,255,.35)",
    bench="#1a2420",
    popular="#7f9bff",
    between="#8c8892",
    rare="#d3b8ff",
    armband="#ffd23f",
    vice="#d9def0",
    ring="#ffd23f",
    gain="#23be69",
    loss="#bfaff3",
    total="#8c8892",
    on_primary="#04150c",
)


def palette(dark: bool) -> Palette:
    """Return the colours of the page the visitor sees."""
    return DARK if dark else LIGHT


def term_colours(dark: bool) -> tuple[str, ...]:
    """Return the seven colours of terms."""
    return DARK_TERMS if dark else LIGHT_TERMS


def style_sheet(dark: bool) -> str:
    """Return the style of everything we draw ourselves."""
    colours = palette(dark)
    named = "".join(f"--xi-{name.replace('_', '-')}:{getattr(colours, name)};" for name in colours.__slots__)
    return f"<style>.stApp{{{named}}}{_style()}</style>"


@cache
def _style() -> str:
    return STYLE.read_text(encoding="utf-8")
