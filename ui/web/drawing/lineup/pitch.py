"""A line-up on a pitch, as text that a browser can lay out, read aloud and search: shirts included, no picture.

- `pitch_html(lineup, label=…, notes=…)` returns the HTML; every name in it is escaped. `notes` tell what the option
  itself does not: whom to outline, who is new, how difficult his match is, what the game says of him.
- `draw_pitch(lineup, label=…, key=…, notes=…)` puts it on the page and returns the id of the player who was pressed.
  Tests find it by `data-testid="pitch"`, its players by `li.xi-man`, and the squad by `data-squad` (ids in order).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from html import escape
from itertools import groupby
from typing import Protocol

from engine.board.board import Man
from ui.web.drawing.clickable import draw_clickable
from ui.web.drawing.lineup.kits import shirt_html
from ui.web.drawing.lineup.marks import HARDNESS, NO_MARK, Mark, fixture_html, short_name

POPULAR, RARE = 0.15, 0.05
"""Shares of the field's exposure that make a player template or differential, as everywhere in the product."""

LINES = {"GK": "Goalkeeper", "DEF": "Defenders", "MID": "Midfielders", "FWD": "Forwards"}
BADGES = {"C": ("xi-badge xi-c", "captain"), "V": ("xi-badge", "vice-captain")}


@dataclass(frozen=True, slots=True)
class PitchNotes:
    """What is told of the men of a line-up beside the line-up itself."""

    marks: Mapping[int, Mark] = field(default_factory=dict)  # by player id
    sign: str = ""  # of the game's money
    ringed: Set[int] = frozenset()  # player ids to outline, such as those in one of two plans only
    fresh: Set[int] = frozenset()  # ids of those whom a transfer brings


PLAIN = PitchNotes()


class LineUp(Protocol):
    """Whoever has an eleven and a bench: an option of a board, or a round of a plan."""

    @property
    def men(self) -> tuple[Man, ...]:
        """Starters by position, then the bench in order."""


def formation_of(starters: Sequence[Man]) -> str:
    """Return the shape of an eleven, such as 4-4-2."""
    counts = Counter(man.position for man in starters)
    return "-".join(str(counts[position]) for position in list(LINES)[1:])


def draw_pitch(lineup: LineUp, *, key: str, label: str = "Line-up", notes: PitchNotes = PLAIN) -> int | None:
    """Draw the eleven on the pitch and the bench in order; return the id of the player pressed just now."""
    picked = draw_clickable(pitch_html(lineup, label=label, notes=notes), key=key)
    return int(picked) if picked.isdecimal() else None


def pitch_html(lineup: LineUp, *, label: str = "Line-up", notes: PitchNotes = PLAIN) -> str:
    """Return the eleven on the pitch and the bench in order as HTML."""
    starters = [man for man in lineup.men if man.role == "starter"]
    bench = [man for man in lineup.men if man.role != "starter"]
    lines = "".join(
        line_html(LINES.get(position, position), men, notes)
        for position, men in groupby(starters, key=lambda man: man.position)
    )
    squad = ",".join(str(man.player_id) for man in lineup.men)
    return (
        f'<section class="xi-pitch" data-testid="pitch" data-squad="{squad}" '
        f'aria-label="{escape(label)}, {formation_of(starters)}">'
        f'<div class="xi-turf"><span class="xi-box"></span>{lines}</div>'
        '<div class="xi-bench"><h4>Bench, in the order they come on</h4>'
        f"{line_html('Bench, in order', bench, notes)}</div>"
        f"{key_html(notes)}</section>"
    )


def line_html(name: str, men: Iterable[Man], notes: PitchNotes, more: str = "") -> str:
    """Return one line of a pitch; `more` stands behind its men."""
    cards = "".join(_card(man, notes) for man in men) + more
    return f'<ul class="xi-line" aria-label="{escape(name)}">{cards}</ul>'


def _card(man: Man, notes: PitchNotes) -> str:
    mark = notes.marks.get(man.player_id, NO_MARK)
    kind = "xi-popular" if man.eo >= POPULAR else "xi-rare" if man.eo < RARE else "xi-between"
    outlined = " xi-ringed" if man.player_id in notes.ringed else ""
    facts = f"{man.name} ({man.team}, {man.position}): {man.floor:.0f} to {man.ceiling:.0f} points eight times in ten"
    told = f"{facts}. {mark.news}" if mark.news else facts
    return (
        f'<li class="xi-man {kind}{outlined}"><button type="button" data-pick="{man.player_id}" '
        f'title="{escape(told)}">{shirt_html(man.team)}{_badges(man, mark, notes)}'
        f'<span class="xi-tile"><b>{escape(short_name(man.short))}</b>{_only(man, notes)}'
        f'<span class="xi-told"><em>{man.xev:.1f}</em><span class="xi-hidden"> expected points, </span>'
        f'<i class="xi-price">{escape(notes.sign)}{man.price:.1f}m</i>'
        f'<i class="xi-owned">{man.owned:.0%}<span class="xi-hidden"> own him</span></i></span>'
        f"{fixture_html(man.opponent, mark.difficulty)}"
        f'<span class="xi-share"><i style="width:{min(max(man.eo, 0), 1):.0%}"></i></span></span></button></li>'
    )


def _only(man: Man, notes: PitchNotes) -> str:
    return '<span class="xi-hidden"> in this plan only</span>' if man.player_id in notes.ringed else ""


def _badges(man: Man, mark: Mark, notes: PitchNotes) -> str:
    told = ""
    if man.armband in BADGES:
        style, words = BADGES[man.armband]
        told += f'<span class="{style}" aria-hidden="true">{man.armband}</span><span class="xi-hidden">{words} </span>'
    if mark.flag:
        told += (
            f'<span class="xi-flag" aria-hidden="true">{escape(mark.flag)}</span>'
            f'<span class="xi-hidden">{escape(mark.words)}: </span>'
        )
    elif man.player_id in notes.fresh:
        told += '<span class="xi-flag xi-new">new</span>'
    return told


def key_html(notes: PitchNotes) -> str:
    """Return what the colours and marks of a pitch mean, as far as it has them."""
    marks = notes.marks.values()
    parts = []
    if any(mark.difficulty for mark in marks):
        steps = "".join(
            f'<span class="xi-fix xi-d{step}">{step}{f" {word}" if word else ""}</span>'
            for step, word in HARDNESS.items()
        )
        parts.append(f"<li>Match {steps}</li>")
    if any(mark.flag for mark in marks):
        parts.append('<li><span class="xi-flag">75%</span> doubt: chance to play</li>')
    parts.append(
        '<li><span class="xi-share"><i style="width:60%"></i></span> '
        f"share of rivals who have him, <span class='xi-rare-ink'>violet</span> under {RARE:.0%}</li>"
    )
    return f'<ul class="xi-key" aria-label="What the marks on a player mean">{"".join(parts)}</ul>'
