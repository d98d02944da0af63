"""Small plans to be solved in several ways: few players of five clubs under rulebooks of their own, with boosters."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np

from data.rules import UNLIMITED, Booster, BoosterEffect, GameRules, SquadShape, Stage, load_rules
from engine.plan.linear.frame import NO_TEAM, Frame, free_transfer_steps
from engine.plan.linear.problem import ChipOffer, Locks, PlanProblem, RoleValues, chip_offers
from engine.plan.moves.state import State
from tests.cases.plans.plan_program import Situation

CLUBS = 5
FACT = {"confirmed": True, "source": "a small rulebook"}
SHAPES = (
    ((1, 4, 4, 3), ("4-4-2", "4-3-3", "3-4-3")),
    ((1, 4, 4, 3), ("4-4-2", "3-4-3")),
    ((2, 4, 4, 2), ("4-4-2",)),
    ((1, 5, 4, 2), ("4-4-2", "5-3-2", "5-4-1")),
)
"""Squads of twelve and the formations they know, one set of them with a hole in it."""


@cache
def _any_rules() -> GameRules:
    return load_rules("fpl2025")


def small_rules(rng: np.random.Generator, rounds: int) -> GameRules:
    """Return a game of a few rounds with stages, transfers and boosters of its own."""
    shape, formations = SHAPES[rng.integers(len(SHAPES))]
    squad = SquadShape(shape=dict(zip(("GK", "DEF", "MID", "FWD"), shape, strict=True)), formations=formations, **FACT)
    budget, stages = float(rng.integers(64, 69)), list[Stage]()
    for number in range(1, rounds + 2):
        free = UNLIMITED if rng.random() < 0.15 else int(rng.integers(1, 3))
        carry = 0 if free == UNLIMITED else int(rng.integers(0, 3))
        budget += float(rng.integers(0, 2))
        stage = Stage(
            name=f"S{number}",
            title=f"Round {number}",
            rounds=(number, number),
            budget=budget,
            team_cap=int(rng.integers(3, 6)),
            free_transfers=free,
            carry_in=carry,
            **FACT,
        )
        stages.append(stage)
    boosters = {
        effect.value: Booster(effect=effect, title=effect.value, rounds=(1, rounds + 1), **FACT)
        for effect in BoosterEffect
        if rng.random() < 0.4
    }
    keeps = _any_rules().transfers.model_copy(
        update={"hit_cost": int(rng.integers(1, 5)), "chips_keep_saved": bool(rng.random() < 0.7)}
    )
    given = {"squad": squad, "stages": tuple(stages), "boosters": boosters, "transfers": keeps, "rounds": rounds + 1}
    return _any_rules().model_copy(update=given)


def small_situation(rng: np.random.Generator, rounds: int, extra: int = 1, *, asked: bool = False) -> Situation:
    """Return a manager with a legal squad, or without one, before the first of a few rounds."""
    rules = small_rules(rng, rounds)
    places = rules.squad.places
    position = np.repeat(np.arange(4), [count + extra for count in places])
    n = len(position)
    team = np.arange(n) * 3 % CLUBS
    price = np.round(rng.integers(40, 70, n) / 10, 1)
    squad = tuple(
        int(man) for place in range(4) for man in rng.permutation(np.flatnonzero(position == place))[: places[place]]
    )
    numbers = tuple(range(1, rounds + 1))
    first = bool(rng.random() < 0.2) or bool(np.bincount(team[list(squad)]).max() > rules.stage(1).team_cap)
    selling = {} if first else {man: round(float(price[man]) - 0.1 * int(rng.integers(0, 4)), 1) for man in squad}
    points = np.round(rng.gamma(2.0, 2.0, (n, rounds)), 2)
    values = replace(
        RoleValues.of_points(points, spare=float(rng.integers(0, 2)), most=6),
        hold=np.round(rng.normal(0, 0.2, (n, rounds)), 2),
        final=np.round(rng.normal(0, 0.5, n), 2),
        bench_weights=(0.15, 0.06, 0.02)[: sum(places) - places[0] - 10],
    )
    if rng.random() < 0.3:
        values = replace(values, captain=points * np.round(rng.uniform(0.5, 1.5, (n, 1)), 2))
    unlimited = first or rules.stage(1).free_transfers == UNLIMITED
    state = _state(() if first else squad, selling, 1.5, None if unlimited else int(rng.integers(0, 3)), rules)
    return Situation(
        rules=rules,
        rounds=numbers,
        position=position,
        team=team,
        price=price,
        squad=state.squad,
        selling=selling,
        bank=rules.stage(1).budget if first else state.bank,
        free=state.free,
        values=values,
        offers=_offers(rng, state, rules, numbers, points),
        locks=_locks(rng, n, rounds, state.squad) if asked else Locks.none(n, rounds, sum(places)),
    )


def _state(squad: tuple[int, ...], selling: dict[int, float], bank: float, free: int | None, rules: GameRules) -> State:
    return State(squad=squad, selling=selling, bank=bank, free=free, boosters=tuple(rules.boosters))


def _offers(
    rng: np.random.Generator, state: State, rules: GameRules, rounds: tuple[int, ...], points: np.ndarray
) -> tuple[ChipOffer, ...]:
    found = []
    for offer in chip_offers(state, rules, rounds):
        one = replace(offer, keeping=np.round(rng.uniform(0, 4, len(rounds)), 2))
        match offer.effect:
            case BoosterEffect.TWELFTH_MAN:
                one = replace(one, outside=points)
            case BoosterEffect.MAXIMUM_CAPTAIN:
                one = replace(one, captain=0.4 * points)
            case BoosterEffect.QUALIFICATION:
                one = replace(one, start=np.round(rng.uniform(0, 2, points.shape), 2))
            case BoosterEffect.CLEAN_SHEET_SHIELD:
                one = replace(one, start=0.3 * points, captain=0.3 * points)
        found.append(one)
    return tuple(found)


def _locks(rng: np.random.Generator, n: int, rounds: int, squad: tuple[int, ...]) -> Locks:
    """Return a few wishes, each that can be kept most of the time."""
    locks = Locks.none(n, rounds, 12)
    at = int(rng.integers(rounds))
    match int(rng.integers(7)):
        case 0:
            locks.must[int(rng.integers(n)), at] = True
        case 1:
            locks.never[int(rng.integers(n)), at:] = True
        case 2 if squad:
            locks.never_sell[list(squad[:2])] = True
        case 3:
            locks.most_hits[:] = 0
        case 4:
            return replace(locks, most_in_all=int(rng.integers(0, 3)))
        case 5:
            locks.least_bank[at] = 1.0
        case 6:
            locks.captain[at] = int(rng.integers(n))
    return locks


def problem_of(case: Situation) -> PlanProblem:
    """Return a situation as the search knows it."""
    rules, n = case.rules, len(case.position)
    owned, selling = np.zeros(n, dtype=bool), case.price.copy()
    for man, price in case.selling.items():
        owned[man], selling[man] = True, price
    stages = [rules.stage(number) for number in case.rounds]
    state = _state(case.squad, case.selling, case.bank, case.free, rules)
    frame = Frame(
        rounds=case.rounds,
        position=case.position,
        team=np.where(np.isin(np.arange(n), case.gone), NO_TEAM, case.team),
        price=case.price,
        selling=selling,
        owned=owned,
        buyable=~np.isin(np.arange(n), case.gone),
        wealth=np.array([state.wealth + stage.budget - stages[0].budget for stage in stages]),
        team_cap=np.array([stage.team_cap for stage in stages]),
        shape=rules.squad.places,
        lineups=rules.squad.lineups,
        transfers=free_transfer_steps(rules, case.rounds, state),
        hit_cost=float(rules.transfers.hit_cost),
    )
    return PlanProblem(frame, case.values, case.offers, locks=case.locks)
