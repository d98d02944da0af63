"""How good the beliefs are: walk the known rounds forward, without looking ahead, and compare with simple baselines."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pandas as pd

from data.domain import POSITIONS, Status
from data.errors import InputError
from data.rules import GameRules
from data.worlds.world import World
from models.calibration.forecast_errors import BASELINES, GAME, relevant_players
from models.calibration.rounds_ahead import AHEAD, deadlines, later_rounds
from models.players.minutes.playing_time import UNAVAILABLE
from models.players.points import GRID
from models.signals import Signals, build_signals
from models.teams.goals import score_grid
from models.teams.market import market_chances, market_rates

LEAST_OWNED = 0.0005  # ownership below this tells nothing apart
ADVANCE = ["code", "p_advance", "advanced"]


@dataclass(frozen=True, slots=True, eq=False)
class Walk:
    """What was believed at each deadline beside what happened."""

    # one row per player-round: round, player_id, team, position, owned, relevant, fit, points, model, baselines, pit,
    # the chances absent, short and full of his first match, and the minutes he played in it, NaN where not on record
    players: pd.DataFrame
    # one row per match: round, home_goals, away_goals, p_home, p_draw, p_away, sheet_home, sheet_away, and the market's
    # chances market_home, market_draw, market_away, market_sheet_home, market_sheet_away, NaN without odds
    matches: pd.DataFrame
    # per team before the first round walked: code, p_advance, advanced; empty where it is not known or not open
    advance: pd.DataFrame
    # one row per player, round and rounds ahead, from 2: see `rounds_ahead`; empty where only the coming round is asked
    ahead: pd.DataFrame


def known_rounds(world: World) -> tuple[int, ...]:
    """Return the rounds whose official points are known."""
    scored = set(world.tables["points"]["round"])
    return tuple(number for number in world.rounds if number in scored)


def walk_forward(
    world: World, rules: GameRules, rounds: tuple[int, ...], seed: int, horizon: int = 1
) -> Iterator[Walk]:
    """Yield the walk as it grows, round after round in the order of play; the last one is complete.

    With a horizon, the rounds are forecast at the deadlines before theirs too, so many rounds ahead at most.
    """
    _check_rounds(world, rounds)
    players: list[pd.DataFrame] = []
    matches: list[pd.DataFrame] = []
    advance = pd.DataFrame(columns=ADVANCE)
    ahead = [pd.DataFrame(columns=AHEAD)]
    for number in deadlines(world, rounds, horizon):
        model_rng, pit_rng = np.random.default_rng([seed, number]).spawn(2)
        signals = build_signals(world.at(number), rules, rng=model_rng)
        if horizon > 1:
            ahead.append(later_rounds(world, signals, rounds, horizon))
        if number not in rounds:
            continue
        players.append(_player_rounds(world, signals, pd.concat(players) if players else None, pit_rng))
        matches.append(_match_rounds(world, signals))
        if number == min(rounds) and rules.kind == "tournament":
            advance = _advance(world, signals)
        walked = [part for part in ahead if len(part)] or ahead[:1]
        yield Walk(
            players=pd.concat(players, ignore_index=True),
            matches=pd.concat(matches, ignore_index=True),
            advance=advance,
            ahead=pd.concat(walked, ignore_index=True),
        )


def _check_rounds(world: World, rounds: tuple[int, ...]) -> None:
    known = known_rounds(world)
    stray = sorted(set(rounds) - set(known))
    listed = ", ".join(str(number) for number in known) or "none"
    if stray:
        raise InputError(f"Official points of round {stray[0]} are not known. Known rounds: {listed}.")
    if not rounds:
        raise InputError(f"No round to walk over was given. Known rounds: {listed}.")


def _player_rounds(
    world: World, signals: Signals, earlier: pd.DataFrame | None, rng: np.random.Generator
) -> pd.DataFrame:
    official = world.tables["points"]
    official = official[official["round"] == signals.round].set_index("player_id")["points"]
    points = pd.Series(signals.player_id).map(official).fillna(0.0).to_numpy(dtype=float)
    counted = ~np.isin(signals.status, list(UNAVAILABLE)) & ~np.isnat(signals.kickoff)
    frame = pd.DataFrame(
        {
            "round": signals.round,
            "player_id": signals.player_id,
            "team": signals.codes,
            "position": np.array(POSITIONS)[signals.position],
            "points": points,
            "model": signals.xev,
            "pit": randomised_pit(signals.points.mass, points, rng),
            "paid": signals.price,
            "crowd_log": np.log(np.maximum(signals.owned, LEAST_OWNED) / LEAST_OWNED),
            "one": 1.0,
            "owned": signals.owned,
            "fit": signals.status == Status.PLAYING,
            **_first_match(world, signals),
            GAME: pd.Series(signals.player_id).map(_game_forecast(world, signals.round)).to_numpy(dtype=float),
        }
    )[counted].reset_index(drop=True)
    frame["relevant"] = relevant_players(frame)
    for name in BASELINES:
        frame[name] = baseline_forecast(frame, earlier, BASELINES[name])
    return frame


def _first_match(world: World, signals: Signals) -> dict[str, np.ndarray]:
    """Return what was believed of each player's minutes in his first match of the round, and what he played."""
    chances, size = signals.chances, len(signals)
    first = np.full(size, -1)
    first[chances.player[::-1]] = np.arange(len(chances))[::-1]
    state = np.where((first >= 0)[:, None], chances.state[first], (1.0, 0.0, 0.0))
    matches = np.array(signals.teams.matches["match_id"])[np.where(first >= 0, chances.match[first], 0)]
    seen = world.tables["appearances"]
    seen = seen[seen["round"] == signals.round].set_index(["player_id", "match_id"])["minutes"]
    played = seen.reindex(pd.MultiIndex.from_arrays([signals.player_id, matches])).fillna(0).to_numpy(dtype=float)
    listed = np.isin(matches, seen.index.get_level_values("match_id"))
    return {
        "absent": state[:, 0],
        "short": state[:, 1],
        "full": state[:, 2],
        "minutes": np.where(listed, played, np.nan),
    }


