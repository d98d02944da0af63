"""The rules that all matches of a squad share, one row each: money, places, formation, armband, bench, changes.

The most of a team is kept by the patterns of its match; every other limit of a rule that counts is a row here.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from engine.fitness.standard_form import StandardForm
from engine.proof.patterns import FIRST_SLOT, LEADS, Roles
from engine.rules.count_rules import ANY
from engine.rules.pool import Pool


@dataclass(frozen=True, slots=True, eq=False)
class SquadRules:
    """Σ use ≤ limit, or = limit, over the roles of a squad and its formation."""

    use: np.ndarray  # (s, r) of each role
    limit: np.ndarray  # (r,)
    equal: np.ndarray  # (r,) bool
    dearest: np.ndarray  # (r,) highest price that makes sense: a further change costs a hit, never more
    formations: np.ndarray  # (f, r) use of each formation: it provides the places that starters take
    team: np.ndarray  # (s,) number of each role's team, among those that have roles
    caps: np.ndarray  # (t,) players of each of them at most

    @property
    def cheapest(self) -> np.ndarray:
        """(r,) lowest price: what may be left over cannot cost less than nothing."""
        return np.where(self.equal, -np.inf, 0.0)

    def worth_of_limits(self, price: np.ndarray) -> float:
        """Return what all that the rules provide is worth, under the best formation."""
        return float(price @ self.limit) + float((-self.formations @ price).max())


def _limits(pool: Pool, men: np.ndarray) -> Iterator[tuple[np.ndarray, float, bool, float]]:
    """Yield the rows of all rules that count, but for the most of a team."""
    for rule in pool.counted:
        for number, least, most in rule.limits():
            mates = (rule.group[men] == number).astype(float)
            if most < ANY and rule is not pool.counted[0]:
                yield mates, float(most), False, np.inf
            if least > 0:
                yield -mates, -float(least), False, np.inf


def squad_rules(form: StandardForm, roles: Roles, kept: np.ndarray | None = None) -> SquadRules:
    """Return the common rules of a standard form; the rows of players in `kept` must be in the squad."""
    men, role, position = roles.player, roles.role, form.pool.position[roles.player]
    here = [(position == place).astype(float) for place in range(len(form.pool.shape))]
    slots = [(role == FIRST_SLOT + slot).astype(float) for slot in range(len(form.bench_outfield))]
    behind = [(after - before) * form.linear[men] for before, after in pairwise(slots)]
    must = np.empty(0, dtype=np.int64) if kept is None else np.asarray(kept)
    limited = bool(np.isfinite(form.free) and form.current.size)
    table = [
        (form.pool.price[men], form.pool.purse, False, np.inf),
        *((place, float(count), True, np.inf) for place, count in zip(here, form.pool.shape, strict=True)),
        *((place * (role <= LEADS), 0.0, True, np.inf) for place in here),
        ((role == LEADS).astype(float), 1.0, True, np.inf),
        *((slot, 1.0, True, np.inf) for slot in slots),
        *((pair, 0.0, False, np.inf) for pair in behind),
        *([(form.newcomer[men], form.free, False, form.hit)] if limited else []),
        *([(np.isin(men, must).astype(float), float(must.size), True, np.inf)] if must.size else []),
        *_limits(form.pool, men),
    ]
    use, limit, equal, dearest = zip(*table, strict=True)
    teams, team = np.unique(form.pool.team[men], return_inverse=True)
    formations = np.zeros((len(form.lineups), len(table)))
    formations[:, 1 + len(here) : 1 + 2 * len(here)] = -np.array(form.lineups)
    return SquadRules(
        use=np.column_stack(use),
        limit=np.array(limit),
        equal=np.array(equal),
        dearest=np.array(dearest),
        formations=formations,
        team=team,
        caps=np.minimum(form.pool.caps, form.pool.size)[teams],
    )
