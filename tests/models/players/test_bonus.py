"""The bonus goes to those whose match brought many points, one to three of them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from models.players.bonus import STEPS, bonus_chances

POINTS = np.arange(-20, 81)


def test_zero_to_three_bonus_points_share_the_whole_chance() -> None:
    chances = bonus_chances(POINTS)
    assert chances.shape == (len(POINTS), 4)
    assert (chances >= 0).all()
    assert chances.sum(axis=1) == pytest.approx(1.0, abs=1e-12)


@pytest.mark.parametrize("bonus", [1, 2, 3])
def test_more_points_never_make_a_bonus_less_likely(bonus: int) -> None:
    at_least = bonus_chances(POINTS)[:, bonus:].sum(axis=1)
    assert (np.diff(at_least) >= -1e-15).all()
    assert (np.diff(at_least[(POINTS > 0) & (POINTS < 15)]) > 0).all()


def test_at_its_step_a_bonus_is_as_likely_as_not() -> None:
    for bonus, step in enumerate(STEPS, start=1):
        assert bonus_chances(np.array([step]))[0, bonus:].sum() == pytest.approx(0.5)


def test_a_mere_appearance_brings_hardly_a_bonus_and_a_hat_trick_all_of_it() -> None:
    appearance, hat_trick = bonus_chances(np.array([2.0, 17.0]))
    assert appearance[0] > 0.97
    assert hat_trick[3] > 0.99


@pytest.mark.facts
@pytest.mark.parametrize("season", ["2023-24", "2024-25"])
def test_the_curve_gives_about_the_bonus_that_was_paid(facts: Path, season: str) -> None:
    matches = pd.read_csv(facts / "fpl" / season / "gameweeks.csv.gz")
    played = matches[(matches["minutes"] > 0) & matches["position"].isin(["GK", "GKP", "DEF", "MID", "FWD"])]
    given = bonus_chances((played["total_points"] - played["bonus"]).to_numpy(dtype=float)) @ np.arange(4)
    assert given.mean() == pytest.approx(played["bonus"].mean(), abs=0.02)
    assert np.corrcoef(given, played["bonus"])[0, 1] > 0.7
