"""Rules of pair correlations, and the figures real rounds show."""

from __future__ import annotations

import numpy as np
import pytest

from data.errors import ModelError
from data.rules import GameRules, load_rules
from data.worlds.world import World
from models.signals import build_signals
from models.teams.goals import score_grid
from models.together.deal import Deal, deal
from tests.cases.chances_cases import DEF, FWD, GK, a_man, a_round, the_chances
from tests.cases.pair_correlations import PAIR_CLASSES, conditional_correlations

KEEPER, ATTACK, FACING = (kind.title for kind in PAIR_CLASSES)
MEASURED = {KEEPER: 0.66, ATTACK: 0.09, FACING: -0.26}
"""Residuals of World Cup points from a model's mean, pairs with 60 minutes."""

GRID = score_grid([1.3, 1.3], [1.3, 1.3])


def a_deal(points: list[list[int]], full: list[list[bool]] | None = None) -> Deal:
    flags = np.ones(np.shape(points), dtype=bool) if full is None else np.array(full)
    return Deal(points=np.array(points), played=flags, full=flags, scores=np.zeros((len(points), 2, 2)))


def test_it_is_pearsons_over_the_simulations() -> None:
    points = [[2, 7], [7, 7], [0, 2], [1, 0]]
    found = conditional_correlations(a_deal(points), the_chances([a_man(GK), a_man(DEF)], GRID))
    assert found == {KEEPER: pytest.approx(np.corrcoef(np.array(points).T)[0, 1])}


def test_only_simulations_with_both_on_the_pitch_count() -> None:
    full = [[True, True], [True, True], [True, True], [False, True]]
    found = conditional_correlations(
        a_deal([[1, 1], [2, 2], [4, 4], [90, -9]], full), the_chances([a_man(GK), a_man(DEF)], GRID), np.zeros(2)
    )
    assert found[KEEPER] == pytest.approx(1.0)


def test_players_of_different_matches_are_no_pair() -> None:
    chances = the_chances([a_man(GK), a_man(DEF, match=1)], GRID)
    assert conditional_correlations(a_deal([[1, 2], [2, 4]]), chances) == {}


def test_points_that_never_vary_have_no_correlation() -> None:
    assert conditional_correlations(a_deal([[2, 2], [2, 2]]), the_chances([a_man(GK), a_man(DEF)], GRID)) == {}


def test_who_plays_twice_is_left_out() -> None:
    men = [a_man(GK), a_man(DEF), a_man(DEF, player=1, match=1)]
    assert conditional_correlations(a_deal([[1, 2], [2, 4]]), the_chances(men, GRID)) == {}


def test_a_real_round_is_a_deal_of_one_simulation_measured_from_the_models_mean() -> None:
    men = [a_man(DEF), a_man(FWD, away=True), a_man(DEF, match=1), a_man(FWD, match=1, away=True)]
    found = conditional_correlations(a_deal([[9, 1, 0, 7]]), the_chances(men, GRID), np.array([4.0, 3.0, 4.0, 3.0]))
    assert found == {FACING: pytest.approx(-1.0)}


def test_means_of_other_players_are_refused() -> None:
    with pytest.raises(ModelError, match="2 players"):
        conditional_correlations(a_deal([[1, 2]]), the_chances([a_man(GK), a_man(DEF)], GRID), np.zeros(3))


def test_a_round_of_real_size_shows_the_correlations_that_real_rounds_show() -> None:
    chances, rng = a_round(24), np.random.default_rng(2)
    owned = np.where(rng.random(len(chances)) < 0.1, 0.2, 0.01)
    dealt = deal(chances, load_rules("wc2026"), 1_000, rng, owned=owned)
    assert conditional_correlations(dealt, chances) == pytest.approx(MEASURED, abs=0.12)


@pytest.mark.parametrize("round_number", [1, 2])
def test_the_bundled_rounds_are_dealt_with_the_correlations_that_real_points_show(
    world_cup: World, world_cup_rules: GameRules, round_number: int
) -> None:
    signals = build_signals(world_cup.at(round_number), world_cup_rules)
    rng = np.random.default_rng(3)
    dealt = deal(signals.chances, world_cup_rules, 400, rng, owned=signals.owned)
    assert conditional_correlations(dealt, signals.chances, signals.xev) == pytest.approx(MEASURED, abs=0.12)
