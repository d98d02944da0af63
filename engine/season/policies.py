"""Policies of a season: how far one looks ahead, which boosters are played, whose forecasts are believed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from data.errors import InputError, UnknownError, did_you_mean
from engine.rank.field_draw import Tastes
from engine.replay.policies import View, jittered_signals
from engine.season.booster_rules import BoosterChoice
from models.armband.table import ArmbandTable
from models.calibration.walk import LEAST_OWNED
from models.outlook import HORIZON
from models.players.overrides import chance_after, tilted
from models.players.points import GRID
from models.signals import Signals

OURS, GAME, CROWD, TRUTH = "ours", "game", "crowd", "truth"
"""Whose forecasts are believed: ours, the game's own, what ownership alone says, or what then happened."""

AUTO = "auto"
"""The objective whose strength follows from the standing of the moment."""

LEAST = 0.01
"""Expected points of a man with a match of whom nothing is told to be expected."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeasonPolicy:
    """One way to play a season."""

    name: str
    theta: str
    horizon: int = 5
    chips: BoosterChoice = BoosterChoice.PLAN
    hits: bool = False
    forecasts: str = OURS
    still: bool = False  # whether the first squad is kept for good
    runs: int | None = None  # at most so many; None = as many as the season has

    def __post_init__(self) -> None:
        if not 1 <= self.horizon <= HORIZON:
            raise InputError(f"A horizon of {self.horizon} rounds cannot be planned. Choose 1 to {HORIZON}.")


def switched(whole: SeasonPolicy) -> Mapping[str, SeasonPolicy]:
    """Return what a policy is held against, by name: the same with one thing switched off, and simple managers."""
    simple = replace(whole, horizon=1, chips=BoosterChoice.NONE)
    return {
        "one round": replace(simple, name="one round"),
        "one round, boosters": replace(whole, name="one round, boosters", horizon=1),
        "no boosters": replace(whole, name="no boosters", chips=BoosterChoice.NONE),
        "booster rules": replace(whole, name="booster rules", chips=BoosterChoice.RULES),
        "hits": replace(whole, name="hits", hits=True),
        "game's forecast": replace(whole, name="game's forecast", forecasts=GAME),
        "crowd": replace(simple, name="crowd", forecasts=CROWD),
        "template": replace(simple, name="template", forecasts=CROWD, still=True),
        "hindsight": replace(whole, name="hindsight", forecasts=TRUTH, runs=1),
    }


def season_policies(
    thetas: str | Sequence[str],
    horizon: int,
    chips: BoosterChoice,
    baselines: Sequence[str],
    fewer: int | None = None,
    once: Sequence[str] = (),
) -> tuple[SeasonPolicy, ...]:
    """Return ours, the other objectives, and by name what the first is held against.

    Other objectives play `fewer` runs, and the plain run alone is played by who is named in `once`.
    """
    named = [thetas] if isinstance(thetas, str) else list(thetas)
    ours = [SeasonPolicy(name=theta, theta=theta, horizon=horizon, chips=chips) for theta in dict.fromkeys(named)]
    known = switched(ours[0])
    unknown = [name for name in (*baselines, *once) if name not in known]
    if unknown:
        raise UnknownError(f"There is no baseline {unknown[0]!r}. {did_you_mean(unknown[0], known)}")
    others = [replace(policy, runs=fewer) for policy in ours[1:]]
    plain = (replace(known[name], runs=1) for name in dict.fromkeys(once) if name not in baselines)
    return (ours[0], *others, *(known[name] for name in dict.fromkeys(baselines)), *plain)


@dataclass(frozen=True, slots=True, eq=False)
class Told:
    """What others say of the rounds ahead, by player row; NaN where nothing is said."""

    game: np.ndarray  # (n,) the game's own forecast of the coming round
    truth: tuple[np.ndarray, ...]  # (n,) of each round: what then happened; for hindsight alone


def believed(ahead: Sequence[Signals], policy: SeasonPolicy, run: int, told: Told, jitter: float) -> list[Signals]:
    """Return the rounds ahead as one run of a policy sees them.

    Run 0 has no jitter, nor has hindsight. The game tells the coming round alone: later ones get as much for each
    match.
    """
    view = View(Tastes(run), run, jitter if run and policy.forecasts != TRUTH else 0.0)
    rounds = [
        signals if policy.forecasts == OURS else _as_told(signals, _forecast(signals, policy, told, at))
        for at, signals in enumerate(ahead)
    ]
    return [jittered_signals(signals, view) for signals in rounds]


def _forecast(signals: Signals, policy: SeasonPolicy, told: Told, at: int) -> np.ndarray:
    if policy.forecasts == CROWD:
        return by_ownership(signals)
    return told.truth[at] if policy.forecasts == TRUTH else told.game


def by_ownership(signals: Signals) -> np.ndarray:
    """(n,) what ownership alone says: the straight line of points on the logarithm of how many own a man."""
    known = np.log(np.maximum(signals.owned, LEAST_OWNED) / LEAST_OWNED)
    playing = ~signals.unavailable & (signals.xev > 0)
    slope, level = np.polyfit(known[playing], signals.xev[playing], 1)
    return np.asarray(level + slope * known)


def _as_told(signals: Signals, told: np.ndarray) -> Signals:
    """Return the signals with the mean of every player moved to a forecast, where he has a match at all."""
    means = np.where((signals.xev > 0) & np.isfinite(told), np.maximum(told, LEAST), signals.xev)
    points, _ = tilted(signals.points, means)
    playing = chance_after(signals.points, points, signals.p_play)
    return replace(
        signals,
        p_play=playing,
        points=points,
        xev=points.mean,
        armband=ArmbandTable(pmf=points.mass, grid=GRID, p_play=playing, slot=signals.slot),
    )
