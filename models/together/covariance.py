"""How players' points move together: from the beliefs themselves, match by match, without simulation."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from data.errors import ModelError
from data.rules import GameRules
from models.players.chances import Chances
from models.together.score_means import points_given_score

Rows = int | np.ndarray
"""Rows of one player or of many."""

SLOPE_STEP = 1e-4
"""Share of goals or assists taken away to see what they pay; the means are smooth in it."""


@dataclass(frozen=True, slots=True, eq=False)
class Block:
    """The players of one match and their covariance."""

    rows: np.ndarray  # (k,) players
    values: np.ndarray  # (k, k)


@dataclass(frozen=True, slots=True, eq=False)
class Covariance:
    """Covariance of all players: blocks by match, and one list of numbers in which any pair is looked up.

    A player with two matches stands in two blocks, and his entries add up: blocks that share a player are kept as one
    group. Players of different groups never vary together, so 20,000 players of 320 matches need 10 MB where the whole
    matrix needs 3,200.
    """

    blocks: tuple[Block, ...]
    players: int
    _group: np.ndarray = field(init=False, repr=False)  # (n,) whose members vary together; alone below 0
    _row: np.ndarray = field(init=False, repr=False)  # (n,) where a player's numbers begin
    _column: np.ndarray = field(init=False, repr=False)  # (n,) his place among his group's
    _numbers: np.ndarray = field(init=False, repr=False)  # a zero for all other pairs, then group by group

    def __post_init__(self) -> None:
        group = _groups(self.blocks, self.players)
        row, column, size = _places(group)
        numbers = np.zeros(size)
        for block in self.blocks:
            numbers[row[block.rows][:, None] + column[block.rows]] += block.values
            block.values.setflags(write=False)
        if not np.isfinite(numbers).all():
            raise ModelError("Covariance: an entry is not finite. Check variance and chances of the round.")
        numbers.setflags(write=False)
        for name, values in (("_group", group), ("_row", row), ("_column", column), ("_numbers", numbers)):
            object.__setattr__(self, name, values)

    def __len__(self) -> int:
        return self.players

    def __getitem__(self, pair: tuple[Rows, Rows]) -> np.ndarray:
        """Return the covariance of pairs of players, as a matrix would: rows that fit together or stretch."""
        one, other = pair
        together = self._group[one] == self._group[other]
        return np.asarray(self._numbers[(self._row[one] + self._column[other]) * together])

    def __matmul__(self, weights: np.ndarray) -> np.ndarray:
        """Return (n,) each player's covariance with the points of players who count `weights` times (n,)."""
        total = np.zeros(self.players)
        for block in self.blocks:
            total[block.rows] += block.values @ weights[block.rows]
        return total

    def nonzero(self) -> tuple[np.ndarray, np.ndarray]:
        """Return the players, one and other, of all pairs that vary together."""
        pairs = [block.rows[np.stack(np.nonzero(block.values))] for block in self.blocks]
        one, other = np.concatenate([np.empty((2, 0), dtype=np.int64), *pairs], axis=1)
        return one, other

    def variance_of(self, squads: np.ndarray, multipliers: np.ndarray) -> np.ndarray:
        """Return w'Σw of squads (p, k) whose players count `multipliers` times (p, k); shape (p,)."""
        alike = len(squads) > 1 and bool((squads == squads[:1]).all())
        men = squads[:1] if alike else squads  # line-ups of one squad: its men are looked up once
        one, other = np.triu_indices(squads.shape[1], 1)
        pairs = multipliers[:, one] * multipliers[:, other] * self[men[:, one], men[:, other]]
        return np.asarray(2 * pairs.sum(axis=1) + (multipliers**2 * self[men, men]).sum(axis=1))


def covariance(chances: Chances, rules: GameRules, variance: np.ndarray, *, owned: np.ndarray) -> Covariance:
    """Return the covariance of all players of a round.

    Two players of a match share its score (the covariance of their conditional means over the score grid) and, in
    one team, its goals (one scorer, one assister). All else is a player's own: it fills his diagonal up to
    `variance` (players,), that of his mass function. Where the shared part alone exceeds it, as after a
    manager's own projection, his rows and columns are scaled down, which keeps the whole positive semi-definite.
    """
    means = points_given_score(chances, rules, owned)
    goals = _SharedGoals(chances, rules, owned, means)
    matches = [np.flatnonzero(chances.match == match) for match in np.unique(chances.match)]
    shared = [_shared_score(chances, means, rows) + goals.of(rows) for rows in matches]
    explained, times = np.zeros(len(variance)), np.zeros(len(variance))
    for rows, values in zip(matches, shared, strict=True):
        np.add.at(explained, chances.player[rows], values.diagonal())
        np.add.at(times, chances.player[rows], 1)
    scale = np.sqrt(np.divide(variance, explained, out=np.ones_like(explained), where=explained > variance))
    own = (variance - scale**2 * explained).clip(0) / times.clip(1)
    blocks = [_block(chances, rows, values, scale, own) for rows, values in zip(matches, shared, strict=True)]
    return Covariance((*blocks, *_without_match(variance, times)), len(variance))


