"""This week: what to do before the deadline, in one sentence, one card, three plans and one pitch."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from html import escape

import streamlit as st

from data.errors import InfeasibleError
from engine.board.board import Board
from engine.fitness.objective import MEANINGS
from engine.rank.recommendation import MOST_POINTS, Recommendation
from ui.web.answers.advice_view import asked as measured
from ui.web.answers.opponents_view import standing_sentence
from ui.web.answers.option_view import draw_download
from ui.web.answers.player_dialog import open_player
from ui.web.answers.player_marks import notes_of
from ui.web.choice.frame import Chosen, choose_round, signals_of
from ui.web.choice.objective_choice import TITLES, draw_standing, meaning
from ui.web.choice.opponents import known_lead, lead_words
from ui.web.choice.session import change
from ui.web.choice.wishes import draw_way_out, draw_wish_bar, draw_wishes
from ui.web.drawing.charts.waterfall import draw_waterfall
from ui.web.drawing.clickable import draw_clickable
from ui.web.drawing.clock import countdown, local_time, visitor_zone
from ui.web.drawing.lineup.pitch import draw_pitch
from ui.web.drawing.lineup.shared import shared_html
from ui.web.drawing.live import draw_until
from ui.web.drawing.rounds.plan_cards import LOOKING_AHEAD, AnswerRow, answer_html, cards_html
from ui.web.pages.navigation import COMPARE, DATA, MY_SQUAD, PICK, PLAN
from ui.web.plans.exports import armband_rules, round_csv, shared_link, week_text
from ui.web.plans.week import Week, ladder_of, week_of_board, week_of_plan
from ui.web.plans.week_words import answer_rows, figures_of, firm_short, headline, shared_headline, shared_rows
from ui.web.squads.team_popover import draw_team
from ui.web.work.background import crowding
from ui.web.work.orders import attended, board_order
from ui.web.work.plan_job import PlanJob, attended_plans, horizon_of, plan_order, whole_plan
from ui.web.work.search_job import SearchJob

POLL = 0.3  # seconds between two looks at what is being worked on
MORE_THAN_ONE = 2  # rounds: fewer make no plan
CHOOSE = "Choose one of three below"
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
    zone = escape(f"{deadline.astimezone(visitor_zone()):%Z}")
    told = "As of the deadline" if over else "Deadline"
    return (
        f'<div class="xi-head" data-testid="head"><span>{told} '
        f'<time datetime="{deadline:%Y-%m-%dT%H:%MZ}"><strong>{moment}</strong></time> {zone}</span>{left}</div>'
    )


def _draw_standing(chosen: Chosen) -> None:
    lead = known_lead(chosen.plan)
    label = "My standing" if lead is None else lead_words(lead).capitalize()
    with st.popover(label, icon=":material/social_leaderboard:", key="standing"):
        draw_standing(chosen)


def _draw_week(chosen: Chosen) -> None:
    """Draw what the three boards say, each as soon as it is there, then what the plans of several rounds say."""
    jobs = dict(zip(MEANINGS, attended(*(board_order(chosen, name, prove=False) for name in MEANINGS)), strict=True))
    refusals = [job.now.error for job in jobs.values() if isinstance(job.now.error, InfeasibleError)]
    if refusals:
        raise refusals[0]
    begun = _state(chosen, list(jobs.values()))
    boards = {theta: job.now.told.board for theta, job in jobs.items() if job.now.told.board is not None}
    found = _measured(chosen)
    looked_at = chosen.plan.theta or (found.choice if found else None)
    ahead = _plans(chosen, looked_at, begun=len(boards) == len(MEANINGS))
    waited_for: list[SearchJob | PlanJob] = [*jobs.values(), *ahead.values()]
    before = (*begun, *_state(chosen, list(ahead.values()))[1:])
    weeks = _weeks(chosen, boards, ahead, looked_at)
    with st.container(key="standing_line"):
        st.html(standing_html(chosen, found))
    with st.container(key="week"):
        with st.container(key="week_answer"):
            with st.container(key="answer"):
                _draw_answer(chosen, weeks, looked_at, found)
            _draw_cards(weeks, looked_at, found, ahead=_looks_ahead(chosen))
        with st.container(key="week_pitch"):
            _draw_board(chosen, weeks, looked_at)
        with st.container(key="week_why"):
            _draw_why(chosen, weeks, looked_at)
    running = bool(before[0]) or any(job.now.running for job in waited_for)
    _draw_until_there(lambda: _state(chosen, waited_for), before, running=running)


def _plans(chosen: Chosen, looked_at: str | None, *, begun: bool) -> dict[str, PlanJob]:
    """Return the plans of the rounds to come by objective, the one looked at first; one is made after the other.

    They wait for the boards, so that these are there soon. Who looks no further than the round waits for no plan that
    he had asked for before.
    """
    if not begun or not _looks_ahead(chosen):
        attended_plans()
        return {}
    wanted, jobs, orders = sorted(MEANINGS, key=lambda theta: theta != looked_at), {}, []
    for theta in wanted:
        orders.append(plan_order(chosen, theta, sketched=False, told=theta == looked_at))
        jobs = dict(zip(wanted, attended_plans(*orders), strict=False))
        if jobs[theta].now.running and not jobs[theta].now.out:
            break
    return jobs


def _weeks(
    chosen: Chosen, boards: dict[str, Board], ahead: dict[str, PlanJob], looked_at: str | None
) -> dict[str, Week]:
    """Return the week under each objective that is known: by its plan where that is whole, else by its board.

    Who has not chosen is shown what all three share, so three boards give way to three plans together.
    """
    weeks = {theta: week_of_board(board.recommended) for theta, board in boards.items()}
    whole = {theta: plan for theta, job in ahead.items() if (plan := whole_plan(job)) is not None}
    if looked_at is None and len(whole) < len(MEANINGS):
        return weeks
    for theta, plan in whole.items():
        told, best = ahead[theta].now, plan.recommended
        boosters = told.told.boosters or (None if told.running else ())
        weeks[theta] = week_of_plan(best, ladder_of(signals_of(chosen), best.cards[0].men), boosters)
    return weeks


def _measured(chosen: Chosen) -> Recommendation | None:
    """Return what measures best for the standing, once that is known; without a standing nothing is measured."""
    lead = known_lead(chosen.plan)
    return None if lead is None else measured(chosen, lead, _left(chosen)).now.told


def _left(chosen: Chosen) -> int:
    return chosen.plan.left or chosen.rules.rounds - chosen.snapshot.round + 1


def _draw_until_there(known: Callable[[], tuple[object, ...]], before: tuple[object, ...], *, running: bool) -> None:
    """Look again by itself until every board and plan, and what is measured for a standing, is there.

    `before` is what was known when the page began to be drawn: what came since is not on it.
    """
    if running or known() != before:
        draw_until(lambda: known() != before, POLL * crowding(), lambda: None)


def _state(chosen: Chosen, jobs: Sequence[SearchJob | PlanJob]) -> tuple[object, ...]:
    """Return how far all is that the page waits for, what is measured for a standing first."""
    lead = known_lead(chosen.plan)
    more = lead is not None and measured(chosen, lead, _left(chosen)).now.running
    return (more, *((job.now.out and job.now.step, job.now.running) for job in jobs))


def standing_html(chosen: Chosen, found: Recommendation | None) -> str:
    """Return where the manager stands in one line, and what that means for the choice."""
    lead = known_lead(chosen.plan)
    if lead is None:
        told = "Say where you stand and one of the three plans is recommended, by measurement. Until then you choose."
        return f'<p class="xi-line-of" data-testid="standing">{told}</p>'
    best = f"{TITLES[found.choice]} measures best." if found else "Measuring which plan serves you best …"
    return f'<p class="xi-line-of" data-testid="standing"><b>{escape(standing_sentence(chosen))}</b> {best}</p>'


def _draw_answer(chosen: Chosen, weeks: dict[str, Week], looked_at: str | None, found: Recommendation | None) -> None:
    over = chosen.over(datetime.now(UTC))
    deadline = local_time(chosen.snapshot.deadline, visitor_zone(), year=over)
    before = f"As it was best before {deadline}" if over else f"Do this before {deadline}"
    ahead = _looks_ahead(chosen) and any(week.points is None for week in weeks.values())
    if looked_at in weeks:
        week = weeks[looked_at]
        ahead = ahead and week.points is None
        firm = LOOKING_AHEAD if ahead else firm_short(week.firm) or TITLES[looked_at]
        st.html(answer_html(before, headline(week), [*answer_rows(week), *standing_rows(found, looked_at)], firm))
    elif looked_at is None and len(weeks) == len(MEANINGS):
        st.html(answer_html(before, shared_headline(weeks), shared_rows(weeks), LOOKING_AHEAD if ahead else CHOOSE))
    else:
        rows = [AnswerRow(title, "…") for title in TITLES.values()]
        st.html(answer_html(before, "Finding the best squad for each plan …", rows))


def _looks_ahead(chosen: Chosen) -> bool:
    """Return whether the rounds to come are planned: where there is more than one."""
    return horizon_of(chosen) >= MORE_THAN_ONE


def _draw_cards(weeks: dict[str, Week], looked_at: str | None, found: Recommendation | None, *, ahead: bool) -> None:
    plans = [figures_of(theta, weeks.get(theta), chance_words(found, theta), ahead=ahead) for theta in MEANINGS]
    picked = draw_clickable(cards_html(plans, looked_at, found.choice if found else None), key="plans")
    if picked in MEANINGS:
        strength = found.strength_of(picked) if found else None
        change(theta=picked, k=strength, w=None)
        st.rerun()


def standing_rows(found: Recommendation | None, theta: str) -> list[AnswerRow]:
    """Return what an objective does to the chance to be ahead at the end, beside that of the most points."""
    chances = {one.objective: f"{one.ahead.value:.0%}" for one in found.measured} if found else {}
    if theta not in chances:
        return []
    most, own = chances.get(MOST_POINTS, ""), chances[theta]
    return [AnswerRow("Standing", "Chance to be ahead at the end", f"{most} → {own}" if most not in ("", own) else own)]


def chance_words(found: Recommendation | None, theta: str) -> str:
    """Return the chance to be ahead at the end with an objective, where a standing was measured."""
    chance = next((one.ahead.value for one in found.measured if one.objective == theta), None) if found else None
    return "" if chance is None else f"Ahead at the end {chance:.0%}"


def _draw_board(chosen: Chosen, weeks: dict[str, Week], looked_at: str | None) -> None:
    if looked_at in weeks:
        week, title = weeks[looked_at], chosen.rules.round_title(chosen.snapshot.round)
        label = f"{title}, {looked_at}"
        pressed = draw_pitch(week, key="pitch_week", label=label, notes=notes_of(chosen, fresh=week.fresh))
        if pressed is not None:
            open_player(chosen, pressed)
        _draw_ways_on(chosen, week, str(looked_at))
    elif looked_at is None and len(weeks) == len(MEANINGS):
        html = shared_html(list(weeks.values()), notes_of(chosen), "Players whom all three plans have")
        picked = draw_clickable(html, key="pitch_shared")
        if picked.isdecimal():
            open_player(chosen, int(picked))
    else:
        st.html('<div class="xi-turf xi-whole xi-empty" role="status">The pitch fills in a moment.</div>')


def _draw_ways_on(chosen: Chosen, week: Week, theta: str) -> None:
    with st.container(horizontal=True):
        name = f"thetaxi-{chosen.plan.world}-{chosen.snapshot.round}-{theta}.csv"
        rules = armband_rules(week.men, week.armband)
        draw_download("Download line-up", lambda: round_csv(week.men, rules), name, "download_week")
        with st.popover("Copy as text", icon=":material/content_copy:"):
            title = f"{chosen.rules.round_title(chosen.snapshot.round)} · {theta}"
            st.code(week_text(title, week, shared_link(chosen.plan)), language=None)
    _draw_links(chosen)


def _draw_links(chosen: Chosen) -> None:
    """Draw the ways on: a phone folds the navigation away."""
    with st.container(horizontal=True, key="ways_on"):
        st.page_link(COMPARE.page, label="Compare Protect and Gain", icon=":material/compare_arrows:")
        st.page_link(PLAN.page, label="Next weeks", icon=":material/calendar_month:")
        st.page_link(PICK.page, label="Change it on Pick", icon=":material/tune:")
        if chosen.over(datetime.now(UTC)):
            st.page_link(DATA.page, label="Fetch the game being played now", icon=":material/sync:")


def _draw_why(chosen: Chosen, weeks: dict[str, Week], looked_at: str | None) -> None:
    if looked_at is None:
        told = "".join(f"<dt>{TITLES[theta]}</dt><dd>{meaning(theta)}</dd>" for theta in MEANINGS)
        st.html(f'<dl class="xi-means">{told}</dl>')
        _draw_links(chosen)
        return
    if looked_at in weeks:
        st.markdown("**Why this team**")
        draw_waterfall(weeks[looked_at].terms, f"Score, {TITLES[looked_at]}")
        back = {"theta": None, "k": None, "w": None}
        if chosen.plan.theta is not None:
            st.button("See all three again", key="all_three", type="tertiary", on_click=change, kwargs=back)
