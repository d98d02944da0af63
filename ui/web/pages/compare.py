"""Compare: two plans side by side, of this round or of the next ones, from any objectives, options, drafts or squad."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import streamlit as st

from data.errors import InfeasibleError
from engine.board.board import Board, Option
from engine.board.comparison import swaps_between
from engine.board.export import plans_csv
from engine.fitness.wishes import rows_of
from ui.web.answers.chances_beside import draw_chances_beside
from ui.web.answers.opponents_view import draw_opponents
from ui.web.answers.option_view import PROVISIONAL, draw_download, option_names
from ui.web.answers.plan_pair import (
    Crossed,
    Side,
    crossed_table,
    crossed_words,
    only_words,
    summary_words,
    swap_table,
    terms_table_of,
)
from ui.web.answers.player_dialog import draw_squad
from ui.web.choice.frame import Chosen, choose_round, is_dark, judge_of, objective_of
from ui.web.choice.objective_choice import ICONS, TITLES
from ui.web.choice.plan import Plan
from ui.web.choice.wishes import draw_way_out
from ui.web.drawing.charts.pair import draw_pair
from ui.web.drawing.escaping import as_markdown
from ui.web.drawing.figures import written
from ui.web.drawing.plain_table import ShownColumn, draw_table
from ui.web.pages.navigation import MY_SQUAD
from ui.web.plans.draft_view import known_drafts
from ui.web.plans.drafts import Draft
from ui.web.plans.pair_view import PlanSide, draw_plan_pair
from ui.web.squads.squad_desk import current_draft, option_of, squad_of
from ui.web.squads.squad_use import draw_in_use, searched
from ui.web.work.orders import attended, board_order
from ui.web.work.plan_job import horizon_of
from ui.web.work.search_job import SearchJob
from ui.web.work.search_view import boards_of

MINE = "My squad"
NOW, NEXT = "now", "next"
OPTIONS = option_names(4)
THETA_OF = {title: theta for theta, title in TITLES.items()}
SIDES = (*TITLES.values(), MINE)


@dataclass(frozen=True, slots=True)
class Asked:
    """What a visitor wants to see on one side."""

    plan: str  # "Protect" … or "My team"
    option: str  # of that plan's board

    def theta(self, other: Asked, plan: Plan) -> str:
        """Return the objective to look with: its own, else the other side's, else that of the plan."""
        known = [THETA_OF[asked.plan] for asked in (self, other) if asked.plan in THETA_OF]
        return known[0] if known else plan.theta or "neutral"

    @property
    def label(self) -> str:
        """What the page calls it."""
        return self.plan if self.plan == MINE or self.option == OPTIONS[0] else f"{self.plan}, {self.option.lower()}"


def show() -> None:
    """Draw the page."""
    st.title("Compare two plans", anchor=False)
    opened = choose_round()
    draw_opponents(opened, MY_SQUAD.page)
    rounds = horizon_of(opened)
    if rounds > 1 and _span(rounds) == NEXT:
        _show_plans(opened)
        return
    chosen = searched(opened)
    left, right = st.columns(2)
    with left:
        first = _ask("First plan", "first", TITLES["protect"])
    with right:
        second = _ask("Second plan", "second", TITLES["gain"])
    draw_in_use(opened)
    if MINE in (first.plan, second.plan):
        chosen = with_own_money(chosen)
    jobs = _jobs(chosen, first, second)
    boards = boards_of(chosen, jobs)
    if len(boards) < len(jobs):
        return
    sides = [_side(chosen, asked, other, boards) for asked, other in ((first, second), (second, first))]
    if sides[0] is None or sides[1] is None:
        return
    if sides[0].label == sides[1].label:
        st.info("Both sides show the same plan. Choose another one for one of them.", icon=":material/compare_arrows:")
        return
    _draw_pair(chosen, sides[0], sides[1])