def _shared_score(chances: Chances, means: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """Return the covariance of conditional means over the score grid of the match of these rows."""
    probability = chances.grid.probability[chances.match[rows[0]]]
    away = chances.away[rows].astype(bool)[:, None, None]
    seen = np.where(away, means[rows].transpose(0, 2, 1), means[rows])  # home goals, away goals
    deviation = (seen - (seen * probability).sum(axis=(1, 2), keepdims=True)).reshape(len(rows), -1)
    return np.asarray((deviation * probability.ravel()) @ deviation.T)


class _SharedGoals:
    """One goal makes one scorer and at most one assister: the covariance inside a goal, times expected goals.

    Shares, and what a goal or an assist pays, are means over a player's minutes states. So the matrix is that of
    points that can really be dealt, hence positive semi-definite.
    """

    def __init__(self, chances: Chances, rules: GameRules, owned: np.ndarray, means: np.ndarray) -> None:
        self.chances = chances
        self.seen = chances.scores  # (m, g, c)
        self.rate = np.einsum("mgc,g->m", self.seen, np.arange(chances.grid.max_goals + 1))
        self.goal, self.assist = (np.einsum("ms,ms->m", chances.state, by) for by in (chances.goal, chances.assist))
        lost = [means - points_given_score(_with_less(chances, share), rules, owned) for share in ("goal", "assist")]
        self.goal_pay, self.assist_pay = self._pay(self.goal, lost[0]), self._pay(self.assist, lost[1])

    def of(self, rows: np.ndarray) -> np.ndarray:
        away = self.chances.away[rows].astype(bool)
        values = np.zeros((len(rows), len(rows)))
        for team in (np.flatnonzero(~away), np.flatnonzero(away)):
            if team.size:
                values[np.ix_(team, team)] = self.rate[rows[team[0]]] * self._in_one_goal(rows[team])
        return values

    def _pay(self, share: np.ndarray, lost: np.ndarray) -> np.ndarray:
        """Return what one goal or assist adds on average: the slope of the mean in the share, per goal of the team.

        So a line that pays in steps, or a bonus that is paid once, counts with its typical step.
        """
        slope = np.einsum("mgc,mgc->m", self.seen, lost) / SLOPE_STEP
        events = share * self.rate
        return np.asarray(np.divide(slope, events, out=np.zeros_like(slope), where=events > 0))

    def _in_one_goal(self, rows: np.ndarray) -> np.ndarray:
        scores = self.goal[rows] / max(self.goal[rows].sum(), 1.0)
        # Given another scorer he assists with a/(1 − g): over all scorers that is his share a.
        helps = np.divide(self.assist[rows], 1 - scores, out=np.zeros(len(rows)), where=scores < 1)
        helps /= max(helps.sum(), 1.0)
        by_goal, by_assist = scores * self.goal_pay[rows], helps * self.assist_pay[rows]
        mean = by_goal + by_assist * (1 - scores)
        together = np.outer(by_goal, by_assist) + np.outer(by_assist, by_goal)
        squares = by_goal * self.goal_pay[rows] + by_assist * (1 - scores) * self.assist_pay[rows]
        np.fill_diagonal(together, squares)
        return np.asarray(together - np.outer(mean, mean))


def _with_less(chances: Chances, share: str) -> Chances:
    return replace(chances, **{share: getattr(chances, share) * (1 - SLOPE_STEP)})


def _block(chances: Chances, rows: np.ndarray, shared: np.ndarray, scale: np.ndarray, own: np.ndarray) -> Block:
    players = chances.player[rows]
    values = shared * np.outer(scale[players], scale[players]) + np.diag(own[players])
    return Block(players, (values + values.T) / 2)


def _without_match(variance: np.ndarray, times: np.ndarray) -> list[Block]:
    """Return a block of who varies without a match of his own, as one whose projection the manager typed in."""
    alone = np.flatnonzero((times == 0) & (variance > 0))
    return [Block(alone, np.diag(variance[alone]))] if alone.size else []


def _groups(blocks: tuple[Block, ...], players: int) -> np.ndarray:
    """Return (n,) the group of each player: the last block he is tied to, a number of his own below 0 if none."""
    group = -1 - np.arange(players)
    for number, block in enumerate(blocks):
        tied = np.unique(group[block.rows])
        if (tied >= 0).any():
            group[np.isin(group, tied[tied >= 0])] = number
        group[block.rows] = number
    return group


def _places(group: np.ndarray) -> tuple[np.ndarray, np.ndarray, int]:
    """Return where each player's numbers begin, his place in his group, and how many numbers there are."""
    row, column = np.zeros(len(group), dtype=np.int64), np.zeros(len(group), dtype=np.int64)
    members = np.flatnonzero(group >= 0)
    members = members[np.argsort(group[members], kind="stable")]
    first = np.flatnonzero(np.diff(group[members], prepend=-1))
    size = np.diff(first, append=len(members))
    column[members] = np.arange(len(members)) - np.repeat(first, size)
    begin = 1 + np.cumsum(size**2) - size**2  # the zero comes first
    row[members] = np.repeat(begin, size) + column[members] * np.repeat(size, size)
    return row, column, 1 + int((size**2).sum())
