"""Moves of a round, and the plan that they make over several: who goes, who comes, which booster, what it costs.

Player rows are those of the coming round's signals; men of the manager's who have left the list follow after them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from data.errors import InputError


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundMoves:
    """What a manager does before one round.

    In a free-hit round `out` and `into` are the changes of the one-round squad: no transfers, they are undone after it.
    """

    round: int
    out: tuple[int, ...] = ()  # player rows who go, by position; empty where a first squad is built
    into: tuple[int, ...] = ()  # player rows who come, each in the place of the man of `out` beside him
    chip: str | None = None  # key in the rulebook's boosters
    squad: tuple[int, ...]  # rows who play this round, by position and row
    kept: tuple[int, ...]  # rows carried into the next round; others than `squad` after a free hit only
    free: int | None  # free transfers before the moves; None = no limit
    hits: int = 0  # transfers beyond them
    bank: float  # millions left after the moves, the kept squad paid

    def __post_init__(self) -> None:
        if len(self.squad) != len(self.kept) or len(set(self.squad)) != len(self.squad):
            raise InputError(f"The squad of round {self.round} has a man twice, or is of another size than the kept.")
        if self.out and len(self.out) != len(self.into):
            raise InputError(f"Round {self.round}: {len(self.out)} men go and {len(self.into)} come.")

    @property
    def returns(self) -> bool:
        """Whether the squad is for this round alone, and the kept one comes back."""
        return self.squad != self.kept

    @property
    def transfers(self) -> int:
        """Men bought to keep, whether they cost anything or not; 0 where a first squad is built."""
        return 0 if self.returns or not self.out else len(self.into)


@dataclass(frozen=True, slots=True)
class Plan:
    """Moves for every round of a horizon, the coming round first."""

    moves: tuple[RoundMoves, ...]

    def __post_init__(self) -> None:
        numbers = [move.round for move in self.moves]
        if not numbers or numbers != list(range(numbers[0], numbers[0] + len(numbers))):
            raise InputError(f"A plan needs rounds that follow one another, not {numbers}.")

    @property
    def rounds(self) -> tuple[int, ...]:
        """The rounds it covers."""
        return tuple(move.round for move in self.moves)

    @property
    def squads(self) -> np.ndarray:
        """(r, 15) player rows who play each round."""
        return np.array([move.squad for move in self.moves], dtype=np.int64)

    @property
    def kept(self) -> np.ndarray:
        """(r, 15) player rows carried into the round after each."""
        return np.array([move.kept for move in self.moves], dtype=np.int64)

    @property
    def chips(self) -> tuple[str | None, ...]:
        """The booster of each round."""
        return tuple(move.chip for move in self.moves)

    @property
    def hits(self) -> int:
        """Transfers beyond the free ones."""
        return sum(move.hits for move in self.moves)

    @property
    def transfers(self) -> int:
        """Men bought to keep."""
        return sum(move.transfers for move in self.moves)

    def key(self) -> tuple[tuple[str | None, tuple[int, ...], tuple[int, ...]], ...]:
        """Return what tells plans apart: booster, squad and kept squad of every round."""
        return tuple((move.chip, move.squad, move.kept) for move in self.moves)

    def first_key(self) -> tuple[tuple[int, ...], tuple[int, ...], str | None]:
        """Return what tells first moves apart: who goes, who comes, and the booster."""
        first = self.moves[0]
        return tuple(sorted(first.out)), tuple(sorted(first.into)), first.chip
