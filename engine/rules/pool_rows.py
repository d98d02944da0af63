"""What every squad of a pool obeys, one row each: where the rules and a manager's limits meet a solver."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from math import inf

import numpy as np

from engine.rules.legality import TENTH, Pool
from engine.rules.solver import Program, Variable


@dataclass(frozen=True, slots=True, eq=False)
class Row:
    """low ≤ Σ factor of the players picked ≤ high."""

    name: str  # its kind, and whom it concerns: "budget", "cap 3", "must 17"
    players: np.ndarray  # (m,) player rows
    factor: np.ndarray  # (m,)
    low: float = -inf
    high: float = inf


def counted(name: str, players: np.ndarray, low: float = -inf, high: float = inf) -> Row:
    """Return the row that counts players."""
    return Row(name, players, np.ones(len(players)), low, high)


def pool_rows(pool: Pool) -> Iterator[Row]:
    """Yield the rows of a pool: money, places, teams, and what the manager limits himself to."""
    yield Row("budget", np.arange(len(pool.price)), pool.price, high=pool.budget + TENTH)
    for place, count in enumerate(pool.shape):
        yield counted(f"shape {place}", np.flatnonzero(pool.position == place), count, count)
    order = np.argsort(pool.team, kind="stable")
    for mates in np.split(order, np.flatnonzero(np.diff(pool.team[order])) + 1):
        yield counted(f"cap {pool.team[mates[0]]}", mates, high=pool.team_cap)
    yield from _limits(pool)
    if pool.most_changes is not None:
        yield counted("changes", np.flatnonzero(pool.newcomer), high=pool.most_changes)


def _limits(pool: Pool) -> Iterator[Row]:
    """Yield the tightest of the manager's limits on each team."""
    for team in dict.fromkeys(limit.team for limit in pool.limits):
        mates = np.flatnonzero(pool.team == team)
        mosts = [limit.most for limit in pool.limits if limit.team == team and limit.most is not None]
        least = max(limit.least for limit in pool.limits if limit.team == team)
        if mosts:
            yield counted(f"most {team}", mates, high=min(mosts))
        if least:
            yield counted(f"least {team}", mates, low=least)


def add_rows(program: Program, chosen: Mapping[int, Variable], rows: Iterable[Row]) -> None:
    """Add rows to a program whose variables are those of some players; nobody else can be picked."""
    for row in rows:
        pairs = zip(row.players.tolist(), row.factor.tolist(), strict=True)
        program.add([(chosen[man], factor) for man, factor in pairs if man in chosen], row.low, row.high)
