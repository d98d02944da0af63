"""Matches of whole seasons are forecast nearly as well as by the bookmakers, and as well with their odds."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from data.rules import load_rules
from data.worlds.library import find_world
from data.worlds.world import World
from models.forecast import ODDS_SHARE, ModelSettings, forecast_teams
from models.teams.goals import ScoreGrid, score_grid
from models.teams.market import market_chances, market_rates
from tests.cases.facts.earlier_seasons import EARLIER, earlier_season

BARS = {0.0: 0.015, ODDS_SHARE: 0.003}
"""By the share of odds: how much more log-loss than the market's is allowed."""


def the_season(facts: Path, season: str) -> World:
    return earlier_season(facts, season) if season in EARLIER else find_world(f"fpl{season}")


def losses(world: World, number: int, settings: ModelSettings) -> np.ndarray:
    """(matches, 4) log-loss of ours and the market's, squared error of clean sheets of ours and the market's."""
    forecast = forecast_teams(world.at(number), load_rules(world.rulebook), settings, np.random.default_rng(0))
    played = world.tables["fixtures"].set_index("match_id").loc[forecast.matches["match_id"]]
    goals = played[["home_goals_90", "away_goals_90"]].to_numpy(dtype=float, na_value=np.nan)
    market = market_rates(played, forecast.strengths.rho)
    known = ~np.isnan(goals).any(axis=1) & ~np.isnan(market).any(axis=1)
    if settings.odds_share:  # of a match late in the round the odds are told after the deadline
        known &= forecast.priced
    result = 1 - np.sign(goals[known] @ [1, -1]).astype(int)  # home win, draw, away win
    row = np.arange(len(result))
    chance = (forecast.ninety.outcome()[known], market_chances(played)[known])
    grids = (ScoreGrid(forecast.ninety.probability[known]), score_grid(*market[known].T, forecast.strengths.rho))
    kept = goals[known][:, ::-1] == 0
    sheets = [np.stack([grid.clean_sheet("home"), grid.clean_sheet("away")], axis=1) for grid in grids]
    return np.column_stack(
        [*(-np.log(said[row, result]) for said in chance), *(((said - kept) ** 2).mean(axis=1) for said in sheets)]
    )


@pytest.mark.facts
@pytest.mark.soak
@pytest.mark.parametrize(("season", "last"), [("2023-24", 38), ("2024-25", 38), ("2025-26", 19)])
def test_matches_are_forecast_nearly_as_well_as_by_the_market(facts: Path, season: str, last: int) -> None:
    world = the_season(facts, season)
    for share, allowed in BARS.items():
        settings = replace(ModelSettings.for_game(load_rules(world.rulebook)), odds_share=share)
        found = np.concatenate([losses(world, number, settings) for number in range(1, last + 1)])
        own, market, own_sheet, market_sheet = found.mean(axis=0)
        assert len(found) >= 150
        assert own <= market + allowed
        assert own_sheet <= market_sheet + 0.001
