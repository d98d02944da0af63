"""The reference pool: legal squads of every quality, against which a squad's spread and balance are judged."""

from __future__ import annotations

from contextlib import suppress

import numpy as np

from data.errors import InfeasibleError, SolverError
from engine.rules.dominance import Market
from engine.rules.exact import LinearValues, linear_optimum
from engine.rules.legality import legal
from engine.rules.pool import Pool, pool_of
from engine.rules.repair import repair
from engine.rules.solved_before import bundled_squads, problem_key
from models.signals import Signals

POOL_SIZE = 2_000
BATCH = 512
TRIES = 60
"""Batches drawn before draws are repaired instead: the World Cup needs about five, with 65 millions about fifty."""

SOLVED = 8
"""Draws a solver repairs where greed repairs none: a pool that hardly has another squad than the cheapest."""

TEMPERATURES = (0.3, 1.0)
"""Points of xEV that make a player e times likelier to be drawn: from squads near the best to careless ones."""

THRIFT = (0.0, 0.6)
"""Points of xEV a million of price counts against a player, so that squads of all prices stay within the budget."""

FEW_LEGAL, WARMER = 0.05, 1.4
"""Where fewer of a batch are legal, both scales grow: in a double gameweek the draws crowd onto two or three teams."""

NEVER_DRAWN = -1000.0
"""Points that keep a player out of the draw as long as his position has others."""

CHEAPEST_BENCH = 0.1
"""What a bench place is worth to the linear optimum, as a share of the player's xEV: about P(comes in)."""


def reference_pool(
    signals: Signals, rng: np.random.Generator, size: int = POOL_SIZE, pool: Pool | None = None
) -> np.ndarray:
    """Return (size + 1, 15) legal squads by position: drawn at random, and the linear optimum last.

    Nobody draws a player who cannot play. `pool` may hold a budget of the manager's own. Without an answer of the
    solver the drawn squad of most expected points stands in for the optimum.
    """
    pool = pool or pool_of(signals)
    best = None
    with suppress(SolverError):
        best = linear_squad(signals, pool)  # first: where no squad is legal it says so at once
    wanted = np.where(signals.unavailable, NEVER_DRAWN, signals.xev)
    drawn = random_squads(wanted, pool, rng, size)
    last = drawn[wanted[drawn].sum(axis=1).argmax()] if best is None else best
    return np.concatenate([drawn, last[None, :]])


def linear_squad(signals: Signals, pool: Pool) -> np.ndarray:
    """Return the squad with the highest expected points of eleven, bench and a held captain."""
    key, values = linear_problem(signals, pool)
    known = bundled_squads().get(key)
    return solved_linear(signals, pool, values) if known is None else known


def linear_problem(signals: Signals, pool: Pool) -> tuple[str, LinearValues]:
    """Return what the linear optimum of a pool is known by, and what players are worth to it."""
    xev = np.where(signals.unavailable, NEVER_DRAWN, signals.xev)
    values = LinearValues(start=xev, bench=CHEAPEST_BENCH * xev, captain=xev)
    lineups = signals.rules.squad.lineups
    return problem_key(pool, ("linear", lineups), [values.start, values.bench, values.captain]), values


def solved_linear(signals: Signals, pool: Pool, values: LinearValues) -> np.ndarray:
    """Return the linear optimum as the solver finds it."""
    # Two thirds of the players cannot matter, and without them the solver needs half the time.
    rows = Market(pool, values, None, np.zeros(len(values.start))).undominated(np.zeros(len(values.start), dtype=bool))
    few = LinearValues(*(worth[rows] for worth in (values.start, values.bench, values.captain)))
    return np.asarray(rows[linear_optimum(few, pool.only(rows), signals.rules.squad.lineups).squad])


def random_squads(xev: np.ndarray, pool: Pool, rng: np.random.Generator, size: int) -> np.ndarray:
    """Return (size, 15) legal squads; each draws its players by its own appetite for points and for thrift.

    A pool so tight that few draws are legal gives repaired ones, and the same squad more than once.
    """
    found: list[np.ndarray] = []
    count, heat = 0, 1.0
    for _ in range(TRIES):
        squads = _drawn(xev, pool, rng, heat)
        squads = squads[legal(squads, pool)]
        found.append(squads)
        count += len(squads)
        heat *= WARMER if len(squads) < FEW_LEGAL * BATCH else 1.0
        if count >= size:
            return np.concatenate(found)[:size]
    squads = np.concatenate([*found, _repaired(xev, pool, rng, heat)])
    return squads[np.arange(size) % len(squads)]


def _repaired(xev: np.ndarray, pool: Pool, rng: np.random.Generator, heat: float) -> np.ndarray:
    """Return legal squads near what was drawn, for money so tight that hardly a draw is legal itself."""
    drawn, legal_ones = _drawn(xev, pool, rng, heat), []
    for squad in drawn:
        with suppress(InfeasibleError):
            legal_ones.append(repair(squad, pool, xev, solver=False).squad)
    return np.stack(legal_ones or [repair(squad, pool, xev).squad for squad in drawn[:SOLVED]])


def _drawn(xev: np.ndarray, pool: Pool, rng: np.random.Generator, heat: float) -> np.ndarray:
    """Draw squads of the right shape without replacement: the largest of noisy scores by position (Gumbel top-k)."""
    temperature = heat * rng.uniform(*TEMPERATURES, (BATCH, 1))
    thrift = heat * rng.uniform(*THRIFT, (BATCH, 1))
    score = (xev - thrift * pool.price) / temperature + rng.gumbel(size=(BATCH, len(xev)))
    parts = []
    for rows, count in zip(pool.men, pool.shape, strict=True):
        best = np.argpartition(-score[:, rows], count - 1, axis=1)[:, :count]
        parts.append(np.sort(rows[best], axis=1))
    return np.concatenate(parts, axis=1)
