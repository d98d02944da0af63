"""Fit the logits of league minutes on whole seasons: what was known at each deadline against who played."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pandas as pd
from scipy.optimize import minimize
from scipy.special import expit

from data.errors import InputError
from data.worlds.world import World
from models.players.league_minutes import FEATURES, MinutesLogits, minutes_features
from models.players.minutes import RULED_OUT, position_codes
from models.players.recent import RecentMatches

HOUR = 60
RIDGE = 1.0
"""Keeps a coefficient that few rows speak of near 0."""

DECIMALS = 4


def fit_minutes(worlds: Iterable[World]) -> MinutesLogits:
    """Return the coefficients that explain best who played in these seasons."""
    rows = pd.concat([season_rows(world) for world in worlds], ignore_index=True)
    features, minutes = rows[list(FEATURES)].to_numpy(), rows["played"].to_numpy()
    keeper, on = rows["keeper"].to_numpy(), minutes > 0
    plays = [_logit(features[who], on[who]) for who in (~keeper, keeper)]
    sixty = _logit(features[~keeper & on], minutes[~keeper & on] >= HOUR)
    return MinutesLogits(np.stack(plays), sixty, float((minutes[keeper & on] >= HOUR).mean()))


def season_rows(world: World) -> pd.DataFrame:
    """Return FEATURES, `keeper` and the minutes `played` of everybody who was not ruled out, by deadline."""
    appearances = world.tables["appearances"].sort_values("match_id", kind="stable")
    rounds = [number for number in world.rounds if (appearances["round"] == number).any()]
    if not rounds:
        raise InputError(f"{world.name} has no round with minutes on record, so nothing can be fitted on it.")
    return pd.concat([_deadline_rows(world, number, appearances) for number in rounds], ignore_index=True)


def _deadline_rows(world: World, number: int, appearances: pd.DataFrame) -> pd.DataFrame:
    snapshot = world.at(number)
    players = snapshot.players
    playing = pd.concat([snapshot.coming["home"], snapshot.coming["away"]])
    played = appearances[appearances["round"] == number].drop_duplicates("player_id").set_index("player_id")["minutes"]
    rows = pd.DataFrame(minutes_features(snapshot, RecentMatches.of(snapshot)), columns=list(FEATURES))
    rows = rows.assign(
        keeper=position_codes(players) == 0, played=players["player_id"].map(played).fillna(0).to_numpy()
    )
    counted = players["team"].isin(playing) & ~players["status"].isin(RULED_OUT)
    return rows[counted.to_numpy()]


def _logit(features: np.ndarray, happened: np.ndarray) -> np.ndarray:
    """Return the coefficients of a logistic regression; the first feature is the constant and not drawn to 0."""
    ridge = np.where(np.arange(features.shape[1]) == 0, 0.0, RIDGE)

    def loss(weights: np.ndarray) -> tuple[float, np.ndarray]:
        odds = features @ weights
        value = float((np.logaddexp(0.0, odds) - happened * odds).sum() + 0.5 * (ridge * weights**2).sum())
        return value, features.T @ (expit(odds) - happened) + ridge * weights

    start = np.zeros(features.shape[1])
    options = {"maxiter": 5000, "ftol": 1e-15, "gtol": 1e-9}
    best = minimize(loss, start, jac=True, method="L-BFGS-B", options=options).x
    return np.asarray(np.round(best, DECIMALS))
