"""What is believed of clubs before their results speak: dear squads are better, promoted ones worse than so."""

from __future__ import annotations

import numpy as np
import pandas as pd

from models.teams.rating_settings import RatingSettings
from models.teams.ratings import ELEVEN, dearest_eleven

YEAR = pd.Timedelta(days=365)


def club_priors(
    results: pd.DataFrame, teams: pd.DataFrame, players: pd.DataFrame, began: pd.Timestamp, settings: RatingSettings
) -> pd.DataFrame:
    """Return attack and defence (columns) that each club (index, as the results spell it) starts from.

    A club without a match in the year before the season `began` is promoted, and one that has results but is not among
    the `teams` was relegated: about as weak. Without results of that year nobody can be told to be promoted.
    """
    clubs = pd.Index(sorted({*results["home_team"], *results["away_team"], *teams["results_name"]}))
    price = pd.Series(_relative_price(players, teams), index=teams["results_name"]).reindex(clubs).fillna(0.0)
    weaker = ~clubs.isin(teams["results_name"]) | clubs.isin(_promoted(results, teams, began))
    return pd.DataFrame(
        {
            "attack": settings.priced_attack * price + settings.promoted_attack * weaker,
            "defence": settings.priced_defence * price + settings.promoted_defence * weaker,
        }
    )


def _relative_price(players: pd.DataFrame, teams: pd.DataFrame) -> np.ndarray:
    """(teams,) log of the mean price of the eleven dearest, less its mean; NaN for a squad that is not complete."""
    squads = dearest_eleven(players, list(teams["code"]))
    price = np.log(squads["mean"].where(squads["size"] == ELEVEN))
    return np.asarray(price - price.mean(), dtype=float)


def _promoted(results: pd.DataFrame, teams: pd.DataFrame, began: pd.Timestamp) -> list[str]:
    before = results[results["date"].between(began - YEAR, began, inclusive="left")]
    there = {*before["home_team"], *before["away_team"]}
    return [name for name in teams["results_name"] if name not in there] if there else []