def _span(rounds: int) -> str:
    """Draw whether this round or the next ones are compared, and return it."""
    titles = {NOW: "This round", NEXT: f"Next {rounds} rounds"}
    chosen = st.segmented_control(
        "How far to look",
        list(titles),
        default=NOW,
        required=True,
        format_func=titles.__getitem__,
        key="span",
        label_visibility="collapsed",
    )
    return str(chosen)


def _show_plans(opened: Chosen) -> None:
    """Draw two plans over the next rounds side by side."""
    known = sides_of(opened, known_drafts())
    labels = []
    for column, title, key, default in zip(
        st.columns(2), ("First plan", "Second plan"), ("first_plan", "second_plan"), (0, 2), strict=True
    ):
        labels.append(column.selectbox(title, list(known), default, key=key))
    if labels[0] == labels[1]:
        st.info("Both sides show the same plan. Choose another one for one of them.", icon=":material/compare_arrows:")
        return
    try:
        draw_plan_pair(*(PlanSide(label, known[label]) for label in labels))
    except InfeasibleError as error:
        draw_way_out(opened, error)


def sides_of(opened: Chosen, drafts: Sequence[Draft] = ()) -> dict[str, Chosen]:
    """Return the plans that can be compared by label: one for each objective, then the drafts of the same squad."""
    plans = {
        title: opened.plan if theta == opened.plan.theta else opened.plan.with_changes(theta=theta, k=None, w=None)
        for theta, title in TITLES.items()
    }
    plans |= {f"Draft: {draft.name}": draft.plan for draft in drafts if draft.plan.theta and draft.fits(opened.plan)}
    return {label: replace(opened, plan=plan) for label, plan in plans.items()}


def _ask(label: str, key: str, default: str) -> Asked:
    columns = st.columns(2)
    plan = columns[0].selectbox(label, SIDES, SIDES.index(default), key=key, bind="query-params")
    if plan == MINE:
        return Asked(plan, OPTIONS[0])
    option = columns[1].selectbox(f"{label}: option", OPTIONS, key=f"{key}_option", bind="query-params")
    return Asked(plan, option)


def _jobs(chosen: Chosen, first: Asked, second: Asked) -> dict[str, SearchJob]:
    """Return the searches of both sides by title; the visitor leaves all others."""
    titles = dict.fromkeys(asked.plan for asked in (first, second) if asked.plan in THETA_OF)
    jobs = attended(*(board_order(chosen, THETA_OF[title]) for title in titles))
    return dict(zip(titles, jobs, strict=True))


def _side(chosen: Chosen, asked: Asked, other: Asked, boards: dict[str, Board]) -> Side | None:
    theta = asked.theta(other, chosen.plan)
    option = _own_option(chosen, theta) if asked.plan == MINE else _board_option(boards[asked.plan], asked)
    return None if option is None else Side(asked.label, theta, option)


def _board_option(board: Board, asked: Asked) -> Option | None:
    place = OPTIONS.index(asked.option)
    if place < len(board.options):
        return board.options[place]
    count = len(board.options)
    st.info(
        f"{asked.plan} has {count} option{'s' * (count != 1)} here, so there is no {asked.option.lower()}. Choose an "
        "earlier one.",
        icon=":material/filter_none:",
    )
    return None


def with_own_money(chosen: Chosen) -> Chosen:
    """Return the choice with what the visitor's own squad is worth to spend, where that is more than he has.

    Prices that rose made his squad dear; whoever is held against it may spend as much.
    """
    draft, judge = current_draft(chosen), judge_of(chosen)
    worth = round(float(judge.view.pool.price[list(rows_of(draft.player_ids, judge.view.signals))].sum()), 1)
    if not draft.whole or worth <= judge.view.pool.budget:
        return chosen
    return replace(chosen, plan=chosen.plan.with_changes(budget=worth))


def _own_option(chosen: Chosen, theta: str) -> Option | None:
    """Return the visitor's own squad as an option; where there is none, or an illegal one, say so."""
    draft = current_draft(chosen)
    if not draft.whole:
        st.info("Lay out your squad on the page My team first, or use one from Spectrum.", icon=":material/person:")
        return None
    squad, broken = squad_of(chosen, draft.player_ids)
    if broken:
        st.error(as_markdown(f"Your squad breaks the rules: {'; '.join(broken)}. Change it on the page My team."))
        return None
    return option_of(chosen, squad, theta)


