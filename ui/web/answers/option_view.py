"""One option of a board as a manager reads it: four numbers, the pitch, the armband's rule, why, and what to take away.

Other pages may use the parts: `draw_four`, `draw_why_it_scores`, `draw_armband`, `player_rows`, `draw_player_table`,
`draw_take_away`, `lineup_text`, `marked_terms`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import tzinfo
from html import escape

import pandas as pd
import streamlit as st

from engine.board.board import Board, Man, Option
from engine.board.export import lineup_csv
from engine.fitness.explanation import Decomposition
from ui.web.answers.player_dialog import draw_squad
from ui.web.answers.transfer_card import draw_remarks, draw_transfer_card
from ui.web.choice.frame import Chosen, judge_of
from ui.web.drawing.armband_timeline import draw_armband_timeline
from ui.web.drawing.charts.waterfall import TERM_NAMES, draw_waterfall
from ui.web.drawing.clock import kickoff_time, local_time, visitor_zone, zone_name
from ui.web.drawing.escaping import as_markdown
from ui.web.drawing.figures import Figure, draw_figures
from ui.web.drawing.plain_table import ShownColumn, draw_table
from ui.web.drawing.words import FIGURE_HELP, TERM_HELP, term_help

FIRST_RULES = 3
"""Rules of the armband that everybody needs: whom to start with, when to move on, and when he does not play."""

FIGURES_TOLD = {"Expected": "expected", "8 in 10": "range", "EO": "eo"}
"""Figures of an option whose help stands before that of the terms."""

PLAYER_COLUMNS = {
    "Price": ShownColumn("{:.1f}", "Millions"),
    "xEV": ShownColumn("{:.2f}", "Expected points of the round"),
    "Floor": ShownColumn("{:.0f}", "Reached nine times in ten"),
    "Ceiling": ShownColumn("{:.0f}", "Passed one time in ten"),
    "Starts": ShownColumn("{:.0%}", "Chance to be in the eleven"),
    "Owned": ShownColumn("{:.1%}", "Share of all managers who own him"),
    "EO": ShownColumn("{:.1%}", "Exposure of the field: owned and started, plus armbands"),
}

PROVISIONAL = "\\* rests on a rule that the official rules do not confirm yet."


def option_names(count: int) -> list[str]:
    """Return what so many options of a board are called."""
    return ["Recommended", *(f"Option {number}" for number in range(2, count + 1))]


def draw_option(chosen: Chosen, board: Board, option: Option, *, key: str) -> None:
    """Draw an option: the pitch beside its figures and reasons, then the armband, player by player."""
    left, right = st.columns([7, 5], gap="medium")
    fresh = frozenset(new_players(option))
    with left:
        draw_squad(chosen, option, key=f"pitch_{key}", label=f"{board.title}, {board.objective}", fresh=fresh)
        draw_take_away(board, option, key)
    with right:
        draw_four(option, judge_of(chosen).view.pool.budget, chosen.rules.currency)
        if option.transfers is not None:
            draw_transfer_card(option.transfers)
        draw_remarks(option.remarks)
        draw_why_it_scores(option)
        draw_case_against(option)
    draw_armband(option)
    draw_player_table(option)


def new_players(option: Option) -> Iterator[int]:
    """Yield the ids of the players whom the transfers of an option bring."""
    came = {move.into_row for move in option.transfers.moves} if option.transfers else set()
    return (man.player_id for man in option.men if man.row in came)


def draw_four(option: Option, budget: float, sign: str = "") -> None:
    """Draw expected points, their range, the captain and what is spent."""
    with st.container(key="four"):
        draw_figures(four_figures(option, budget, sign))


def four_figures(option: Option, budget: float, sign: str = "") -> tuple[Figure, ...]:
    """Return what a manager asks first of a squad."""
    low, high = option.swing
    captain = option.captain
    return (
        Figure("Expected", f"{option.expected:.1f}", f"points this round{_hits(option)}"),
        Figure("8 in 10", f"{low:.0f}–{high:.0f}", f"{option.decomposition.band} swing"),
        Figure("Captain", captain.short, f"{captain.team} v {captain.opponent}, {captain.xev:.1f} expected"),
        Figure("Spent", f"{sign}{option.price:.1f}m", f"{round(budget - option.price, 1) + 0.0:.1f}m left"),
    )


def _hits(option: Option) -> str:
    """Return what hits took off, where there are any."""
    return f", {option.transfers.cost:.0f} of hits taken off" if option.transfers and option.transfers.hits else ""


def draw_armband(option: Option) -> None:
    """Draw what to do with the armband, times in the visitor's zone."""
    zone = visitor_zone()
    said = option.ladder_at(lambda kickoff: local_time(kickoff, zone))
    st.markdown("**The armband**")
    draw_armband_timeline(option, zone)
    st.html(_list((*said[:FIRST_RULES], *said[FIRST_RULES:][-1:]), "armband"))
    if said[FIRST_RULES:-1]:
        with st.expander("The whole ladder, match by match"):
            st.html(_list(said[FIRST_RULES:-1]))
    st.caption(f"Times are {zone_name(zone)}.")