def _game_forecast(world: World, number: int) -> pd.Series:
    market = world.tables["market"]
    return market[market["round"] == number].set_index("player_id")["expected_next"]


def baseline_forecast(now: pd.DataFrame, earlier: pd.DataFrame | None, column: str) -> np.ndarray:
    """Return a straight line on one column, fitted on the relevant players of earlier rounds.

    Before the first round there is nothing to fit on: the column in proportion, scaled to the model's mean over the
    relevant players. A column without spread gives the mean of earlier points.
    """
    if earlier is None:
        mean = now.loc[now["relevant"], ["model", column]].mean()
        return np.asarray(now[column] * mean["model"] / mean[column])
    past = earlier[earlier["relevant"]]
    if past[column].nunique() < 2:
        return np.full(len(now), past["points"].mean())
    slope, intercept = np.polyfit(past[column], past["points"], 1)
    return np.asarray(intercept + slope * now[column])


def randomised_pit(mass: np.ndarray, points: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Return where the points fell in their mass function (n, k): uniform on 0..1 if the beliefs are right.

    Within the step at the points themselves the place is drawn.
    """
    cumulative = np.concatenate([np.zeros((len(mass), 1)), np.cumsum(mass, axis=1)], axis=1)
    column = np.clip(points - GRID[0], 0, len(GRID) - 1).astype(int)
    row = np.arange(len(mass))
    low, high = cumulative[row, column], cumulative[row, column + 1]
    return np.asarray(low + rng.random(len(mass)) * (high - low))


def _match_rounds(world: World, signals: Signals) -> pd.DataFrame:
    """Return what was believed of those matches of the round whose result after 90 minutes is known."""
    played = world.tables["fixtures"].set_index("match_id").loc[signals.teams.matches["match_id"]]
    grid = signals.teams.ninety
    outcome = grid.outcome()
    frame = pd.DataFrame(
        {
            "round": signals.round,
            "home_goals": played["home_goals_90"].to_numpy(),
            "away_goals": played["away_goals_90"].to_numpy(),
            "p_home": outcome[:, 0],
            "p_draw": outcome[:, 1],
            "p_away": outcome[:, 2],
            "sheet_home": grid.clean_sheet("home"),
            "sheet_away": grid.clean_sheet("away"),
            **_market_chances(played, signals.teams.strengths.rho),
        }
    )
    return frame.dropna(subset=["home_goals", "away_goals"]).astype({"home_goals": int, "away_goals": int})


def _market_chances(matches: pd.DataFrame, rho: float) -> dict[str, np.ndarray]:
    """Return what the odds say of home win, draw, away win and both sides' clean sheets; NaN without odds."""
    chance, rates = market_chances(matches), market_rates(matches, rho)
    told = {f"market_{name}": chance[:, column] for column, name in enumerate(("home", "draw", "away"))}
    priced = ~np.isnan(rates).any(axis=1)
    sheets = np.full((len(matches), 2), np.nan)
    if priced.any():
        grid = score_grid(rates[priced, 0], rates[priced, 1], rho)
        sheets[priced] = np.column_stack([grid.clean_sheet("home"), grid.clean_sheet("away")])
    return told | {"market_sheet_home": sheets[:, 0], "market_sheet_away": sheets[:, 1]}


def _advance(world: World, signals: Signals) -> pd.DataFrame:
    fixtures, bracket = world.tables["fixtures"], world.tables["bracket"]
    first = fixtures[fixtures["stage"].isin(bracket["stage"])]["round"].min()
    through = fixtures[fixtures["round"] == first]
    if through.empty or signals.round >= first:  # not known yet, or decided already
        return pd.DataFrame(columns=ADVANCE)
    progression = signals.teams.progression
    codes = np.array(progression.codes)
    advanced = np.isin(codes, pd.concat([through["home"], through["away"]]))
    chance = progression.advances[:, progression.column(signals.round)]
    return pd.DataFrame({"code": codes, "p_advance": chance, "advanced": advanced.astype(float)})
