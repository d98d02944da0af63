"""Rules of covariance: shared scores, shared goals, and nothing across matches."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from data.errors import ModelError
from data.rules import load_rules
from models.players.chances import Chances
from models.teams.goals import score_grid
from models.together.covariance import Block, Covariance, covariance
from models.together.deal import deal
from tests.cases.chances_cases import DEF, FWD, GK, a_man, a_round, a_score, covariance_of, matrix_of, the_chances

OPEN = score_grid([1.4], [1.1], -0.04)
POPULAR = 0.3
RARE = 0.01
ROUND = a_round(1)


def the_covariance(
    chances: Chances, variance: Any = 40.0, rulebook: str = "wc2026", owned: float = POPULAR
) -> Covariance:
    players = int(chances.player.max()) + 1
    given = np.broadcast_to(np.asarray(variance, dtype=float), players)
    return covariance(chances, load_rules(rulebook), given, owned=np.full(players, owned))


def simulated(chances: Chances, rulebook: str, owned: float, n: int) -> np.ndarray:
    players = len(chances)
    ownership, rng = np.full(players, owned), np.random.default_rng(7)
    points = deal(chances, load_rules(rulebook), n, rng, owned=ownership).points
    return np.cov(points.T.astype(float))


def test_two_clean_sheets_are_one() -> None:
    # Only the sheet and the goals conceded: 7, 2, 1, 0, … for both alike.
    conceded = OPEN.probability[0].sum(axis=0)
    points = np.array([5, *(0 - np.arange(10))])
    variance = conceded @ points**2 - (conceded @ points) ** 2
    found = the_covariance(the_chances([a_man(GK), a_man(DEF)], OPEN), variance)
    assert matrix_of(found) == pytest.approx(np.full((2, 2), variance))


def test_a_striker_moves_against_the_defence_he_faces_and_with_nobody_elsewhere() -> None:
    grid = score_grid([1.4, 1.4], [1.1, 1.1])
    men = [a_man(DEF), a_man(FWD, away=True, goal=0.3), a_man(DEF, match=1)]
    found = matrix_of(the_covariance(the_chances(men, grid)))
    assert found[0, 1] < -0.5
    assert found[0, 2] == found[1, 2] == 0.0


def test_rivals_for_one_goal_move_apart_and_its_makers_together() -> None:
    grid = a_score(1, 0)  # a sure score shares nothing; only the goal does
    rivals = matrix_of(the_covariance(the_chances([a_man(FWD, goal=0.5), a_man(FWD, goal=0.5)], grid)))
    assert rivals[0, 1] == pytest.approx(-25 / 4)
    makers = matrix_of(the_covariance(the_chances([a_man(FWD, goal=0.5), a_man(DEF, assist=0.5)], grid)))
    assert makers[0, 1] == pytest.approx(0.5 * 0.5 * 15 - 2.5 * 1.5)
    linked = [a_man(FWD, goal=0.5), a_man(DEF, goal=0.4, assist=0.6)]  # he assists whatever he does not score
    assert matrix_of(the_covariance(the_chances(linked, grid)))[0, 1] == pytest.approx(
        0.5 * 3 * 5 - 2.5 * (0.4 * 7 + 0.6 * 3)
    )


@pytest.mark.parametrize("rulebook", ["wc2026", "fpl2026"])
@pytest.mark.parametrize("certain", [True, False])
@pytest.mark.parametrize("owned", [POPULAR, RARE])
def test_it_is_the_covariance_of_the_deal(rulebook: str, certain: bool, owned: float) -> None:
    chances = a_round(1, seed=3, certain=certain)
    dealt = simulated(chances, rulebook, owned, 40_000)
    found = matrix_of(the_covariance(chances, dealt.diagonal(), rulebook, owned))
    off = ~np.eye(len(chances), dtype=bool)
    size = np.sqrt((dealt[off] ** 2).mean())
    assert np.sqrt(((found - dealt)[off] ** 2).mean()) < 0.08 * size
    assert found.diagonal() == pytest.approx(dealt.diagonal())


@given(seed=st.integers(0, 2**32 - 1), owned=st.sampled_from([RARE, POPULAR]))
@settings(max_examples=25)
def test_it_is_positive_semi_definite_and_has_the_given_diagonal(seed: int, owned: float) -> None:
    rng = np.random.default_rng(seed)
    chances = a_round(2, seed=seed % 1000, certain=bool(seed % 2))
    variance = rng.gamma(0.5, 8.0, len(chances)) * (rng.random(len(chances)) < 0.9)
    matrix = matrix_of(the_covariance(chances, variance, owned=owned))
    assert np.linalg.eigvalsh(matrix).min() > -1e-9
    assert (matrix == matrix.T).all()
    assert matrix.diagonal() == pytest.approx(variance, abs=1e-9)


def test_shares_beyond_all_goals_still_give_a_covariance() -> None:
    men = [a_man(FWD, goal=0.6, assist=0.4) for _ in range(5)]
    assert np.linalg.eigvalsh(matrix_of(the_covariance(the_chances(men, OPEN), 3.0))).min() > -1e-9


def test_a_variance_below_the_shared_part_scales_that_player_alone() -> None:
    chances = the_chances([a_man(GK), a_man(DEF), a_man(DEF)], OPEN)
    full = matrix_of(the_covariance(chances, 40.0))
    tamed = matrix_of(the_covariance(chances, [40.0, 40.0, 1.0]))
    assert tamed[0, 1] == full[0, 1]
    assert tamed[0, 2] == pytest.approx(full[0, 2] / np.sqrt(full[0, 2]))
    assert tamed[2, 2] == pytest.approx(1.0)


def one_man_in_two_blocks() -> Covariance:
    men = [a_man(DEF), a_man(DEF, player=0, match=1, away=True), a_man(GK, player=1), a_man(GK, player=2, match=1)]
    return the_covariance(the_chances(men, score_grid([1.4, 1.0], [1.1, 1.3])))


def test_two_matches_of_a_player_add_up_over_two_blocks() -> None:
    found = one_man_in_two_blocks()
    assert [block.rows.tolist() for block in found.blocks] == [[0, 1], [0, 2]]
    assert sum(block.values[0, 0] for block in found.blocks) == pytest.approx(40.0)
    assert matrix_of(found)[1, 2] == 0.0
    assert matrix_of(found)[0, 0] == pytest.approx(40.0)


def test_who_varies_without_a_match_varies_alone() -> None:
    found = the_covariance(the_chances([a_man(DEF, player=1)], OPEN), [2.5, 40.0])
    assert matrix_of(found)[0].tolist() == [2.5, 0.0]
    assert found.blocks[-1].rows.tolist() == [0]


@given(seed=st.integers(0, 2**32 - 1))
@settings(max_examples=20)
def test_the_variance_of_a_squad_is_the_quadratic_form_of_its_weights(seed: int) -> None:
    rng, found = np.random.default_rng(seed), the_covariance(ROUND)
    squads = np.stack([rng.permutation(len(found))[:15] for _ in range(6)])
    multipliers = rng.choice([0.0, 0.3, 1.0, 2.0], squads.shape)
    weights = np.zeros((6, len(found)))
    np.put_along_axis(weights, squads, multipliers, axis=1)
    assert found.variance_of(squads, multipliers) == pytest.approx(np.diag(weights @ matrix_of(found) @ weights.T))


def test_a_swap_changes_the_variance_by_one_row() -> None:
    found, ones = the_covariance(ROUND), np.ones((1, 5))
    before, after = np.array([[0, 5, 9, 20, 30]]), np.array([[0, 5, 9, 20, 31]])
    kept = before[0, :4]
    change = found[31, 31] - found[30, 30] + 2 * (matrix_of(found)[31] - matrix_of(found)[30])[kept].sum()
    assert found.variance_of(after, ones) - found.variance_of(before, ones) == pytest.approx([change])


def test_a_matrix_that_is_not_finite_never_becomes_a_covariance() -> None:
    with pytest.raises(ModelError, match="not finite"):
        Covariance(blocks=(Block(np.arange(1), np.array([[np.nan]])),), players=1)


def test_the_matrix_lookups_products_and_pairs_are_those_of_the_blocks() -> None:
    for found in (the_covariance(a_round(3)), one_man_in_two_blocks()):
        matrix = np.zeros((len(found), len(found)))
        for block in found.blocks:
            matrix[np.ix_(block.rows, block.rows)] += block.values
        everybody, weights = np.arange(len(found)), np.random.default_rng(0).normal(size=len(found))
        assert (matrix_of(found) == matrix).all()
        assert (found[everybody[:, None], everybody] == matrix).all()
        assert found @ weights == pytest.approx(matrix @ weights)
        assert set(zip(*(rows.tolist() for rows in found.nonzero()), strict=True)) == set(
            zip(*(rows.tolist() for rows in np.nonzero(matrix)), strict=True)
        )
        assert (matrix_of(covariance_of(matrix)) == matrix).all()


def test_twenty_thousand_players_take_little_room() -> None:
    values = np.ones((50, 50))
    blocks = tuple(Block(np.arange(50) + 50 * match, values) for match in range(400))
    found = Covariance(blocks, 20_000)
    assert found._numbers.nbytes < 10e6
    assert found[0, 49] == 1.0
    assert found[0, 50] == 0.0
