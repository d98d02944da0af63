"""Plans beside the page: the rounds to come planned together, told step by step, kept for all who ask the same.

(job,) = attended_plans(plan_order(chosen, "protect"))
job.now.told.board        the plans once they are there, job.now.told.doing what is being done until then
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace

from engine.fitness.judge import Objective
from engine.plan.advice.chips import BoosterRow, booster_rows
from engine.plan.advice.sensitivity import firmness, shaken_values
from engine.plan.answer.plan_board import PlanBoard
from engine.plan.linear.chips import single_gains
from engine.plan.planner import AUTO, NONE, Planner, PlanOrder
from engine.plan.state import State
from models.streams import Stream, stream
from ui.web.choice.frame import Chosen, desk_of, objective_of, signals_of
from ui.web.choice.plan import Plan
from ui.web.choice.session import visitor
from ui.web.work.background import PLANS, PROVING, SEARCHING, background
from ui.web.work.scheduler import Job, JobPart, Task

HORIZON = 5
"""Rounds that are planned together unless somebody says otherwise."""

BREATH = 0.005
"""Seconds the planning rests after each step, so that clicks are answered meanwhile."""


@dataclass(frozen=True, slots=True, eq=False)
class Planned:
    """What is known of a plan."""

    doing: str = "Looking at the rounds to come"
    scored: int = 0  # plans
    board: PlanBoard | None = None
    boosters: tuple[BoosterRow, ...] | None = None  # what each adds in every round; None = not known yet
    firm: float | None = None  # share of shaken forecasts in which the first move stays best


PlanJob = Job[Planned]


def horizon_of(chosen: Chosen) -> int:
    """Return how many rounds are planned together: as asked, but none after the last."""
    left = chosen.rules.rounds - chosen.snapshot.round + 1
    return min(chosen.plan.horizon or HORIZON, left)


def plan_order(chosen: Chosen, theta: str | None = None) -> Task[Planned]:
    """Return the order of the plans under the visitor's own θ, or under another one."""
    desk, objective = desk_of(chosen), objective_of(chosen, theta)
    order = _order(chosen)

    def planned(job: PlanJob) -> Planned:
        for step in desk.planning(objective, order, job.is_over):
            if isinstance(step, PlanBoard):
                return replace(job.now.told, board=step)
            job.tell(Planned(step.doing, step.scored))
            time.sleep(BREATH)
        return job.now.told

    def advised(job: PlanJob) -> Planned:
        return _advised(job.now.told, desk.planner(order), objective, chosen.plan.seed)

    plan = chosen.plan
    asked = (horizon_of(chosen), plan.boosted, plan.hits, plan.chips, sorted(objective.parameters.items()))
    key = repr((chosen.asked_key, objective.name, asked))
    return Task(PLANS, key, (JobPart(SEARCHING, planned), JobPart(PROVING, advised)), Planned(), chosen.key)


def _advised(told: Planned, planner: Planner, objective: Objective, seed: int) -> Planned:
    """Return what is known with what each booster adds in every round, and how firm the first move is."""
    if told.board is None:
        return told
    problem, plans = planner.problem(objective), [option.plan for option in told.board.options]
    rules = planner.rounds.signals[0].rules
    boosters = booster_rows(problem, plans[0], single_gains(problem, planner.order.search.linear), rules)
    firm = None
    if len({plan.first_key() for plan in plans}) > 1:
        firm = firmness(plans, shaken_values(problem, plans, stream(seed, Stream.QUESTIONS)))[0].share
    return replace(told, boosters=boosters, firm=firm)


def attended_plans(*orders: Task[Planned]) -> tuple[PlanJob, ...]:
    """Return the plans of these orders; the visitor leaves all others."""
    jobs = tuple(background().job(order, visitor()) for order in orders)
    background().attend(visitor(), PLANS, {order.key for order in orders})
    return jobs


def _order(chosen: Chosen) -> PlanOrder:
    plan = chosen.plan
    chips = AUTO if plan.boosted is None else plan.boosted or NONE
    return PlanOrder(horizon=horizon_of(chosen), state=_state(chosen, plan), chips=chips, hits=bool(plan.hits))


def _state(chosen: Chosen, plan: Plan) -> State | None:
    """Return the manager's state where his boosters are known; else the desk takes it from his wishes."""
    if plan.chips is None:
        return None
    boosters = tuple(name for name in plan.chips if name in chosen.rules.boosters)
    if not plan.current:
        return State.first(chosen.rules, chosen.snapshot.round, boosters)
    asked = plan.asked
    return State.of_squad(
        plan.current,
        signals_of(chosen),
        selling=asked.selling,
        budget=asked.budget,
        free=asked.free_transfers,
        boosters=boosters,
    )
