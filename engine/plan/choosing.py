"""Options of a search of plans: what differs first, how firm it is, the case against each, what can wait."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from engine.fitness.judge import Objective
from engine.plan.advice.options import (
    apart_words,
    differing,
    first_move,
    objection_words,
    objections,
    timing_words,
    waiting_costs,
)
from engine.plan.advice.sensitivity import Firmness, HitVerdict, firmness, shaken_values
from engine.plan.answer.plan_board import PlanOption, plan_options
from engine.plan.fitness.rounds import PlanRounds
from engine.plan.linear.problem import PlanProblem
from engine.plan.run import PlanSearch


def chosen_options(
    rounds: PlanRounds,
    problem: PlanProblem,
    objective: Objective,
    found: PlanSearch,
    notes: Mapping[int, str],
    rng: np.random.Generator,
) -> tuple[PlanOption, ...]:
    """Return two to four plans that differ in what is done first, the best first, each with its reasons."""
    near = differing(found.plans, found.fitness, problem)
    shown = plan_options(rounds, objective, [found.plans[place] for place in near], notes)
    order = sorted(range(len(near)), key=lambda row: -shown[row].table.total)  # sent out, close ones may change places
    places, told = [near[row] for row in order], [shown[row] for row in order]
    plans = [option.plan for option in told]
    firm = firmness(plans, shaken_values(problem, plans, rng))
    names, titles = rounds.signals[0].short.tolist(), rounds.titles
    return tuple(
        replace(
            option,
            title=str(first_move(option.plan, problem)),
            apart=apart_words(option.plan, plans[0], names) if option.first_move == told[0].first_move else "",
            lineage=found.lineage[place],
            firm=firm[row].share,
            dissent=_dissent(problem, told, row, firm[row], titles),
            notes=timing_words(option.plan, waiting_costs(problem, option.plan), names, titles),
        )
        for row, (option, place) in enumerate(zip(told, places, strict=True))
    )


def rolling_of(options: Sequence[PlanOption], found: float | None) -> float | None:
    """Return what rolling gives up or gains, of the options as they are shown; what was `found` where none rolls."""
    rolling = [one.table.total for one in options if one.cards[0].rolls]
    moving = [one.table.total for one in options if not one.cards[0].rolls]
    return found if found is None or not rolling or not moving else abs(max(rolling) - max(moving))


def _dissent(
    problem: PlanProblem, options: Sequence[PlanOption], row: int, firm: Firmness, titles: Sequence[str]
) -> str:
    """Return the strongest case against an option; nothing where there is none."""
    mine, best = options[row], options[0]
    others = [one.table for place, one in enumerate(options) if place != row]
    found = objections(mine.plan, mine.table, best.table, others[0] if others else None, firm, problem)
    return objection_words(found[0], titles) if found else ""


def hit_words(verdict: HitVerdict | None) -> tuple[str, ...]:
    """Return whether hits are planned, and why, in a sentence; nothing where the best plan has none anyway."""
    if verdict is None or not verdict.hits:
        return ()
    count = f"{verdict.hits} hit{'s' * (verdict.hits != 1)}"
    told = f"{count} would bring {verdict.gain:+.1f} points and pay in {verdict.share:.0%} of shaken forecasts"
    return (f"Hits are planned: {told}." if verdict.pays else f"No hits: {told}; 80% are asked for.",)
