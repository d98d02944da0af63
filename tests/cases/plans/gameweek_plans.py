"""Problems of plans that many tests look at: a real gameweek with a squad one transfer from good, and its beliefs."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np

from engine.desk import open_desk
from engine.plan.linear.frame import frame_of
from engine.plan.linear.problem import Locks, PlanProblem, RoleValues, chip_offers
from engine.plan.moves.state import State
from models.outlook import build_outlook
from models.signals import Signals

SEASON, GAMEWEEK, HORIZON = "fpl2025-26", 12, 5


@dataclass(frozen=True, slots=True, eq=False)
class PlanCase:
    """A problem with what it was made of."""

    signals: Signals
    state: State
    problem: PlanProblem


@cache
def gameweek_case(horizon: int = HORIZON, free: int = 2, spare: float = 1.0) -> PlanCase:
    """Return the plan of somebody whose squad was the best of the gameweek four rounds before."""
    before, now = (open_desk(SEASON, number, seed=1) for number in (GAMEWEEK - 4, GAMEWEEK))
    squad = before.signals.player_id[before.best_squad(before.objective("neutral"))].tolist()
    state = State.of_squad(tuple(squad), now.signals, free=free)
    frame = frame_of(state, now.signals, horizon)
    points = build_outlook(now.signals, horizon).xev * 0.95 ** np.arange(horizon)
    offers = chip_offers(state, now.signals.rules, frame.rounds)
    locks = Locks.none(len(frame), horizon)
    return PlanCase(now.signals, state, PlanProblem(frame, RoleValues.of_points(points, spare), offers, locks=locks))
