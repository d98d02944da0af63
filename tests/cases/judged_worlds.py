"""Judges of the two small worlds, made in a moment: for tests of questions about a squad."""

from __future__ import annotations

from functools import cache

import numpy as np

from data.rules import load_rules
from engine.fitness.judge import Judge
from engine.fitness.view import SceneSettings, SquadView
from models.signals import Signals, build_signals
from tests.cases.small_world import DOUBLE, quick_settings, small_cup, small_league

POOL = 60


@cache
def league_signals(round_number: int = DOUBLE) -> Signals:
    """What is believed before a gameweek of the small league."""
    rules = load_rules("fpl2024")
    return build_signals(small_league().at(round_number), rules, quick_settings(rules))


@cache
def cup_signals(round_number: int = 2) -> Signals:
    """What is believed before a round of the small cup."""
    rules = load_rules("wc2026")
    return build_signals(small_cup().at(round_number), rules, quick_settings(rules))


def a_judge(signals: Signals, settings: SceneSettings | None = None) -> Judge:
    """A judge with a small reference pool."""
    return Judge(SquadView(signals, settings or SceneSettings()), np.random.default_rng(0), pool_size=POOL)