def _draw_pair(chosen: Chosen, first: Side, second: Side) -> None:
    st.markdown(f"**{as_markdown(summary_words(first, second))}**")
    for place, (column, side, other) in enumerate(zip(st.columns(2), (first, second), (second, first), strict=True)):
        with column:
            _draw_side(chosen, side, other, place)
    _draw_terms(first, second)
    _draw_swaps(first, second)
    _draw_crossed(chosen, first, second)
    st.subheader("Chances to hold and to catch up", anchor=False)
    draw_chances_beside(chosen, (first.label, second.label), (first.option, second.option))
    draw_download(
        "Download both plans",
        lambda: plans_csv({side.label: side.option for side in (first, second)}),
        f"thetaxi-{chosen.plan.world}-{chosen.snapshot.round}-compare.csv",
        "download_plans",
        help="One file; brought back on My team, it gives the first plan.",
    )


def _draw_side(chosen: Chosen, side: Side, other: Side, place: int) -> None:
    option = side.option
    low, high = option.swing
    st.subheader(f":material/{ICONS[side.theta]}: {side.label}", anchor=False)
    st.caption(
        f"Expected {option.expected:.1f} · {low:.0f}–{high:.0f} eight times in ten · captain "
        f"{as_markdown(option.captain.short)} · {option.price:.1f}m"
    )
    draw_squad(chosen, option, key=f"side_{place}", label=side.label, ringed=side.ids - other.ids)
    st.caption(as_markdown(only_words(side, other)))


def _draw_terms(first: Side, second: Side) -> None:
    st.subheader("Where the scores come from", anchor=False)
    if first.theta != second.theta:
        st.caption(
            f"{first.label} is scored under {first.theta}, {second.label} under {second.theta}: the terms can be "
            "compared one by one, the sums cannot."
        )
    table = terms_table_of(first, second)
    words = "; ".join(f"{row.plan}, {row.term}: {written(row.points, '{:+.2f}')}" for row in table.itertuples())
    st.altair_chart(draw_pair(table, is_dark()), width="stretch", key="pair_terms", alt=words)


def _draw_swaps(first: Side, second: Side) -> None:
    st.subheader(f"From {first.label} to {second.label}, swap by swap", anchor=False)
    table = swap_table(first, second, swaps_between(first.option, second.option))
    if table.empty:
        st.caption("Nobody: both have the same fifteen players.")
        return
    owned = ShownColumn("{:.1f}%", "Share of all managers who own him")
    columns = {
        "Points": ShownColumn("{:+.2f}", f"Expected points that {second.label} gains"),
        str(table.columns[4]): owned,
        str(table.columns[5]): owned,
        "Swing": ShownColumn("{:+.0f}", "How much wider he swings, from floor to ceiling"),
        "Price": ShownColumn("{:+.1f}", "Millions"),
    }
    draw_table(table, f"Who stands for whom between {first.label} and {second.label}", columns)


def _draw_crossed(chosen: Chosen, first: Side, second: Side) -> None:
    st.subheader("The same squads under both objectives", anchor=False)
    judge = judge_of(chosen)
    objectives = {theta: objective_of(chosen, theta) for theta in dict.fromkeys((first.theta, second.theta))}
    results: Crossed = {
        side.label: {
            theta: judge.decompose(np.array(side.option.rows), objective) for theta, objective in objectives.items()
        }
        for side in (first, second)
    }
    st.markdown(as_markdown(crossed_words(results)))
    table = crossed_table(results)
    columns = dict.fromkeys(map(str, table.columns[1:]), ShownColumn("{:+.2f}"))
    draw_table(table, "The terms of both squads under each objective, and their sums", columns)
    if any(result.provisional for by_theta in results.values() for result in by_theta.values()):
        st.caption(PROVISIONAL)
