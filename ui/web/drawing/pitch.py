"""A line-up on a pitch, as text that a browser can lay out, read aloud and search: no picture.

- `pitch_html(option, label=…, ringed=frozenset())` returns the HTML; every name in it is escaped. `ringed` holds the
  player ids to outline, such as those in one of two plans only.
- `draw_pitch(option, label=…, ringed=…)` puts it on the page. Tests find it by `data-testid="pitch"`, its players by
  `li.xi-man`, and the squad by `data-squad` (player ids in order).
"""

from __future__ import annotations

from collections.abc import Iterable, Set
from html import escape
from itertools import groupby

import streamlit as st

from engine.board.board import Man, Option

POPULAR, RARE = 0.15, 0.05
"""Shares of the field's exposure that make a player template or differential, as everywhere in the product."""

LINES = {"GK": "Goalkeeper", "DEF": "Defenders", "MID": "Midfielders", "FWD": "Forwards"}
BADGES = {"C": ("xi-badge xi-c", "captain"), "V": ("xi-badge", "vice-captain")}
KEY = (
    ("popular", f"field has {POPULAR:.0%} of him or more"),
    ("between", "in between"),
    ("rare", f"under {RARE:.0%}: a differential if he delivers"),
)


def draw_pitch(option: Option, *, label: str = "Line-up", ringed: Set[int] = frozenset()) -> None:
    """Draw the eleven on the pitch and the bench in order."""
    st.html(pitch_html(option, label=label, ringed=ringed))


def pitch_html(option: Option, *, label: str = "Line-up", ringed: Set[int] = frozenset()) -> str:
    """Return the eleven on the pitch and the bench in order as HTML."""
    starters = [man for man in option.men if man.role == "starter"]
    bench = [man for man in option.men if man.role != "starter"]
    lines = "".join(
        _line(LINES.get(position, position), men, ringed)
        for position, men in groupby(starters, key=lambda man: man.position)
    )
    squad = ",".join(str(man.player_id) for man in option.men)
    return (
        f'<section class="xi-pitch" data-testid="pitch" data-squad="{squad}" '
        f'aria-label="{escape(label)}, {escape(option.formation)}">'
        f'<div class="xi-turf">{lines}<div class="xi-arc"></div></div>'
        f'<div class="xi-bench"><h4>Bench, in order</h4>{_line("Bench, in order", bench, ringed)}</div>'
        f"{_key()}</section>"
    )


def _line(name: str, men: Iterable[Man], ringed: Set[int]) -> str:
    cards = "".join(_card(man, man.player_id in ringed) for man in men)
    return f'<ul class="xi-line" aria-label="{escape(name)}">{cards}</ul>'


def _card(man: Man, ringed: bool) -> str:
    kind = "xi-popular" if man.eo >= POPULAR else "xi-rare" if man.eo < RARE else "xi-between"
    outlined = " xi-ringed" if ringed else ""
    only = '<span class="xi-hidden"> in this plan only</span>' if ringed else ""
    facts = f"{man.name} ({man.team}, {man.position}): {man.floor:.0f} to {man.ceiling:.0f} points eight times in ten"
    return (
        f'<li class="xi-man {kind}{outlined}" title="{escape(facts)}">{_badge(man)}<b>{escape(man.short)}{only}</b>'
        f"<i>{escape(man.team)} v {escape(man.opponent)}</i>"
        f'<em>{man.xev:.1f}<span class="xi-hidden"> expected points</span></em>'
        f'<i><span class="xi-price">{man.price:.1f} · </span>{man.owned:.0%}'
        f'<span class="xi-hidden"> own him</span></i></li>'
    )


def _badge(man: Man) -> str:
    if man.armband not in BADGES:
        return ""
    style, words = BADGES[man.armband]
    return f'<span class="{style}" aria-hidden="true">{man.armband}</span><span class="xi-hidden">{words} </span>'


def _key() -> str:
    items = "".join(f'<li><span style="background:var(--xi-{name})"></span>{text}</li>' for name, text in KEY)
    return f'<ul class="xi-key" aria-label="What the stripe on a player means">{items}</ul>'
