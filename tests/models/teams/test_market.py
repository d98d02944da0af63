"""Odds are read back as the goals they were made of, whatever the margin."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from data.worlds.library import find_world
from models.teams.goals import score_grid
from models.teams.market import LINE, market_chances, market_rates

RHO = -0.05


def priced(home: float, away: float, margin: float = 0.05) -> pd.DataFrame:
    """Return the odds of a bookmaker who expects these goals and keeps a margin."""
    grid = score_grid(home, away, RHO)
    over = grid.probability[np.add.outer(np.arange(11), np.arange(11)) > LINE].sum()
    chances = [*grid.outcome(), over, 1 - over]
    names = ["home_odds", "draw_odds", "away_odds", "over_odds", "under_odds"]
    return pd.DataFrame({name: [1 / (chance * (1 + margin))] for name, chance in zip(names, chances, strict=True)})


@given(st.floats(0.3, 4.0), st.floats(0.3, 4.0), st.floats(0.0, 0.12))
def test_the_goals_behind_odds_are_found(home: float, away: float, margin: float) -> None:
    assert market_rates(priced(home, away, margin), RHO)[0] == pytest.approx([home, away], rel=1e-4)


def test_chances_sum_to_one_without_the_margin() -> None:
    assert market_chances(priced(1.7, 1.1, 0.08))[0] == pytest.approx(score_grid(1.7, 1.1, RHO).outcome())


def test_without_totals_the_outcome_alone_decides() -> None:
    odds = priced(1.7, 1.1).assign(over_odds=np.nan, under_odds=np.nan)
    assert market_rates(odds, RHO)[0] == pytest.approx([1.7, 1.1], rel=1e-3)


def test_a_match_without_odds_has_no_rates_and_leaves_the_others_alone() -> None:
    both = pd.concat([priced(1.7, 1.1) * np.nan, priced(1.7, 1.1)], ignore_index=True)
    rates = market_rates(both, RHO)
    assert np.isnan(rates[0]).all()
    assert rates[1] == pytest.approx([1.7, 1.1], rel=1e-4)
    assert market_rates(both.iloc[:0], RHO).shape == (0, 2)


def test_the_grids_of_real_odds_repeat_the_bookmakers_outcome() -> None:
    matches = find_world("fpl2025-26").tables["fixtures"].dropna(subset="home_odds")
    rates = market_rates(matches, RHO)
    assert len(rates) >= 190
    found = score_grid(rates[:, 0], rates[:, 1], RHO).outcome()
    assert np.abs(found - market_chances(matches)).max() < 0.02
