"""This week: what to do before the deadline, in one sentence, one card, three plans and one pitch."""

from __future__ import annotations

from datetime import UTC, datetime

import streamlit as st

from data.errors import InfeasibleError
from engine.board.board import Board, Option
from engine.fitness.objective import MEANINGS
from engine.rank.recommendation import Recommendation
from ui.web.answers.advice_view import asked as measured
from ui.web.answers.opponents_view import standing_words
from ui.web.answers.option_view import draw_take_away, marked_terms, new_players
from ui.web.answers.player_dialog import draw_squad, open_player
from ui.web.answers.player_marks import notes_of
from ui.web.answers.week_words import answer_rows, figures_of, headline, shared_headline, shared_rows
from ui.web.choice.frame import Chosen, choose_round, rivals_here
from ui.web.choice.objective_choice import TITLES, draw_standing, meaning
from ui.web.choice.opponents import known_lead, lead_words
from ui.web.choice.session import change
from ui.web.choice.wishes import draw_way_out, draw_wish_bar, draw_wishes
from ui.web.drawing.clickable import draw_clickable
from ui.web.drawing.clock import countdown, local_time, visitor_zone
from ui.web.drawing.lineup.shared import shared_html
from ui.web.drawing.live import draw_until
from ui.web.drawing.rounds.plan_cards import AnswerRow, answer_html, cards_html
from ui.web.drawing.waterfall import draw_waterfall
from ui.web.pages.navigation import COMPARE, DATA, MY_SQUAD, PICK, PLAN
from ui.web.squads.team_popover import draw_team
from ui.web.work.background import crowding
from ui.web.work.orders import attended, board_order
from ui.web.work.search_job import SearchJob

POLL = 0.3  # seconds between two looks at what is being worked on
TAGLINE = "Your next move before every deadline, with the odds."


def show() -> None:
    """Draw the page."""
    head = st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute", key="head")
    controls = st.container(horizontal=True, vertical_alignment="center", gap="small", key="controls")
    chosen = choose_round(controls)
    with head:
        st.html(brand_html(), width="content")
        st.html(deadline_html(chosen, datetime.now(UTC)), width="content")
    try:
        with controls:
            draw_team(chosen, MY_SQUAD.page)
            _draw_standing(chosen)
            draw_wishes(chosen)
        draw_wish_bar(chosen)
        _draw_week(chosen)
    except InfeasibleError as error:
        draw_way_out(chosen, error)


def brand_html() -> str:
    """Return who speaks, and what for."""
    return f'<div class="xi-brand"><h1>Theta<b>XI</b></h1><span>{TAGLINE}</span></div>'


def deadline_html(chosen: Chosen, now: datetime) -> str:
    """Return the deadline in the visitor's zone and how long there is left; of a round long over its year."""
    deadline, over = chosen.snapshot.deadline, chosen.over(now)
    moment = local_time(deadline, visitor_zone(), year=over)
    left = "" if over else f'<span class="xi-soon">{countdown(deadline, now)}</span>'
    told = "As of the deadline" if over else "Deadline"
    return (
        f'<div class="xi-head" data-testid="head"><span>{told} '
        f'<time datetime="{deadline:%Y-%m-%dT%H:%MZ}"><strong>{moment}</strong></time></span>{left}</div>'
    )


def _draw_standing(chosen: Chosen) -> None:
    lead = known_lead(chosen.plan)
    label = "My standing" if lead is None else lead_words(lead).capitalize()
    asked = st.popover(label, icon=":material/social_leaderboard:", key="standing", on_change="rerun")
    if asked.open:
        with asked:
            draw_standing(chosen)


def _draw_week(chosen: Chosen) -> None:
    """Draw what the three boards say, each as soon as it is there."""
    jobs = dict(zip(MEANINGS, attended(*(board_order(chosen, name, prove=False) for name in MEANINGS)), strict=True))
    refusals = [job.now.error for job in jobs.values() if isinstance(job.now.error, InfeasibleError)]
    if refusals:
        raise refusals[0]
    boards = {theta: job.now.told.board for theta, job in jobs.items() if job.now.told.board is not None}
    found = _measured(chosen)
    looked_at = chosen.plan.theta or (found.choice if found else None)
    with st.container(key="standing_line"):
        st.html(standing_html(chosen, found))
    with st.container(key="week"):
        with st.container(key="week_answer"):
            with st.container(key="answer"):
                _draw_answer(chosen, boards, looked_at)
            _draw_cards(boards, looked_at, found)
        with st.container(key="week_pitch"):
            _draw_board(chosen, boards, looked_at)
        with st.container(key="week_why"):
            _draw_why(chosen, boards, looked_at)
    _draw_until_there(chosen, jobs)


def _measured(chosen: Chosen) -> Recommendation | None:
    """Return what measures best for the standing, once that is known; without a standing nothing is measured."""
    lead = known_lead(chosen.plan)
    return None if lead is None else measured(chosen, lead, _left(chosen)).now.told


