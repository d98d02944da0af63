"""Options with their advice: plans that differ, titles, the strongest case against each, and what can wait."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from engine.fitness.judge import Objective
from engine.plan.advice.options import (
    differing,
    first_move,
    kinds_apart,
    objection_words,
    objections,
    timing_words,
    waiting_costs,
)
from engine.plan.advice.sensitivity import Firmness, firmness, shaken_values
from engine.plan.answer.plan_board import PlanOption, plan_option
from engine.plan.fitness import score_plans
from engine.plan.linear.problem import PlanProblem
from engine.plan.linear.search import LinearSettings
from engine.plan.moves import Plan
from engine.plan.rounds import PlanRounds
from models.streams import Stream, stream


def advised_options(
    rounds: PlanRounds,
    problem: PlanProblem,
    objective: Objective,
    plans: Sequence[Plan],
    settings: LinearSettings,
    notes: Mapping[int, str],
) -> tuple[PlanOption, ...]:
    """Return two to four options of the plans of a search, the best first, with what is said of each."""
    extra = kinds_apart(problem, plans[0], settings)
    every = list({plan.first_key(): plan for plan in reversed((*plans, *extra))}.values())
    scored = score_plans(rounds, every, objective)
    ranked = [every[row] for row in scored.ranking]
    chosen = differing(ranked, scored.fitness[scored.ranking].tolist(), problem)
    firm = firmness(ranked, shaken_values(problem, ranked, stream(0, Stream.SHAKEN, rounds.rounds[0])))
    places = {plan.key(): row for row, plan in enumerate(scored.plans)}
    options = [plan_option(rounds, scored, places[ranked[place].key()], notes) for place in chosen]
    return tuple(_told(rounds, problem, options, number, firm[place]) for number, place in enumerate(chosen))


def _told(
    rounds: PlanRounds, problem: PlanProblem, options: Sequence[PlanOption], number: int, firm: Firmness
) -> PlanOption:
    """Return an option with its title, the case against it and what can wait."""
    option, signals = options[number], rounds.signals[0]
    titles = [signals.rules.round_title(one) for one in rounds.rounds]
    others = [one.table for one in options if one is not option]
    second = max(others, key=lambda table: table.total, default=None)
    said = objections(option.plan, option.table, options[0].table, second, firm, problem)
    timing = timing_words(option.plan, waiting_costs(problem, option.plan), tuple(signals.short), titles)
    share = f"Its first move stays best in {firm.share:.0%} of {firm.draws} shaken forecasts."
    return replace(
        option,
        title=str(first_move(option.plan, problem)),
        dissent=objection_words(said[0], titles) if said else "",
        notes=(*option.notes, *timing, share),
    )
