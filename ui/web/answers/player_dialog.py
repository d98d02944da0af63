"""A player's card, opened by a press on him anywhere: what is expected of him and why, and what one may wish of him.

draw_squad(chosen, option, label="Protect", key="pick_0")      a pitch whose players open their cards
open_player(chosen, player_id, option)                         the card; the keyboard's twin is a list of names
"""

from __future__ import annotations

from html import escape

import streamlit as st

from data.domain import POSITIONS
from data.errors import ThetaXIError
from engine.board.board import Option
from engine.fitness.wishes import rows_of
from models.reasons import player_reasons
from models.signals import Signals
from ui.web.answers.player_marks import difficulties, marks_of, notes_of, outlook_of
from ui.web.answers.questions import why_sentence
from ui.web.choice.frame import Chosen, signals_of
from ui.web.choice.players_editor import MUST, NEVER, marked
from ui.web.choice.session import change
from ui.web.drawing.charts.distribution import draw_distribution
from ui.web.drawing.charts.waterfall import draw_waterfall
from ui.web.drawing.escaping import as_markdown
from ui.web.drawing.figures import Figure, figures_html
from ui.web.drawing.lineup.kits import shirt_html
from ui.web.drawing.lineup.marks import NO_MARK, Mark, fixture_html
from ui.web.drawing.lineup.pitch import draw_pitch
from ui.web.drawing.player_card import draw_reasons, larger_terms, player_terms

AHEAD = 5
"""Rounds to come that a card shows."""


def draw_squad(
    chosen: Chosen,
    option: Option,
    *,
    key: str,
    label: str,
    ringed: frozenset[int] = frozenset(),
    fresh: frozenset[int] = frozenset(),
) -> None:
    """Draw a line-up whose players open their cards."""
    pressed = draw_pitch(option, key=key, label=label, notes=notes_of(chosen, ringed, fresh))
    if pressed is not None:
        open_player(chosen, pressed, option)


def open_player(chosen: Chosen, player: int, option: Option | None = None) -> None:
    """Open a player's card; once per run of a page. Who cannot be picked this round has none."""
    signals = signals_of(chosen)
    rows = rows_of((player,), signals)
    if rows:
        name = as_markdown(str(signals.name[rows[0]]))
        st.dialog(name, width="medium")(_draw_card)(chosen, signals, rows[0], option)


def _draw_card(chosen: Chosen, signals: Signals, row: int, option: Option | None) -> None:
    player = int(signals.player_id[row])
    st.html(head_html(signals, row, marks_of(chosen).get(player, NO_MARK), chosen.rules.currency))
    _draw_wishes(chosen, player)
    if option is not None and row not in option.rows:
        _draw_why_not(chosen, row, option)
    st.html(ahead_html(chosen, row))
    lines, many = st.columns(2)
    with lines:
        st.markdown("**Where his points come from**")
        draw_waterfall(larger_terms(player_terms(signals, row)), "Expected")
    with many:
        st.markdown("**How many, how likely**")
        low, mean, high = (float(column[row]) for column in (signals.floor, signals.xev, signals.ceiling))
        words = f"{mean:.2f} points expected, {low:.0f} to {high:.0f} eight times in ten"
        chart = draw_distribution(signals.points.mass[row], low, mean, high)
        st.altair_chart(chart, width="stretch", key="card_distribution", alt=words)
    draw_reasons(player_reasons(signals, chosen.snapshot, row))


def head_html(signals: Signals, row: int, mark: Mark, sign: str) -> str:
    """Return shirt, club, price and status, the four figures, and what the game writes about him."""
    place, team = POSITIONS[signals.position[row]], str(signals.codes[row])
    low, high = signals.floor[row], signals.ceiling[row]
    flag = f'<span class="xi-flag">{escape(mark.flag)}</span> {escape(mark.words)}' if mark.flag else "fit"
    news = f'<p class="xi-news">{escape(mark.news)}</p>' if mark.news else ""
    figures = (
        Figure("Expected", f"{signals.xev[row]:.1f}", f"{low:.0f} to {high:.0f}, 8 in 10"),
        Figure("Price", f"{sign}{signals.price[row]:.1f}m", f"{signals.xev[row] / signals.price[row]:.2f} a million"),
        Figure("Owned", f"{signals.owned[row]:.0%}", "of all managers"),
        Figure("Counts for rivals", f"{signals.exposure.eo[row]:.0%}", "of his points, on average"),
    )
    return (
        f'<div class="xi-face"><span class="xi-worn">{shirt_html(team)}</span>'
        f"<span>{escape(team)}, {place} · {flag}</span></div>"
        f"{news}{figures_html(figures)}"
    )


def ahead_html(chosen: Chosen, row: int) -> str:
    """Return his next matches with what is expected of him in each."""
    outlook = outlook_of(chosen)
    hard = difficulties(outlook)
    cells = "".join(
        f"<li><small>{escape(chosen.rules.round_title(number))}</small>"
        f"{fixture_html(str(outlook.opponents[row, place]), int(hard[row, place]) or None)}"
        f"<b>{outlook.xev[row, place]:.1f}</b></li>"
        for place, number in enumerate(outlook.rounds[:AHEAD])
    )
    return f'<ol class="xi-ahead" aria-label="Next matches, with expected points">{cells}</ol>'


def _draw_wishes(chosen: Chosen, player: int) -> None:
    """Draw the wishes one may have about him; a wish closes the card and changes the plan."""
    plan = chosen.plan
    locked, banned, captain = player in plan.locks, player in plan.bans, player == plan.captain
    with st.container(horizontal=True, key="card_wishes"):
        for column, on, title, back in (
            (MUST, locked, "Must have", "No longer a must"),
            (NEVER, banned, "Never pick", "Allow him again"),
        ):
            if st.button(back if on else title, key=f"card_{column}"):
                locks, bans = marked(plan.locks, plan.bans, player, column, not on)
                _wish(locks=locks, bans=bans, **({"captain": None} if captain and player in bans else {}))
        if st.button("Not captain by force" if captain else "Make him captain", key="card_captain", disabled=banned):
            _wish(captain=None if captain else player)


def _wish(**changes: object) -> None:
    change(**changes)
    st.rerun()


def _draw_why_not(chosen: Chosen, row: int, option: Option) -> None:
    if chosen.plan.theta is None:
        return
    if st.button("Why not him?", key="card_why", icon=":material/help:"):
        try:
            st.markdown(f"**{as_markdown(why_sentence(chosen, row, option))}**")
        except ThetaXIError as error:
            st.warning(as_markdown(str(error)), icon=":material/block:")
