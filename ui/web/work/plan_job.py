"""Plans beside the page: the rounds to come planned together, told step by step, kept for all who ask the same.

A first answer is made ahead of all other work, then the whole plan, then what is said of it: each only while somebody
still looks at it.

(job,) = attended_plans(plan_order(chosen, "protect"))
job.now.told.board        the plans once they are there, job.now.told.doing what is being done until then
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

import streamlit as st

from data.errors import InfeasibleError
from engine.fitness.judge import Objective
from engine.jobs import Shared
from engine.plan.advice.chips import BoosterRow, booster_rows
from engine.plan.advice.prices import WishPrices, wish_prices
from engine.plan.answer.plan_board import PlanBoard
from engine.plan.linear.chips import single_gains
from engine.plan.moves.state import State
from engine.plan.planner import Planner, PlanOrder
from ui.web.choice.frame import Chosen, desk_of, objective_of, signals_of
from ui.web.choice.plan import Plan
from ui.web.choice.session import visitor
from ui.web.plans.edits import wishes_of
from ui.web.work import kept
from ui.web.work.background import PLANS, PROVING, SEARCHING, SKETCHING, background
from ui.web.work.scheduler import Job, JobPart, Task

HORIZON = 5
"""Rounds that are planned together unless somebody says otherwise."""

WHOLE = 2
"""Steps that make the whole plan: a first answer, and the search."""

BREATH = 0.005
"""Seconds the planning rests after each step, so that clicks are answered meanwhile."""


@dataclass(frozen=True, slots=True, eq=False)
class Planned:
    """What is known of a plan."""

    doing: str = "Looking at the rounds to come"
    scored: int = 0  # plans
    board: PlanBoard | None = None
    sketched: bool = False  # whether the board is a first answer, boosters held where they were; the whole one follows
    prices: WishPrices | None = None  # what the wishes cost; None = not known yet
    boosters: tuple[BoosterRow, ...] | None = None  # what each adds in every round; None = not known yet

    @property
    def parts(self) -> int:
        """How much of it is there: it grows with everything that a page can show more."""
        whole = self.board is not None and not self.sketched
        return sum((self.board is not None, whole, self.prices is not None, self.boosters is not None))


PlanJob = Job[Planned]


@st.cache_resource
def planners() -> Shared[Planner]:
    """Return who plans at this server: one for each manager, round and horizon, whatever is asked of the plan."""
    return Shared(kept.PLANNERS.most)


def horizon_of(chosen: Chosen) -> int:
    """Return how many rounds are planned together: as asked, but none after the last."""
    left = chosen.rules.rounds - chosen.snapshot.round + 1
    return min(chosen.plan.horizon or HORIZON, left)


def rounds_of(chosen: Chosen) -> range:
    """Return the numbers of the rounds that are planned together."""
    return range(chosen.snapshot.round, chosen.snapshot.round + horizon_of(chosen))


def plan_order(
    chosen: Chosen,
    theta: str | None = None,
    like: Sequence[str | None] | None = None,
    *,
    sketched: bool = True,
    told: bool = True,
) -> Task[Planned]:
    """Return the order of the plans under the visitor's own θ, or under another one.

    `like` are the boosters by round of a plan that was there before an edit: a first answer holds on to them. Who does
    not show a first answer has none `sketched`. Unless `told`, neither what wishes cost nor what each booster adds is
    asked for.
    """
    desk, objective, order = desk_of(chosen), objective_of(chosen, theta), _order(chosen)
    known, bench = planners(), _bench_key(chosen)

    def planner() -> Planner:
        found = known.of(bench, lambda: desk.planner(replace(order, wishes=PlanOrder().wishes)))
        return replace(found, order=order, wishes=desk.wishes, seed=desk.seed)

    def sketch(job: PlanJob) -> Planned:
        chief = planner()
        if sketched and order.horizon > 1:
            with suppress(InfeasibleError):  # the whole search says why, or finds other rounds for the boosters
                held = (None,) * len(chief.rounds) if like is None else like
                return Planned(board=chief.sketch(objective, held), sketched=True)
        return job.now.told

    def planned(job: PlanJob) -> Planned:
        for step in desk.planned_by(planner(), objective, job.is_over):
            if isinstance(step, PlanBoard):
                return replace(job.now.told, board=step, sketched=False)
            job.tell(replace(job.now.told, doing=step.doing, scored=step.scored))
            if job.is_over() and not job.wish.is_set():  # nobody waits for the best so far
                break
            job.let_pass()
            time.sleep(BREATH)
        return job.now.told

    steps = (
        JobPart(SKETCHING, sketch),
        JobPart(SEARCHING, planned),
        JobPart(PROVING, lambda job: _priced(job.now.told, planner(), objective, job.is_over)),
        JobPart(PROVING, lambda job: _advised(job.now.told, planner(), objective)),
    )
    plan = chosen.plan
    asked = (horizon_of(chosen), plan.planned, plan.chips, sorted(objective.parameters.items()))
    wanted = steps if told else steps[:WHOLE]
    return Task(PLANS, repr((chosen.asked_key, objective.name, asked)), wanted, Planned(), chosen.key, answer=WHOLE)


def _bench_key(chosen: Chosen) -> str:
    """Return what the beliefs and the money that plans are made on depend on."""
    plan = chosen.plan
    money = (plan.current, plan.selling, plan.budget, plan.free, plan.chips)
    return repr((chosen.field_key, horizon_of(chosen), money))


def _priced(told: Planned, planner: Planner, objective: Objective, stop: Callable[[], bool]) -> Planned:
    """Return what is known with the price of everything that is asked, unless nobody waits for it any more."""
    if told.board is None:
        return told
    wished, best = planner.wished(objective), told.board.recommended
    return replace(told, prices=wish_prices(planner.rounds, wished, planner.asked, objective, best, stop=stop))


def _advised(told: Planned, planner: Planner, objective: Objective) -> Planned:
    """Return what is known with what each booster adds in every round: the search has tried those free to choose."""
    if told.board is None:
        return told
    if told.board.boosters:
        return replace(told, boosters=told.board.boosters)
    problem, best = planner.problem(objective), told.board.recommended.plan
    rules = planner.rounds.signals[0].rules
    gains = single_gains(problem, planner.order.search.linear)
    return replace(told, boosters=booster_rows(problem, best, gains, rules))


def attended_plans(*orders: Task[Planned]) -> tuple[PlanJob, ...]:
    """Return the plans of these orders; the visitor leaves all others."""
    jobs = tuple(background().job(order, visitor()) for order in orders)
    background().attend(visitor(), PLANS, {order.key for order in orders})
    return jobs


def whole_plan(job: PlanJob) -> PlanBoard | None:
    """Return the plans of a job once they are whole, not a first answer."""
    told = job.now.told
    return None if told.sketched else told.board


def known_plan(order: Task[Planned]) -> PlanBoard | None:
    """Return the plans of an order where they are known already; nobody is asked to make them."""
    return background().state(order, visitor()).told.board


def _order(chosen: Chosen) -> PlanOrder:
    plan = chosen.plan
    wishes = wishes_of(plan.edits, plan.boosted, chosen.rules, rounds_of(chosen), plan.chips)
    hits = None if plan.hits is None else bool(plan.hits)
    return PlanOrder(horizon=horizon_of(chosen), state=_state(chosen, plan), hits=hits, wishes=wishes)


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
