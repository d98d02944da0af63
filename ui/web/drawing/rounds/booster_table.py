"""When to play each booster: what it adds in every legal round, its best round marked, and what waiting is worth."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from engine.plan.advice.chips import BoosterRow, booster_words
from ui.web.drawing.figures import written

STRONGEST = 60
"""Percent of the tint in the cell of the highest value."""


def boosters_html(rows: Sequence[BoosterRow], titles: Sequence[str], heads: Sequence[str]) -> str:
    """Return the boosters as a table with a sentence for each; nothing where none is left."""
    if not rows:
        return '<p class="xi-line-of">No booster is left.</p>'
    most = max([1.0, *(points for row in rows for points in row.points if points is not None)])
    columns = "".join(f'<th scope="col">{escape(head)}</th>' for head in (*heads, "Kept"))
    body = "".join(_row(row, most) for row in rows)
    told = "".join(f"<li>{escape(booster_words(row, titles))}</li>" for row in rows)
    return (
        '<div class="xi-scroll" role="region" tabindex="0" aria-label="Boosters by round">'
        '<table class="xi-ticker" data-testid="boosters">'
        '<caption class="xi-hidden">Points that each booster adds by round, a star at the best</caption>'
        f"<thead><tr><td></td>{columns}</tr></thead><tbody>{body}</tbody></table></div>"
        f'<ul class="xi-rules">{told}</ul>'
    )


def _row(row: BoosterRow, most: float) -> str:
    cells = "".join(
        _cell(points, place == row.best, place == row.played, most) for place, points in enumerate(row.points)
    )
    kept = _cell(row.keeping, row.best is None, row.played is None, most)
    return f'<tr><th scope="row">{escape(row.title)}</th>{cells}{kept}</tr>'


def _cell(points: float | None, best: bool, played: bool, most: float) -> str:
    if points is None:
        return '<td class="xi-gain-of">–</td>'
    share = max(0.0, min(points / most, 1.0)) * STRONGEST
    tint = f"background:color-mix(in srgb,var(--xi-band) {share:.0f}%,transparent)"
    star = "★ " if best else ""
    mark = ' class="xi-gain-of xi-played"' if played else ' class="xi-gain-of"'
    hidden = '<span class="xi-hidden"> planned</span>' if played else ""
    return f'<td{mark} style="{tint}">{star}{written(points, "{:.1f}")}{hidden}</td>'
