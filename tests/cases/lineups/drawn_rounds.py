"""Rounds that line-ups are chosen in: drawn at random, or of one squad built by hand."""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace

import numpy as np
from hypothesis import strategies as st

from data.rules import CaptaincyMode, GameRules
from models.armband.table import ArmbandTable
from tests.cases.lineups.armband_cases import GRID, a_man, table_of
from tests.cases.lineups.games import a_game

SEEDS = st.integers(0, 2**32 - 1)
MODES = list(CaptaincyMode)
USUAL = a_game()
ANY_CHANCE = (0.0, 0.3, 0.7, 0.95, 1.0)


def a_world(rules: GameRules, position: np.ndarray, armband: ArmbandTable) -> SimpleNamespace:
    """Build what a line-up is chosen by."""
    play = armband.p_play
    return SimpleNamespace(
        rules=rules, position=position, xev=armband.mean, p_play=play, unavailable=play == 0, armband=armband
    )


def a_round(
    rng: np.random.Generator, rules: GameRules, p_play: Sequence[float] = ANY_CHANCE, copies: int = 3
) -> SimpleNamespace:
    """Build the columns of a round a line-up is chosen by, with several squads' worth of players."""
    shape = list(rules.squad.shape.values())
    position = rng.permutation(np.repeat(np.arange(4), np.multiply(shape, copies)))
    play = rng.choice(p_play, position.size)
    weight = rng.gamma(0.5, size=(position.size, GRID.size)) * np.exp(-np.abs(GRID - 3) / 2) * (GRID >= -1)
    pmf = play[:, None] * weight / weight.sum(axis=1, keepdims=True)
    pmf[:, GRID == 0] += 1 - play[:, None]
    armband = ArmbandTable(pmf=pmf, grid=GRID, p_play=play, slot=rng.integers(0, 6, position.size))
    return a_world(rules, position, armband)


def squads_of(rng: np.random.Generator, beliefs: SimpleNamespace, count: int) -> np.ndarray:
    """Draw squads of the rulebook's shape, their men in any order."""
    shape = beliefs.rules.squad.shape.values()
    pools = [(np.flatnonzero(beliefs.position == code), places) for code, places in enumerate(shape)]
    return np.array(
        [
            rng.permutation(np.concatenate([rng.choice(rows, n, replace=False) for rows, n in pools]))
            for _ in range(count)
        ]
    )


def a_squad(rules: GameRules, xev: Sequence[float], p_play: Sequence[float]) -> SimpleNamespace:
    """Build a round whose only players are one squad, by position; a player who plays scores 0 or 10."""
    position = np.repeat(np.arange(4), list(rules.squad.shape.values()))
    men = [
        a_man(p_play=p, on0=1 - x / p / 10, on10=x / p / 10) if p else a_man(p_play=0.0)
        for x, p in zip(xev, p_play, strict=True)
    ]
    return a_world(rules, position, table_of(men))


def a_sure_squad(formations: Sequence[str]) -> SimpleNamespace:
    """Build a round of fifteen men who all play and are all alike."""
    return a_squad(a_game(formations), [3.0] * 15, [1.0] * 15)


def drawn(
    seed: int, count: int, rules: GameRules = USUAL, p_play: Sequence[float] = ANY_CHANCE
) -> tuple[SimpleNamespace, np.ndarray]:
    """Draw a round and some squads of it."""
    rng = np.random.default_rng(seed)
    beliefs = a_round(rng, rules, p_play)
    return beliefs, squads_of(rng, beliefs, count)
