"""One week of a season: plan at the deadline, commit the first round, and only then look at what happened."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Annotated

import numpy as np
from pydantic import BaseModel, ConfigDict, Field

from data.worlds.snapshot import Snapshot
from data.worlds.world import World
from engine.fitness.judge import Objective, named_objective
from engine.fitness.wishes import NO_WISHES
from engine.lineup.lineups import Lineups
from engine.plan.fitness.plan_fitness import ScoredPlans, score_plans
from engine.plan.linear.chips import solve_linear
from engine.plan.linear.plans import plan_of
from engine.plan.linear.search import LinearSettings
from engine.plan.planner import AUTO as ALL_BOOSTERS
from engine.plan.planner import NONE, Planner, PlanOrder, open_planner
from engine.rank.recommendation import rank_objective
from engine.season.booster_rules import BoosterChoice, settings_by_rules
from engine.season.holding import Holding
from engine.season.official_score import official_score
from engine.season.policies import AUTO, SeasonPolicy, Told, believed
from engine.season.standing_kappa import standing_kappa
from models.signals import Signals

QUICK = LinearSettings(placements=3, tightened=None)
"""A plan whose first round alone is played needs no bound over other placements, no breeding and no advice. In weeks
that were looked at the first move was that of the whole search, in half of its time and .15 % below its fitness."""


class PlayedWeek(BaseModel):
    """One round of one run: what was done, what was expected of it, and what it brought."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    round: int
    points: int  # official, hits taken off
    expected: float  # hits taken off
    hits: int  # points that transfers took
    transfers: Annotated[int, Field(ge=0)]
    chip: str | None
    captain: int  # player id
    squad: tuple[int, ...]  # player ids, as they played
    crowd_captain: int  # points had the armband been with the starter whom most managers captain
    no_bench: int  # points had nobody come in from the bench
    holding: Holding  # carried into the next round


@dataclass(frozen=True, eq=False)
class Deadline:
    """What all runs of a round share: it is built once and sent to every worker."""

    world: World
    snapshot: Snapshot
    beliefs: Signals
    ahead: tuple[Signals, ...]
    told: Told
    jitter: float
    average: float  # points of the average manager so far; NaN where it is not known


@dataclass(frozen=True, slots=True)
class WeekTask:
    """One run of one policy before a deadline."""

    policy: SeasonPolicy
    run: int
    holding: Holding
    total: int  # points so far


def play_week(deadline: Deadline, task: WeekTask) -> PlayedWeek:
    """Return the week that a run of a policy plays."""
    policy = task.policy
    seen = believed(deadline.ahead[: policy.horizon], policy, task.run, deadline.told, deadline.jitter)
    state = task.holding.state(deadline.world, deadline.beliefs)
    chips = NONE if policy.chips is BoosterChoice.NONE else ALL_BOOSTERS
    numbers = [signals.round for signals in seen]
    by_rules = policy.chips is BoosterChoice.RULES
    worth = settings_by_rules(deadline.beliefs.rules, state.boosters, numbers) if by_rules else None
    order = PlanOrder(horizon=len(seen), state=state, chips=chips, hits=policy.hits, settings=worth)
    planner = open_planner(deadline.snapshot, deadline.beliefs, order, NO_WISHES, lambda _: None, ahead=seen)
    found, row = committed(planner, season_objective(planner, task, deadline.average), still=policy.still)
    return _week(deadline, planner.rounds.signals[0], task.holding, found, row)


def season_objective(planner: Planner, task: WeekTask, average: float) -> Objective:
    """Return the objective of a policy; that of `auto` follows from the lead on the average manager."""
    view, rules = planner.rounds.views[0], planner.rounds.signals[0].rules
    if task.policy.theta != AUTO:
        return named_objective(task.policy.theta, view)
    lead = task.total - average if np.isfinite(average) else 0.0
    return rank_objective(view, standing_kappa(lead, rules.rounds - planner.rounds.rounds[0] + 1), None)


def committed(planner: Planner, objective: Objective, *, still: bool = False) -> tuple[ScoredPlans, int]:
    """Return plans scored by the full objective and the row of the best; `still` makes no transfer at all.

    Who stands still needs no search, and may: a squad whose club has one man too many since he moved there is kept.
    """
    problem = planner.problem(objective)
    if still and not problem.frame.first_squad:
        rounds = len(problem.rounds)
        plans = [plan_of(problem, (None,) * rounds, np.tile(problem.frame.start_squad, (rounds, 1)))]
    else:
        plans = [valued.plan for valued in solve_linear(problem, QUICK).plans]
    scored = score_plans(planner.rounds, plans, objective)
    return scored, int(scored.ranking[0])


def _week(deadline: Deadline, signals: Signals, holding: Holding, found: ScoredPlans, row: int) -> PlayedWeek:
    moves, world = found.plans[row].moves[0], deadline.world
    lineups = _only(found.lineups[0], row)
    cost = moves.hits * signals.rules.transfers.hit_cost
    points = official_score(world, signals, lineups, moves.chip)
    crowds = official_score(world, signals, _crowd_captained(deadline.beliefs, lineups), moves.chip)
    unhelped = official_score(world, without_subs(signals), lineups, moves.chip)
    return PlayedWeek(
        round=moves.round,
        points=points - cost,
        expected=float(found.expected[row, 0]),
        hits=cost,
        transfers=moves.transfers,
        chip=moves.chip,
        captain=int(signals.player_id[lineups.captain[0]]),
        squad=tuple(int(signals.player_id[man]) for man in moves.squad),
        crowd_captain=crowds - cost,
        no_bench=unhelped - cost,
        holding=holding.after(moves, signals),
    )


def _only(lineups: Lineups, row: int) -> Lineups:
    return Lineups(*(getattr(lineups, one.name)[row : row + 1] for one in fields(Lineups)))


def _crowd_captained(beliefs: Signals, lineups: Lineups) -> Lineups:
    """Return the line-up with the armband on the starter whom most managers captain; who led before stands behind."""
    starters = lineups.starters[0]
    share = np.append(beliefs.exposure.captained, np.zeros(max(0, int(starters.max()) + 1 - len(beliefs))))
    captain = int(starters[share[starters].argmax()])
    vice = lineups.vice if captain == lineups.captain[0] else lineups.captain
    return replace(lineups, captain=np.array([captain]), vice=vice)


def without_subs(signals: Signals) -> Signals:
    """Return the signals under rules without auto-subs."""
    autosubs = signals.rules.autosubs.model_copy(update={"enabled": False})
    return replace(signals, rules=signals.rules.model_copy(update={"autosubs": autosubs}))
