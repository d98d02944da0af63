"""Builders of beliefs: a few hand-made players, and rounds shaped like the real ones."""

from __future__ import annotations

from typing import Any

import numpy as np

from models.players.chances import Chances
from models.teams.goals import ScoreGrid, score_grid
from models.together.covariance import Block, Covariance

GK, DEF, MID, FWD = range(4)
FULL_TIME = (0.0, 0.0, 1.0)
REGULARS = {GK: 1, DEF: 4, MID: 3, FWD: 3}
SQUAD = {GK: 3, DEF: 9, MID: 9, FWD: 5}
"""A nation's 26."""

GOAL_SHARE = np.array([0.0, 0.03, 0.09, 0.19])
ASSIST_SHARE = np.array([0.003, 0.05, 0.1, 0.1])
RATES = {
    "saves": (2.8, 0, 0, 0),
    "tackles": (0, 1.5, 1.6, 0.6),
    "chances": (0, 0.4, 1.0, 0.9),
    "shots": (0, 0.3, 0.6, 1.1),
    "defensive": (0, 8.5, 7.5, 3.5),
    "yellow": (0.06, 0.15, 0.15, 0.1),
    "red": (0.002, 0.008, 0.005, 0.003),
    "own_goal": (0.001, 0.008, 0.002, 0.001),
    "penalty_won": (0, 0.005, 0.02, 0.03),
    "penalty_conceded": (0.02, 0.025, 0.01, 0.005),
    "penalty_saved": (0.04, 0, 0, 0),
    "penalty_missed": (0, 0, 0.01, 0.02),
    "free_kick": (0, 0.02, 0.04, 0.02),
}
"""Typical rates of GK, DEF, MID, FWD in a World Cup match."""


def a_score(home: int, away: int, size: int = 11) -> ScoreGrid:
    """Build a batch of one match whose score is certain."""
    probability = np.zeros((1, size, size))
    probability[0, home, away] = 1.0
    return ScoreGrid(probability)


def covariance_of(matrix: np.ndarray) -> Covariance:
    """Build a covariance from a whole matrix (players, players), as if all met in one match."""
    return Covariance((Block(np.arange(len(matrix)), np.array(matrix, dtype=float)),), len(matrix))


def matrix_of(covariance: Covariance) -> np.ndarray:
    """Return the whole matrix (players, players), the zeros too."""
    everybody = np.arange(len(covariance))
    return covariance[everybody[:, None], everybody]


def mean_goals(grid: ScoreGrid) -> np.ndarray:
    """Return the goals the home side can expect of every match."""
    return np.asarray(grid.probability.sum(axis=-1) @ np.arange(grid.max_goals + 1))


def a_man(position: int = FWD, **changed: Any) -> dict[str, Any]:
    """Build a row: a certain starter of the home side who does nothing but play."""
    row: dict[str, Any] = {"match": 0, "away": False, "position": position, "state": FULL_TIME}
    row |= {"minutes": (0.0, 0.25, 1.0), "goal": 0.0, "assist": 0.0, **dict.fromkeys(RATES, 0.0)}
    return row | changed


def the_chances(men: list[dict[str, Any]], grid: ScoreGrid) -> Chances:
    """Build the table of some rows; shares given as one number hold in every state but absence."""
    rows = [{"player": number} | man for number, man in enumerate(men)]
    columns = {name: np.array([row[name] for row in rows]) for name in ("player", "match", "away", "position")}
    columns |= {name: np.array([row[name] for row in rows], dtype=float) for name in ("state", "minutes", *RATES)}
    for name in ("goal", "assist"):
        columns[name] = np.array([_by_state(row[name]) for row in rows])
    return Chances(**columns, grid=grid)


def _by_state(share: float | tuple[float, float, float]) -> tuple[float, float, float]:
    return share if isinstance(share, tuple) else (0.0, share, share)


def a_squad(rng: np.random.Generator, match: int, away: bool, certain: bool) -> list[dict[str, Any]]:
    """Build a team's 26: eleven regulars and their reserves, the first of a position the likeliest scorer."""
    men = []
    for position, size in SQUAD.items():
        for rank in range(REGULARS[position] if certain else size):
            start = 1.0 if certain else 0.88 if rank < REGULARS[position] else rng.uniform(0.0, 0.15)
            sub = 0.0 if certain else (1 - start) * (0.0, 0.15, 0.35, 0.4)[position]
            skill = 1.4 if rank == 0 else 0.85
            goal, assist = GOAL_SHARE[position] * skill, ASSIST_SHARE[position] * skill
            rates = {name: rate[position] for name, rate in RATES.items()}
            state = (1 - start - sub, sub + start * 0.1, start * 0.9)
            shares = {"goal": (0.0, goal * 0.3, goal), "assist": (0.0, assist * 0.3, assist)}
            row = {"match": match, "away": away, "state": FULL_TIME if certain else state, "minutes": (0.0, 0.3, 0.95)}
            men.append(a_man(position, **(row | shares | rates)))
    return men


def a_round(matches: int = 24, seed: int = 1, certain: bool = False) -> Chances:
    """Build a round of real size: 24 matches have 1,248 players; `certain` keeps only regulars, always on."""
    rng = np.random.default_rng(seed)
    sides = [(match, away) for match in range(matches) for away in (False, True)]
    men = [man for match, away in sides for man in a_squad(rng, match, away, certain)]
    rates = np.exp(rng.normal(0.2, 0.4, (2, matches)))
    return the_chances(men, score_grid(rates[0], rates[1], -0.04))
