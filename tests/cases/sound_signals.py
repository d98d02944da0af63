"""Signals of small worlds, and what makes any signals sound."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from data.rules import GameRules, load_rules
from data.worlds.world import World
from models.players.points import GRID
from models.signals import Signals, build_signals
from tests.cases.chances_cases import matrix_of
from tests.cases.small_world import float_arrays, player_of, quick_settings, small_cup, small_league

CUP, LEAGUE, LEAGUE_2026 = load_rules("wc2026"), load_rules("fpl2024"), load_rules("fpl2026")
STAR = player_of("A1", "FWD")
RESERVE = player_of("B4", "DEF", 5)


def cup_signals(
    world: World | None = None, round_number: int = 2, rules: GameRules = CUP, **options: object
) -> Signals:
    return build_signals((world or small_cup()).at(round_number), rules, quick_settings(rules), **options)  # type: ignore[arg-type]


def league_signals(round_number: int, world: World | None = None, rules: GameRules = LEAGUE) -> Signals:
    return build_signals((world or small_league()).at(round_number), rules, quick_settings(rules))


@cache
def usual() -> Signals:
    return cup_signals()


def assert_sound(signals: Signals) -> None:
    """Everything finite, aligned, and the sum of its parts."""
    for name, array in float_arrays(signals).items():
        assert np.isfinite(array).all(), name
    for name in ("xev", "variance", "floor", "ceiling", "typical_xev", "plays", "clean_sheet", "confidence", "eo"):
        column = signals.exposure.eo if name == "eo" else getattr(signals, name)
        assert len(column) == len(signals), name
    lines = np.sum(list(signals.points.lines.values()), axis=0)
    np.testing.assert_allclose(lines, signals.xev, rtol=0, atol=1e-9)
    mass = signals.points.mass
    mean = mass @ GRID
    np.testing.assert_allclose(mean, signals.xev, rtol=0, atol=1e-9)
    spread = (mass * (GRID - mean[:, None]) ** 2).sum(axis=1)
    np.testing.assert_allclose(spread, signals.variance, rtol=0, atol=1e-9)
    np.testing.assert_allclose(matrix_of(signals.covariance).diagonal(), signals.variance, rtol=0, atol=1e-6)
    assert ((signals.p_play >= 0) & (signals.p_play <= 1)).all()
    assert ((signals.confidence >= 0) & (signals.confidence <= 1)).all()
    assert signals.exposure.eo.sum() == pytest.approx(12.0)
    assert signals.owned.sum() == pytest.approx(15.0)
