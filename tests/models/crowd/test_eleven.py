"""Rules of the field's average squad, eleven and armband."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from data.errors import ModelError
from data.rules import load_rules, shipped_rulebooks
from models.crowd.eleven import fill_armbands, fill_elevens, fill_squads, formation_bounds, scaled_to_places
from tests.cases.field_cases import LINEUPS, POSITION, SEEDS, SHAPE

DEF = POSITION == 1
EVEN = np.array([0.25] * len(POSITION))


def elevens(owned: np.ndarray, liking: np.ndarray) -> np.ndarray:
    return np.bincount(POSITION, owned * fill_elevens(owned, POSITION, liking, LINEUPS))


def a_liking(seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return rng.normal(0, rng.choice([0.1, 1, 10, 300]), len(POSITION))


def test_a_position_is_scaled_to_its_places() -> None:
    filled = fill_squads(EVEN * 0.99, POSITION, SHAPE)
    assert np.bincount(POSITION, filled).tolist() == pytest.approx(SHAPE)


def test_scaling_up_owns_nobody_more_than_once_and_two_owned_by_all_leave_nothing_for_a_third() -> None:
    assert scaled_to_places(np.array([0.95, 0.5, 0.2]), 2).tolist() == pytest.approx([1.0, 5 / 7, 2 / 7])
    assert scaled_to_places(np.array([1.0, 1.0, 0.0]), 2).tolist() == [1.0, 1.0, 0.0]


def test_a_pool_smaller_than_a_squad_is_refused() -> None:
    with pytest.raises(ModelError, match="Of a position 1 players are owned by anybody, but a squad needs 2"):
        scaled_to_places(np.array([1.0, 0.0]), 2)


@given(seed=SEEDS, places=st.integers(1, 5))
def test_scaled_shares_keep_their_order_and_sum(seed: int, places: int) -> None:
    owned = np.random.default_rng(seed).gamma(0.3, size=12) + 1e-6
    filled = scaled_to_places(owned, places)
    assert filled.sum() == pytest.approx(places, abs=1e-9)
    assert filled.max() <= 1.0
    assert (np.diff(filled[np.argsort(owned)]) >= 0).all()


def test_bounds_are_the_fewest_and_most_of_the_formations() -> None:
    fewest, most = formation_bounds(LINEUPS)
    assert fewest.tolist() == [1, 3, 3, 1]
    assert most.tolist() == [1, 5, 5, 3]


@pytest.mark.parametrize("name", shipped_rulebooks())
def test_every_count_within_the_bounds_is_a_formation_of_the_shipped_games(name: str) -> None:
    lineups = load_rules(name).squad.lineups
    (fewest, most), total = formation_bounds(lineups), sum(lineups[0])
    grid = np.stack(np.meshgrid(*[np.arange(low, high + 1) for low, high in zip(fewest, most, strict=True)]), -1)
    legal = grid.reshape(-1, 4)[grid.reshape(-1, 4).sum(axis=1) == total]
    assert {tuple(row) for row in legal.tolist()} == set(lineups)


@given(seed=SEEDS)
def test_the_average_eleven_is_a_legal_one(seed: int) -> None:
    started = elevens(EVEN, a_liking(seed))
    fewest, most = formation_bounds(LINEUPS)
    assert started.sum() == pytest.approx(11, abs=1e-9)
    assert started[0] == pytest.approx(1, abs=1e-9)
    assert (started >= fewest - 1e-9).all()
    assert (started <= most + 1e-9).all()


@pytest.mark.parametrize(("position", "liking"), [(3, 40.0), (1, -40.0)], ids=["loved forwards", "hated defenders"])
def test_a_position_stops_at_the_most_a_formation_holds_or_the_fewest_it_needs(position: int, liking: float) -> None:
    started = elevens(EVEN, np.where(position == POSITION, liking, 0.0))
    assert started[position] == pytest.approx(3)
    assert started.sum() == pytest.approx(11)


def test_a_position_liked_better_is_started_more() -> None:
    plain, loved = elevens(EVEN, np.zeros(len(POSITION))), elevens(EVEN, np.where(DEF, 0.5, 0.0))
    assert loved[1] > plain[1]
    assert loved[2] < plain[2]


@given(seed=SEEDS)
def test_within_a_position_the_better_liked_is_started_no_less(seed: int) -> None:
    liking = a_liking(seed)
    start = fill_elevens(EVEN, POSITION, liking, LINEUPS)
    for of_position in (code == POSITION for code in range(4)):
        assert (np.diff(start[of_position][np.argsort(liking[of_position])]) >= 0).all()


@given(seed=SEEDS, row=st.integers(0, len(POSITION) - 1), more=st.floats(1.0, 3.0))
def test_more_owned_is_never_less_started(seed: int, row: int, more: float) -> None:
    liking, raised = a_liking(seed), EVEN.copy()
    raised[row] *= more
    before, after = (fill_squads(owned, POSITION, SHAPE) for owned in (EVEN, raised))
    started = [owned * fill_elevens(owned, POSITION, liking, LINEUPS) for owned in (before, after)]
    assert started[1][row] >= started[0][row] - 1e-9


@given(seed=SEEDS)
def test_armbands_sum_to_one_and_go_to_starters(seed: int) -> None:
    liking = a_liking(seed)
    started = EVEN * fill_elevens(EVEN, POSITION, liking, LINEUPS)
    captained = fill_armbands(started, liking)
    assert captained.sum() == pytest.approx(1, abs=1e-9)
    assert (captained <= started + 1e-12).all()


def test_an_armband_nobody_contests_goes_to_all_his_starters() -> None:
    started = np.array([0.6, 0.6, 1.0])
    captained = fill_armbands(started, np.array([60.0, 0.0, -60.0]))
    assert captained.tolist() == pytest.approx([0.6, 0.4, 0.0])


def test_rare_armbands_follow_the_softmax() -> None:
    started, liking = np.full(400, 0.0275), np.linspace(0, 2, 400)
    softmax = np.exp(liking) / np.exp(liking).sum()
    assert fill_armbands(started, liking) == pytest.approx(softmax, rel=0.25)
