"""Elo moves points from loser to winner, and its curve turns a difference into goals."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from models.teams.elo import EloHistory, EloSettings, elo_edge, elo_log_rate, fit_level, play_elo

SETTINGS = EloSettings()
TEAMS = 4
match = st.tuples(st.integers(0, TEAMS - 1), st.integers(1, TEAMS - 1), st.integers(-8, 8), st.booleans())


def played(*matches: tuple[int, int, int, bool], settings: EloSettings = SETTINGS) -> EloHistory:
    """Play matches given as (home, away, margin, hosted)."""
    home, away, margin, hosted = np.array(matches, dtype=int).reshape(-1, 4).T
    return play_elo(home, away, margin, hosted.astype(bool), TEAMS, settings)


@given(st.lists(match, max_size=30))
def test_points_are_moved_never_made(matches: list[tuple[int, int, int, bool]]) -> None:
    history = played(*((home, (home + gap) % TEAMS, margin, hosted) for home, gap, margin, hosted in matches))
    assert history.rating.sum() == pytest.approx(TEAMS * SETTINGS.start)
    assert len(history.edge) == len(matches)


def test_a_win_between_equals_moves_half_a_step() -> None:
    assert played((0, 1, 1, False)).rating[:2] == pytest.approx([1525, 1475])


def test_a_draw_between_equals_moves_nothing_on_neutral_ground_and_costs_the_home_side() -> None:
    assert played((0, 1, 0, False)).rating == pytest.approx(np.full(TEAMS, SETTINGS.start))
    assert played((0, 1, 0, True)).rating[0] < SETTINGS.start


def test_a_bigger_win_moves_more() -> None:
    moved = [played((0, 1, margin, False)).rating[0] for margin in (1, 2, 3, 6)]
    assert moved == sorted(set(moved))


def test_beating_a_stronger_side_earns_more() -> None:
    upset = played((0, 1, 3, False), (1, 0, 1, False)).rating[1] - played((0, 1, 3, False)).rating[1]
    assert upset > SETTINGS.step / 2


def test_the_edge_is_the_one_before_the_match() -> None:
    edge = played((0, 1, 1, False), (0, 1, 1, True)).edge
    assert edge == pytest.approx([0, (50 + SETTINGS.home) / SETTINGS.spread])


def test_no_match_leaves_everybody_at_the_start() -> None:
    assert (played().rating == SETTINGS.start).all()


def test_home_helps_the_host_as_much_as_it_hurts_the_guest() -> None:
    edge = elo_edge(np.array([0.0, 0.0, 0.0]), np.array([1, 0, -1]), SETTINGS)
    assert edge == pytest.approx([0.25, 0, -0.25])


def test_the_curve_gives_equals_its_level_and_the_stronger_more() -> None:
    log_rate = elo_log_rate(np.array([-1.0, 0.0, 1.0]), SETTINGS.level, SETTINGS)
    assert log_rate == pytest.approx([-0.683, 0.195, 0.919])


@given(st.floats(-0.5, 1.0))
def test_many_goals_set_the_level(true_level: float) -> None:
    edge = np.linspace(-1.5, 1.5, 4000)
    goals = np.exp(elo_log_rate(edge, true_level, SETTINGS))
    assert fit_level(edge, goals, np.ones(4000), SETTINGS) == pytest.approx(true_level, abs=0.02)


def test_no_goals_leave_the_level_of_the_settings() -> None:
    nothing = np.zeros(0)
    assert fit_level(nothing, nothing, nothing, SETTINGS) == pytest.approx(SETTINGS.level)


@pytest.mark.parametrize("name", ["step", "spread", "level_goals"])
@pytest.mark.parametrize("value", [0.0, -1.0, float("nan")])
def test_senseless_settings_are_refused_by_name(name: str, value: float) -> None:
    with pytest.raises(ValidationError, match=name):
        EloSettings(**{name: value})
