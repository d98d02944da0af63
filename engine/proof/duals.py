"""Prices for what squads are short of (money, places, the armband), and the bound that any such prices prove.

At prices y for the common rules a squad is worth at most y·b + Σ matches (the best pattern less the price of what it
uses): for any y at all, since every legal squad keeps the rules. Good prices make it tight. They are found by cutting
planes in a box around the best prices so far; the patterns seen on the way are the planes.
"""

from __future__ import annotations

from dataclasses import dataclass
from time import perf_counter

import numpy as np
from scipy.optimize import OptimizeResult, linprog
from scipy.sparse import csr_matrix, hstack, vstack

from engine.fitness.standard_form import StandardForm
from engine.proof.pattern_search import Found, good_value, patterns_above
from engine.proof.patterns import Match, Roles, matches_of
from engine.proof.shared_rules import SquadRules, squad_rules
from engine.proof.team_patterns import NOBODY

FIRST_REACH = 0.25
"""Points by which the price of any one role may move at first."""

LEAST_REACH = 1e-4
"""Points: a box this small moves the bound by less than a thousandth."""

PLANES_PER_MATCH = 30
"""Patterns of a match added per round: the best ones."""

NEAR = 0.05
"""Points below a match's best within which its patterns are listed as planes."""

OPEN_PATTERNS = 5_000
"""Patterns of a match that may be open while prices are sought; beyond, its ceiling is an estimate from above."""

CLOSE = 1e-6
"""Points within which the bound cannot fall any more: it ends the rounds."""


@dataclass(frozen=True, slots=True, eq=False)
class PatternForm:
    """A standard form in patterns."""

    roles: Roles
    matches: list[Match]
    rules: SquadRules

    @classmethod
    def of(cls, form: StandardForm, roles: Roles, kept: np.ndarray | None = None) -> PatternForm:
        """Return a form in patterns of some roles; the rows of players in `kept` must be in the squad."""
        return cls(roles, matches_of(form, roles), squad_rules(form, roles, kept))

    def reduced(self, price: np.ndarray) -> np.ndarray:
        """Return (s,) what each role is worth after paying for what it uses."""
        return np.asarray(self.roles.value - self.rules.use @ price)


@dataclass(frozen=True, slots=True, eq=False)
class Prices:
    """Prices of the common rules and what they prove."""

    price: np.ndarray  # (r,)
    bound: float  # no squad is worth more
    ceiling: np.ndarray  # (matches,) no pattern of the match is worth more at these prices
    complete: bool  # whether all patterns at the levels asked for were listed


@dataclass(frozen=True, slots=True, eq=False)
class Planes:
    """Patterns as columns of a program: row i of every array is one of them."""

    match: np.ndarray  # (k,) number of the match
    value: np.ndarray  # (k,) points
    use: np.ndarray  # (k, r)
    men: list[np.ndarray]  # rows of `Roles`

    def __len__(self) -> int:
        return len(self.value)

    def __add__(self, other: Planes) -> Planes:
        return Planes(
            match=np.append(self.match, other.match),
            value=np.append(self.value, other.value),
            use=np.vstack([self.use, other.use]),
            men=self.men + other.men,
        )

    def only(self, rows: np.ndarray) -> Planes:
        """Return some of them."""
        return Planes(self.match[rows], self.value[rows], self.use[rows], [self.men[row] for row in rows])


def bound_at(problem: PatternForm, price: np.ndarray, levels: np.ndarray, limit: int) -> tuple[Prices, list[Found]]:
    """Return what prices prove, and the patterns of each match at or above its level (matches,)."""
    reduced = problem.reduced(price)
    found = [
        patterns_above(match, reduced[match.rows], float(level), limit)
        for match, level in zip(problem.matches, levels, strict=True)
    ]
    ceiling = np.array([part.ceiling for part in found])
    bound = problem.rules.worth_of_limits(price) + float(ceiling.sum())
    return Prices(price, bound, ceiling, all(part.complete for part in found)), found


def near_the_best(problem: PatternForm, price: np.ndarray) -> np.ndarray:
    """Return (matches,) a level just below a good pattern of each match."""
    reduced = problem.reduced(price)
    return np.array([good_value(match, reduced[match.rows]) for match in problem.matches]) - NEAR


