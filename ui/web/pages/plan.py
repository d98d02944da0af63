"""Plan: the rounds to come together: transfers, boosters, captains, points, and where the score comes from."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from data.errors import InfeasibleError
from engine.plan.answer.export import plan_csv
from engine.plan.answer.plan_board import PlanBoard, PlanOption
from engine.plan.fitness.rounds import DISCOUNT, PlanRounds
from ui.web.answers.option_view import draw_download
from ui.web.answers.plan_tables import firm_words, kept_html, short_title, term_name, terms_table, ticker_rows
from ui.web.answers.player_dialog import open_player
from ui.web.answers.player_marks import notes_of, outlook_of
from ui.web.choice.frame import Chosen, choose_round
from ui.web.choice.objective_choice import TITLES, draw_objective
from ui.web.choice.session import visitor
from ui.web.choice.wishes import draw_way_out, draw_wish_bar, draw_wishes
from ui.web.drawing.charts.waterfall import draw_waterfall
from ui.web.drawing.clickable import draw_clickable
from ui.web.drawing.escaping import as_markdown
from ui.web.drawing.lineup.pitch import draw_pitch
from ui.web.drawing.live import draw_until
from ui.web.drawing.plain_table import ShownColumn, draw_table
from ui.web.drawing.rounds.booster_table import boosters_html
from ui.web.drawing.rounds.ticker import ticker_html
from ui.web.drawing.rounds.timeline import timeline_html
from ui.web.pages.navigation import COMPARE, MY_SQUAD
from ui.web.plans.draft_view import draw_drafts
from ui.web.plans.edit_view import NO_EDITS, draw_asked, draw_horizon, draw_round_edits, together_words
from ui.web.plans.exports import armband_rules, plans_text, round_csv, shared_link
from ui.web.plans.league_view import draw_league
from ui.web.plans.week import ladder_of
from ui.web.squads.team_popover import draw_team
from ui.web.work.background import background, crowding
from ui.web.work.plan_job import PlanJob, Planned, attended_plans, known_plan, plan_order

POLL, ADVICE_POLL = 0.3, 1.0  # seconds between two looks at a plan, and at what is said of it afterwards
LOOKED_AT = "_plan_round"
SHOWN = 0.05  # points: a smaller gap is written as 0.0


def show() -> None:
    """Draw the page."""
    st.title("Plan the next weeks", anchor=False)
    controls = st.container(horizontal=True, vertical_alignment="center", gap="small", key="controls")
    chosen = choose_round(controls)
    try:
        with controls:
            draw_objective(chosen.plan)
            draw_team(chosen, MY_SQUAD.page)
            draw_horizon(chosen)
            draw_wishes(chosen)
            draw_drafts(chosen)
        draw_wish_bar(chosen)
        if chosen.plan.theta is None:
            attended_plans()
            st.info("Choose Protect, Neutral or Gain: what a plan is worth depends on it.", icon=":material/touch_app:")
            return
        _draw_plan(chosen)
    except InfeasibleError as error:
        draw_way_out(chosen, error)


def _draw_plan(chosen: Chosen) -> None:
    (job,) = attended_plans(plan_order(chosen, like=_boosters_before(chosen)))
    board = _board(job)
    if board is None:
        return
    told = job.now.told
    board = told.board or board
    best = _choose_option(board)
    _draw_summary(chosen, board, best, told)
    draw_asked(chosen, told.prices)
    _draw_rounds(chosen, best, board.rounds)
    left, right = st.columns([11, 10], gap="medium")
    with left:
        st.markdown("**Fixtures of the fifteen**")
        st.html(ticker_html(*ticker_rows(outlook_of(chosen), best), "Fixtures with difficulty, 1 easy to 5 hard"))
    with right:
        st.markdown("**Where the score comes from**")
        draw_table(terms_table(best), "Rounds and terms; they add up along both edges", _columns(best))
        st.caption(f"Each round counts {1 - DISCOUNT:.1%} less than the one before: the later, the less sure.")
        st.html(kept_html(best))
        st.markdown("**When to play each booster**")
        _draw_boosters(job, best)
    name = f"thetaxi-{board.world}-{board.round}-{board.objective}-plan.csv"
    with st.container(horizontal=True):
        draw_download("Download the plan", lambda: plan_csv(best), name, "download_plan")
        with st.popover("Copy as text", icon=":material/content_copy:"):
            title = f"{TITLES[str(chosen.plan.theta)]}, {best.cards[0].title} on"
            st.code(plans_text({title: best}, shared_link(chosen.plan)), language=None)
        st.page_link(COMPARE.page, label="Compare with another plan", icon=":material/compare_arrows:")
    for flag in board.flags:
        st.caption(as_markdown(flag))
    draw_league(chosen)
    _draw_until_there(job, told)


def _boosters_before(chosen: Chosen) -> tuple[str | None, ...] | None:
    """Return where the plan without edits plays its boosters, if that plan is known: an edit holds on to them first."""
    free = replace(chosen, plan=chosen.plan.with_changes(**NO_EDITS))
    board = None if free.plan == chosen.plan else known_plan(plan_order(free))
    return None if board is None else board.recommended.plan.chips


def _draw_until_there(job: PlanJob, shown: Planned) -> None:
    """Look again by itself until all that is said of a plan is there; `shown` is what the page was drawn with."""
    if job.now.running or job.now.told.parts > shown.parts:
        over = lambda: not job.now.running or job.now.told.parts > shown.parts  # noqa: E731
        draw_until(over, ADVICE_POLL * crowding(), lambda: None)


def _board(job: PlanJob) -> PlanBoard | None:
    """Return the plans; while they are made, or where none can be, draw that."""
    state = job.now
    if state.told.board is not None:
        return state.told.board
    if isinstance(state.error, InfeasibleError):
        raise state.error
    if not state.running:
        st.error(as_markdown(str(state.error)), icon=":material/error:")
        st.button("Plan again", key="plan_again", icon=":material/refresh:", on_click=_plan_again, args=(job,))
        return None

    def progress() -> None:
        told = job.now.told
        st.html(f'<p class="xi-line-of" role="status">{told.doing} … {told.scored or ""}</p>')

    draw_until(lambda: job.now.told.board is not None or not job.now.running, POLL * crowding(), progress)
    return None


def _plan_again(job: PlanJob) -> None:
    background().forget(job.task, visitor())


def _choose_option(board: PlanBoard) -> PlanOption:
    """Draw the plans with different first moves where there are several, and return the one looked at."""
    firsts: dict[str, int] = {}
    for at, option in enumerate(board.options):
        firsts.setdefault(option.first_move.rstrip("."), at)
    if len(firsts) == 1:
        return board.recommended
    best = board.recommended.table.total
    told = {at: f"{move} ({option_worth(best - board.options[at].table.total)})" for move, at in firsts.items()}
    place = st.segmented_control(
        "Plans by their first move",
        list(told),
        default=0,
        required=True,
        format_func=told.__getitem__,
        key=f"plan_option_{board.objective}_{board.round}",
        label_visibility="collapsed",
    )
    return board.options[place]


def option_worth(less: float) -> str:
    """Return how far a plan falls behind the best one, by the score that they are ranked by."""
    return "best" if less <= 0 else f"{less:.1f} less" if less >= SHOWN else "as good"


def _draw_summary(chosen: Chosen, board: PlanBoard, best: PlanOption, told: Planned) -> None:
    with st.container(key="plan_words"):
        st.markdown(" ".join(filter(None, summary_words(chosen, board, best, told))))


def summary_words(chosen: Chosen, board: PlanBoard, best: PlanOption, told: Planned) -> list[str]:
    """Return a plan in a few sentences: points, transfers, boosters, how firm, and what was asked costs."""
    rounds, hits, theta = len(best.cards), best.plan.hits, TITLES[str(chosen.plan.theta)]
    chips = [f"{card.chip_title} in {card.title}" for card in best.cards if card.chip]
    return [
        f"**{best.table.points:.1f} points in {rounds} round{'s' * (rounds != 1)}** under {theta}.",
        f"{best.plan.transfers or 'No'} transfer{'s' * (best.plan.transfers != 1)}, {hits or 'no'} "
        f"hit{'s' * (hits != 1)}.",
        as_markdown(f"{', '.join(chips)}." if chips else "No booster is played."),
        as_markdown(board.rolling_words) if board.rolling is not None else "",
        "" if best.firm is None else firm_words(best.firm),
        "A first answer: other rounds for the boosters are being tried." if told.sketched else "",
        together_words(told.prices, best),
    ]


def _draw_rounds(chosen: Chosen, best: PlanOption, rounds: PlanRounds) -> None:
    """Draw the timeline; a press on a round opens its pitch below."""
    first = best.cards[0].round
    looked_at = st.session_state.get(LOOKED_AT, first)
    looked_at = looked_at if looked_at in best.plan.rounds else first
    with st.container(key=f"rounds_{len(best.cards)}"):
        picked = draw_clickable(timeline_html(best, looked_at, chosen.rules.currency), key="timeline")
    if picked.isdecimal() and int(picked) in best.plan.rounds and int(picked) != looked_at:
        st.session_state[LOOKED_AT] = int(picked)
        st.rerun()
    place = looked_at - first
    card = best.cards[place]
    draw_round_edits(chosen, card)
    with st.expander(f"{card.title}: line-up and reasons", key="plan_round", on_change="rerun") as opened:
        if opened.open:
            _draw_round(chosen, best, place, rounds)


def _draw_round(chosen: Chosen, best: PlanOption, place: int, rounds: PlanRounds) -> None:
    card = best.cards[place]
    left, right = st.columns([7, 5], gap="medium")
    fresh = frozenset(swap.into.player_id for swap in card.moves)
    with left:
        pressed = draw_pitch(
            card, key="pitch_round", label=card.title, notes=notes_of(chosen, fresh=fresh, ahead=place)
        )
        if pressed is not None:
            open_player(chosen, pressed)
    with right:
        terms = {term_name(name): value for name, value in card.terms.items()}
        draw_waterfall(terms, "Score of the round")
        name = f"thetaxi-{chosen.plan.world}-{card.round}-lineup.csv"
        rules = armband_rules(card.men, ladder_of(rounds.signals[place], card.men))
        draw_download("Download this line-up", lambda: round_csv(card.men, rules), name, "download_round")


def _draw_boosters(job: PlanJob, best: PlanOption) -> None:
    """Draw what each booster adds in every round once that is known; until then look again by itself."""
    told = job.now.told
    if told.boosters is not None:
        titles = [card.title for card in best.cards]
        st.html(boosters_html(told.boosters, titles, [short_title(title) for title in titles]))
    elif job.now.running:
        st.caption("Trying each booster in every round …")
    else:
        st.caption("What each booster adds is not known: trying them failed.")


def _columns(best: PlanOption) -> dict[str, ShownColumn]:
    return dict.fromkeys(list(terms_table(best).columns[1:]), ShownColumn("{:+.1f}"))