def _left(chosen: Chosen) -> int:
    return chosen.plan.left or chosen.rules.rounds - chosen.snapshot.round + 1


def _draw_until_there(chosen: Chosen, jobs: dict[str, SearchJob]) -> None:
    """Look again by itself until every board, and what is measured for a standing, is there."""
    lead = known_lead(chosen.plan)

    def waited_for() -> int:
        more = lead is not None and measured(chosen, lead, _left(chosen)).now.running
        return sum(job.now.running for job in jobs.values()) + more

    waiting = waited_for()
    if waiting:
        draw_until(lambda: waited_for() < waiting, POLL * crowding(), lambda: None)


def standing_html(chosen: Chosen, found: Recommendation | None) -> str:
    """Return where the manager stands in one line, and what that means for the choice."""
    lead = known_lead(chosen.plan)
    if lead is None:
        told = "Say where you stand and one of the three plans is recommended, by measurement. Until then you choose."
        return f'<p class="xi-line-of" data-testid="standing">{told}</p>'
    against = standing_words(chosen) if rivals_here(chosen) else f" You are {lead_words(lead)}, {_left(chosen)} left."
    best = f"{TITLES[found.choice]} measures best." if found else "Measuring which plan serves you best …"
    return f'<p class="xi-line-of" data-testid="standing"><b>{against.strip()}</b> {best}</p>'


def _draw_answer(chosen: Chosen, boards: dict[str, Board], looked_at: str | None) -> None:
    deadline = local_time(chosen.snapshot.deadline, visitor_zone())
    before = f"Do this before {deadline}"
    if looked_at in boards:
        option = boards[looked_at].recommended
        st.html(answer_html(before, headline(option), answer_rows(option), TITLES[looked_at]))
    elif looked_at is None and len(boards) == len(MEANINGS):
        options = {theta: board.recommended for theta, board in boards.items()}
        st.html(answer_html(before, shared_headline(options), shared_rows(options), "Three plans"))
    else:
        rows = [AnswerRow(title, "…") for title in TITLES.values()]
        st.html(answer_html(before, "Finding the best squad for each plan …", rows))


def _draw_cards(boards: dict[str, Board], looked_at: str | None, found: Recommendation | None) -> None:
    plans = [
        figures_of(theta, boards[theta].recommended if theta in boards else None, chance_words(found, theta))
        for theta in MEANINGS
    ]
    picked = draw_clickable(cards_html(plans, looked_at, found.choice if found else None), key="plans")
    if picked in MEANINGS:
        strength = found.strength_of(picked) if found else None
        change(theta=picked, k=strength, w=None)
        st.rerun()


def chance_words(found: Recommendation | None, theta: str) -> str:
    """Return the chance to be ahead at the end with an objective, where a standing was measured."""
    chance = next((one.ahead.value for one in found.measured if one.objective == theta), None) if found else None
    return "" if chance is None else f"Ahead at the end {chance:.0%}"


def _draw_board(chosen: Chosen, boards: dict[str, Board], looked_at: str | None) -> None:
    if looked_at in boards:
        board = boards[looked_at]
        option, fresh = board.recommended, frozenset(new_players(board.recommended))
        draw_squad(chosen, option, key="pitch_week", label=f"{board.title}, {board.objective}", fresh=fresh)
        _draw_ways_on(chosen, board, option)
    elif looked_at is None and len(boards) == len(MEANINGS):
        options = [board.recommended for board in boards.values()]
        html = shared_html(options, notes_of(chosen), "Players whom all three plans have")
        pressed = draw_clickable(html, key="pitch_shared")
        if pressed.isdecimal():
            open_player(chosen, int(pressed))
    else:
        st.html('<div class="xi-turf xi-whole xi-empty" role="status">The pitch fills in a moment.</div>')


def _draw_ways_on(chosen: Chosen, board: Board, option: Option) -> None:
    draw_take_away(board, option, "week")
    with st.container(horizontal=True, key="ways_on"):
        st.page_link(COMPARE.page, label="Compare Protect and Gain", icon=":material/compare_arrows:")
        st.page_link(PLAN.page, label="Next weeks", icon=":material/calendar_month:")
        st.page_link(PICK.page, label="Change it on Pick", icon=":material/tune:")
        if chosen.over(datetime.now(UTC)):
            st.page_link(DATA.page, label="Fetch the game being played now", icon=":material/sync:")


def _draw_why(chosen: Chosen, boards: dict[str, Board], looked_at: str | None) -> None:
    if looked_at is None:
        told = "".join(f"<dt>{TITLES[theta]}</dt><dd>{meaning(theta)}</dd>" for theta in MEANINGS)
        st.html(f'<dl class="xi-means">{told}</dl>')
        return
    if looked_at in boards:
        option = boards[looked_at].recommended
        st.markdown("**Why this team**")
        draw_waterfall(marked_terms(option.decomposition), f"Score, {TITLES[looked_at]}")
        back = {"theta": None, "k": None, "w": None}
        if chosen.plan.theta is not None:
            st.button("See all three again", key="all_three", type="tertiary", on_click=change, kwargs=back)
