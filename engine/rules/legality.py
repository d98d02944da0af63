"""Is a squad legal? Budget, team cap, shape and no player twice, for many squads at once; a manager's limits too."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from data.domain import POSITIONS
from data.errors import InputError
from data.rules import GameRules
from models.signals import Signals

TENTH = 1e-6  # prices are whole tenths; sums of floats are compared with this slack


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

    @property
    def _teams(self) -> int:
        """One more than the highest number of a team; a limit may be on one without players."""
        return 1 + max(int(self.team.max()), *(limit.team for limit in self.limits), 0)

    @property
    def caps(self) -> np.ndarray:
        """(t,) players of each team at most."""
        caps = np.full(self._teams, self.team_cap)
        for limit in self.limits:
            if limit.most is not None:
                caps[limit.team] = min(limit.most, caps[limit.team])
        return caps

    @property
    def floors(self) -> np.ndarray:
        """(t,) players of each team at least."""
        floors = np.zeros(self._teams, dtype=np.int64)
        for limit in self.limits:
            floors[limit.team] = max(limit.least, floors[limit.team])
        return floors

    @property
    def newcomer(self) -> np.ndarray:
        """(n,) bool: who would be a change from the squad one starts from; nobody where changes are free."""
        new = np.full(len(self.price), self.most_changes is not None)
        if self.most_changes is not None:
            new[list(self.current)] = False
        return new

    @property
    def size(self) -> int:
        """Players in a squad."""
        return sum(self.shape)

    def by_position(self, squads: np.ndarray) -> np.ndarray:
        """Return squads (…, k) with the men of each position ordered by player row."""
        return np.take_along_axis(squads, np.lexsort((squads, self.position[squads]), axis=-1), axis=-1)

    @property
    def place_of(self) -> np.ndarray:
        """(size,) the position each column of an ordered squad is for."""
        return np.repeat(np.arange(len(self.shape)), self.shape)


def pool_of(signals: Signals, *, budget: float | None = None) -> Pool:
    """Return the pool of a round under its stage's rules; a manager's own budget may replace the stage's."""
    rules: GameRules = signals.rules
    stage = rules.stage(signals.round)
    gk, defence, mid, fwd = (rules.squad.shape[position] for position in POSITIONS)  # type: ignore[index]
    return Pool(
        price=signals.price,
        team=signals.team,
        position=signals.position,
        budget=stage.budget if budget is None else budget,
        team_cap=stage.team_cap,
        shape=(gk, defence, mid, fwd),
    )


def legal(squads: np.ndarray, pool: Pool) -> np.ndarray:
    """Return (p,) whether each squad (p, k) of player rows obeys all rules."""
    fits = within_budget(squads, pool) & within_caps(squads, pool)
    if pool.limits:
        fits &= within_limits(squads, pool)
    if pool.most_changes is not None:
        fits &= pool.newcomer[squads].sum(axis=1) <= pool.most_changes
    return np.asarray(fits & has_shape(squads, pool) & all_different(squads))


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


def broken_rules(squad: np.ndarray, pool: Pool, teams: Sequence[str]) -> tuple[str, ...]:
    """Return in words which rules one squad breaks; `teams` are the names by number."""
    said = []
    cost = float(pool.price[squad].sum())
    if cost > pool.budget + TENTH:
        said.append(f"it costs {cost:.1f}, {pool.budget:g} is allowed")
    numbers, counts = np.unique(pool.team[squad], return_counts=True)
    said += [
        f"{count} from {teams[team]}, {pool.team_cap} are allowed"
        for team, count in zip(numbers, counts, strict=True)
        if count > pool.team_cap
    ]
    said += _beyond_limits(squad, pool, teams)
    if not has_shape(squad[None, :], pool)[0]:
        said.append("a position has too many or too few players")
    if not all_different(squad[None, :])[0]:
        said.append("a player stands in it twice")
    return tuple(said)


def _beyond_limits(squad: np.ndarray, pool: Pool, teams: Sequence[str]) -> Iterator[str]:
    """Yield in words where a squad breaks the manager's own limits."""
    for limit in pool.limits:
        count = int((pool.team[squad] == limit.team).sum())
        if count < limit.least:
            yield f"{count} from {teams[limit.team]}, you want at least {limit.least}"
        if limit.most is not None and count > limit.most:
            yield f"{count} from {teams[limit.team]}, you want at most {limit.most}"
    changes = int(pool.newcomer[squad].sum())
    if pool.most_changes is not None and changes > pool.most_changes:
        yield f"{changes} new players, you want at most {pool.most_changes}"


def within_budget(squads: np.ndarray, pool: Pool) -> np.ndarray:
    """Return (p,) whether the squad can be paid for."""
    return np.asarray(pool.price[squads].sum(axis=1) <= pool.budget + TENTH)


def within_caps(squads: np.ndarray, pool: Pool) -> np.ndarray:
    """Return (p,) whether no team has more players in the squad than allowed."""
    team = np.sort(pool.team[squads], axis=1)
    cap = pool.team_cap
    return np.asarray(~(team[:, cap:] == team[:, :-cap]).any(axis=1)) if cap < squads.shape[1] else _yes(squads)


def within_limits(squads: np.ndarray, pool: Pool) -> np.ndarray:
    """Return (p,) whether the manager's own limits on teams are kept."""
    counts = (pool.team[squads][:, :, None] == np.array([limit.team for limit in pool.limits])).sum(axis=1)
    least = np.array([limit.least for limit in pool.limits])
    most = np.array([pool.size if limit.most is None else limit.most for limit in pool.limits])
    return np.asarray(((counts >= least) & (counts <= most)).all(axis=1))


def has_shape(squads: np.ndarray, pool: Pool) -> np.ndarray:
    """Return (p,) whether every position has its number of players."""
    if squads.shape[1] != pool.size:
        return ~_yes(squads)
    place = np.sort(pool.position[squads], axis=1)
    return np.asarray((place == pool.place_of).all(axis=1))


def all_different(squads: np.ndarray) -> np.ndarray:
    """Return (p,) whether no player stands twice in the squad."""
    ordered = np.sort(squads, axis=1)
    return np.asarray((ordered[:, 1:] != ordered[:, :-1]).all(axis=1))


def _yes(squads: np.ndarray) -> np.ndarray:
    return np.ones(len(squads), dtype=bool)
