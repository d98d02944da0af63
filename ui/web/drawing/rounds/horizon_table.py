"""Players over the rounds to come as one table: fixtures coloured by difficulty, points, value, exposure. Pure HTML."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from ui.web.drawing.figures import written
from ui.web.drawing.lineup.kits import shirt_html
from ui.web.drawing.lineup.marks import fixture_html
from ui.web.plans.horizon import HorizonRow

FIGURES = ("Points", "Per £m", "EO")
PRICE = "Price"
"""Heads of the figures behind the fixtures, and of the price change to come where the game tells of any."""


def horizon_html(heads: Sequence[str], rows: Sequence[HorizonRow], label: str, sign: str) -> str:
    """Return players with their fixtures; a press on a name opens his card."""
    priced = any(row.change is not None for row in rows)
    titles = [*heads, *(head.replace("£", sign) for head in FIGURES), *([PRICE] if priced else [])]
    cells = "".join(f'<th scope="col">{escape(head)}</th>' for head in titles)
    return (
        f'<div class="xi-scroll" role="region" tabindex="0" aria-label="{escape(label)}">'
        '<table class="xi-ticker xi-horizon" data-testid="horizon">'
        f'<caption class="xi-hidden">{escape(label)}</caption><thead><tr><td></td>{cells}</tr></thead>'
        f"<tbody>{''.join(_row(row, priced=priced) for row in rows)}</tbody></table></div>"
    )


def _row(row: HorizonRow, *, priced: bool) -> str:
    man = row.ticker
    shirt = f'<span class="xi-worn">{shirt_html(man.team, small=True)}</span>'
    fixtures = "".join(f"<td>{fixture_html(opponent, step or None)}</td>" for opponent, step in man.fixtures)
    change = "–" if row.change is None else written(row.change, "{:+.0f}%")
    figures = "".join(
        f'<td class="xi-gain-of">{told}</td>'
        for told in (f"<b>{row.points:.1f}</b>", f"{row.value:.2f}", f"{row.eo:.0f}%", *([change] if priced else []))
    )
    name = f'<button type="button" class="xi-name" data-pick="{row.player_id}">{escape(man.name)}</button>'
    return f'<tr><th scope="row">{shirt} {name}</th>{fixtures}{figures}</tr>'
