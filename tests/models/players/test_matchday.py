"""Rules of the round put together: one row per player and match, and points are paid for the whole match."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.players.chances import ABSENT, FULL, Chances
from models.players.matchday import played_grid, position_codes, round_chances
from models.players.minutes.playing_time import Minutes, MinutesSettings, minutes_from_start
from models.players.shares.involvement import Involvement, InvolvementSettings
from models.teams.goals import score_grid
from tests.cases.chances_cases import mean_goals

SETTINGS = InvolvementSettings()
RHO = -0.04
MATCHES = pd.DataFrame({"home": ["ARS", "FUL", "LIV"], "away": ["BHA", "LIV", "FUL"]})
RATES = np.array([[1.8, 0.9], [1.2, 1.6], [2.0, 0.7]])
PLAYERS = pd.DataFrame(
    {"team": ["LIV", "ARS", "BHA", "CHE", "ARS", "LIV"], "position": ["GK", "GK", "DEF", "MID", "FWD", "FWD"]}
)


def some_minutes(start: float = 0.8) -> Minutes:
    count = len(PLAYERS)
    return minutes_from_start(
        np.full(count, start), position_codes(PLAYERS), np.ones(count), np.zeros(count), MinutesSettings()
    )


def some_involvement() -> Involvement:
    names = [name for name in Chances.__dataclass_fields__ if name in SETTINGS.__slots__]
    code = position_codes(PLAYERS)
    rates = {name: np.array(getattr(SETTINGS, name))[code] for name in names}
    return Involvement(goal=np.linspace(0, 0.3, len(PLAYERS)), assist=np.linspace(0.1, 0, len(PLAYERS)), rates=rates)


def the_chances(minutes: Minutes | None = None) -> Chances:
    grid = score_grid(RATES[:, 0], RATES[:, 1], RHO)
    return round_chances(PLAYERS, MATCHES, RATES, grid, minutes or some_minutes(), some_involvement(), SETTINGS)


def test_positions_are_numbered_from_the_keeper_to_the_forward() -> None:
    players = pd.DataFrame({"position": ["FWD", "GK", "MID", "DEF"]})
    assert position_codes(players).tolist() == [3, 0, 2, 1]


def test_a_player_has_a_row_for_each_match_of_his_team_home_and_away_told_apart() -> None:
    chances = the_chances()
    counts = np.bincount(chances.player, minlength=len(PLAYERS))
    assert counts.tolist() == [2, 1, 1, 0, 1, 2]
    assert (np.diff(chances.player) >= 0).all()
    keeper_of_liverpool = chances.player == 0
    assert chances.match[keeper_of_liverpool].tolist() == [1, 2]
    assert chances.away[keeper_of_liverpool].tolist() == [True, False]


def test_only_keepers_save_and_more_when_more_goals_are_expected_against_them() -> None:
    chances = the_chances()
    assert (chances.saves[chances.position != 0] == 0).all()
    away, home = chances.saves[chances.player == 0]
    assert away == pytest.approx(SETTINGS.saves_base + SETTINGS.saves_slope * RATES[1, 0])
    assert home == pytest.approx(SETTINGS.saves_base + SETTINGS.saves_slope * RATES[2, 1])


def test_shares_follow_the_minutes_of_the_state() -> None:
    chances = the_chances()
    assert (chances.goal[:, ABSENT] == 0).all()
    assert (chances.assist[:, ABSENT] == 0).all()
    last = chances.player == 5
    np.testing.assert_allclose(chances.goal[last, FULL], 0.3 * chances.minutes[last, FULL])


def test_a_round_without_their_match_gives_no_rows() -> None:
    nobody = MATCHES.iloc[:0]
    grid = score_grid(RATES[:0, 0], RATES[:0, 1], RHO)
    chances = round_chances(PLAYERS, nobody, RATES[:0], grid, some_minutes(), some_involvement(), SETTINGS)
    assert len(chances) == 0


@given(st.floats(0.2, 4), st.floats(0.2, 4))
def test_extra_time_makes_a_knockout_longer_and_its_clean_sheet_rarer(home: float, away: float) -> None:
    rates = np.array([[home, away], [home, away]])
    grid = played_grid(rates, RHO, np.array([False, True]))
    group, knockout = mean_goals(grid)
    assert knockout > group
    sheets = grid.clean_sheet("away")
    assert sheets[1] < sheets[0]


def test_a_group_match_ends_after_ninety_minutes_and_extra_time_is_weighed_by_the_chance_of_a_draw() -> None:
    ninety = score_grid(RATES[:, 0], RATES[:, 1], RHO)
    group = played_grid(RATES, RHO, np.zeros(3, dtype=bool))
    np.testing.assert_array_equal(group.probability, ninety.probability)
    longer = mean_goals(played_grid(RATES, RHO, np.ones(3, dtype=bool))) / mean_goals(ninety)
    np.testing.assert_allclose(longer, 1 + ninety.outcome()[:, 1] / 3, rtol=1e-3)


def test_the_minutes_of_each_player_reach_all_his_rows() -> None:
    minutes = some_minutes()
    state = minutes.state.copy()
    state[0] = [1.0, 0.0, 0.0]
    chances = the_chances(replace(minutes, state=state))
    assert (chances.plays[chances.player == 0] == 0).all()
    assert (chances.plays[chances.player == 5] > 0).all()
