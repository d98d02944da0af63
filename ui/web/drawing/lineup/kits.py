"""Shirts in the colours of a team, drawn by the style sheet: no picture is fetched, none is shipped.

    shirt_html("ARS") -> '<i class="xi-shirt xi-sleeves" style="--a:#e30613;--b:#ffffff" aria-hidden="true"></i>'

A team that `kits.toml` does not know has one colour that its code gives it, the same on every machine.
"""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from zlib import crc32

KITS = Path(__file__).parent / "kits.toml"
PATTERNS = ("plain", "sleeves", "stripes", "hoops", "halves", "band", "checks")
FREE = ("#3b5b92", "#8a4f7d", "#2f7f79", "#a65d2e", "#5a6b2f", "#7a3b46", "#46628c", "#6a4fa0")
"""Colours for teams that nobody described: dark enough to stand out from a card, light enough from the dark page."""


def shirt_html(code: str, *, small: bool = False) -> str:
    """Return a team's shirt, small beside a line of text."""
    pattern, body, *other = _kits().get(code) or ("plain", FREE[crc32(code.encode()) % len(FREE)])
    second = other[0] if other else body
    size = " xi-small" if small else ""
    return f'<i class="xi-shirt xi-{pattern}{size}" style="--a:{body};--b:{second}" aria-hidden="true"></i>'


@cache
def _kits() -> dict[str, tuple[str, ...]]:
    return {code: tuple(kit) for code, kit in tomllib.loads(KITS.read_text(encoding="utf-8")).items()}
