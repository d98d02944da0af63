"""The simulated field beside real managers: the same exposure, swings as wide, and pairs as much alike."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from data.worlds.library import find_world
from engine.desk import open_desk
from engine.rank.chances import field_entries
from engine.rank.draws import draw_rounds
from engine.rank.field import Field, observed_field
from engine.rank.field_draw import Tastes
from engine.rank.scores import all_scores
from engine.replay.rounds import official_round
from models.signals import Signals
from models.together.deal import Deal
from tests.cases.league.real_squads import real_field, with_true_exposure
from tests.conftest import in_a_soak

SIMULATIONS = 300
PAIRED = 300
"""Managers whose pairs are looked at."""

pytestmark = pytest.mark.facts


@pytest.mark.parametrize("gameweek", [11, *in_a_soak((3, 7, 15, 19))])
def test_a_field_drawn_from_true_exposure_swings_like_real_managers(gameweek: int, facts: Path) -> None:
    world = find_world("fpl2025-26")
    signals = with_true_exposure(open_desk(world, gameweek).beliefs, facts)
    drawn = observed_field(signals, 1_000, Tastes(3))
    real, points = real_field(signals, facts)
    found = drawn.exposure(signals)
    assert np.corrcoef(found.eo, signals.exposure.eo)[0, 1] >= 0.98
    assert np.corrcoef(found.owned, signals.exposure.owned)[0, 1] >= 0.98
    np.testing.assert_array_equal(_scores(signals, real, official_round(world, signals))[:, 0], points)
    played = draw_rounds(signals, SIMULATIONS, np.random.default_rng(1))
    ours, theirs = (_scores(signals, field, played) for field in (drawn, real))
    assert ours.std(axis=1).mean() == pytest.approx(theirs.std(axis=1).mean(), rel=0.10)
    assert _alike(ours) == pytest.approx(_alike(theirs), abs=0.08)


def _scores(signals: Signals, field: Field, played: Deal) -> np.ndarray:
    return all_scores(field_entries(signals, field), played, signals.rules, signals.position).astype(float)


def _alike(scores: np.ndarray) -> float:
    """Return the mean correlation of two managers' scores over the simulations."""
    found = np.corrcoef(scores[:PAIRED])
    return float(found[np.triu_indices(len(found), 1)].mean())
