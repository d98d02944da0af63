"""Strength of a plan for a standing: a small grid of κ, each planned for and played many times; the best is chosen.

By simulated chance, never by the sign of the lead alone: a strength that buys swing with too many points loses even
from behind. Opponents keep their squads and line them up as each round asks; boosters are left aside for everybody.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy.special import ndtr

from data.errors import InputError
from engine.fitness.judge import Objective
from engine.lineup.lineups import best_lineups
from engine.plan.fitness.known_lineups import KnownLineups
from engine.plan.fitness.plan_fitness import score_plans
from engine.plan.fitness.rounds import PlanRounds
from engine.plan.linear.chips import solve_linear
from engine.plan.moves.moves import Plan
from engine.plan.planner import NONE, Planner
from engine.rank.chances import entries_of
from engine.rank.draws import draw_rounds
from engine.rank.field import Field
from engine.rank.intervals import Estimate, estimate
from engine.rank.kept_edge import lost_edge
from engine.rank.recommendation import chosen_kappa, rank_objective
from engine.rank.scores import all_scores

KAPPAS = (-0.02, -0.01, 0.0, 0.01, 0.02, 0.04, 0.06)
"""Strengths that are tried: beyond them a plan sheds more points than its swing, or its cover, is worth."""

SIMULATIONS = 2_000
MANAGERS = 100
"""Opponents whose whole squads are played through the rounds."""

NARROWEST = 1.0


@dataclass(frozen=True, slots=True)
class MeasuredPlan:
    """One strength, the plan it asks for, and the chance that it ends ahead."""

    kappa: float
    plan: Plan
    ahead: Estimate
    points: float  # mean simulated points over the rounds, hits taken off


@dataclass(frozen=True, slots=True)
class PlanStanding:
    """What serves a standing best over the rounds of a plan."""

    lead: float
    rounds_left: int
    against: str
    kappa: float  # the strength that measures best; 0 where nothing beats the most points by more than luck
    measured: tuple[MeasuredPlan, ...]  # in order of κ

    @property
    def chosen(self) -> MeasuredPlan:
        """The strength that was chosen."""
        return next(one for one in self.measured if one.kappa == self.kappa)

    @property
    def reason(self) -> str:
        """Why this strength, in one sentence."""
        goal = f"hold a lead of {self.lead:g}" if self.lead >= 0 else f"erase a deficit of {-self.lead:g}"
        if self.kappa == 0:
            return f"To {goal}, nothing measures better than the most points: {self.chosen.ahead}."
        side = "protecting" if self.kappa > 0 else "chasing"
        plain = next(one for one in self.measured if one.kappa == 0)
        return (
            f"To {goal}, {side} with κ = {self.kappa:g} measures best: {self.chosen.ahead} against {plain.ahead} for "
            "the most points."
        )


def plan_standing(
    planner: Planner,
    lead: float,
    against: Field,
    rng: np.random.Generator,
    *,
    rounds_left: int | None = None,
    n: int = SIMULATIONS,
    kappas: Sequence[float] = KAPPAS,
) -> PlanStanding:
    """Return the strength that measures best for a lead (a deficit is negative) on somebody of a field.

    It is chosen on one half of the simulations and told by the other; what the other half does not confirm is luck.
    """
    rounds, rules = planner.rounds, planner.rounds.signals[0].rules
    left = rules.rounds - rounds.rounds[0] + 1 if rounds_left is None else rounds_left
    if left < 1 or 0.0 not in kappas:
        raise InputError(
            f"{left} rounds left and strengths {tuple(kappas)} cannot be measured; give 1, and 0 among them."
        )
    quiet = replace(planner, order=replace(planner.order, chips=NONE))
    seen = replace(rounds, exposures=tuple(against.exposure(signals) for signals in rounds.signals))
    known = KnownLineups()
    plans = [_best_plan(quiet, seen, rank_objective(seen.views[0], kappa, None), known) for kappa in kappas]
    own, others = _played(rounds, plans, against, 2 * n, rng)
    ahead = _ahead(own, others, lead, max(left - len(rounds), 0), len(rounds))
    chosen = chosen_kappa({kappa: ahead[row, :n] for row, kappa in enumerate(kappas)})
    if ahead[list(kappas).index(chosen), n:].mean() <= ahead[list(kappas).index(0.0), n:].mean():
        chosen = 0.0
    measured = tuple(
        MeasuredPlan(kappa, plans[row], estimate(ahead[row, n:]), float(own[row].mean()))
        for row, kappa in enumerate(kappas)
    )
    return PlanStanding(lead, left, against.name, chosen, measured)


def _best_plan(planner: Planner, rounds: PlanRounds, objective: Objective, known: KnownLineups) -> Plan:
    """Return the best plan under an objective of those that the linear search finds."""
    problem = replace(planner, rounds=rounds).problem(objective)
    plans = [valued.plan for valued in solve_linear(problem, planner.order.search.linear).plans]
    return plans[int(score_plans(rounds, plans, objective, known=known).ranking[0])]


def _played(
    rounds: PlanRounds, plans: Sequence[Plan], against: Field, n: int, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """Return the points of plans (p, n) and of opponents (m, n) over all rounds, all in the same matches."""
    squads = against.squads[:MANAGERS]
    own, others = np.zeros((len(plans), n)), np.zeros((len(squads), n))
    for column, signals in enumerate(rounds.signals):
        drawn = draw_rounds(signals, n, rng)
        mine = np.array([plan.moves[column].squad for plan in plans])
        cost = np.array([signals.rules.transfers.hit_cost * plan.moves[column].hits for plan in plans])
        for total, played, hits in ((own, mine, cost[:, None]), (others, squads, 0)):
            entries = entries_of(signals, best_lineups(signals, played))
            total += all_scores(entries, drawn, signals.rules, signals.position) - hits
    return own, others


def _ahead(own: np.ndarray, others: np.ndarray, lead: float, later: int, rounds: int) -> np.ndarray:
    """(p, n) the share of opponents who are behind in the end; rounds beyond the plan only widen the gap."""
    found = []
    for points in own:
        gap = points - others
        gap = gap - lost_edge(gap.mean()) + lead
        if later == 0:
            found.append(((gap > 0) + 0.5 * (gap == 0)).mean(axis=0))
            continue
        width = np.sqrt(max(float(gap.var()) * later / rounds, NARROWEST))
        found.append(ndtr(gap / width).mean(axis=0))
    return np.stack(found)
