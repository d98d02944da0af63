"""What an outlook said of later rounds beside what happened, and beside this round's minutes carried on."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

import numpy as np
import pandas as pd

from data.domain import Status
from data.worlds.world import World
from models.calibration.forecast_errors import CARRIED, relevant_players
from models.forecast import ModelSettings
from models.outlook import build_outlook
from models.players.minutes.later_minutes import unchanged_minutes
from models.players.minutes.playing_time import UNAVAILABLE
from models.signals import Signals

AHEAD = ["round", "horizon", "player_id", "team", "points", "model", CARRIED, "paid", "owned", "fit", "relevant"]


def deadlines(world: World, rounds: Collection[int], horizon: int) -> list[int]:
    """Return the rounds at whose deadlines forecasts of these rounds are made."""
    return [number for number in world.rounds if any(number <= target < number + horizon for target in rounds)]


def later_rounds(world: World, signals: Signals, rounds: Collection[int], horizon: int) -> pd.DataFrame:
    """Return one row per player and later round of those asked for: AHEAD, as far as the horizon; 1 is this round.

    Counted is who could be chosen at the deadline and whose team was to play; who he was is told as of then.
    """
    settings = ModelSettings.for_game(signals.rules)
    outlook, carried = build_outlook(signals, horizon, settings), _carried(signals, horizon, settings)
    official = world.tables["points"].set_index(["round", "player_id"])["points"]
    parts = [pd.DataFrame(columns=AHEAD)]
    for column, number in enumerate(outlook.rounds):
        if column == 0 or number not in rounds:
            continue
        counted = ~np.isin(signals.status, UNAVAILABLE) & (outlook.matches[:, column] > 0)
        scored = pd.Series(signals.player_id).map(official.loc[number]).fillna(0.0).to_numpy(dtype=float)
        frame = pd.DataFrame(
            {
                "round": number,
                "horizon": column + 1,
                "player_id": signals.player_id,
                "team": signals.codes,
                "points": scored,
                "model": outlook.xev[:, column],
                CARRIED: carried[:, column],
                "paid": signals.price,
                "owned": signals.owned,
                "fit": signals.status == Status.PLAYING,
            }
        )[counted]
        parts.append(frame.assign(relevant=relevant_players(frame)))
    return pd.concat(parts[1:] or parts, ignore_index=True)


def _carried(signals: Signals, horizon: int, settings: ModelSettings) -> np.ndarray:
    """(n, r) expected points were everybody's minutes those of the coming round for ever."""
    frozen = replace(signals, habits=replace(signals.habits, usual=signals.habits.minutes))
    return build_outlook(frozen, horizon, replace(settings, later_minutes=unchanged_minutes())).xev
