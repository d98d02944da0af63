"""Options of a plan: two to four that differ in what is done first, the strongest case against each, what can wait."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np

from data.errors import InfeasibleError
from data.rules import BoosterEffect
from engine.plan.advice.sensitivity import Firmness
from engine.plan.breeding.intents import Carrier, intents_of
from engine.plan.fitness.plan_fitness import PlanTable
from engine.plan.linear.plans import plan_value
from engine.plan.linear.problem import PlanProblem
from engine.plan.linear.search import LinearSettings, solve_placed
from engine.plan.moves.moves import Plan, RoundMoves
from engine.rank.rivals import listed_names

MOST = 4
BEHIND = 8.0
"""Points over the plan by which an option may fall short of the best and still be worth a look."""

APART = 3
"""Men by which a squad built anew should differ from the best one to be a choice of its own."""

WAITS = 0.3
"""Points below which a transfer can wait a round: less than forecasts move in a day."""

FIRM = 0.5
"""Share of shaken forecasts below which a first move is not firm."""


class FirstMove(StrEnum):
    """What kind of thing a plan does first."""

    BUILD = "first squad"
    ROLL = "roll"
    ONE = "one move"
    MORE = "aggressive"
    BOOSTER = "booster now"
    REBUILD = "rebuild"


def first_move(plan: Plan, problem: PlanProblem) -> FirstMove:
    """Return the kind of a plan's first move."""
    first = plan.moves[0]
    if first.chip is None and first.into and not first.out:
        return FirstMove.BUILD
    if first.chip is not None:
        free = problem.chip(first.chip).effect in (BoosterEffect.WILDCARD, BoosterEffect.FREE_HIT)
        return FirstMove.REBUILD if free else FirstMove.BOOSTER
    if first.hits or first.transfers > 1:
        return FirstMove.MORE
    return FirstMove.ONE if first.transfers else FirstMove.ROLL


def kinds_apart(problem: PlanProblem, best: Plan, settings: LinearSettings) -> tuple[Plan, ...]:
    """Return the best plans that roll now and that make one move now, with the boosters of the best plan after it."""
    if problem.frame.first_squad or best.moves[0].free is None:
        return ()
    asked = problem.locks.chip_in[0]
    chips, found, alone = (asked, *best.chips[1:]), [], replace(settings, plans=1)
    for most in (0, 1):
        limits = problem.locks.most_transfers.copy()
        limits[0] = min(int(limits[0]), most)
        with suppress(InfeasibleError):
            found.append(solve_placed(problem.asking(most_transfers=limits), chips, alone).best.plan)
    return tuple(found)


def differing(plans: Sequence[Plan], fitness: Sequence[float], problem: PlanProblem) -> tuple[int, ...]:
    """Return the places of two to four plans that differ: the best, then the best of every other kind of first move.

    `plans` come best first. A plan far behind the best is no option; where every kind but one is, the next best first
    moves of the same kind take its place, those that bring other men before those that change one or two.
    """
    kinds: dict[FirstMove, int] = {}
    for place, plan in enumerate(plans):
        kinds.setdefault(first_move(plan, problem), place)
    near = [place for place in sorted(kinds.values()) if fitness[place] >= fitness[0] - BEHIND]
    firsts = {plans[place].first_key() for place in near}
    if len(near) < 2:
        others = [place for place, plan in enumerate(plans) if plan.first_key() not in firsts]
        good = [place for place in others if fitness[place] >= fitness[0] - BEHIND]
        near += [*(place for place in good if _other_men(plans[place], plans[0]) >= APART), *others][:1]
    return tuple(near[:MOST])


def _other_men(plan: Plan, best: Plan) -> int:
    """Return how many men of the coming round a plan has whom the best has not."""
    return len(set(plan.moves[0].squad) - set(best.moves[0].squad))


def apart_words(plan: Plan, best: Plan, names: Sequence[str]) -> str:
    """Return whom a plan has in the coming round instead of whom of the best one's."""
    own, its = plan.moves[0].squad, best.moves[0].squad
    new, missed = ([names[row] for row in men if row not in beside] for men, beside in ((own, its), (its, own)))
    return f"with {listed_names(new)} instead of {listed_names(missed)}" if new else ""


class Against(StrEnum):
    """What can be said against a plan."""

    BEHIND = "behind"  # another plan is worth more
    HITS = "hits"  # it pays for transfers
    LATE = "late"  # what it is ahead by comes in the last rounds
    SHAKY = "shaky"  # other forecasts prefer another first move
    SPENT = "spent"  # it leaves no free transfer
    BOOSTER = "booster"  # it plays a booster that is worth something later
    RISK = "risk"  # one man carries much of it
    NARROW = "narrow"  # it is hardly ahead


@dataclass(frozen=True, slots=True)
class Objection:
    """One case against a plan, in points it weighs."""

    kind: Against
    points: float
    share: float = 0.0


