"""Every plan is legal: over rulebooks, states and wishes drawn at random, checked by a second pair of eyes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from data.errors import InfeasibleError
from data.rules import UNLIMITED, GameRules
from engine.plan.linear.beam.beam import BeamSettings
from engine.plan.linear.chips import solve_linear
from engine.plan.linear.frame import frame_of
from engine.plan.linear.problem import Locks, PlanProblem, RoleValues, chip_offers
from engine.plan.linear.search import LinearSettings
from engine.plan.moves.legality import breaches
from engine.plan.moves.moves import Plan
from engine.plan.moves.state import State, boosters_from
from engine.rules.legality import legal
from engine.rules.pool import pool_of
from models.signals import Signals
from tests.cases.judged_worlds import cup_signals, league_signals
from tests.conftest import in_a_soak

QUICK = LinearSettings(narrow=BeamSettings(width=10), wide=BeamSettings(width=30), placements=3, tightened=0, plans=2)

BOOSTED, HOPELESS = 1_530, 116
"""Cases in which nothing is legal without a booster: a free hit is known by its own search alone, or by none."""


def drawn_rules(rng: np.random.Generator, rules: GameRules) -> GameRules:
    """Return a rulebook with other transfers, caps and boosters."""
    stages = []
    for stage in rules.stages:
        free = UNLIMITED if rng.random() < 0.15 else int(rng.integers(0, 4))
        carry = 0 if free == UNLIMITED else int(rng.integers(0, 4))
        change = {"free_transfers": free, "carry_in": carry, "team_cap": int(rng.integers(3, 6))}
        stages.append(stage.model_copy(update=change))
    keys = [key for key in rules.boosters if rng.random() < 0.5]
    transfers = {"hit_cost": int(rng.integers(0, 6)), "chips_keep_saved": bool(rng.integers(2))}
    changes = {
        "stages": tuple(stages),
        "boosters": {key: rules.boosters[key] for key in keys},
        "transfers": rules.transfers.model_copy(update=transfers),
        "boosters_per_round": int(rng.integers(0, 2)),
    }
    return rules.model_copy(update=changes)


def drawn_squad(rng: np.random.Generator, signals: Signals) -> tuple[int, ...]:
    """Return ids of a legal squad."""
    pool = pool_of(signals, budget=1_000.0)
    while True:
        rows = np.concatenate(
            [rng.choice(men, count, replace=False) for men, count in zip(pool.men, pool.shape, strict=True)]
        )
        if legal(rows[None, :], pool)[0]:
            return tuple(signals.player_id[rows].tolist())


def drawn_state(rng: np.random.Generator, signals: Signals) -> State:
    """Return a manager with a squad, or one who builds his first."""
    boosters = boosters_from(signals.rules, signals.round)
    if rng.random() < 0.25:
        return State.first(signals.rules, signals.round, boosters)
    squad = drawn_squad(rng, signals)
    state = State.of_squad(squad, signals, boosters=boosters)
    selling = {man: round(price - 0.1 * int(rng.integers(0, 3)), 1) for man, price in state.selling.items()}
    bank, free = round(float(rng.integers(0, 60)) / 10, 1), int(rng.integers(0, 5))
    left, position = {}, "GK"
    if rng.random() < 0.3:  # the first goalkeeper has left the list
        squad, left = (999_999, *squad[1:]), {999_999: position}
        selling = {man: selling.get(man, 4.5) for man in squad}
    unlimited = signals.rules.stage(signals.round).free_transfers == UNLIMITED
    return State(
        squad=squad, selling=selling, bank=bank, free=None if unlimited else free, boosters=boosters, left=left
    )


def drawn_locks(rng: np.random.Generator, players: int, rounds: int) -> Locks:
    locks = Locks.none(players, rounds)
    locks.never[rng.integers(0, players, 5), rng.integers(0, rounds, 5)] = True
    if rng.random() < 0.4:
        man = int(rng.integers(players - 1))
        locks.never[man] = False
        locks.must[man, int(rng.integers(rounds)) :] = True
    locks.never_sell[rng.integers(0, players, 3)] = True
    locks.most_hits[:] = int(rng.integers(0, 3))
    locks.least_bank[int(rng.integers(rounds))] = float(rng.integers(0, 10)) / 10
    return replace(locks, most_in_all=None if rng.random() < 0.7 else int(rng.integers(0, 5)))


def drawn_problem(seed: int) -> tuple[PlanProblem, State, Signals]:
    rng = np.random.default_rng(seed)
    signals = cup_signals(1) if rng.random() < 0.5 else league_signals()
    signals = replace(signals, rules=drawn_rules(rng, signals.rules))
    state = drawn_state(rng, signals)
    frame = frame_of(state, signals, int(rng.integers(1, 5)))
    n, rounds = len(frame), len(frame.rounds)
    points = rng.gamma(2.0, 2.0, (n, rounds)) * (rng.random((n, rounds)) < 0.9)
    values = replace(RoleValues.of_points(points, 1.0), final=rng.normal(0, 1, n))
    locks = drawn_locks(rng, n, rounds) if rng.random() < 0.6 else Locks.none(n, rounds)
    return PlanProblem(frame, values, chip_offers(state, signals.rules, frame.rounds), locks=locks), state, signals


def wishes_broken(problem: PlanProblem, plan: Plan) -> list[str]:
    """Return which wishes a plan breaks."""
    locks, said = problem.locks, []
    for column, move in enumerate(plan.moves):
        squad = set(move.squad)
        if not set(np.flatnonzero(locks.must[:, column]).tolist()) <= squad:
            said.append(f"must in {move.round}")
        if squad & set(np.flatnonzero(locks.never[:, column]).tolist()):
            said.append(f"never in {move.round}")
        if not set(np.flatnonzero(locks.never_sell & problem.frame.owned).tolist()) <= set(move.kept):
            said.append(f"sold in {move.round}")
        if move.hits > locks.most_hits[column] or move.bank < locks.least_bank[column] - 1e-6:
            said.append(f"hits or bank in {move.round}")
    return said


@pytest.mark.parametrize("seed", [*range(8), BOOSTED, HOPELESS, *in_a_soak(set(range(8, 2_008)) - {BOOSTED, HOPELESS})])
@pytest.mark.daily("0", "2", "5", "1530", "116")
def test_every_plan_is_legal_and_keeps_its_wishes(seed: int) -> None:
    problem, state, signals = drawn_problem(seed)
    try:
        answer = solve_linear(problem, QUICK)
    except InfeasibleError:
        return
    for one in answer.plans:
        assert breaches(one.plan, state, signals) == ()
        assert wishes_broken(problem, one.plan) == []
        assert one.value <= answer.bound + 1e-6


def test_a_plan_that_breaks_rules_is_told_so() -> None:
    problem, state, signals = drawn_problem(1)
    plan = solve_linear(problem, QUICK).best.plan
    first, *others = plan.moves
    position = problem.frame.position
    stranger = next(row for row in range(len(signals)) if row not in first.squad and position[row] == 1)
    place = next(at for at, row in enumerate(first.squad) if position[row] == 1)
    squad = (*first.squad[:place], stranger, *first.squad[place + 1 :])
    wrong = Plan((replace(first, squad=squad, chip=None), *others))
    assert any("it plays a squad that it does not keep" in words for words in breaches(wrong, state, signals))
    assert any("hits" in words for words in breaches(Plan((replace(first, hits=9), *others)), state, signals))
    assert any("millions" in words for words in breaches(Plan((replace(first, bank=77.0), *others)), state, signals))
    assert any("not left" in words for words in breaches(Plan((replace(first, chip="magic"), *others)), state, signals))
