"""Free transfers as a path: from round to round along arcs (free before, transfers made, free after)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from engine.plan.linear.problem import PlanProblem
from engine.plan.linear.round_values import RoundValues


@dataclass(frozen=True, eq=False)
class TransferPath:
    """Every arc that a plan may take, in order of rounds; row i of every array is arc i."""

    rounds: int
    first: int  # count before the coming round
    counts: int  # how many counts there are, `no limit` the last
    column: np.ndarray  # (a,) round
    before: np.ndarray  # (a,) count before it
    made: np.ndarray  # (a,) transfers at most
    after: np.ndarray  # (a,) count after it
    value: np.ndarray  # (a,) points: hits taken off, spare transfers after the last round added
    counted: np.ndarray  # (a,) transfers that count towards a limit over all rounds

    def of(self, column: int) -> np.ndarray:
        """Return the arcs of a round."""
        return np.flatnonzero(self.column == column)

    def best_from(self, worth: np.ndarray, each: float = 0.0) -> np.ndarray:
        """(r + 1, counts) the best value from a count before each round to the end, a transfer worth (r,) to others.

        `each` is taken off for a counted transfer. −inf where a count cannot be.
        """
        best = np.full((self.rounds + 1, self.counts), -np.inf)
        best[-1] = 0.0
        gain = self.value + worth[self.column] * self.made - each * self.counted
        for column in reversed(range(self.rounds)):
            arcs = self.of(column)
            np.maximum.at(best[column], self.before[arcs], gain[arcs] + best[column + 1, self.after[arcs]])
        return best

    @cached_property
    def most_made(self) -> np.ndarray:
        """(r, counts) transfers that a round allows with a count before it."""
        most = np.zeros((self.rounds, self.counts), dtype=np.int64)
        np.maximum.at(most, (self.column, self.before), self.made)
        return most

    @cached_property
    def steps(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """(r, counts, n + 1) count after, points and counted transfers of a round; −inf points where barred."""
        size = int(self.made.max()) + 1
        shape = (self.rounds, self.counts, size)
        after, value, counted = np.zeros(shape, np.int64), np.full(shape, -np.inf), np.zeros(shape, np.int64)
        for arc in range(len(self.column)):
            place = (self.column[arc], self.before[arc])
            lowest = 0 if self.counted[arc] == 0 else self.made[arc]
            for made in range(lowest, self.made[arc] + 1):
                if value[(*place, made)] == -np.inf:
                    spent = 0 if self.counted[arc] == 0 else made
                    after[(*place, made)], value[(*place, made)] = self.after[arc], self.value[arc]
                    counted[(*place, made)] = spent
        return after, value, counted


def transfer_path(problem: PlanProblem, rounds: Sequence[RoundValues]) -> TransferPath:
    """Return all arcs of a problem under the boosters of its rounds."""
    steps, reached = problem.frame.transfers, {problem.frame.transfers.first}
    arcs: list[tuple[int, int, int, int, float, int]] = []
    for column, one in enumerate(rounds):
        found = [arc for count in sorted(reached) for arc in _arcs(problem, column, count, one)]
        arcs += found
        reached = {arc[3] for arc in found}
    columns = [np.array(part) for part in zip(*arcs, strict=True)]
    return TransferPath(len(rounds), steps.first, steps.no_limit + 1, *columns)


def _arcs(
    problem: PlanProblem, column: int, count: int, one: RoundValues
) -> list[tuple[int, int, int, int, float, int]]:
    frame, locks = problem.frame, problem.locks
    steps, last = frame.transfers, column == len(frame.rounds) - 1

    def ended(after: int) -> float:
        return problem.values.spare_value(after) if last and after != steps.no_limit else 0.0

    if one.wildcard or one.free_hit:
        after = int(steps.after_chip[column, count])
        return [(column, count, frame.size if one.wildcard else 0, after, ended(after), 0)]
    if count == steps.no_limit:
        after = int(steps.after[column, count, 0])
        return [(column, count, frame.size, after, ended(after), 0)]
    most = min(count + int(locks.most_hits[column]), int(locks.most_transfers[column]), frame.size)
    found = []
    for made in range(most + 1):
        after = int(steps.after[column, count, made])
        cost = frame.hit_cost * max(0, made - count)
        found.append((column, count, made, after, ended(after) - cost, made))
    return found
