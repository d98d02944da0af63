"""Finishing of a plan: its near neighbours, each legal, for the full objective to choose from.

A neighbour buys somebody else for as long as a man is held, makes a transfer a round earlier or later or not at all,
plays a booster in another round, or keeps it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from engine.plan.linear.plans import plan_of
from engine.plan.linear.problem import PlanProblem
from engine.plan.moves.moves import Plan, RoundMoves
from engine.rules.money import SLACK


@dataclass(frozen=True, slots=True, kw_only=True)
class FinishSettings:
    """How far the finishing looks."""

    steps: int = 2  # rounds of trying at most
    leaders: int = 2  # plans with different first moves that are changed
    targets: int = 5  # men tried in the place of one, the best by their linear value
    least: float = 0.01  # points below which a change is not worth another round of trying


def neighbours(problem: PlanProblem, plan: Plan, settings: FinishSettings) -> list[Plan]:
    """Return the legal plans one change away from a plan, every free-hit squad kept as it is."""
    kept, found = plan.kept, dict[object, Plan]()
    one_round = {column: np.array(move.squad) for column, move in enumerate(plan.moves) if move.returns}
    for chips in _rechipped(problem, plan.chips):
        found.setdefault((again := plan_of(problem, chips, kept, one_round)).key(), again)
    for squads in _changed(problem, kept, settings):
        if _twice(squads):
            continue
        changed = plan_of(problem, plan.chips, squads, one_round)
        if changed.key() not in found and allowed(problem, changed):
            found[changed.key()] = changed
    return list(found.values())


def _changed(problem: PlanProblem, kept: np.ndarray, settings: FinishSettings) -> Iterator[np.ndarray]:
    """Yield kept squads (r, 15) one change away; whether they keep the rules is not looked at."""
    last = len(kept) - 1
    for man, first, end in _stays(kept):
        for other in _targets(problem, kept, man, first, settings.targets):
            yield _replaced(kept, man, other, first, end)
            if first < end:
                yield _replaced(kept, man, other, first + 1, end)
        if first > 0:  # bought in this round: a round earlier or later, or not at all
            out = sorted(set(kept[first - 1].tolist()) - set(kept[first].tolist()))
            mates = [one for one in out if problem.frame.position[one] == problem.frame.position[man]]
            for mate in mates:
                yield _replaced(kept, mate, man, first - 1, first - 1)
                yield _replaced(kept, man, mate, first, min(first, last))
                yield _replaced(kept, man, mate, first, end)


def _rechipped(problem: PlanProblem, chips: Sequence[str | None]) -> Iterator[list[str | None]]:
    """Yield boosters that change no transfer kept for later, moved to another round, or played in a free one."""
    asked = problem.locks.chip_in
    free = [column for column, chip in enumerate(chips) if chip is None]
    for offer in problem.chips:
        if offer.free_transfers or offer.key in asked:
            continue
        bare = [None if chip == offer.key else chip for chip in chips]
        if offer.key in chips:
            yield bare
        for column in [*free, *(at for at, chip in enumerate(chips) if chip == offer.key)]:
            if offer.allowed[column]:
                yield [*bare[:column], offer.key, *bare[column + 1 :]]


def _twice(squads: np.ndarray) -> bool:
    """Whether a man stands twice in a squad."""
    ordered = np.sort(squads, axis=1)
    return bool((ordered[:, 1:] == ordered[:, :-1]).any())


def _stays(kept: np.ndarray) -> Iterator[tuple[int, int, int]]:
    """Yield every man with the first and the last column of each time he is held."""
    for man in np.unique(kept).tolist():
        held = (kept == man).any(axis=1)
        edges = np.flatnonzero(np.diff(np.concatenate([[False], held, [False]]).astype(int)))
        for first, end in edges.reshape(-1, 2).tolist():
            yield man, first, end - 1


def _targets(problem: PlanProblem, kept: np.ndarray, man: int, first: int, count: int) -> list[int]:
    """Return the men of his position outside the squad who are worth most from a round on and can be paid."""
    frame, values = problem.frame, problem.values
    worth = values.start[:, first:].sum(axis=1) + values.hold[:, first:].sum(axis=1)
    spent = np.where(frame.owned, frame.selling, frame.price)[kept[first]].sum()
    purse = float(problem.purse[first] - spent) + float(frame.price[man])
    fits = (frame.position == frame.position[man]) & frame.buyable & (frame.price <= purse + 1.0)
    fits[np.unique(kept[first:])] = False
    rows = np.flatnonzero(fits)
    return [int(row) for row in rows[np.argsort(-worth[rows], kind="stable")][:count]]


def _replaced(kept: np.ndarray, man: int, other: int, first: int, end: int) -> np.ndarray:
    """Return the squads with another in a man's place from one column to another."""
    squads = kept.copy()
    part = squads[first : end + 1]
    part[part == man] = other
    return squads


def allowed(problem: PlanProblem, plan: Plan) -> bool:
    """Whether a plan of one's own keeps money, caps, transfers and all that is asked; free-hit squads are not changed.

    Quicker than the check of every rule (`legality`), which is made of what is shown.
    """
    frame, locks = problem.frame, problem.locks
    kept = plan.kept
    for column, move in enumerate(plan.moves):
        squad = np.array(move.squad)
        bought = [man for man in move.into if not frame.buyable[man]]
        teams = frame.team[kept[column]]
        if bought or move.bank < locks.least_bank[column] - SLACK or _most_of_a_team(teams) > frame.team_cap[column]:
            return False
        if locks.never[squad, column].any() or locks.must[squad, column].sum() < locks.must[:, column].sum():
            return False
        if move.hits > locks.most_hits[column] or not _few_enough(problem, move, column):
            return False
    stay = locks.never_sell.sum()
    return all(locks.never_sell[squad].sum() == stay for squad in kept) and _few_in_all(problem, plan)


def _most_of_a_team(teams: np.ndarray) -> int:
    teams = teams[teams >= 0]
    return int(np.bincount(teams).max()) if teams.size else 0


def _few_enough(problem: PlanProblem, move: RoundMoves, column: int) -> bool:
    return _counted(problem, move) <= int(problem.locks.most_transfers[column])


def _few_in_all(problem: PlanProblem, plan: Plan) -> bool:
    most = problem.locks.most_in_all
    return most is None or sum(_counted(problem, move) for move in plan.moves) <= most


def _counted(problem: PlanProblem, move: RoundMoves) -> int:
    """Transfers of a round that a wish about their number counts: none of a wildcard."""
    return 0 if move.chip is not None and problem.chip(move.chip).free_transfers else move.transfers
