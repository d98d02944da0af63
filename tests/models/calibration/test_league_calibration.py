"""The forecasts of a league pass their bars on gameweeks that nothing was fitted on, the game's own forecast beside."""

from __future__ import annotations

import pandas as pd
import pytest

from data.rules import load_rules
from data.worlds.library import find_world
from models.calibration.forecast_errors import central_coverage, match_errors, minutes_errors, point_errors
from models.calibration.walk import Walk, walk_forward

pytestmark = pytest.mark.soak

SEASON = "fpl2025-26"
BARS = {"all": (2.15, 0.75), "relevant": (2.72, 0.62), "fit": (2.93, 0.49)}
"""By group: the largest RMSE and the least rank correlation."""


@pytest.fixture(scope="module")
def walk() -> Walk:
    world = find_world(SEASON)
    *_, last = walk_forward(world, load_rules(world.rulebook), tuple(range(2, 20)), seed=0)
    return last


def test_points_are_forecast_better_than_by_the_game_price_and_crowd(walk: Walk) -> None:
    errors = point_errors(walk.players)
    table = errors.set_index(["players", "forecast"])
    for group, (rmse, spearman) in BARS.items():
        assert table.loc[(group, "model"), "rmse"] <= rmse
        assert table.loc[(group, "model"), "spearman"] >= spearman
    for _, rows in errors.groupby("players"):
        best = rows.set_index("forecast")
        assert best["rmse"].idxmin() == best["mae"].idxmin() == best["spearman"].idxmax() == "model"
    assert set(errors["rounds"]) == {"2-19"}


def test_minutes_are_forecast_well(walk: Walk) -> None:
    errors = minutes_errors(walk.players)
    assert errors["rows"] > 10_000
    assert errors["log_loss"] <= 0.48
    assert errors["sixty_brier"] <= 0.090
    assert errors["sixty_gap"] <= 0.03


def test_matches_are_forecast_as_well_as_by_the_market(walk: Walk) -> None:
    errors = match_errors(walk.matches)
    assert errors["market_matches"] == errors["matches"] == 180
    assert errors["log_loss_there"] <= errors["market_log_loss"] + 0.015
    assert errors["clean_sheet_brier"] <= 0.178


def test_four_of_five_points_fall_into_the_central_eighty_percent(walk: Walk) -> None:
    assert central_coverage(walk.players)["all"].between(0.75, 0.85).all()


def test_nothing_is_said_of_minutes_that_are_not_on_record(walk: Walk) -> None:
    unknown = minutes_errors(walk.players.assign(minutes=float("nan")))
    assert unknown["rows"] == 0
    assert pd.isna(unknown["log_loss"])
