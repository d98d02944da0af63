"""Policies of a season: how far one looks ahead, which boosters are played, whose forecasts are believed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from data.errors import InputError, UnknownError, did_you_mean
from engine.rank.field_draw import Tastes
from engine.replay.policies import View, jittered_signals
from models.armband.table import ArmbandTable
from models.outlook import HORIZON
from models.players.overrides import chance_after, tilted
from models.players.points import GRID
from models.signals import Signals

OURS, GAME = "ours", "game"


@dataclass(frozen=True, slots=True, kw_only=True)
class SeasonPolicy:
    """One way to play a season."""

    name: str
    theta: str
    horizon: int = 5
    chips: bool = True
    hits: bool = False
    forecasts: str = OURS  # or the game's own

    def __post_init__(self) -> None:
        if not 1 <= self.horizon <= HORIZON:
            raise InputError(f"A horizon of {self.horizon} rounds cannot be planned. Choose 1 to {HORIZON}.")


def season_policies(theta: str, horizon: int, chips: bool, baselines: Sequence[str]) -> tuple[SeasonPolicy, ...]:
    """Return ours and, by name, what it is held against: the same with one thing switched off."""
    whole = SeasonPolicy(name=theta, theta=theta, horizon=horizon, chips=chips)
    switched = {
        "one round": replace(whole, name="one round", horizon=1, chips=False),
        "no boosters": replace(whole, name="no boosters", chips=False),
        "hits": replace(whole, name="hits", hits=True),
        "game's forecast": replace(whole, name="game's forecast", forecasts=GAME),
    }
    unknown = [name for name in baselines if name not in switched]
    if unknown:
        raise UnknownError(f"There is no baseline {unknown[0]!r}. {did_you_mean(unknown[0], switched)}")
    return (whole, *(switched[name] for name in baselines))


def believed(
    ahead: Sequence[Signals], policy: SeasonPolicy, run: int, game: np.ndarray, jitter: float
) -> list[Signals]:
    """Return the rounds ahead as one run of a policy sees them; `game` (n,) is the game's own forecast of the first.

    Run 0 has no jitter. The game tells the coming round alone: later ones get as much for each match.
    """
    rounds = list(ahead)
    if policy.forecasts == GAME:
        rounds = [_as_told(signals, game) for signals in rounds]
    view = View(Tastes(run), run, jitter if run else 0.0)
    return [jittered_signals(signals, view) for signals in rounds]


def _as_told(signals: Signals, game: np.ndarray) -> Signals:
    """Return the signals with the mean of every player moved to the game's forecast, where he has a match at all."""
    told = np.where((signals.xev > 0) & np.isfinite(game), np.maximum(game, 0.01), signals.xev)
    points, _ = tilted(signals.points, told)
    playing = chance_after(signals.points, points, signals.p_play)
    return replace(
        signals,
        p_play=playing,
        points=points,
        xev=points.mean,
        armband=ArmbandTable(pmf=points.mass, grid=GRID, p_play=playing, slot=signals.slot),
    )
