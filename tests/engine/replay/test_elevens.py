"""Elevens for the budget: legal, the best there are, and paid with official points."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import numpy as np
import pandas as pd
import pytest

from data.rules import load_rules
from engine.replay.elevens import best_eleven, eleven_points, eleven_table

RULES = load_rules("fpl2025")
PER_POSITION = {"GK": 2, "DEF": 5, "MID": 5, "FWD": 3}


def some_men(seed: int, number: int = 2) -> pd.DataFrame:
    """Build a round of fifteen men of six teams, dear enough that not every eleven can be paid."""
    rng = np.random.default_rng([seed, number])
    position = np.repeat(list(PER_POSITION), list(PER_POSITION.values()))
    expected = rng.gamma(3, 1.5, len(position))
    return pd.DataFrame(
        {
            "round": number,
            "player_id": np.arange(len(position)),
            "team": rng.integers(0, 6, len(position)).astype(str),
            "position": position,
            "paid": np.round(4 + expected * rng.uniform(0.5, 1.5, len(position)), 1),
            "points": rng.poisson(expected),
            "model": expected,
            "constant": 1.0,
            "price": rng.gamma(3, 1.5, len(position)),
            "crowd": rng.gamma(3, 1.5, len(position)),
        }
    )


def by_hand(players: pd.DataFrame, expected: np.ndarray) -> float:
    """Return the most points of any legal eleven with its best man captain, by trying all of them."""
    stage, place = RULES.stage(2), players["position"].to_numpy()
    paid, teams = players["paid"].to_numpy(), players["team"].to_numpy()
    best = -np.inf
    for rows in map(list, combinations(range(len(players)), 11)):
        shape = tuple(int((place[rows] == name).sum()) for name in PER_POSITION)
        capped = max(Counter(teams[rows].tolist()).values()) <= stage.team_cap
        if shape in RULES.squad.lineups and capped and paid[rows].sum() <= stage.budget + 1e-9:
            best = max(best, float(expected[rows].sum() + expected[rows].max()))
    return best


@pytest.mark.parametrize("seed", range(4))
def test_the_eleven_is_the_best_that_the_money_buys(seed: int) -> None:
    players = some_men(seed)
    expected = players["model"].to_numpy()
    eleven, captain = best_eleven(expected, players, RULES)
    assert len(eleven) == 11
    assert captain in eleven
    assert expected[eleven].sum() + expected[captain] == pytest.approx(by_hand(players, expected))


def test_elevens_are_paid_official_points_with_the_captain_twice_and_repeat_themselves() -> None:
    players = pd.concat([some_men(1, 2), some_men(1, 3)], ignore_index=True)
    sure = players.assign(model=1e6 * players["points"])  # so far apart that no disturbance moves anybody
    found = eleven_points(sure, RULES, seed=5, runs=2)
    assert found.index.tolist() == [2, 3]
    assert list(found) == ["model", "price", "crowd"]
    for number, part in sure.groupby("round"):
        assert found.loc[number, "model"] == by_hand(part, part["points"].to_numpy(dtype=float))
    pd.testing.assert_frame_equal(found, eleven_points(sure, RULES, seed=5, runs=2))
    assert not found.equals(eleven_points(players, RULES, seed=6, runs=2))


def test_the_table_tells_means_and_standard_errors_of_what_ours_are_above() -> None:
    points = pd.DataFrame({"model": [50.0, 70.0], "price": [40.0, 66.0]}, index=[2, 3])
    table = eleven_table(points, runs=6).set_index("forecast")
    assert table.loc["model", ["points", "error", "above"]].tolist() == pytest.approx([60, 10, 0])
    assert table.loc["price", ["points", "above", "above_error"]].tolist() == pytest.approx([53, 7, 3])
