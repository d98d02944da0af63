"""How good and how fast plans over rounds are: real managers' squads, beside an independent programme by HiGHS.

The squads are read from the folder that $THETAXI_FACTS names; without it there is nothing to measure.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from statistics import fmean, median

import numpy as np
import pandas as pd

from data.errors import InfeasibleError
from data.rules import load_rules
from data.worlds.library import find_world
from engine.plan.linear.answer import LinearAnswer
from engine.plan.linear.chips import placements, solve_linear
from engine.plan.linear.frame import frame_of
from engine.plan.linear.problem import Locks, PlanProblem, RoleValues, chip_offers
from engine.plan.linear.rebuild import OneRoundSquad
from engine.plan.linear.search import DEFAULT, PlacedSearch
from engine.plan.moves.legality import breaches
from engine.plan.moves.state import State
from models.outlook import Outlook, build_outlook
from models.signals import Signals, build_signals
from tests.cases.plans.plan_program import Situation, Solved
from tests.cases.plans.tight_program import solve_tight
from tests.conftest import FACTS_VARIABLE

DECAY, SPARE = 0.95, 1.2
"""Weight of each later round, and the worth of a free transfer at the end."""

SECONDS = 240.0
"""Seconds on the clock that HiGHS has for one plan."""

PLANNED = tuple((gameweek, 37 * place + gameweek) for place in range(2) for gameweek in range(8, 18))
"""Twenty managers: gameweek, and place in the sample of the gameweek before."""

CHIPS = ("free_hit_1", "bench_boost_1", "triple_captain_1")


@dataclass(frozen=True, slots=True)
class Measured:
    """One plan by us and by HiGHS."""

    loss: float  # share of HiGHS's value that ours misses; negative where ours is better
    gap: float  # share between our plan and our bound
    valid: bool  # whether the bound holds HiGHS's plan
    seconds: float  # CPU, ours
    times: float  # HiGHS's CPU seconds as a multiple of ours
    closed: bool  # whether we prove that nothing is better
    proved: bool  # whether HiGHS does for its own


@dataclass(frozen=True, slots=True)
class Joined:
    """Three boosters placed together."""

    seconds: float  # CPU
    gain: float  # what they bring, as a share of the most that a search of every placement finds
    least: float  # the same as a share of what is proved to be the most
    valid: bool  # whether the bound holds the best plan that is known


def measure_the_plans(counts: Sequence[tuple[int, int]] = ((5, 4), (8, 2)), joint: int = 1) -> dict[str, float]:
    """Return figures of some plans for each horizon, (rounds, how many), and of three boosters placed together."""
    if FACTS_VARIABLE not in os.environ:
        print(f"no real squads are at hand: set {FACTS_VARIABLE} to the folder of facts", file=sys.stderr)
        return {}
    figures: dict[str, float] = {}
    for rounds, count in counts:
        found = [_measured(gameweek, place, rounds) for gameweek, place in PLANNED[:count]]
        figures |= _told(f"plan of {rounds} rounds", found)
    joined = [_joined(gameweek, place) for gameweek, place in PLANNED[:joint]]
    figures["three boosters: CPU seconds, median (bar 5)"] = median(one.seconds for one in joined)
    figures["three boosters: least share of the best gain known (bar .95)"] = min(one.gain for one in joined)
    figures["three boosters: least share of the most it can be"] = min(one.least for one in joined)
    figures["three boosters: share of valid bounds"] = fmean(one.valid for one in joined)
    return figures


def _told(title: str, found: list[Measured]) -> dict[str, float]:
    return {
        f"{title}: share within .1 % of HiGHS": fmean(one.loss <= 0.001 for one in found),
        f"{title}: share that HiGHS proves in its time": fmean(one.proved for one in found),
        f"{title}: largest loss, percent": 100 * max(one.loss for one in found),
        f"{title}: largest gap to the bound, percent (bar 1.5)": 100 * max(one.gap for one in found),
        f"{title}: share proved to be the best": fmean(one.closed for one in found),
        f"{title}: share of valid bounds": fmean(one.valid for one in found),
        f"{title}: CPU seconds, median": median(one.seconds for one in found),
        f"{title}: HiGHS's CPU seconds as a multiple of ours, median (bar 8)": median(one.times for one in found),
    }


def _measured(gameweek: int, place: int, rounds: int) -> Measured:
    problem, state, signals = an_instance(gameweek, place, rounds)
    started = time.process_time()
    answer = solve_linear(problem)
    ours = time.process_time() - started
    for one in answer.plans:
        assert not breaches(one.plan, state, signals), one.plan
    started = time.process_time()
    other = by_other_hands(problem, signals, state)
    theirs = time.process_time() - started
    measured = Measured(
        loss=1 - answer.best.value / other.value,
        gap=answer.gap / answer.best.value,
        valid=answer.bound >= other.value - 1e-5,
        seconds=ours,
        times=theirs / ours,
        closed=answer.closed,
        proved=other.proved,
    )
    print(f"gameweek {gameweek}, {rounds} rounds: {measured}", file=sys.stderr)
    return measured


def _joined(gameweek: int, place: int) -> Joined:
    problem, state, signals = an_instance(gameweek, place, 5, CHIPS)
    started = time.process_time()
    answer = solve_linear(problem)
    seconds = time.process_time() - started
    for one in answer.plans:
        assert not breaches(one.plan, state, signals), one.plan
    plain = solve_linear(PlanProblem(problem.frame, problem.values, locks=problem.locks)).best.value
    known, most = every_placement(problem, answer)
    gain = answer.best.value - plain
    joined = Joined(seconds, gain / (known - plain), gain / (most - plain), answer.bound >= known - 1e-5)
    print(f"gameweek {gameweek}, three boosters: {joined}", file=sys.stderr)
    return joined


def every_placement(problem: PlanProblem, answer: LinearAnswer) -> tuple[float, float]:
    """Return the best value that a search of every placement finds, and what none of them exceeds.

    HiGHS finds no plan with three boosters in its time; each placement alone is searched like a plan without them.
    """
    hopeful, known, squads = list[PlacedSearch](), answer.best.value, dict[int, OneRoundSquad]()
    for placement in placements(problem, problem.locks.chip_in, answer.gains, DEFAULT.most_chips):
        with suppress(InfeasibleError):
            hopeful.append(PlacedSearch.of(problem, placement, squads))
            squads |= hopeful[-1].hits
    for search in sorted(hopeful, key=lambda one: -one.bound):
        if search.bound > known:
            search.run(DEFAULT.narrow, known)
            search.run(DEFAULT.wide, known)
            known = max(known, search.floor)
    return known, max(known, *(one.bound for one in hopeful))


def by_other_hands(problem: PlanProblem, signals: Signals, state: State, seconds: float = SECONDS) -> Solved:
    """Return the plan of the tightest independent programme on the men worth a look; the best plan is made of them."""
    frame, men = problem.frame, _worth_a_look(problem)
    rows = {int(man): row for row, man in enumerate(men)}
    squad = tuple(rows[int(man)] for man in frame.start_squad)
    values, locks = problem.values, Locks.none(len(men), len(frame.rounds))
    case = Situation(
        rules=signals.rules,
        rounds=frame.rounds,
        position=frame.position[men],
        team=frame.team[men],
        price=frame.price[men],
        squad=squad,
        selling={rows[int(man)]: float(frame.selling[man]) for man in frame.start_squad},
        bank=state.bank,
        free=state.free,
        values=RoleValues.of_points(values.start[men], SPARE),
        offers=problem.chips,
        locks=locks,
    )
    return solve_tight(case, seconds)


def _worth_a_look(problem: PlanProblem) -> np.ndarray:
    """Return some 120 rows: held, the most points of each position, the most per million, and the cheapest."""
    frame, points = problem.frame, problem.values.start.sum(axis=1)
    chosen = frame.owned.copy()
    for place in range(4):
        men = np.flatnonzero(frame.position == place)
        for rank, most in ((-points[men], 25), (-points[men] / frame.price[men], 12), (frame.price[men], 3)):
            chosen[men[np.argsort(rank, kind="stable")[:most]]] = True
    return np.flatnonzero(chosen)


@cache
def _beliefs(gameweek: int) -> tuple[Signals, Outlook]:
    world = find_world("fpl2025-26")
    signals = build_signals(world.at(gameweek), load_rules("fpl2025"))
    return signals, build_outlook(signals, 8)


@cache
def _managers() -> pd.DataFrame:
    return pd.read_csv(Path(os.environ[FACTS_VARIABLE]) / "fpl" / "field" / "top10k_2025-26.csv.gz")


def a_real_squad(gameweek: int, place: int) -> tuple[tuple[int, ...], float]:
    """Return the squad and the bank that a manager had after a gameweek, free hits left out."""
    table = _managers()
    weeks = table[(table["gw"] == gameweek) & (table["chip"] != "freehit")]
    manager = weeks.iloc[place % len(weeks)]
    return tuple(int(manager[f"p{number}"]) for number in range(1, 16)), float(manager["bank"]) / 10


def an_instance(
    gameweek: int, place: int, rounds: int, boosters: tuple[str, ...] = ()
) -> tuple[PlanProblem, State, Signals]:
    """Return the plan before a gameweek of a manager with the squad that he had after the last."""
    signals, outlook = _beliefs(gameweek)
    squad, bank = a_real_squad(gameweek - 1, place)
    now = dict(zip(signals.player_id.tolist(), signals.price.tolist(), strict=True))
    started = find_world("fpl2025-26").at(1).players.set_index("player_id")["price"].to_dict()
    sold = signals.rules.transfers.selling_price
    selling = {man: sold(started.get(man, now[man]), now[man]) for man in squad}
    state = State(squad=squad, paid=selling, selling=selling, bank=bank, free=1 + place % 4, boosters=boosters)
    frame = frame_of(state, signals, rounds)
    points = outlook.xev[:, :rounds] * DECAY ** np.arange(rounds)
    problem = PlanProblem(
        frame,
        RoleValues.of_points(points, SPARE),
        chip_offers(state, signals.rules, frame.rounds),
        locks=Locks.none(len(frame), rounds),
    )
    return problem, state, signals
