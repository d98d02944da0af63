"""Terrain: everything a search through the rounds looks up, per round and by code of a man, made once."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from engine.plan.linear.beam.lineups import RoundLineups, round_lineups
from engine.plan.linear.pricing.bound import BARRED, NEW, OLD, OUT
from engine.plan.linear.pricing.guidance import Guided
from engine.plan.linear.problem import PlanProblem
from engine.rules.money import payable

LEGAL = BARRED / 2
"""A guess below this breaks a wish: somebody barred is held, or somebody asked for is not."""


@dataclass(frozen=True, slots=True, eq=False)
class Terrain:
    """A problem under one placement, prepared for the search."""

    problem: PlanProblem
    guided: Guided
    lineups: tuple[RoundLineups, ...]
    worth: np.ndarray  # (r, 2n) by code: what holding a man from this round on is worth at prices, over not holding
    later: np.ndarray  # (r, 2n) by code: the same of the rounds after it alone
    base: np.ndarray  # (r,) what a round and all after it are worth at prices with nobody held
    rest: np.ndarray  # (r,) what all after a round are worth at prices with nobody held
    bonus: np.ndarray  # (r, n) points of holding a man, whatever his role; after the last round his final value too
    cost: np.ndarray  # (2n,) millions by code
    team: np.ndarray  # (2n,)
    one_round: np.ndarray  # (r,) points of a free hit's squad, 0 in other rounds
    built: dict[tuple[int, bytes], np.ndarray] = field(default_factory=dict)  # squads made anew, by round and old men

    @property
    def bound(self) -> float:
        """What no plan exceeds at these prices, free hits with the squads they have here."""
        return float(self.guided.guide.bound + self.one_round.sum())

    @property
    def exact(self) -> bool:
        """Whether every value and guess is exact or too high: line-ups by sorting, and no squad of one round."""
        rounds = zip(self.guided.rounds, self.lineups, strict=True)
        return all(lineups.exact and not one.free_hit for one, lineups in rounds)

    @property
    def rounds(self) -> int:
        """How many rounds are planned."""
        return len(self.lineups)

    def points(self, column: int, codes: np.ndarray) -> np.ndarray:
        """(p,) points of squads in a round, transfers apart."""
        rows, one = codes >> 1, self.guided.rounds[column]
        total = self.bonus[column][rows].sum(axis=1) + one.constant
        if one.free_hit:
            return np.asarray(total + self.one_round[column])
        return np.asarray(total + self.lineups[column].values(rows))

    def affordable(self, column: int, codes: np.ndarray) -> np.ndarray:
        """(p,) whether squads keep to the money and the team cap of a round."""
        fits = payable(self.cost[codes].sum(axis=1), float(self.problem.purse[column]))
        cap = int(self.problem.frame.team_cap[column])
        teams = np.sort(self.team[codes], axis=1)
        if cap < teams.shape[1]:
            crowded = (teams[:, cap:] == teams[:, :-cap]) & (teams[:, cap:] >= 0)
            fits = fits & ~crowded.any(axis=1)
        return np.asarray(fits)

    def wishes_kept(self, column: int, codes: np.ndarray) -> np.ndarray:
        """(p,) whether squads have who must play the round, and nobody who must not."""
        one, rows = self.guided.rounds[column], codes >> 1
        if one.free_hit:
            return np.ones(len(codes), dtype=bool)
        return np.asarray((one.must[rows].sum(axis=1) == one.must.sum()) & ~one.never[rows].any(axis=1))


def terrain(problem: PlanProblem, guided: Guided, one_round: np.ndarray) -> Terrain:
    """Return a problem prepared for the search; `one_round` (r,) are the points of free-hit squads."""
    found, frame, last = guided.guide, problem.frame, len(guided.rounds) - 1
    total = found.now + found.later
    bonus = np.array([one.hold for one in guided.rounds])
    bonus[last] = bonus[last] + problem.values.final
    coming = np.append(one_round[::-1].cumsum()[::-1], 0.0)
    return Terrain(
        problem=problem,
        guided=guided,
        lineups=tuple(round_lineups(one, frame) for one in guided.rounds),
        worth=_by_code(total[:, NEW] - total[:, OUT], total[:, OLD] - total[:, OUT]),
        later=_by_code(found.later[:, NEW] - found.later[:, OUT], found.later[:, OLD] - found.later[:, OUT]),
        base=found.fixed[:-1] + total[:, OUT].sum(axis=1) + coming[:-1],
        rest=found.fixed[1:] + found.later[:, OUT].sum(axis=1) + coming[1:],
        bonus=bonus,
        cost=_by_code(frame.price, frame.selling),
        team=np.repeat(frame.team, 2),
        one_round=one_round,
    )


def _by_code(new: np.ndarray, old: np.ndarray) -> np.ndarray:
    """Return columns by code: of a man who is bought, then of the same held from the start."""
    return np.stack([new, old], axis=-1).reshape(*new.shape[:-1], -1)
