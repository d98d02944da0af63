"""Pools, signals and fields for the tests of rank: small, quick and the same every time."""

from __future__ import annotations

from functools import cache

import numpy as np

from data.rules import load_rules
from data.worlds.world import World
from engine.fitness.judge import Judge
from engine.fitness.view import SquadView
from engine.rules.pool import Pool
from models.signals import Signals, build_signals
from models.together.deal import Deal
from tests.cases.small_world import quick_settings, small_cup, small_league


def a_pool(players: int = 240, teams: int = 16) -> Pool:
    """Players of all prices, every fifth a goalkeeper or so, spread over the teams."""
    rng = np.random.default_rng(9)
    place = np.arange(players)
    return Pool(
        price=(4.0 + rng.exponential(1.8, players).clip(max=8.0)).round(1),
        team=place % teams,
        position=np.array([0, 1, 1, 1, 2, 2, 2, 3])[(place // teams) % 8],
        budget=100.0,
        team_cap=3,
        shape=(2, 5, 5, 3),
    )


@cache
def cup_signals(round_number: int = 2) -> Signals:
    """The small cup's signals."""
    return _signals(small_cup(), round_number)


@cache
def league_signals(round_number: int) -> Signals:
    """The small league's signals."""
    return _signals(small_league(), round_number)


def _signals(world: World, round_number: int) -> Signals:
    snapshot = world.at(round_number)
    rules = load_rules(snapshot.rulebook)
    return build_signals(snapshot, rules, quick_settings(rules), np.random.default_rng(0))


def a_judge(signals: Signals) -> Judge:
    """A judge with a small reference pool."""
    return Judge(SquadView(signals), np.random.default_rng(0), pool_size=50)


def real_round(world: World, signals: Signals) -> Deal:
    """What really happened in a round, as the one simulation of a deal."""
    now = {name: table[table["round"] == signals.round] for name, table in world.tables.items() if "round" in table}
    known = dict(zip(now["points"]["player_id"], now["points"]["points"], strict=True))
    fielded = now["appearances"][now["appearances"]["minutes"] > 0]["player_id"]
    points = np.array([[known.get(player, 0) for player in signals.player_id]], dtype=np.int16)
    played = np.isin(signals.player_id, fielded)[None, :]
    return Deal(points, played, played.copy(), np.zeros((1, 1, 2), dtype=np.int8))
