"""Pick: the objective, and the squads it asks for, each with its reasons and what speaks against it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from html import escape

import streamlit as st

from data.errors import InfeasibleError
from engine.board.board import Board, Option
from ui.web.answers.data_report import stale_warnings, world_facts
from ui.web.answers.opponents_view import draw_opponents
from ui.web.answers.option_view import draw_option, option_names
from ui.web.answers.questions import draw_boosters, draw_why_not
from ui.web.choice.armband_rule import draw_armband_doubt
from ui.web.choice.frame import Chosen, choose_round, draw_notes, objective_of
from ui.web.choice.objective_choice import TITLES, draw_cards, draw_objective, draw_standing, meaning, standing_line
from ui.web.choice.wishes import draw_way_out, draw_wish_bar, draw_wishes
from ui.web.drawing.clock import countdown, local_time, visitor_zone, zone_name
from ui.web.drawing.escaping import as_markdown
from ui.web.pages.navigation import DATA, MY_SQUAD
from ui.web.work.orders import attended, board_order
from ui.web.work.search_job import SearchJob
from ui.web.work.search_view import boards_of, draw_proof


def show() -> None:
    """Draw the page."""
    head = st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute", key="head")
    controls = st.container(horizontal=True, vertical_alignment="center", gap="small", key="controls")
    chosen = choose_round(controls)
    with head:
        draw_head(chosen, f"Pick a squad for {chosen.rules.round_title(chosen.snapshot.round)}")
    draw_opponents(chosen, MY_SQUAD.page)
    try:
        with controls:
            if chosen.plan.theta is not None:
                draw_objective(chosen.plan, cards=True)
                _draw_asked_standing(chosen)
            draw_wishes(chosen)
        draw_wish_bar(chosen)
        if chosen.plan.theta is None:
            _draw_choice(chosen)
        else:
            _draw_plan(chosen, chosen.plan.theta)
    except InfeasibleError as error:
        draw_way_out(chosen, error)


def draw_head(chosen: Chosen, title: str) -> None:
    """Draw a page's title with the competition and its deadline beside it."""
    st.title(title, anchor=False, width="content")
    now = datetime.now(UTC)
    round_title = chosen.rules.round_title(chosen.snapshot.round) if chosen.over(now) else ""
    st.html(head_html(chosen.world.title, chosen.snapshot.deadline, now, as_of=round_title), width="content")


def head_html(title: str, deadline: datetime, now: datetime, *, as_of: str = "") -> str:
    """Return competition, deadline in the visitor's zone, and how long there is left.

    Where the round `as_of` is named, its deadline is long over: nothing is counted then, and the year is told.
    """
    zone = visitor_zone()
    told = f"As of the deadline of {escape(as_of)}," if as_of else "Deadline"
    moment = local_time(deadline, zone, year=bool(as_of))
    left = "" if as_of else f'<span class="xi-soon">{countdown(deadline, now)}</span>'
    return (
        f'<div class="xi-head" data-testid="head"><span>{escape(title)}</span><span>{told} '
        f'<time datetime="{deadline:%Y-%m-%dT%H:%MZ}"><strong>{moment}</strong></time> '
        f"{escape(zone_name(zone))}</span>{left}</div>"
    )


def _draw_choice(chosen: Chosen) -> None:
    """Draw what there is to choose from; nothing is chosen silently."""
    with st.container(border=True, key="standing_first"):
        st.markdown("**Where do you stand?**")
        draw_standing(chosen)
    draw_cards(chosen)
    _draw_notes(chosen)


def _draw_asked_standing(chosen: Chosen) -> None:
    with st.popover("My standing", icon=":material/social_leaderboard:", key="standing"):
        draw_standing(chosen)


def _draw_plan(chosen: Chosen, theta: str) -> None:
    (job,) = attended(board_order(chosen))
    st.markdown(" ".join(filter(None, [meaning(theta), standing_line(chosen.plan)])))
    for sentence in objective_of(chosen).warnings:
        st.warning(as_markdown(sentence), icon=":material/warning:")
    for board in boards_of(chosen, {TITLES[theta]: job}).values():
        _draw_board(chosen, job, board)
        _draw_notes(chosen)


def _draw_board(chosen: Chosen, job: SearchJob, board: Board) -> None:
    tabs = st.tabs(option_labels(board), key=f"options_{board.objective}_{board.round}", on_change="rerun")
    for number, (tab, option) in enumerate(zip(tabs, board.options, strict=True)):
        if tab.open:
            with tab:
                draw_option(chosen, board, option, key=str(number))
                _draw_questions(chosen, option)
    draw_proof(job)
    for flag in board.flags:
        st.caption(as_markdown(flag))
    chances = "Chances to hold a lead and to catch up, for every option"
    _when_opened(chances, "casino", "chances", lambda: _draw_chances(chosen, board))


def option_labels(board: Board) -> list[str]:
    """Return what the tabs say: which is recommended, what each expects and how wide it swings."""
    return [
        f"{name} · {option.expected:.1f}, {option.decomposition.band} swing"
        for name, option in zip(option_names(len(board.options)), board.options, strict=True)
    ]


def _draw_questions(chosen: Chosen, option: Option) -> None:
    why_not = "Why not …? The best squad with a player you name"
    _when_opened(why_not, "person_search", "ask", lambda: draw_why_not(chosen, option))
    boosters = "What a booster would bring this round"
    _when_opened(boosters, "bolt", "boosters", lambda: draw_boosters(chosen, option))


def _when_opened(title: str, icon: str, key: str, draw: Callable[[], None]) -> None:
    """Draw what takes its time only where it is asked for."""
    asked = st.expander(title, icon=f":material/{icon}:", key=key, on_change="rerun")
    if asked.open:
        with asked:
            draw()


def _draw_chances(chosen: Chosen, board: Board) -> None:
    from ui.web.answers.chances_beside import draw_chances_beside  # brings the simulation of rounds

    draw_chances_beside(chosen, option_names(len(board.options)), board.options)


def _draw_notes(chosen: Chosen) -> None:
    facts = world_facts(chosen.plan.world, chosen.world, chosen.version, bundled=False)
    if facts.fetched:
        title = chosen.rules.round_title(chosen.snapshot.round)
        for sentence in stale_warnings(facts, chosen.snapshot, title, datetime.now(UTC), where="on the Data page"):
            st.warning(as_markdown(sentence), icon=":material/schedule:")
    draw_armband_doubt(chosen)
    if chosen.over(datetime.now(UTC)):
        st.page_link(DATA.page, label="Fetch the game being played now", icon=":material/sync:")
    draw_notes(chosen)
