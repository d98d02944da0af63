"""What every squad of a pool obeys, one row each: where the rules and a manager's limits meet a solver."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum, auto
from math import inf
from typing import NamedTuple

import numpy as np

from engine.rules.count_rules import ANY
from engine.rules.pool import Pool
from engine.rules.solver import SolverProgram, Variable


class RowKind(Enum):
    """What a row is about."""

    BUDGET = auto()
    SHAPE = auto()  # of a position
    MOST = auto()  # of a group of a rule that counts
    LEAST = auto()
    MUST = auto()  # a player
    NEVER = auto()
    OUT = auto()  # everybody who cannot play
    CAPTAIN = auto()
    FORMATION = auto()


class Key(NamedTuple):
    """Which row it is: its kind, and whom it concerns."""

    kind: RowKind
    number: int = 0  # of a position, a group, a player
    rule: int = 0  # of a group: its place in the pool's rules


BUDGET = Key(RowKind.BUDGET)


@dataclass(frozen=True, slots=True, eq=False)
class Row:
    """low ≤ Σ factor of the players picked ≤ high."""

    key: Key
    players: np.ndarray  # (m,) player rows
    factor: np.ndarray  # (m,)
    low: float = -inf
    high: float = inf


def counted(key: Key, players: np.ndarray, low: float = -inf, high: float = inf) -> Row:
    """Return the row that counts players."""
    return Row(key, players, np.ones(len(players)), low, high)


def pool_rows(pool: Pool) -> Iterator[Row]:
    """Yield the rows of a pool: money, places, and the limits of every rule that counts."""
    yield Row(BUDGET, np.arange(len(pool.price)), pool.price, high=pool.purse)
    for place, count in enumerate(pool.shape):
        yield counted(Key(RowKind.SHAPE, place), np.flatnonzero(pool.position == place), count, count)
    for place, rule in enumerate(pool.rules):
        for number, least, most in rule.limits():
            mates = np.flatnonzero(rule.group == number)
            if most < ANY:
                yield counted(Key(RowKind.MOST, number, place), mates, high=most)
            if least > 0:
                yield counted(Key(RowKind.LEAST, number, place), mates, low=least)


def add_rows(program: SolverProgram, chosen: Mapping[int, Variable], rows: Iterable[Row]) -> None:
    """Add rows to a program whose variables are those of some players; nobody else can be picked."""
    for row in rows:
        pairs = zip(row.players.tolist(), row.factor.tolist(), strict=True)
        program.add([(chosen[man], factor) for man, factor in pairs if man in chosen], row.low, row.high)
