"""The bonus goes to who scores, assists or keeps a clean sheet, one to three points of it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from models.players.bonus import bonus_chances, bonus_table
from tests.cases.chances_cases import DEF, FWD, GK, MID

POSITION_CODES = {"GK": GK, "GKP": GK, "DEF": DEF, "MID": MID, "FWD": FWD}


def mean_bonus(position: int, goals: int = 0, assists: int = 0, sheet: int = 0, full: int = 1) -> float:
    return float(bonus_chances(position, full, goals, assists, sheet) @ np.arange(4))


def test_zero_to_three_bonus_points_share_the_whole_chance() -> None:
    table = bonus_table()
    assert table.shape == (4, 2, 4, 3, 2, 4)
    assert (table >= 0).all()
    assert table.sum(axis=-1) == pytest.approx(1.0, abs=1e-12)


@pytest.mark.parametrize("position", [GK, DEF, MID, FWD])
def test_more_goals_and_assists_never_make_a_bonus_less_likely(position: int) -> None:
    means = bonus_table()[position] @ np.arange(4)  # full, goals, assists, sheet
    assert (np.diff(means, axis=1) >= -1e-3).all()  # of goalkeepers' goals nothing is on record
    assert (np.diff(means, axis=2) > 0).all()


def test_a_clean_sheet_is_worth_a_bonus_to_a_defence_and_none_to_an_attack() -> None:
    assert mean_bonus(DEF, sheet=1) > mean_bonus(DEF) + 0.4
    assert mean_bonus(MID, sheet=1) < 0.02
    assert mean_bonus(DEF, sheet=1, full=0) == mean_bonus(DEF, full=0)


def test_a_forwards_goal_is_worth_more_than_a_point_of_bonus_and_a_mere_appearance_none() -> None:
    assert 1.2 < mean_bonus(FWD, goals=1) < 1.5
    assert max(mean_bonus(position) for position in (DEF, MID, FWD)) < 0.02
    assert mean_bonus(FWD, goals=3) > 2.9
    assert mean_bonus(FWD, goals=5) == mean_bonus(FWD, goals=3)


@pytest.mark.facts
@pytest.mark.parametrize("season", ["2023-24", "2024-25"])
def test_the_odds_give_about_the_bonus_that_was_paid(facts: Path, season: str) -> None:
    matches = pd.read_csv(facts / "fpl" / season / "gameweeks.csv.gz")
    played = matches[(matches["minutes"] > 0) & matches["position"].isin(list(POSITION_CODES))]
    done = (played[name].to_numpy() for name in ("goals_scored", "assists", "clean_sheets"))
    position, full = played["position"].map(POSITION_CODES).to_numpy(), (played["minutes"] >= 60).to_numpy(dtype=int)
    given = bonus_chances(position, full, *done) @ np.arange(4)
    assert given.mean() == pytest.approx(played["bonus"].mean(), abs=0.01)
    assert np.corrcoef(given, played["bonus"])[0, 1] > 0.72
