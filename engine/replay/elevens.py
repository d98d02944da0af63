"""Elevens that a forecast would have chosen for the budget, by official points: whether its order is worth anything.

In each round the legal eleven and captain of the most forecast points are bought for the round's money, without a
bench and without a past. One such choice hangs on single men: over a season its mean has a standard error of some two
points. So every forecast is disturbed several times, as managers' own projections differ, and the mean is told.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from data.domain import POSITIONS
from data.errors import SolverError
from data.rules import STARTERS, GameRules, Stage
from engine.rank.field import JITTER, USUAL_POINTS
from engine.rules.money import SLACK
from engine.rules.solver import cheapest_choice
from models.calibration.forecast_errors import ranking_forecasts
from models.crowd.eleven import formation_bounds
from models.streams import Stream, stream

RUNS = 6
BEATEN = 12
"""Who is beaten at his price or below by so many of his position is left out: five places and five full teams leave
two of them free."""
LEADERS = 15
"""The captain is one of the best so many: eleven of them are never all out of reach."""
SECONDS = 10.0


def eleven_points(players: pd.DataFrame, rules: GameRules, seed: int, runs: int = RUNS) -> pd.DataFrame:
    """Return official points of the elevens by forecast, one row per round, mean over the runs.

    `players` are player-rounds with round, team, position, paid, points and the forecasts as columns.
    """
    found: dict[str, list[float]] = {name: [] for name in ranking_forecasts(players)}
    for number, part in players.groupby("round"):
        noise = stream(seed, Stream.ELEVENS, int(number)).standard_normal((runs, len(part)))
        for name, points in found.items():
            points.append(float(np.mean([_scored(part, name, drawn, rules) for drawn in noise])))
    return pd.DataFrame(found, index=pd.Index(players["round"].unique(), name="round"))


def eleven_table(points: pd.DataFrame, runs: int = RUNS) -> pd.DataFrame:
    """Return mean points a round of each forecast's elevens, and how far ours are above, with standard errors."""
    above = points["model"].to_numpy()[:, None] - points
    return pd.DataFrame(
        {
            "forecast": points.columns,
            "points": points.mean().to_numpy(),
            "error": points.sem().to_numpy(),
            "above": above.mean().to_numpy(),
            "above_error": above.sem().to_numpy(),
            "rounds": len(points),
            "runs": runs,
        }
    )


def _scored(part: pd.DataFrame, forecast: str, noise: np.ndarray, rules: GameRules) -> float:
    expected = part[forecast].fillna(0.0).to_numpy(dtype=float)
    seen = expected + JITTER * np.sqrt(np.maximum(expected, 0.0) / USUAL_POINTS) * noise
    eleven, captain = best_eleven(seen, part, rules)
    points = part["points"].to_numpy()
    return float(points[eleven].sum() + (rules.captaincy.multiplier - 1) * points[captain])


def best_eleven(expected: np.ndarray, players: pd.DataFrame, rules: GameRules) -> tuple[np.ndarray, int]:
    """Return the places (11,) of the legal eleven of a round with the most points, and that of its captain."""
    stage = rules.stage(int(players["round"].iloc[0]))
    men = _seldom_beaten(expected, players)
    leaders = np.argsort(-expected[men], kind="stable")[:LEADERS]
    cost = -np.concatenate([expected[men], (rules.captaincy.multiplier - 1) * expected[men][leaders]])
    chosen = cheapest_choice(cost, *_rows(players.iloc[men], leaders, rules, stage), SECONDS)
    if chosen is None:
        raise SolverError(f"No eleven of round {stage.rounds[0]} can be paid for. Check the prices of the world.")
    return men[chosen[: len(men)]], int(men[leaders[chosen[len(men) :]]][0])


def _seldom_beaten(expected: np.ndarray, players: pd.DataFrame) -> np.ndarray:
    price, position = players["paid"].to_numpy(), players["position"].to_numpy()
    kept = []
    for name in POSITIONS:
        rows = np.flatnonzero(position == name)
        worth, paid = expected[rows], price[rows]
        beaten = ((worth > worth[:, None]) & (paid <= paid[:, None])).sum(axis=1)
        kept.append(rows[beaten < BEATEN])
    return np.concatenate(kept)


def _rows(
    players: pd.DataFrame, leaders: np.ndarray, rules: GameRules, stage: Stage
) -> tuple[np.ndarray, list[float], list[float]]:
    """Return what an eleven and its captain keep: money, places, teams, one armband, worn by a starter."""
    fewest, most = formation_bounds(rules.squad.lineups)
    teams = np.unique(players["team"])
    of_position = np.equal.outer(np.array(POSITIONS), players["position"].to_numpy())
    of_team = np.equal.outer(teams, players["team"].to_numpy())
    started = np.vstack([players["paid"], np.ones(len(players)), of_position, of_team])
    table = np.hstack([started, np.zeros((len(started), len(leaders)))])
    one = np.concatenate([np.zeros(len(players)), np.ones(len(leaders))])
    worn = np.hstack([-np.eye(len(players))[leaders], np.eye(len(leaders))])
    low = [0.0, STARTERS, *fewest, *np.zeros(len(teams)), 1.0, *np.full(len(leaders), -1.0)]
    high = [stage.budget + SLACK, STARTERS, *most, *np.full(len(teams), stage.team_cap), 1.0, *np.zeros(len(leaders))]
    return np.vstack([table, one, worn]), low, high
