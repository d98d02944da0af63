"""Makes squads legal with few changes: budget, teams, shape, who must be in, who must not, how many may be new.

Greedy first: it takes a tenth of a millisecond where a solver takes a hundred, and needs as few changes in five cases
of six. A solver does what greed cannot. A legal squad comes back as it was given.
An impossible request is an error that names the smallest set of demands that cannot hold together.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from data.errors import InfeasibleError
from engine.rules.conflict_words import conflict_error
from engine.rules.conflicts import Demands, Names, best_squad
from engine.rules.count_rules import admitted
from engine.rules.legality import legal
from engine.rules.money import SLACK, payable
from engine.rules.pool import Pool

BLOCKS_SHARE, WORTH_SHARE = 0.5, 0.4
"""What all blocks together, and all worth together, can count against one change: fewest changes come first."""


@dataclass(frozen=True, slots=True, eq=False)
class Repaired:
    """A legal squad and what it took."""

    squad: np.ndarray  # (size,) player rows: by position, or as given where nothing was wrong
    out: tuple[int, ...]  # players who left
    into: tuple[int, ...]  # players who came
    solved: bool  # by the solver: no repair has fewer changes


def repair(
    squad: np.ndarray,
    pool: Pool,
    worth: np.ndarray,
    demands: Demands | None = None,
    *,
    weight: np.ndarray | None = None,
    solver: bool = True,
    names: Names | None = None,
) -> Repaired:
    """Return a legal squad that meets the demands, with few changes.

    `worth` (n,) is what a player brings in points. `weight` (s,) along `squad` is what breaking that man's block
    costs in points; the cheapest go first. Without `solver` greed alone tries, and its failure is an error at once.
    """
    rows, demands = np.asarray(squad), demands or Demands()
    if not demands.captain_starts(pool):
        raise conflict_error(pool, demands, names)
    if legal(rows[None, :], pool)[0] and demands.met(rows):
        return Repaired(rows, (), (), False)
    bond = np.zeros(len(pool.price))
    if weight is not None:
        np.maximum.at(bond, rows, np.asarray(weight, dtype=float))
    found = _Greedy(pool, worth, bond, demands, rows).squad()
    solved = found is None
    if found is None and not solver:
        raise InfeasibleError("No quick repair makes the squad legal. Let the solver try.")
    if found is None:
        found = fewest_changes(rows, pool, worth, bond, demands)
    if found is None:
        raise conflict_error(pool, demands, names)
    left, came = np.setdiff1d(rows, found), np.setdiff1d(found, rows)
    return Repaired(found, tuple(left.tolist()), tuple(came.tolist()), solved)


@dataclass(slots=True, eq=False)
class _Greedy:
    """One repair in progress: the men placed so far."""

    pool: Pool
    worth: np.ndarray
    bond: np.ndarray  # (n,) points of breaking a man's block
    demands: Demands
    given: np.ndarray
    men: list[int] = field(default_factory=list)
    _allowed: np.ndarray = field(init=False)

    def __post_init__(self) -> None:
        self._allowed = self.demands.allowed(len(self.pool.price))

    def squad(self) -> np.ndarray | None:
        """Return the repaired squad by position, or None where greed finds none."""
        if not (self._placed() and self._filled() and self._paid()):
            return None
        squad = self.pool.by_position(np.array(self.men, dtype=np.int64))
        return squad if legal(squad[None, :], self.pool)[0] and self.demands.met(squad) else None

    def _placed(self) -> bool:
        """Take who must be in, then the given men, the dearest bonds first, as far as shape and counts allow."""
        self.men = list(self.demands.wanted)
        if not self._fits(self.men):
            return False
        order = np.lexsort((self.given, -self.worth[self.given], -self.bond[self.given]))
        for row in self.given[order].tolist():
            if row not in self.men and self._allowed[row] and self._fits([*self.men, row]):
                self.men.append(row)
        return True

    def _fits(self, men: list[int]) -> bool:
        """Return whether men may be in together, with places left for those that groups still lack."""
        places = np.bincount(self.pool.position[men], minlength=len(self.pool.shape))
        left = self.pool.size - len(men)
        return bool(
            (places <= self.pool.shape).all()
            and all(rule.leaves_room(men) and rule.lacks(men).sum() <= left for rule in self.pool.counted)
        )

    def _holes(self) -> list[int]:
        missing = np.array(self.pool.shape) - np.bincount(self.pool.position[self.men], minlength=len(self.pool.shape))
        return [int(place) for place in np.repeat(np.arange(len(missing)), missing)]

    def _filled(self) -> bool:
        """Fill every hole with the best man who leaves enough money for the others, else with the cheapest."""
        price = self.pool.price
        holes = self._holes()
        while holes:
            place, *holes = holes
            free = self._free() & (self.pool.position == place)
            for rule in self.pool.counted:  # a group that lacks men takes the first place it can
                lacking = free & (rule.lacks(self.men) > 0)[rule.group]
                free = lacking if lacking.any() else free
            if not free.any():
                return False
            paid = free & payable(price, self.pool.budget - price[self.men].sum() - self._reserve(holes))
            score = np.where(paid, self.worth, -np.inf) if paid.any() else np.where(free, -price, -np.inf)
            self.men.append(int(score.argmax()))
        return True

    def _free(self) -> np.ndarray:
        """Return (n,) who may still come in: not ruled out, not in, and of groups with room."""
        free = np.logical_and.reduce([self._allowed, *(rule.room(self.men) for rule in self.pool.counted)])
        free[self.men] = False
        return np.asarray(free)

    def _reserve(self, holes: list[int]) -> float:
        free = self._free()
        cheapest = (self.pool.price[free & (self.pool.position == place)] for place in holes)
        return float(sum(prices.min() if prices.size else 0.0 for prices in cheapest))

    def _paid(self) -> bool:
        """Come within the budget: one swap that suffices, else the least loss per million; newcomers go first."""
        price = self.pool.price
        for _ in range(2 * self.pool.size):
            over = price[self.men].sum() - self.pool.budget
            if payable(over, 0.0):
                return True
            loose = np.array([row for row in self.men if row not in self.demands.wanted], dtype=np.int64)
            saved, loss = self._swaps(loose)
            enough = payable(over, saved)
            rate = np.where(enough, loss, np.inf) if enough.any() else loss / np.maximum(saved, SLACK)
            if not rate.size or not np.isfinite(rate).any():
                return False
            out, into = divmod(int(rate.argmin()), rate.shape[1])
            self.men[self.men.index(int(loose[out]))] = into
        return False

    def _swaps(self, loose: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return (m, n) millions saved and points lost by each man in place of each loose one; inf where he may not."""
        pool, saved = self.pool, self.pool.price[loose][:, None] - self.pool.price
        everybody = np.arange(len(pool.price))[None, None, :]
        welcome = self._allowed & admitted(pool.counted, np.array([self.men]), loose[None, :], everybody)[0]
        fits = (pool.position[loose][:, None] == pool.position) & welcome & ~payable(saved, 0.0)
        given = np.isin(loose, self.given)
        loss = (self.worth[loose] + self.bond[loose] * given)[:, None] - self.worth
        # A man who was there already costs a change; a newcomer is exchanged for nothing.
        loss = np.maximum(loss, 0.0) + given[:, None] * self._one_change()
        return np.where(fits, saved, 0.0), np.where(fits, loss, np.inf)

    def _one_change(self) -> float:
        """Return more points than any swap can lose, so that a change weighs more."""
        return float(np.ptp(self.worth) + self.bond.max())


def fewest_changes(
    rows: np.ndarray, pool: Pool, worth: np.ndarray, bond: np.ndarray, demands: Demands
) -> np.ndarray | None:
    """Return the legal squad with the fewest changes from some men, by the solver; None if there is none.

    Among those it is the one whose broken bonds (n,) are the loosest.
    """
    own = np.unique(rows)
    score = np.zeros(len(pool.price))
    score[own] = 1.0 + BLOCKS_SHARE * bond[own] / max(bond[own].sum(), SLACK)
    spread = np.ptp(worth)
    if spread > 0:
        score += WORTH_SHARE / pool.size * (worth - worth.min()) / spread
    return best_squad(pool, demands, score)
