"""The rounds of a replay: what was believed at each deadline, and what then happened, kept apart."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd

from data.errors import InputError
from data.rules import GameRules
from data.worlds.world import World
from models.calibration.forecast_errors import RELEVANT_DEAREST, RELEVANT_OWNED
from models.calibration.walk import LEAST_OWNED, baseline_forecast, known_rounds
from models.forecast import ModelSettings
from models.signals import Signals, build_signals
from models.together.deal import Deal

FORECASTS = {"price": "paid", "crowd": "crowd_log"}
"""Managers who look at one column only, and the column: the same straight lines as in the calibration. A straight line
does not care how money is spread, so who goes by price also takes a team's eleven dearest for its eleven."""


@dataclass(frozen=True, slots=True, eq=False)
class Matchday:
    """A round at its deadline: all that a policy may look at."""

    signals: Signals
    forecasts: Mapping[str, np.ndarray]  # baseline → (n,) points its manager believes in

    @property
    def pickable(self) -> np.ndarray:
        """(n,) bool: who has a match and may play in it, as everybody can read."""
        return np.asarray(~self.signals.unavailable)


@dataclass(frozen=True, slots=True, eq=False)
class PlayedRound:
    """A round whose picks are over: the deadline's beliefs beside the official points."""

    matchday: Matchday
    official: Deal  # one "simulation": what happened


def played_rounds(
    world: World, rules: GameRules, rounds: tuple[int, ...], seed: int, settings: ModelSettings | None = None
) -> Iterator[PlayedRound]:
    """Yield the rounds in order of play; the baselines are fitted on the earlier ones of them alone."""
    check_rounds(world, rounds)
    earlier: list[pd.DataFrame] = []
    for number in rounds:
        rng = np.random.default_rng([seed, number])
        signals = build_signals(world.at(number), rules, settings, rng)
        official = official_round(world, signals)
        table = _columns(signals)
        past = pd.concat(earlier) if earlier else None
        forecasts = {name: baseline_forecast(table, past, column) for name, column in FORECASTS.items()}
        forecasts["price"] = np.where(table["dearest"], forecasts["price"], 0.0)
        matchday = Matchday(signals, forecasts)
        earlier.append(table.assign(points=official.points[0])[matchday.pickable])
        yield PlayedRound(matchday, official)


def check_rounds(world: World, rounds: tuple[int, ...]) -> None:
    """Refuse rounds that were not played yet, none at all, and any order but that of play."""
    known = known_rounds(world)
    listed = ", ".join(map(str, known)) or "none"
    stray = sorted(set(rounds) - set(known))
    if stray:
        raise InputError(f"Official points of round {stray[0]} are not known. Known rounds: {listed}.")
    if not rounds or list(rounds) != sorted(set(rounds)):
        raise InputError(f"Rounds {rounds} cannot be replayed: name one or more, in order of play, from {listed}.")


def official_round(world: World, signals: Signals) -> Deal:
    """Return what really happened to the players of a round, as the one simulation of a deal.

    Who has minutes on record played, and so did who has points: line-ups may lack a man whom the game has paid.
    """
    points = official_points(world, signals.round, signals.player_id)
    tables = (world.tables[name] for name in ("appearances", "events"))
    fielded = [rows.loc[(rows["round"] == signals.round) & (rows["minutes"] > 0), "player_id"] for rows in tables]
    played = (np.isin(signals.player_id, pd.concat(fielded)) | (points != 0))[None, :]
    none = np.zeros((1, 0, 2), dtype=np.int8)
    return Deal(points[None, :].astype(np.int16), played, played.copy(), none)


def official_points(world: World, round_number: int, player_id: np.ndarray) -> np.ndarray:
    """Return (n,) the official points of players in a round; 0 for whoever has none."""
    table = world.tables["points"]
    known = table[table["round"] == round_number].groupby("player_id")["points"].sum()
    return np.asarray(known.reindex(player_id).fillna(0).to_numpy(dtype=np.int64))


def _columns(signals: Signals) -> pd.DataFrame:
    """Return what the baselines look at: price, ownership, and who counts as relevant."""
    table = pd.DataFrame(
        {
            "team": signals.team,
            "model": signals.xev,
            "paid": signals.price,
            "crowd_log": np.log(np.maximum(signals.owned, LEAST_OWNED) / LEAST_OWNED),
        }
    )
    dearest = table.groupby("team")["paid"].rank(ascending=False, method="first") <= RELEVANT_DEAREST
    return table.assign(dearest=dearest, relevant=(signals.owned > RELEVANT_OWNED) | dearest)