def draw_why_it_scores(option: Option) -> None:
    """Draw the score as the sum of its terms, zeros included, with help on each."""
    result = option.decomposition
    st.markdown(f"**Why it scores {result.fitness:.1f} under {result.spec}**")
    with st.container(key="fall"):
        draw_waterfall(marked_terms(result), "Score")
    if result.provisional:
        st.caption(PROVISIONAL)
    with st.popover("What the numbers mean", icon=":material/help:"):
        st.markdown(help_on(result))


def help_on(result: Decomposition) -> str:
    """Return what the figures of an option and the terms of its score mean, a heading for each."""
    figures = [f"##### {title}\n\n{FIGURE_HELP[name]}" for title, name in FIGURES_TOLD.items()]
    terms = [
        f"##### {TERM_NAMES.get(name, name)}\n\n{term_help(name)}" if name in TERM_HELP else term_help(name)
        for name in result.terms
    ]
    return "\n\n".join([*figures, *terms])


def marked_terms(result: Decomposition) -> dict[str, float]:
    """Return the terms as the page calls them, provisional ones marked."""
    return {
        TERM_NAMES.get(name, name) + (" *" if name in result.provisional else ""): value
        for name, value in result.terms.items()
    }


def draw_case_against(option: Option) -> None:
    """Draw the substitution watch, the strongest case against the squad, and how it differs from the recommended."""
    if option.decomposition.watch:
        st.warning(as_markdown(f"Watch: {option.decomposition.watch}"), icon=":material/visibility:")
    st.info(as_markdown(f"Against it: {option.dissent}"), icon=":material/gavel:")
    if option.differences:
        with st.expander("Against the recommended squad", expanded=True):
            st.html(_list(option.differences))
    if option.lineage:
        with st.expander("Where it comes from"):
            st.html(_list((option.lineage, *option.repairs)))


def _list(lines: tuple[str, ...], name: str = "") -> str:
    items = "".join(f"<li>{escape(line)}</li>" for line in lines)
    return f'<ul class="xi-rules" data-testid="{name or "lines"}">{items}</ul>'


def player_rows(option: Option, zone: tzinfo) -> pd.DataFrame:
    """Return the players of an option as a table, starters first, then the bench in order."""
    return pd.DataFrame(
        [
            {
                "Role": f"{man.role.capitalize()}{_armband(man.armband)}",
                "Player": man.name,
                "Position": man.position,
                "Team": man.team,
                "Opponent": man.opponent,
                "Kick-off": kickoff_time(man.kickoff, zone),
                "Price": man.price,
                "xEV": man.xev,
                "Floor": man.floor,
                "Ceiling": man.ceiling,
                "Starts": man.start,
                "Owned": man.owned,
                "EO": man.eo,
            }
            for man in option.men
        ]
    )


def _armband(mark: str) -> str:
    return {"C": ", captain", "V": ", vice"}.get(mark, "")


def draw_player_table(option: Option) -> None:
    """Draw the squad player by player."""
    zone = visitor_zone()
    st.markdown("**By player**")
    columns = PLAYER_COLUMNS | {"Kick-off": ShownColumn(help=f"In {zone_name(zone)}")}
    draw_table(player_rows(option, zone), "The squad by player", columns)


def draw_take_away(board: Board, option: Option, key: str) -> None:
    """Draw the download of the line-up and its text for copying."""
    with st.container(horizontal=True):
        name = f"thetaxi-{board.world}-{board.round}-{board.objective}.csv"
        draw_download("Download line-up", lambda: lineup_csv(option), name, f"download_{key}")
        with st.popover("Copy as text", icon=":material/content_copy:"):
            st.code(lineup_text(board, option), language=None)


def draw_download(label: str, table: Callable[[], str], name: str, key: str, *, help: str | None = None) -> None:
    """Draw the button that saves a table as a file that spreadsheets open."""
    st.download_button(
        label,
        data=lambda: table().encode("utf-8-sig"),
        file_name=name,
        mime="text/csv",
        on_click="ignore",
        type="primary",
        icon=":material/download:",
        key=key,
        help=help,
    )


def lineup_text(board: Board, option: Option) -> str:
    """Return the line-up as plain lines, for a chat; My team reads them again."""
    starters = [man for man in option.men if man.role == "starter"]
    groups: Mapping[str, list[str]] = {
        position: [
            f"{_told(man)}{f' ({man.armband})' * bool(man.armband)}" for man in starters if man.position == position
        ]
        for position in dict.fromkeys(man.position for man in starters)
    }
    bench = [_told(man) for man in option.men if man.role != "starter"]
    card = option.transfers
    moves = [f"{move.out} → {move.into}" for move in card.moves] if card else []
    low, high = option.swing
    return "\n".join(
        [
            f"{board.title} · {board.objective} · {option.formation}",
            *(f"{position}: {', '.join(names)}" for position, names in groups.items()),
            f"Bench: {', '.join(bench)}",
            *([f"Transfers: {', '.join(moves)}", card.headline] if card and moves else []),
            f"Expected {option.expected:.1f}, {low:.0f} to {high:.0f} eight times in ten, {option.price:.1f}m",
        ]
    )


def _told(man: Man) -> str:
    """Return a man so that the text can be read again: his whole name and his team."""
    return f"{man.name} ({man.team})" if f"({man.team})" not in man.name else man.name
