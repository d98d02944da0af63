"""The coming round, put together: every player's chances in each of his matches, under the score grid of the match."""

from __future__ import annotations

import numpy as np
import pandas as pd

from models.players.chances import SHORT, STATES, Chances
from models.players.minutes.playing_time import Minutes, position_codes
from models.players.shares.involvement import Involvement, InvolvementSettings
from models.teams.goals import EXTRA_TIME_SHARE, ScoreGrid, score_grid


def played_grid(rates: np.ndarray, rho: float, knockout: np.ndarray) -> ScoreGrid:
    """Return the score grid that points are paid for: a knock-out match goes on for half an hour after a draw.

    rates: (m, 2) goals of 90 minutes; knockout: (m,). Extra time is spread over the grid by its probability, since the
    game's lines are paid for the whole match.
    """
    ninety = score_grid(rates[:, 0], rates[:, 1], rho)
    longer = 1 + np.where(knockout, ninety.outcome()[:, 1], 0.0) * EXTRA_TIME_SHARE
    return score_grid(rates[:, 0] * longer, rates[:, 1] * longer, rho)


def round_chances(
    players: pd.DataFrame,
    matches: pd.DataFrame,
    rates: np.ndarray,
    grid: ScoreGrid,
    minutes: Minutes,
    involvement: Involvement,
    settings: InvolvementSettings,
) -> Chances:
    """Return a row for each player and match of the round; a team without a match gives none, one with two gives two.

    matches: (k rows) home and away codes, aligned with `rates` (k, 2) and the grid's batch.
    """
    player, match, away = _pairings(players["team"].to_numpy(), matches)
    position = position_codes(players)[player]
    share = minutes.share[player]
    active = share * np.where(np.arange(STATES) == SHORT, settings.substitutes, 1.0)
    against = rates[match, np.where(away, 0, 1)]
    saves = np.where(position == 0, settings.saves_base + settings.saves_slope * against, 0.0)
    return Chances(
        player=player,
        match=match,
        away=away,
        position=position,
        state=minutes.state[player],
        minutes=share,
        goal=involvement.goal[player, None] * active,
        assist=involvement.assist[player, None] * active,
        saves=saves,
        free_kick=np.full(len(player), settings.free_kicks),
        grid=grid,
        **{name: rate[player] for name, rate in involvement.rates.items()},
    )


def _pairings(team: np.ndarray, matches: pd.DataFrame) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return (player row, match row, away) of every player and match, players in order."""
    sides = [(matches["home"].to_numpy(), False), (matches["away"].to_numpy(), True)]
    parts = []
    for codes, away in sides:
        rows, columns = np.nonzero(team[:, None] == codes[None, :])
        parts.append((rows, columns, np.full(len(rows), away)))
    player, match, visiting = (np.concatenate(column) for column in zip(*parts, strict=True))
    order = np.lexsort((match, player))
    return player[order], match[order], visiting[order]
