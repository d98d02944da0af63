"""Played rounds for the tests of replays: small worlds, quick models, the same every time."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np

from data.rules import GameRules, load_rules
from data.worlds.world import World
from engine.replay.rounds import Matchday, PlayedRound, played_rounds
from engine.replay.walk import Replay, ReplaySettings, replay
from models.together.deal import Deal
from tests.cases.judged_worlds import cup_signals
from tests.cases.small_world import quick_settings, small_league

SMALL = ReplaySettings(
    rounds=(1, 2),
    policies=("max-EV", "random", "price", "crowd", "template"),
    runs=2,
    managers=60,
    simulations=60,
)


@cache
def league_rounds() -> tuple[PlayedRound, ...]:
    """The two gameweeks of the small league that were played."""
    return rounds_of(small_league())


def rounds_of(world: World) -> tuple[PlayedRound, ...]:
    rules = load_rules(world.rulebook)
    return tuple(played_rounds(world, rules, (1, 2), 0, quick_settings(rules)))


def replayed(world: World, settings: ReplaySettings) -> Replay:
    """Play a replay to its end on one core."""
    rules = load_rules(world.rulebook)
    *_, last = replay(world, rules, settings, cores=1, models=quick_settings(rules))
    assert isinstance(last, Replay)
    return last


@cache
def league_replay() -> Replay:
    """A replay of the small league under real limits."""
    return replayed(small_league(), SMALL)


def invented_cup(rules: GameRules, rounds: tuple[int, ...] = (1, 2, 3), seed: int = 0) -> list[PlayedRound]:
    """Matchdays of the small cup under given rules, with points that were drawn from a hat."""
    rng, found = np.random.default_rng(seed), []
    for number in rounds:
        signals = replace(cup_signals(number), rules=rules)
        points = rng.poisson(3.0, (1, len(signals))).astype(np.int16)
        played = np.ones(points.shape, dtype=bool)
        drawn = Deal(points, played, played.copy(), np.zeros((1, 0, 2), dtype=np.int8))
        found.append(PlayedRound(Matchday(signals, {}), drawn))
    return found
