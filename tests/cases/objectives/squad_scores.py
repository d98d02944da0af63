"""Squads drawn at random, and their scores under an objective of the dial or by a shipped spec."""

from __future__ import annotations

from functools import cache

import numpy as np

from data.rules import load_rules
from engine.fitness.judge import named_objective
from engine.fitness.objective import Dial, Theta
from engine.fitness.reference import random_squads
from engine.fitness.squad_scoring import ScoredSquads, score_squads, spec_for
from engine.fitness.squad_view import SquadView
from engine.rules.pool import pool_of
from models.signals import Signals
from tests.cases.judged_worlds import world_cup_signals

EXACT = 1e-9
ROUNDS = (1, 2, 3, 4)

CUP, LEAGUE = load_rules("wc2026"), load_rules("fpl2024")


def some_squads(signals: Signals, count: int, seed: int = 0) -> np.ndarray:
    return random_squads(signals.xev, pool_of(signals), np.random.default_rng(seed), count)


@cache
def cup_squads(number: int) -> np.ndarray:
    return some_squads(world_cup_signals(number), 1_000, seed=number)


def scored(view: SquadView, squads: np.ndarray, theta: Theta, **strengths: float) -> ScoredSquads:
    return score_squads(view, squads, *spec_for(Dial(theta=theta, **strengths), view))


def scored_by(view: SquadView, squads: np.ndarray, name: str) -> ScoredSquads:
    """Score squads by a shipped spec at its own strengths."""
    objective = named_objective(str(name), view)
    return score_squads(view, squads, objective.spec, objective.parameters)
