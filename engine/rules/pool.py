"""The pool: all players a squad is made of, and the rules besides: money, shape, and whatever counts.

A new kind of rule is a function here that makes a `CountRule` of a pool. Legality, repair, every move of a search, the
rows of a solver and the words of an error follow from it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np

from data.errors import InputError
from data.rules import GameRules
from engine.rules.count_rules import ANY, CountRule, Wording, merged
from engine.rules.money import SLACK
from models.signals import Signals

FROM_TEAM = "{n} from {team}"
CAP_WORDS = Wording("the team cap", FROM_TEAM, FROM_TEAM, "{n} per team")
LIMIT_WORDS = Wording("your wishes", FROM_TEAM, FROM_TEAM)
CHANGE_WORDS = Wording("your wishes", "{n} change{s}", "{n} new players")


@dataclass(frozen=True, slots=True)
class TeamLimit:
    """How many players of a team a manager wants: at least, and at most where he says so."""

    team: int  # number of the team
    least: int = 0
    most: int | None = None

    def __post_init__(self) -> None:
        if self.least < 0 or (self.most is not None and self.most < self.least):
            raise InputError(
                f"From {self.least} to {self.most} players of a team is no range; give 0 or more, in order."
            )


@dataclass(frozen=True, slots=True, eq=False)
class Pool:
    """What legality depends on: row i of every array is player i."""

    price: np.ndarray  # (n,) millions
    team: np.ndarray  # (n,) number of the team
    position: np.ndarray  # (n,) 0 GK … 3 FWD
    budget: float
    team_cap: int
    shape: tuple[int, int, int, int]
    limits: tuple[TeamLimit, ...] = ()  # a manager's own, within the cap
    current: tuple[int, ...] = ()  # the squad he starts from, where changes are limited
    most_changes: int | None = None  # from it
    rules: tuple[CountRule, ...] = field(init=False, repr=False)  # one of each kind that applies, the team cap first
    counted: tuple[CountRule, ...] = field(init=False, repr=False)  # the same, those of the same groups as one

    def __post_init__(self) -> None:
        rules = [rule for kind in KINDS if (rule := kind(self)) is not None]
        object.__setattr__(self, "rules", tuple(rules))
        object.__setattr__(self, "counted", merged(rules))

    @property
    def caps(self) -> np.ndarray:
        """(t,) players of each team at most."""
        return self.counted[0].most[:-1]

    @property
    def floors(self) -> np.ndarray:
        """(t,) players of each team at least."""
        return self.counted[0].least[:-1]

    @property
    def purse(self) -> float:
        """Millions that a solver's sum of prices may come to."""
        return self.budget + SLACK

    @property
    def size(self) -> int:
        """Players in a squad."""
        return sum(self.shape)

    @property
    def place_of(self) -> np.ndarray:
        """(size,) the position each column of an ordered squad is for."""
        return np.repeat(np.arange(len(self.shape)), self.shape)

    @property
    def men(self) -> list[np.ndarray]:
        """The player rows of each position."""
        return [np.flatnonzero(self.position == place) for place in range(len(self.shape))]

    def by_position(self, squads: np.ndarray) -> np.ndarray:
        """Return squads (…, k) with the men of each position ordered by player row."""
        return np.take_along_axis(squads, np.lexsort((squads, self.position[squads]), axis=-1), axis=-1)

    def only(self, men: np.ndarray) -> Pool:
        """Return the pool of some players alone: row i is that of `men[i]`."""
        columns = {name: getattr(self, name)[men] for name in ("price", "team", "position")}
        return replace(self, **columns, current=tuple(np.flatnonzero(np.isin(men, self.current)).tolist()))


def team_cap(pool: Pool) -> CountRule:
    """At most so many players of any team; who changes nothing keeps those whom a real transfer brought together."""
    teams = _teams(pool)
    most = np.full(teams, pool.team_cap)
    if pool.most_changes == 0:
        most = np.maximum(most, np.bincount(pool.team[list(pool.current)], minlength=teams))
    return CountRule.of(CAP_WORDS, pool.team, [0] * teams, most.tolist())


def own_limits(pool: Pool) -> CountRule | None:
    """The tightest of the manager's limits on each team."""
    if not pool.limits:
        return None
    least, most = [0] * _teams(pool), [ANY] * _teams(pool)
    for limit in pool.limits:
        least[limit.team] = max(least[limit.team], limit.least)
        most[limit.team] = min(most[limit.team], ANY if limit.most is None else limit.most)
    return CountRule.of(LIMIT_WORDS, pool.team, least, most, wish=True)


def few_changes(pool: Pool) -> CountRule | None:
    """At most so many changes from the squad one starts from."""
    if pool.most_changes is None:
        return None
    new = np.zeros(len(pool.price), dtype=np.int64)
    new[list(pool.current)] = -1
    return CountRule.of(CHANGE_WORDS, new, [0], [pool.most_changes], wish=True)


KINDS: tuple[Callable[[Pool], CountRule | None], ...] = (team_cap, own_limits, few_changes)
"""Every kind of rule that counts; the team cap comes first."""


def _teams(pool: Pool) -> int:
    """Return one more than the highest number of a team; a limit may be on one without players."""
    return 1 + max(int(pool.team.max()), *(limit.team for limit in pool.limits), 0)


def pool_of(signals: Signals, *, budget: float | None = None) -> Pool:
    """Return the pool of a round under its stage's rules; a manager's own budget may replace the stage's."""
    rules: GameRules = signals.rules
    stage = rules.stage(signals.round)
    return Pool(
        price=signals.price,
        team=signals.team,
        position=signals.position,
        budget=stage.budget if budget is None else budget,
        team_cap=stage.team_cap,
        shape=rules.squad.places,
    )


def wished(
    pool: Pool, *, limits: tuple[TeamLimit, ...] = (), current: tuple[int, ...] = (), most_changes: int | None = None
) -> Pool:
    """Return the pool with a manager's own limits on teams and changes added to the rules."""
    if most_changes is not None and most_changes < 0:
        raise InputError(f"At most {most_changes} changes make no sense; 0 is the least.")
    if most_changes is not None and not current:
        raise InputError(
            f"At most {most_changes} changes were asked for, but no squad to change. Give the one you have."
        )
    return replace(pool, limits=limits, current=current, most_changes=most_changes)
