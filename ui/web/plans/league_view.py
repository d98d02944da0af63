"""The league to its end on a page: the chance to win it by objective, played against the rivals' whole squads."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd
import streamlit as st

from ui.web.choice.frame import Chosen, desk_of, rivals_here
from ui.web.choice.objective_choice import TITLES
from ui.web.choice.session import visitor
from ui.web.drawing.escaping import as_markdown
from ui.web.drawing.plain_table import ShownColumn, draw_table
from ui.web.work.background import ADVICE, FIELD, background
from ui.web.work.field_job import draw_when_told
from ui.web.work.scheduler import Job, JobPart, Task

if TYPE_CHECKING:  # whole rounds are simulated there: who names no rival does not wait for it
    from engine.season.league.league_end import LeagueEnd, LeaguePlan

NAMED = 5
"""Rivals whom the table tells one by one."""


def draw_league(chosen: Chosen) -> None:
    """Draw the end of the league, for who named rivals and asks for it."""
    if not rivals_here(chosen):
        return
    with st.expander("Who wins the league?", icon=":material/trophy:", key="league_end", on_change="rerun") as asked:
        if asked.open:
            draw_when_told(lambda: league_job(chosen), "Playing the league to its end …", _draw_end)


def league_job(chosen: Chosen) -> Job[LeagueEnd | None]:
    """Return the simulation of the league; it starts now where it has not."""
    desk, left = desk_of(chosen), chosen.plan.left
    key = repr(("league", chosen.asked_key, chosen.plan.horizon, left))

    def played(_: Job[LeagueEnd | None]) -> LeagueEnd | None:
        return desk.league_end(rounds_left=left)

    return background().job(Task(ADVICE, key, (JobPart(FIELD, played),), None), visitor())


def _draw_end(end: LeagueEnd) -> None:
    st.markdown(f"**{as_markdown(end.advice)}**")
    table = league_table(end.plans)
    columns = {"Expected place": ShownColumn("{:.1f}"), "Points": ShownColumn("{:.0f}", f"Over {end.planned} rounds")}
    draw_table(table, "Objectives with the chance to win the league", columns)
    left_out = f" Left out, for want of their squads: {', '.join(end.left_out)}." if end.left_out else ""
    rounds = f"{end.rounds_left} rounds left, the next {end.planned} played move by move; 95 % intervals in brackets."
    st.caption(as_markdown(f"{rounds}{left_out}"))


def league_table(plans: tuple[LeaguePlan, ...]) -> pd.DataFrame:
    """Return one row per objective: the chance to win, the place, the points, and the chance to end above rivals."""
    return pd.DataFrame(
        [
            {
                "Plan": TITLES.get(plan.objective, plan.objective),
                "Wins the league": str(plan.win),
                "Expected place": plan.place,
                "Points": plan.points,
                **{f"Above {rival.name}": str(rival.behind) for rival in plan.rivals[:NAMED]},
            }
            for plan in plans
        ]
    )