def objections(
    plan: Plan, table: PlanTable, best: PlanTable, second: PlanTable | None, firm: Firmness | None, problem: PlanProblem
) -> tuple[Objection, ...]:
    """Return all that can be said against a plan, the strongest first; `second` is the best of the other options."""
    found = [Objection(Against.BEHIND, best.total - table.total)] if best.total > table.total else []
    if plan.hits:
        found.append(Objection(Against.HITS, problem.frame.hit_cost * plan.hits))
    if second is not None and table.total >= best.total:
        found.append(Objection(Against.NARROW, 1.0 / (0.5 + table.total - second.total)))
        found += _late(table, second)
    if firm is not None and firm.share < FIRM:
        found.append(Objection(Against.SHAKY, 4.0 * (FIRM - firm.share), firm.share))
    kept = [float(problem.chip(key).keeping[at]) for at, key in enumerate(plan.chips) if key is not None]
    if kept and max(kept) > 0:
        found.append(Objection(Against.BOOSTER, 0.3 * max(kept)))
    if plan.moves[-1].free is not None and plan.moves[-1].free - plan.moves[-1].transfers <= 0:
        found.append(Objection(Against.SPENT, 0.5))
    return tuple(sorted(found, key=lambda one: -one.points))


def _late(table: PlanTable, second: PlanTable) -> list[Objection]:
    """Return the objection that a plan's lead comes from its last rounds, where it does."""
    lead = np.array(table.by_round) - np.array(second.by_round)
    half = (len(lead) + 1) // 2
    late = float(lead[half:].sum())
    return [Objection(Against.LATE, late, half)] if len(lead) > 2 and late > max(0.5, float(lead[:half].sum())) else []


def objection_words(one: Objection, titles: Sequence[str]) -> str:
    """Return a case against a plan in a sentence."""
    match one.kind:
        case Against.BEHIND:
            return f"It is {one.points:.1f} points behind the recommended plan."
        case Against.HITS:
            return f"It pays {one.points:.0f} points for transfers, and over a season hits have just earned their cost."
        case Against.LATE:
            return f"Its lead comes from {titles[int(one.share)]} on, where forecasts are weakest."
        case Against.SHAKY:
            return f"Its first move stays best in only {one.share:.0%} of shaken forecasts."
        case Against.SPENT:
            return "It ends without a transfer saved."
        case Against.BOOSTER:
            return f"It plays a booster that would be worth {one.points / 0.3:.1f} later."
        case Against.RISK:
            return f"One man carries {one.share:.0%} of it."
        case Against.NARROW:
            return "The next plan is hardly worse: waiting for news costs little."


@dataclass(frozen=True, slots=True)
class Waiting:
    """One transfer before the coming round, and what it costs to make it a round later."""

    out: int
    into: int
    cost: float

    @property
    def can_wait(self) -> bool:
        """Whether it need not be decided now."""
        return self.cost < WAITS


def waiting_costs(problem: PlanProblem, plan: Plan) -> tuple[Waiting, ...]:
    """Return what each transfer of the coming round costs if it is made a round later, by the linear value."""
    first = plan.moves[0]
    if len(plan.moves) < 2 or first.chip is not None or not first.out or first.free is None:
        return ()
    carrier, intents, value = Carrier.of(problem, solver=False), intents_of(plan), plan_value(problem, plan)
    found = []
    for place, (out, into) in enumerate(zip(first.out, first.into, strict=True)):
        rest = intents[0].swaps[:place] + intents[0].swaps[place + 1 :]
        later = replace(intents[1], swaps=((out, into), *intents[1].swaps))
        done = carrier.carry_out((replace(intents[0], swaps=rest), later, *intents[2:]))
        if done is not None:
            found.append(Waiting(out, into, value - plan_value(problem, done.plan)))
    return tuple(found)


def timing_words(
    plan: Plan, waiting: Sequence[Waiting], names: Sequence[str], titles: Sequence[str]
) -> tuple[str, ...]:
    """Return what must be decided now, and what can wait."""
    now = [one for one in waiting if not one.can_wait]
    wait = [one for one in waiting if one.can_wait]
    said = [f"Decide now: {names[one.into]} for {names[one.out]}; a round later costs {one.cost:.1f}." for one in now]
    said += [f"Can wait: {names[one.into]} for {names[one.out]}." for one in wait]
    first = plan.moves[0]
    if first.into and not first.out:
        said.append("Decide now: all fifteen.")
    elif first.chip is None and not first.transfers:
        said.append("Nothing to decide before this deadline but the eleven.")
    later = [_later(move, names, titles[place]) for place, move in enumerate(plan.moves) if place]
    busy = [words for words in later if words]
    return (*said, f"Not before: {'; '.join(busy)}.") if busy else tuple(said)


def _later(move: RoundMoves, names: Sequence[str], title: str) -> str:
    if move.returns or not move.transfers:
        return ""
    bought = ", ".join(str(names[row]) for row in move.into[:3])
    return f"{title} {bought}{' and others' * (len(move.into) > 3)}"
