"""Simulated rounds follow the beliefs, a manager's own projections too."""

from __future__ import annotations

import numpy as np
import pytest

from data.rules import load_rules
from engine.rank.draws import draw_rounds
from models.signals import Signals, build_signals
from models.together.deal import deal
from tests.cases.judged_worlds import cup_signals
from tests.cases.small_world import own_table, player_of, quick_settings, small_cup

SIMULATIONS = 2000
STAR = player_of("A1", "FWD")


@pytest.fixture(scope="module")
def projected() -> Signals:
    rules, snapshot = load_rules("wc2026"), small_cup().at(2)
    own = own_table("xev", {STAR: 9.0})
    return build_signals(snapshot, rules, quick_settings(rules), np.random.default_rng(0), overrides=own)


def test_without_own_projections_the_models_deal() -> None:
    signals = cup_signals()
    ours, dealt = (
        draw_rounds(signals, 50, np.random.default_rng(1)),
        deal(signals.chances, signals.rules, 50, np.random.default_rng(1), owned=signals.owned),
    )
    assert ours.points.tobytes() == dealt.points.tobytes()


def test_an_own_projection_is_what_he_scores_on_average(projected: Signals) -> None:
    drawn = draw_rounds(projected, SIMULATIONS, np.random.default_rng(1))
    row = projected.row_of(STAR)
    assert projected.xev[row] == pytest.approx(9.0)
    assert drawn.points[:, row].mean() == pytest.approx(9.0, abs=0.1)
    assert drawn.played[drawn.points[:, row] != 0, row].all()


def test_who_was_given_other_points_still_moves_with_his_match(projected: Signals) -> None:
    row, rounds = projected.row_of(STAR), (cup_signals(), projected)
    plain, bent = (draw_rounds(signals, SIMULATIONS, np.random.default_rng(1)).points for signals in rounds)
    assert np.corrcoef(plain[:, row], bent[:, row])[0, 1] > 0.75
    others = np.arange(len(projected)) != row
    np.testing.assert_array_equal(plain[:, others], bent[:, others])
