"""Plan: the rounds to come together: transfers, boosters, captains, points, and where the score comes from."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from data.errors import InfeasibleError
from engine.plan.answer.export import plan_csv
from engine.plan.answer.plan_board import PlanBoard, PlanOption
from engine.plan.moves import Plan as Moves
from ui.web.answers.option_view import draw_download
from ui.web.answers.plan_tables import firm_words, kept_html, short_title, term_name, terms_table, ticker_rows
from ui.web.answers.player_dialog import open_player
from ui.web.answers.player_marks import notes_of, outlook_of
from ui.web.choice.frame import Chosen, choose_round
from ui.web.choice.objective_choice import TITLES, draw_objective
from ui.web.choice.session import change, controlled, visitor
from ui.web.choice.wishes import draw_way_out, draw_wish_bar, draw_wishes
from ui.web.drawing.clickable import draw_clickable
from ui.web.drawing.escaping import as_markdown
from ui.web.drawing.figures import written
from ui.web.drawing.lineup.pitch import draw_pitch
from ui.web.drawing.live import draw_until
from ui.web.drawing.plain_table import ShownColumn, draw_table
from ui.web.drawing.rounds.booster_table import boosters_html
from ui.web.drawing.rounds.ticker import ticker_html
from ui.web.drawing.rounds.timeline import timeline_html
from ui.web.drawing.waterfall import draw_waterfall
from ui.web.pages.navigation import MY_SQUAD
from ui.web.squads.team_popover import draw_team
from ui.web.work.background import background, crowding
from ui.web.work.plan_job import PlanJob, attended_plans, horizon_of, plan_order

POLL, ADVICE_POLL = 0.3, 1.0  # seconds between two looks at a plan, and at what is said of it afterwards
LOOKED_AT = "_plan_round"
AUTO, NEVER = "Where they bring most", "None"
NO_EDITS = {"boosted": None, "hits": None, "locks": (), "bans": (), "captain": None, "changes": None}


def show() -> None:
    """Draw the page."""
    st.title("Plan the next weeks", anchor=False)
    controls = st.container(horizontal=True, vertical_alignment="center", gap="small", key="controls")
    chosen = choose_round(controls)
    try:
        with controls:
            draw_objective(chosen.plan)
            draw_team(chosen, MY_SQUAD.page)
            _draw_edits(chosen)
            draw_wishes(chosen)
        draw_wish_bar(chosen)
        if chosen.plan.theta is None:
            attended_plans()
            st.info("Choose Protect, Neutral or Gain: what a plan is worth depends on it.", icon=":material/touch_app:")
            return
        _draw_plan(chosen)
    except InfeasibleError as error:
        draw_way_out(chosen, error)


def _draw_edits(chosen: Chosen) -> None:
    """Draw how far is planned and what is asked of boosters and hits."""
    plan, rounds = chosen.plan, range(chosen.snapshot.round, chosen.snapshot.round + horizon_of(chosen))
    asked = st.popover(f"{horizon_of(chosen)} rounds", icon=":material/edit_calendar:", key="edits", on_change="rerun")
    if not asked.open:
        return
    left = chosen.rules.rounds - chosen.snapshot.round + 1
    with asked:
        st.slider(
            "Rounds to plan",
            1,
            min(8, max(left, 2)),
            key=controlled("horizon_choice", horizon_of(chosen)),
            on_change=lambda: change(horizon=st.session_state.horizon_choice),
        )
        known = list(plan.chips if plan.chips is not None else chosen.rules.boosters)
        titles = {
            f"{key}@{number}": f"{chosen.rules.boosters[key].title} in {chosen.rules.round_title(number)}"
            for key in known
            for number in rounds
            if key in chosen.rules.boosters and chosen.rules.boosters[key].legal_in(number)
        }
        options = [AUTO, NEVER, *titles]
        now = AUTO if plan.boosted is None else next((one for one in plan.boosted if one in titles), NEVER)
        st.selectbox(
            "Boosters",
            options,
            format_func=lambda one: titles.get(one, one),
            key=controlled("boosted_choice", now),
            on_change=_boosted,
        )
        st.checkbox(
            "Hits may be planned",
            key=controlled("hits_choice", bool(plan.hits)),
            help="Transfers beyond the free ones, where they earn more than they cost",
            on_change=lambda: change(hits=1 if st.session_state.hits_choice else None),
        )
        if plan.current:
            st.checkbox(
                "Roll: no transfer this round",
                key=controlled("roll_choice", plan.changes == 0),
                help="Unless a booster that rebuilds the squad is played",
                on_change=lambda: change(changes=0 if st.session_state.roll_choice else None),
            )
        st.button("Reset the plan", key="reset_plan", on_click=change, kwargs=NO_EDITS)


def _boosted() -> None:
    one = st.session_state.boosted_choice
    change(boosted=None if one == AUTO else () if one == NEVER else (one,))


def _draw_plan(chosen: Chosen) -> None:
    free = replace(chosen, plan=chosen.plan.with_changes(**NO_EDITS))
    edited = free.plan != chosen.plan
    orders = [plan_order(chosen), *([plan_order(free)] if edited else [])]
    job, *without = attended_plans(*orders)
    board = _board(job)
    if board is None:
        return
    best = _choose_option(board)
    _draw_summary(chosen, board, best, without[0] if without else None, job.now.told.firm)
    _draw_rounds(chosen, best)
    left, right = st.columns([11, 10], gap="medium")
    with left:
        st.markdown("**Fixtures of the fifteen**")
        st.html(ticker_html(*ticker_rows(outlook_of(chosen), best), "Fixtures with difficulty, 1 easy to 5 hard"))
    with right:
        st.markdown("**Where the score comes from**")
        draw_table(terms_table(best), "Rounds and terms; they add up along both edges", _columns(best))
        st.html(kept_html(best))
        st.markdown("**When to play each booster**")
        _draw_boosters(job, best)
    name = f"thetaxi-{board.world}-{board.round}-{board.objective}-plan.csv"
    draw_download("Download the plan", lambda: plan_csv(best), name, "download_plan")
    for flag in board.flags:
        st.caption(as_markdown(flag))


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

    draw_until(lambda: not job.now.running, POLL * crowding(), progress)
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
    told = {at: f"{'Best: ' * (at == 0)}{move} ({board.options[at].table.points:.1f})" for move, at in firsts.items()}
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


def _draw_summary(
    chosen: Chosen, board: PlanBoard, best: PlanOption, without: PlanJob | None, firm: float | None
) -> None:
    rounds, hits, theta = len(best.cards), best.plan.hits, TITLES[str(chosen.plan.theta)]
    chips = [f"{card.chip_title} in {card.title}" for card in best.cards if card.chip]
    told = [
        f"**{best.table.points:.1f} points in {rounds} round{'s' * (rounds != 1)}** under {theta}.",
        f"{best.plan.transfers} transfer{'s' * (best.plan.transfers != 1)}, {hits or 'no'} hit{'s' * (hits != 1)}.",
        as_markdown(f"{', '.join(chips)}." if chips else "No booster is played."),
        as_markdown(board.rolling_words) if board.rolling is not None else "",
    ]
    if firm is not None:
        told.append(firm_words(firm))
    if without is not None and without.now.told.board is not None:
        price = without.now.told.board.recommended.table.total - best.table.total
        told.append(f"What you asked for costs {written(price, '{:.1f}')} points of the score over the plan.")
    st.markdown(" ".join(filter(None, told)))


def _draw_rounds(chosen: Chosen, best: PlanOption) -> None:
    """Draw the timeline; a press on a round opens its pitch below."""
    first = best.cards[0].round
    looked_at = st.session_state.get(LOOKED_AT, first)
    looked_at = looked_at if looked_at in best.plan.rounds else first
    picked = draw_clickable(timeline_html(best, looked_at, chosen.rules.currency), key="timeline")
    if picked.isdecimal() and int(picked) in best.plan.rounds and int(picked) != looked_at:
        st.session_state[LOOKED_AT] = int(picked)
        st.rerun()
    place = looked_at - first
    card = best.cards[place]
    with st.expander(f"{card.title}: line-up and reasons", key="plan_round", on_change="rerun") as opened:
        if opened.open:
            _draw_round(chosen, best, place)


def _draw_round(chosen: Chosen, best: PlanOption, place: int) -> None:
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
        alone = replace(best, cards=(card,), plan=Moves((best.plan.moves[place],)))
        name = f"thetaxi-{chosen.plan.world}-{card.round}-lineup.csv"
        draw_download("Download this line-up", lambda: plan_csv(alone), name, "download_round")


def _draw_boosters(job: PlanJob, best: PlanOption) -> None:
    """Draw what each booster adds in every round once that is known; until then look again by itself."""
    told = job.now.told
    if told.boosters is not None:
        titles = [card.title for card in best.cards]
        st.html(boosters_html(told.boosters, titles, [short_title(title) for title in titles]))
    elif job.now.running:
        words = "Trying each booster in every round …"
        draw_until(lambda: not job.now.running, ADVICE_POLL * crowding(), lambda: st.caption(words))
    else:
        st.caption("What each booster adds is not known: trying them failed.")


def _columns(best: PlanOption) -> dict[str, ShownColumn]:
    return dict.fromkeys(list(terms_table(best).columns[1:]), ShownColumn("{:+.1f}"))
