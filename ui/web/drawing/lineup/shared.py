"""What several squads have in common, on a pitch: their shared players, and a free place for each that is not. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from html import escape

from engine.board.board import Man
from ui.web.drawing.lineup.pitch import LINES, LineUp, PitchNotes, key_html, line_html

OPEN = '<li class="xi-man xi-open"><span>differs</span></li>'


def shared_men(lineups: Sequence[LineUp]) -> tuple[Man, ...]:
    """Return the men whom all squads have, as the first has them."""
    others = [{man.player_id: man for man in lineup.men} for lineup in lineups[1:]]
    shared = [man for man in lineups[0].men if all(man.player_id in ids for ids in others)]
    return tuple(
        man if all(ids[man.player_id].armband == man.armband for ids in others) else replace(man, armband="")
        for man in shared
    )


def shared_html(lineups: Sequence[LineUp], notes: PitchNotes, label: str) -> str:
    """Return the shared men by position, with open places for the others; who starts is the plan's own choice."""
    shared = shared_men(lineups)
    ids, lines = ",".join(str(man.player_id) for man in shared), ""
    for position, name in LINES.items():
        men = [man for man in shared if man.position == position]
        places = sum(man.position == position for man in lineups[0].men)
        lines += line_html(name, men, notes, OPEN * (places - len(men)))
    return (
        f'<section class="xi-pitch" data-testid="shared" data-shared="{ids}" '
        f'aria-label="{escape(label)}"><div class="xi-turf xi-whole"><span class="xi-box"></span>{lines}</div>'
        f"{key_html(notes)}</section>"
    )
