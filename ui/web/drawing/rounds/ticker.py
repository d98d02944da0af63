"""Fixtures of a squad over rounds, coloured by difficulty with the figure beside, blanks and doubles told. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from ui.web.drawing.lineup.kits import shirt_html
from ui.web.drawing.lineup.marks import fixture_html


@dataclass(frozen=True, slots=True)
class TickerRow:
    """One man, or one club, over the rounds."""

    name: str
    team: str
    fixtures: tuple[tuple[str, int], ...]  # opponent and difficulty of each round, 0 without a match
    note: str = ""  # such as "Virgil from 22"
    starts: int | None = None  # the column from which he is there


def ticker_html(heads: Sequence[str], rows: Sequence[TickerRow], label: str) -> str:
    """Return the fixtures as a table."""
    cells = "".join(f'<th scope="col">{escape(head)}</th>' for head in heads)
    body = "".join(_row(row) for row in rows)
    return (
        f'<div class="xi-scroll" role="region" tabindex="0" aria-label="{escape(label)}">'
        '<table class="xi-ticker" data-testid="ticker">'
        f'<caption class="xi-hidden">{escape(label)}</caption><thead><tr><td></td>{cells}</tr></thead>'
        f"<tbody>{body}</tbody></table></div>"
    )


def _row(row: TickerRow) -> str:
    note = f" <small>{escape(row.note)}</small>" if row.note else ""
    cells = "".join(
        f"<td{' class=xi-from' if place == row.starts else ''}>{fixture_html(opponent, step or None)}</td>"
        for place, (opponent, step) in enumerate(row.fixtures)
    )
    shirt = f'<span class="xi-worn">{shirt_html(row.team, small=True)}</span>'
    return f'<tr><th scope="row">{shirt} {escape(row.name)}{note}</th>{cells}</tr>'