def sharpened(problem: PatternForm, target: float, deadline: float) -> Prices:
    """Return good prices: the rounds end at the target, the deadline, or where the bound cannot fall any more."""
    price = first_prices(problem)
    best, found = bound_at(problem, price, near_the_best(problem, price), OPEN_PATTERNS)
    planes, reach = planes_of(problem, found, price, PLANES_PER_MATCH), FIRST_REACH
    while best.bound > target and reach > LEAST_REACH and perf_counter() < deadline:
        price, levels, promise = _promising(problem, planes, best.price, reach)
        if best.bound - promise < CLOSE:
            break
        levels = np.maximum(levels - CLOSE, near_the_best(problem, price))
        tried, found = bound_at(problem, price, levels, OPEN_PATTERNS)
        planes = planes + planes_of(problem, found, price, PLANES_PER_MATCH)
        fall = best.bound - tried.bound
        reach = reach / 2 if fall <= 0 else reach * 2 if fall > (best.bound - promise) / 2 else reach
        best = tried if fall > 0 else best
    return best


def first_prices(problem: PatternForm) -> np.ndarray:
    """Return (r,) the prices of the linear part: every role by itself, pairs and stacks left out."""
    rules, roles = problem.rules, problem.roles
    each, formations = np.arange(len(roles)), len(rules.formations)
    man = np.unique(roles.player, return_inverse=True)[1]
    groups = np.concatenate([man, man.max() + 1 + rules.team])
    once = csr_matrix((np.ones(groups.size), (groups, np.tile(each, 2))), shape=(groups.max() + 1, each.size))
    most = np.append(np.ones(man.max() + 1), rules.caps)
    common = np.vstack([rules.use, rules.formations]).T
    blank = csr_matrix((len(most), formations))
    whole = np.append(np.zeros(each.size), np.ones(formations))
    answer = linprog(
        -np.append(roles.value, np.zeros(formations)),
        A_ub=vstack([csr_matrix(common[~rules.equal]), hstack([once, blank])]),
        b_ub=np.append(rules.limit[~rules.equal], most),
        A_eq=csr_matrix(np.vstack([common[rules.equal], whole])),
        b_eq=np.append(rules.limit[rules.equal], 1.0),
        method="highs",
    )
    price = np.zeros(len(rules.limit))
    if answer.status == 0:  # otherwise any prices do: 0 to start from
        price[~rules.equal] = -answer.ineqlin.marginals[: (~rules.equal).sum()]
        price[rules.equal] = -answer.eqlin.marginals[:-1]
    return np.clip(price, rules.cheapest, rules.dearest)


def planes_of(problem: PatternForm, found: list[Found], price: np.ndarray, most: int | None = None) -> Planes:
    """Return the patterns listed at some prices as columns, only the best of each match where `most` is given."""
    padded = np.vstack([problem.rules.use, np.zeros(problem.rules.use.shape[1])])
    patterns = [part.patterns[:most] for part in found]
    use = np.concatenate([padded[rows].sum(axis=1) for rows in patterns])
    reduced = np.concatenate([part.reduced[:most] for part in found])
    return Planes(
        match=np.repeat(np.arange(len(found)), [len(rows) for rows in patterns]),
        value=reduced + use @ price,
        use=use,
        men=[row[row != NOBODY] for rows in patterns for row in rows],
    )


def _promising(
    problem: PatternForm, planes: Planes, centre: np.ndarray, reach: float
) -> tuple[np.ndarray, np.ndarray, float]:
    """Return the best prices in a box as far as the planes know, the level of each match, and the bound promised."""
    rules, count = problem.rules, len(problem.matches)
    step = reach / np.maximum(np.abs(rules.use).max(axis=0), CLOSE)
    low, high = np.maximum(centre - step, rules.cheapest), np.minimum(centre + step, rules.dearest)
    answer = _master(planes, rules, count, low, high)
    if answer.status != 0:
        return centre, np.full(count, -np.inf), -np.inf
    dual = -answer.eqlin.marginals
    size = len(rules.limit)
    return np.clip(dual[:size], low, high), dual[size : size + count], float(-answer.fun)


def _master(planes: Planes, rules: SquadRules, count: int, low: np.ndarray, high: np.ndarray) -> OptimizeResult:
    """Solve the program of the planes; the last columns buy and sell what is short at the box's own prices."""
    size, formations = len(rules.limit), len(rules.formations)
    matches = csr_matrix((np.ones(len(planes)), (planes.match, np.arange(len(planes)))), shape=(count, len(planes)))
    top = np.hstack([planes.use.T, rules.formations.T, np.eye(size), -np.eye(size)])
    left = hstack([matches, csr_matrix((count, formations + 2 * size))])
    whole = np.concatenate([np.zeros(len(planes)), np.ones(formations), np.zeros(2 * size)])
    return linprog(
        -np.concatenate([planes.value, np.zeros(formations), low, -high]),
        A_eq=vstack([csr_matrix(top), left, csr_matrix(whole)], format="csc"),
        b_eq=np.concatenate([rules.limit, np.ones(count + 1)]),
        method="highs",
    )
