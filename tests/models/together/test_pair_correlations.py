"""Points of two players of one match go together as strongly as real rounds show."""

from __future__ import annotations

import numpy as np
import pytest

from data.rules import load_rules
from data.worlds.library import find_world
from models.players.chances import Chances
from models.signals import build_signals
from models.together.deal import Deal, deal
from tests.cases.chances_cases import DEF, FWD, GK, MID, a_round
from tests.cases.judged_worlds import world_cup_signals

ATTACK = (MID, FWD)
PAIRS = {
    "goalkeeper and defender": ((GK,), (DEF,), True),
    "attackers of one team": (ATTACK, ATTACK, True),
    "defender and opposing attacker": ((DEF,), ATTACK, False),
}
"""Positions of the one and of the other, and whether they are of one team."""

MEASURED = dict(zip(PAIRS, (0.66, 0.09, -0.26), strict=True))
"""Residuals of World Cup points from a model's mean, pairs with 60 minutes."""

MEASURED_IN_A_LEAGUE = dict(zip(PAIRS, (0.585, 0.045, -0.245), strict=True))
"""The same of Fantasy Premier League 2025-26, gameweeks 2 to 19: 1,430, 8,560 and 7,576 pairs."""


def correlations(dealt: Deal, chances: Chances, mean: np.ndarray) -> dict[str, float]:
    """Return the correlation of points by kind of pair, pooled over all simulations with both on for 60 minutes."""
    residual, full = (dealt.points - mean)[:, chances.player], dealt.full[:, chances.player]
    match, away = (column[:, None] == column for column in (chances.match, chances.away))
    found = {}
    for title, (first, second, mates) in PAIRS.items():
        kind = np.isin(chances.position, first)[:, None] & np.isin(chances.position, second)
        one, other = np.nonzero(kind & match & (away == mates) & ~np.eye(len(chances), dtype=bool))
        both = full[:, one] & full[:, other]
        found[title] = float(np.corrcoef(residual[:, one][both], residual[:, other][both])[0, 1])
    return found


def test_a_round_of_real_size_shows_the_correlations_that_real_rounds_show() -> None:
    chances, rng = a_round(24), np.random.default_rng(2)
    owned = np.where(rng.random(len(chances)) < 0.1, 0.2, 0.01)
    dealt = deal(chances, load_rules("wc2026"), 1_000, rng, owned=owned)
    assert correlations(dealt, chances, dealt.points.mean(axis=0)) == pytest.approx(MEASURED, abs=0.12)


@pytest.mark.parametrize("round_number", [1, 2])
def test_the_bundled_rounds_are_dealt_with_the_correlations_that_real_points_show(round_number: int) -> None:
    signals, rng = world_cup_signals(round_number), np.random.default_rng(3)
    dealt = deal(signals.chances, signals.rules, 400, rng, owned=signals.owned)
    assert correlations(dealt, signals.chances, signals.xev) == pytest.approx(MEASURED, abs=0.12)


@pytest.mark.soak
@pytest.mark.parametrize("gameweek", [6, 12, 18])
def test_gameweeks_are_dealt_with_the_correlations_that_real_points_show(gameweek: int) -> None:
    world, rng = find_world("fpl2025-26"), np.random.default_rng(3)
    signals = build_signals(world.at(gameweek), load_rules(world.rulebook))
    dealt = deal(signals.chances, signals.rules, 200, rng, owned=signals.owned)
    assert correlations(dealt, signals.chances, signals.xev) == pytest.approx(MEASURED_IN_A_LEAGUE, abs=0.12)
