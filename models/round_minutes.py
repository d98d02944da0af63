"""Minutes of a round's players: in its matches, were everybody fit, and what tells of the rounds after it."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from data.worlds.snapshot import Snapshot
from models.forecast import ModelSettings, TeamForecast
from models.players.minutes.later_minutes import STANDING
from models.players.minutes.league_minutes import MinutesLogits, predict_league_minutes, standing
from models.players.minutes.playing_time import (
    Minutes,
    MinutesSettings,
    availability,
    everybody_fit,
    minutes_from_start,
    position_codes,
    predict_minutes,
)
from models.players.minutes.recent import RecentMatches
from models.players.overrides import Overrides


@dataclass(frozen=True, slots=True, eq=False)
class RoundMinutes:
    """The minutes of a round's players."""

    coming: Minutes  # in a match of the round
    usual: Minutes  # were everybody fit and nobody rested
    standing: np.ndarray  # (n, STANDING) what tells of far rounds


def round_minutes(
    snapshot: Snapshot, forecast: TeamForecast, settings: ModelSettings, given: Overrides
) -> RoundMinutes:
    """Return the minutes of the snapshot's players; a chance to start that a manager gives is believed."""
    if settings.minutes_logits is not None:
        found = _league_minutes(snapshot, settings.minutes, settings.minutes_logits)
    else:
        found = _tournament_minutes(snapshot, forecast, settings.minutes)
    if "p_start" not in given.columns:
        return found
    return replace(found, coming=_as_given(found.coming, snapshot.players, given, settings.minutes))


def _league_minutes(snapshot: Snapshot, settings: MinutesSettings, logits: MinutesLogits) -> RoundMinutes:
    """Return the minutes of a league's players by the logits, all from the same matches of theirs."""
    recent, fit = RecentMatches.of(snapshot), _fit(snapshot)
    coming, usual = (predict_league_minutes(state, recent, settings, logits) for state in (snapshot, fit))
    return RoundMinutes(coming, usual, standing(snapshot, recent))


def _tournament_minutes(snapshot: Snapshot, forecast: TeamForecast, settings: MinutesSettings) -> RoundMinutes:
    """Return the minutes of a tournament's players, whose elevens are taken as settled: nothing tells of far rounds."""
    number = {code: row for row, code in enumerate(forecast.strengths.codes)}
    team = snapshot.players["team"].map(number).to_numpy(dtype=int)
    coming = predict_minutes(snapshot, forecast.rotation[team], settings)
    usual = predict_minutes(_fit(snapshot), np.zeros(len(team)), settings)
    return RoundMinutes(coming, usual, np.zeros((len(team), len(STANDING))))


def _fit(snapshot: Snapshot) -> Snapshot:
    return replace(snapshot, players=everybody_fit(snapshot.players))


def _as_given(minutes: Minutes, players: pd.DataFrame, given: Overrides, settings: MinutesSettings) -> Minutes:
    """Return the minutes with a manager's own chances to start; whom he starts is fit."""
    start, known = given.over("p_start", minutes.start), given.given("p_start")
    able = np.where(known & (start > 0), 1.0, availability(players, settings))
    return minutes_from_start(start, position_codes(players), able, np.where(known, 1.0, minutes.evidence), settings)
