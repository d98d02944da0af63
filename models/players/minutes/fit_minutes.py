"""Fit the minutes of a league on whole seasons: what was known at each deadline against who played then and later."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np
import pandas as pd
from scipy.special import expit

from data.errors import InputError
from data.worlds.world import World
from models.players.minutes.later_minutes import (
    FIT,
    KINDS,
    STAGES,
    STANDING,
    Absences,
    LaterMinutes,
    state_odds,
)
from models.players.minutes.league_minutes import (
    BEND,
    FEATURES,
    HOUR,
    MinutesLogits,
    bend_features,
    filled_teams,
    minutes_features,
    predict_league_minutes,
    standing,
)
from models.players.minutes.playing_time import RULED_OUT, UNAVAILABLE, MinutesSettings, everybody_fit, position_codes
from models.players.minutes.recent import RecentMatches

RIDGE = 1.0
"""Keeps a coefficient that few rows speak of near 0."""

DECIMALS = 4
NEWTON_STEPS, LARGEST_STEP, CONVERGED = 100, 3.0, 1e-8
FURTHEST = 7
"""Rounds after the coming one that are fitted: an outlook sees eight."""


def fit_minutes(worlds: Iterable[World]) -> MinutesLogits:
    """Return the coefficients that explain best who played in these seasons."""
    rows = pd.concat([season_rows(world) for world in worlds], ignore_index=True)
    features, minutes = rows[list(FEATURES)].to_numpy(), rows["played"].to_numpy()
    keeper, on = rows["keeper"].to_numpy(), minutes > 0
    plays = [logistic_fit(features[who], on[who]) for who in (~keeper, keeper)]
    sixty = logistic_fit(features[~keeper & on], minutes[~keeper & on] >= HOUR)
    share = float((minutes[keeper & on] >= HOUR).mean())
    straight = MinutesLogits(np.stack(plays), sixty, share, np.eye(len(BEND))[1])
    return replace(straight, bend=_fit_bend(rows, straight))


def _fit_bend(rows: pd.DataFrame, logits: MinutesLogits) -> np.ndarray:
    """(BEND,) what makes the chances of outfield players to play, with their teams filled, as often as it came."""
    keeper = rows["keeper"].to_numpy()
    state = logits.state(rows[list(FEATURES)].to_numpy(), keeper)
    filled = filled_teams(state, np.ones(len(rows), dtype=bool), rows["side"])
    return logistic_fit(bend_features(filled[~keeper]), rows["played"].to_numpy()[~keeper] > 0)


def season_rows(world: World) -> pd.DataFrame:
    """Return FEATURES, `keeper`, `side` and the minutes `played` of everybody who was not ruled out, by deadline.

    A side is a team at a deadline.
    """
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
        keeper=position_codes(players) == 0,
        side=(f"{world.name} {number} " + players["team"]).to_numpy(),
        played=players["player_id"].map(played).fillna(0).to_numpy(),
    )
    counted = players["team"].isin(playing) & ~players["status"].isin(RULED_OUT)
    return rows[counted.to_numpy()]


def fit_later_minutes(worlds: Iterable[World], logits: MinutesLogits) -> LaterMinutes:
    """Return the coefficients that explain best who played in later rounds of these seasons, from what was known."""
    rows = pd.concat([_later_rows(world, logits) for world in worlds], ignore_index=True)
    fitted = [_fit_ahead(part) for _, part in rows.groupby("ahead")]
    weights = np.stack(fitted)  # (rounds, stages, kinds, the slope and the standing)
    kinds = len(KINDS)
    return LaterMinutes(weights[..., kinds], weights[..., :kinds], weights[..., kinds + 1 :])


def _fit_ahead(rows: pd.DataFrame) -> np.ndarray:
    """(stages, kinds + 1 + STANDING) constants, slope and place of one distance."""
    kinds, on = np.eye(len(KINDS))[rows["kind"]], rows["played"].to_numpy() > 0
    hour, outfield = rows["played"].to_numpy() >= HOUR, ~rows["keeper"].to_numpy()
    features = [np.column_stack([kinds, rows[[stage, *STANDING]]]) for stage in STAGES]
    return np.stack([logistic_fit(features[0], on), logistic_fit(features[1][on & outfield], hour[on & outfield])])


def _later_rows(world: World, logits: MinutesLogits) -> pd.DataFrame:
    """Return by deadline and later round: ahead, keeper, kind, the log odds by STAGES, and the minutes `played`."""
    first = _first_matches(world)
    return pd.concat(
        [_rows_ahead(world, number, first, logits) for number in world.rounds if number < max(world.rounds)],
        ignore_index=True,
    )


def _rows_ahead(world: World, number: int, first: pd.DataFrame, logits: MinutesLogits) -> pd.DataFrame:
    snapshot = world.at(number)
    players = snapshot.players
    fit = replace(snapshot, players=everybody_fit(players))
    recent = RecentMatches.of(snapshot)
    now, usual = (predict_league_minutes(state, recent, MinutesSettings(), logits).state for state in (snapshot, fit))
    absences = Absences.of(players, snapshot.deadline)
    known = players[["player_id", "team"]].assign(row=np.arange(len(players)), keeper=position_codes(players) == 0)
    later = known[~players["status"].isin(UNAVAILABLE)].merge(
        first[first["round"].between(number + 1, number + FURTHEST)], on="team"
    )
    later = later.merge(world.tables["appearances"][["player_id", "match_id", "minutes"]], "left")
    rows = later["row"].to_numpy()
    kind = absences.take(rows).kinds(later["day"].to_numpy())
    odds = state_odds(np.where((kind == FIT)[:, None], now[rows], usual[rows]))
    columns = {stage: odds[:, column] for column, stage in enumerate(STAGES)}
    place = standing(snapshot, recent)[rows]
    columns |= {name: place[:, column] for column, name in enumerate(STANDING)}
    return later[["keeper"]].assign(
        ahead=later["round"] - number, kind=kind, played=later["minutes"].fillna(0.0), **columns
    )


def _first_matches(world: World) -> pd.DataFrame:
    """Return every team's first match of each round whose line-ups are on record: round, team, match_id, day."""
    listed = world.tables["fixtures"]["match_id"].isin(world.tables["appearances"]["match_id"])
    fixtures = world.tables["fixtures"][listed].sort_values(["kickoff", "match_id"])
    columns = ["round", "match_id", "kickoff"]
    sides = pd.concat([fixtures[[*columns, side]].rename(columns={side: "team"}) for side in ("home", "away")])
    sides = sides.sort_values("kickoff", kind="stable").drop_duplicates(["round", "team"])
    return sides.assign(day=sides["kickoff"].dt.tz_convert(None).astype("datetime64[s]").dt.floor("D"))


def logistic_fit(features: np.ndarray, happened: np.ndarray) -> np.ndarray:
    """Return the coefficients of a logistic regression; the first feature is the constant and not drawn to 0."""
    ridge = np.where(np.arange(features.shape[1]) == 0, 0.0, RIDGE)
    weights = np.zeros(features.shape[1])
    for _ in range(NEWTON_STEPS):
        chance = expit(features @ weights)
        gradient = features.T @ (happened - chance) - ridge * weights
        curvature = (features * (chance * (1 - chance))[:, None]).T @ features + np.diag(ridge)
        step = np.linalg.lstsq(curvature, gradient)[0]
        weights = weights + step * min(1.0, LARGEST_STEP / max(float(np.abs(step).max()), CONVERGED))
        if np.abs(step).max() < CONVERGED:
            break
    return np.asarray(np.round(weights, DECIMALS))
