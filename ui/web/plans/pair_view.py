"""Two plans over the next rounds side by side: where they part, what lies between them, and both to take away."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

import streamlit as st

from engine.plan.answer.comparison import PlanComparison, compare_plans
from engine.plan.answer.plan_board import PlanBoard, PlanOption
from engine.plan.fitness.rounds import PlanRounds
from ui.web.answers.option_view import draw_download
from ui.web.choice.frame import Chosen, is_dark, objective_of
from ui.web.drawing.charts.cumulative import cumulative_words, draw_cumulative
from ui.web.drawing.charts.pair import draw_pair
from ui.web.drawing.escaping import as_markdown
from ui.web.drawing.live import draw_until
from ui.web.drawing.plain_table import ShownColumn, draw_table
from ui.web.plans.exports import both_csv, plans_text, shared_link
from ui.web.plans.pair_chances import draw_chances_ahead
from ui.web.plans.pair_tables import ahead_table, crossed_plans, exposure_table, weeks_table
from ui.web.work.background import crowding
from ui.web.work.plan_job import PlanJob, attended_plans, plan_order, whole_plan

POLL = 0.5  # seconds between two looks at plans that are being made
POINTS = ShownColumn("{:.1f}")
SIGNED = ShownColumn("{:+.1f}")


@dataclass(frozen=True, slots=True)
class PlanSide:
    """One of two plans: what it is called, and the choice it is made for."""

    label: str
    chosen: Chosen


def draw_plan_pair(first: PlanSide, second: PlanSide) -> None:
    """Draw two plans side by side; while they are made, what is being done."""
    jobs = attended_plans(*(plan_order(side.chosen, sketched=False, told=False) for side in (first, second)))
    boards = [whole_plan(job) for job in jobs]
    if boards[0] is None or boards[1] is None:
        _draw_waiting(jobs, (first.label, second.label))
        return
    _draw_found(first, second, (boards[0], boards[1]))


def _draw_waiting(jobs: tuple[PlanJob, ...], labels: tuple[str, str]) -> None:
    errors = [job.now.error for job in jobs if job.now.error is not None]
    if errors:
        raise errors[0]
    done = sum(whole_plan(job) is not None for job in jobs)

    def progress() -> None:
        told = [f"{label}: {_doing(job)}" for label, job in zip(labels, jobs, strict=True)]
        st.html(f'<p class="xi-line-of" role="status">{escape(" ".join(told))}</p>')

    def over() -> bool:
        ready = sum(whole_plan(job) is not None for job in jobs)
        return ready > done or not any(job.now.running for job in jobs)

    draw_until(over, POLL * crowding(), progress)


def _doing(job: PlanJob) -> str:
    return "ready." if whole_plan(job) else f"{job.now.told.doing.lower()} …"


def _draw_found(first: PlanSide, second: PlanSide, boards: tuple[PlanBoard, PlanBoard]) -> None:
    sides, labels = (first, second), (first.label, second.label)
    best = [board.recommended for board in boards]
    rounds = boards[0].rounds
    found = compare_plans(
        rounds,
        (best[0], objective_of(first.chosen)),
        (best[1], objective_of(second.chosen)),
    )
    plans = dict(zip(labels, best, strict=True))
    st.markdown(f"**{as_markdown(part_words(found, labels))}**")
    left, right = st.columns([6, 5], gap="medium")
    with left:
        _draw_ahead(rounds, plans)
        draw_chances_ahead(first.chosen, rounds, plans)
    with right:
        _draw_exposure(rounds, best[0], labels[0])
    st.markdown("**Where the two plans part, week by week**")
    columns = {label: ShownColumn(prose=True) for label in labels}
    columns |= {f"{label}: points": POINTS for label in labels} | {"Gap so far": SIGNED}
    draw_table(weeks_table(found, labels), "Two plans round by round", columns)
    _draw_crossed(found, labels)
    _draw_take_away(sides, plans)


def part_words(found: PlanComparison, labels: tuple[str, str]) -> str:
    """Return where plans part and what lies between them, in one sentence."""
    first, second = found.first.table, found.second.table
    if found.parts_in is None:
        return f"{labels[0]} and {labels[1]} plan the same: {first.points:.1f} points in {len(found.weeks)} rounds."
    parted = next(week.title for week in found.weeks if week.parted)
    return (
        f"They part in {parted}. {labels[0]} expects {first.points:.1f} points in {len(found.weeks)} rounds, "
        f"{labels[1]} {second.points:.1f}."
    )


def _draw_ahead(rounds: PlanRounds, plans: dict[str, PlanOption]) -> None:
    table = ahead_table(rounds, plans)
    names = list(plans)
    st.markdown("**Points gained on an average manager**")
    st.altair_chart(draw_cumulative(table, is_dark()), width="stretch", key="pair_ahead", alt=cumulative_words(table))
    st.caption(f"Eight times in ten: the band is {as_markdown(names[0])}, the dashes are {as_markdown(names[1])}.")


def _draw_exposure(rounds: PlanRounds, option: PlanOption, label: str) -> None:
    table = exposure_table(rounds, option)
    st.markdown(f"**Whose points count for you and for the field, {as_markdown(label)}, {option.cards[0].title}**")
    words = "; ".join(f"{row.term}, {row.plan}: {row.points:.0f} %" for row in table.itertuples())
    chart = draw_pair(table, is_dark(), title="Percent of his points; a captain counts twice", form="{:.0f}")
    st.altair_chart(chart, width="stretch", key="pair_exposure", alt=words)


def _draw_crossed(found: PlanComparison, labels: tuple[str, str]) -> None:
    with st.expander("The same plans under both objectives"):
        table = crossed_plans(found, labels)
        columns = dict.fromkeys(map(str, table.columns[1:]), SIGNED)
        draw_table(table, "The terms of both plans under each objective, and their sums", columns)


def _draw_take_away(sides: tuple[PlanSide, PlanSide], plans: dict[str, PlanOption]) -> None:
    chosen = sides[0].chosen
    with st.container(horizontal=True):
        name = f"thetaxi-{chosen.plan.world}-{chosen.snapshot.round}-plans.csv"
        draw_download("Download both plans", lambda: both_csv(plans), name, "download_both")
        with st.popover("Copy as text", icon=":material/content_copy:"):
            st.code(plans_text(plans, shared_link(chosen.plan)), language=None)
