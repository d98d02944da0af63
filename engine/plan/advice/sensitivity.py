"""How firm is a plan? Forecasts are shaken many times: how often its first move stays best, and whether hits pay."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from data.errors import InfeasibleError
from engine.plan.linear.plans import plan_value
from engine.plan.linear.problem import MOST_HITS, PlanProblem
from engine.plan.linear.search import LinearSettings, solve_placed
from engine.plan.moves.moves import Plan

DRAWS = 50
SHAKE, TEAM_SHAKE = 0.15, 0.08
"""Spread of a man's and of his team's expected points, as a share, the same in all rounds: an error of a rate lasts.
Between the eighth of 8 % that replays are run with and the 30 % of a rate that is hardly known."""

PAYS = 0.8
"""Share of shaken forecasts in which a hit has to earn more than it costs: over a season they just earn their cost."""


@dataclass(frozen=True, slots=True)
class Firmness:
    """How a plan's first move does when forecasts are shaken."""

    share: float  # of the draws in which a plan with this first move is the best of those at hand
    draws: int
    rival: int | None  # place of the plan that wins most of the others; None where nothing else ever does
    rival_share: float

    @property
    def error(self) -> float:
        """Standard error of the share."""
        return float(np.sqrt(max(self.share * (1 - self.share), 0.0) / max(self.draws, 1)))


def shaken(problem: PlanProblem, rng: np.random.Generator, draws: int = DRAWS) -> Iterator[PlanProblem]:
    """Yield the problem under other forecasts: each man and each team by a factor that stays the same in all rounds."""
    teams = int(problem.frame.team.max()) + 2
    for _ in range(draws):
        own = rng.normal(0.0, SHAKE, problem.players)
        club = rng.normal(0.0, TEAM_SHAKE, teams)[problem.frame.team]
        factor = np.exp(own + club - (SHAKE**2 + TEAM_SHAKE**2) / 2)
        values = problem.values
        tables = {name: getattr(values, name) * factor[:, None] for name in ("start", "captain", "bench", "hold")}
        yield replace(problem, values=replace(values, **tables, final=values.final * factor))


def shaken_values(
    problem: PlanProblem, plans: Sequence[Plan], rng: np.random.Generator, draws: int = DRAWS
) -> np.ndarray:
    """Return (draws, p) the linear value of each plan under each shaken forecast, line-ups chosen anew."""
    return np.array([[plan_value(one, plan) for plan in plans] for one in shaken(problem, rng, draws)])


def firmness(plans: Sequence[Plan], values: np.ndarray) -> tuple[Firmness, ...]:
    """Return how firm each plan's first move is; `values` (draws, p) are those of the plans in shaken forecasts."""
    firsts = [plan.first_key() for plan in plans]
    winner = [firsts[place] for place in values.argmax(axis=1).tolist()]
    found = []
    for first in firsts:
        share = winner.count(first) / len(winner)
        others = [one for one in winner if one != first]
        rival = max(dict.fromkeys(others), key=others.count, default=None)
        place = None if rival is None else firsts.index(rival)
        found.append(Firmness(share, len(winner), place, 0.0 if rival is None else others.count(rival) / len(winner)))
    return tuple(found)


@dataclass(frozen=True, slots=True)
class HitVerdict:
    """Whether transfers beyond the free ones pay."""

    hits: int  # of the best plan that may take them
    gain: float  # points over the best plan without, their cost taken off
    share: float  # of shaken forecasts in which it is ahead

    @property
    def pays(self) -> bool:
        """Whether they are worth planning."""
        return self.hits > 0 and self.share >= PAYS


NO_HITS = HitVerdict(0, 0.0, 0.0)


def hit_verdict(
    problem: PlanProblem, settings: LinearSettings, rng: np.random.Generator, least: float = -np.inf
) -> HitVerdict:
    """Return whether hits pay: the best plan with them against the best without, forecasts shaken.

    A plan with hits that is not worth `least`, what a plan without them brings, is no reason to take them.
    """
    none = np.zeros_like(problem.locks.most_hits)
    most = np.where(problem.locks.most_hits > 0, problem.locks.most_hits, MOST_HITS)
    chips = problem.locks.chip_in
    try:
        with_hits = solve_placed(problem.asking(most_hits=most), chips, replace(settings, plans=1), least).best
    except InfeasibleError:
        return NO_HITS
    if not with_hits.plan.hits:
        return NO_HITS
    without = solve_placed(problem.asking(most_hits=none), chips, settings).best
    values = shaken_values(problem, [with_hits.plan, without.plan], rng)
    share = float((values[:, 0] > values[:, 1]).mean())
    return HitVerdict(with_hits.plan.hits, with_hits.value - without.value, share)
