"""The problems of SquadBench: the best squad of a round under θ, with an optimum that a solver has proved.

The captain is held (locked), for then the standard form can be proved. Success means 99.9 % of the optimum: what is
missing is at most a thousandth of the expected points of the best squad, since fitness itself has no natural zero.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from data.errors import InputError
from data.rules import CaptaincyMode, load_rules
from data.worlds.library import find_world
from engine.bench.moves import Moves, legal_starts
from engine.fitness.judge import Judge, Objective, named_objective
from engine.fitness.squad_view import SquadView
from engine.fitness.standard_form import StandardForm, standard_form
from engine.lineup.lineups import best_lineups
from engine.proof.bound import prove, settled_value
from engine.search.breeding.diversity import FEWEST_OPTIONS, measure_diversity, pick_diverse
from engine.search.climbing.limits import Limits
from engine.search.climbing.local_search import improve
from models.signals import build_signals

SHORTFALL = 0.001
"""Share of the best squad's expected points that an answer may miss."""

SIGNAL_SEED = 0
"""Seed of everybody's signals: all search the same pool."""

STARTS, KICKS = 12, 25
"""Squads and kicks of each with which the best known squad is looked for."""

PROOF_SECONDS = 60.0
"""Most seconds for a proof on a busy machine; a quiet one needs 1 to 3."""

REFERENCE_SQUADS = 500
"""Squads that variance bands are told by: a quarter of the usual, in a quarter of the time."""

VIEWS_KEPT, ARENAS_KEPT = 4, 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """One round under θ, and what is known of its best squad."""

    world: str
    round: int
    theta: str
    optimum: float  # best value known
    bound: float  # proved: no squad is worth more
    points: float  # expected points of the best squad known

    def __post_init__(self) -> None:
        if not (self.points > 0 and self.bound >= self.optimum):
            raise InputError(f"A best value of {self.optimum!r} under a bound of {self.bound!r} makes no problem.")

    @property
    def name(self) -> str:
        """How it is called."""
        return f"round {self.round} {self.theta}"

    @property
    def goal(self) -> float:
        """The value that counts as success."""
        return self.optimum - SHORTFALL * self.points

    @property
    def arena(self) -> Arena:
        """What is looked at."""
        return arena_of(self.world, self.round, self.theta)

    def gap(self, value: float) -> float:
        """Return the share of the best squad's points that a value misses."""
        return max(0.0, self.optimum - value) / self.points

    def confirms(self, value: float) -> bool:
        """Return whether the proof alone, whatever was found, says that a value is good enough."""
        return value >= self.bound - SHORTFALL * self.points


@dataclass(frozen=True, slots=True, eq=False)
class Arena:
    """What the contenders of a problem and their judge look at."""

    judge: Judge
    objective: Objective
    form: StandardForm


@lru_cache(maxsize=VIEWS_KEPT)
def _view(world: str, round_number: int) -> SquadView:
    snapshot = find_world(world).at(round_number)
    rules = load_rules(snapshot.rulebook).with_captaincy(CaptaincyMode.LOCKED)
    return SquadView(build_signals(snapshot, rules, rng=np.random.default_rng(SIGNAL_SEED)))


@lru_cache(maxsize=ARENAS_KEPT)
def arena_of(world: str, round_number: int, theta: str) -> Arena:
    """Return the arena of a problem; kept, since every run on it needs the same."""
    view = _view(world, round_number)
    judge = Judge(view, np.random.default_rng(SIGNAL_SEED), pool_size=REFERENCE_SQUADS)
    objective = named_objective(theta, view)
    form = standard_form(view, objective)
    if form is None:
        raise InputError(f"{theta!r} has no standard form, so no optimum can be proved. Use protect, neutral or gain.")
    return Arena(judge, objective, form)


def pose(place: tuple[str, int, str]) -> Problem:
    """Return the problem of a world, round and θ: search long, then prove."""
    world, round_number, theta = place
    form = arena_of(world, round_number, theta).form
    rng = np.random.default_rng(SIGNAL_SEED)
    starts = legal_starts(Moves.of(form), rng, STARTS)
    found = improve(form, starts, rng, Limits(kicks=KICKS))
    best, value = found.squads[found.best], float(found.value.max())
    proof = prove(form, value, best, seconds=PROOF_SECONDS)
    if proof.squad is not None:
        best, value = proof.squad, settled_value(form, proof.squad)
    points = float(best_lineups(_view(world, round_number).signals, best[None, :]).expected[0])
    bound = max(proof.bound, value)
    return Problem(world=world, round=round_number, theta=theta, optimum=value, bound=bound, points=points)


def is_diverse(problem: Problem, answers: np.ndarray) -> bool:
    """Return whether options chosen from the squads handed in (a, s) meet the diversity floors."""
    arena = problem.arena
    scored = arena.judge.score(answers, arena.objective)
    if len(scored.ranking) < FEWEST_OPTIONS:
        return False
    yardstick, view = arena.judge.yardstick(arena.objective), arena.judge.view
    options = answers[pick_diverse(scored, scored, yardstick, view)]
    return measure_diversity(arena.judge.score(options, arena.objective), scored, yardstick, view).met
