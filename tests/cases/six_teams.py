"""Six teams of known strength, their results, and the ratings fitted on them."""

from __future__ import annotations

from functools import cache

import numpy as np
import pandas as pd

from models.teams.rating_settings import RatingSettings
from models.teams.ratings import Ratings, TeamStrengths, fit_ratings, team_strengths

SETTINGS = RatingSettings()
NAMES = ("Ants", "Bees", "Cats", "Dogs", "Elks", "Foxes")
BEFORE = "2026-06-11"


def some_results(n: int = 400, seed: int = 1, home: float = 0.3, neutral_share: float = 0.3) -> pd.DataFrame:
    """Results of six teams, Ants the best and Foxes the worst at both ends, with a true home advantage."""
    rng = np.random.default_rng(seed)
    strength = np.linspace(0.6, -0.6, len(NAMES))
    first = rng.integers(0, len(NAMES), n)
    second = (first + rng.integers(1, len(NAMES), n)) % len(NAMES)
    neutral = rng.random(n) < neutral_share
    edge = strength[first] - strength[second]
    return pd.DataFrame(
        {
            "date": pd.Timestamp(BEFORE) - pd.to_timedelta(rng.integers(1, 1500, n), unit="D"),
            "home_team": np.array(NAMES)[first],
            "away_team": np.array(NAMES)[second],
            "home_score": rng.poisson(np.exp(0.2 + edge + home * ~neutral)),
            "away_score": rng.poisson(np.exp(0.2 - edge)),
            "tournament": np.where(rng.random(n) < 0.3, "Friendly", "Cup"),
            "neutral": neutral,
        }
    )


@cache
def usual(settings: RatingSettings) -> Ratings:
    return fit_ratings(some_results(), before=BEFORE, settings=settings)


def fitted(results: pd.DataFrame | None = None, settings: RatingSettings = SETTINGS) -> Ratings:
    return usual(settings) if results is None else fit_ratings(results, before=BEFORE, settings=settings)


def the_teams(*names: str) -> pd.DataFrame:
    return pd.DataFrame({"code": [name[:3].upper() for name in names], "results_name": names})


def the_strengths(prices: np.ndarray | None = None, settings: RatingSettings = SETTINGS) -> TeamStrengths:
    return team_strengths(fitted(settings=settings), the_teams(*NAMES), prices)
