"""Can the demands on a squad hold together? The solver's answer, and where it is no, which of them conflict."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np

from data.errors import InputError, SolverError
from engine.rules.explaining import smallest_clash
from engine.rules.legality import team_name
from engine.rules.pool import Pool
from engine.rules.pool_rows import BUDGET, Key, Row, RowKind, add_rows, counted, pool_rows
from engine.rules.solver import SolverProgram, least_sum, taken
from models.signals import Signals

SECONDS = 10.0
"""The solver's time for one answer; the full pool of a World Cup takes a tenth of a second."""

MANY_BANS = 24
"""Bans that are looked at one by one: two answers for each that matters, about a second in all."""

CAPTAIN, FORMATION = Key(RowKind.CAPTAIN), Key(RowKind.FORMATION)
"""The two demands on the eleven; the formation has no row of its own."""

COUNTED = (RowKind.LEAST, RowKind.MOST)
"""Kinds of the rows that rules which count have."""

Keys = tuple[Key, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Demands:
    """What a manager asks of any squad, by player rows."""

    must: tuple[int, ...] = ()
    never: tuple[int, ...] = ()
    out: tuple[int, ...] = ()  # who cannot play, so nobody buys them; but for those who are asked for
    captain: int | None = None  # he is in, and has to find a place in the eleven
    lineups: tuple[tuple[int, int, int, int], ...] = ()  # elevens he may lead; empty = any

    def __post_init__(self) -> None:
        both = sorted(set(self.must) & set(self.never))
        if both:
            raise InputError(f"Player {both[0]} is asked for and ruled out at once. Take him off one of the lists.")
        if set(self.out) & set(self.wanted):
            object.__setattr__(self, "out", tuple(man for man in self.out if man not in self.wanted))

    @property
    def wanted(self) -> tuple[int, ...]:
        """Everybody who has to be in, each once."""
        return tuple(dict.fromkeys(self.must if self.captain is None else (*self.must, self.captain)))

    @property
    def barred(self) -> tuple[int, ...]:
        """Everybody who may not come in: ruled out by the manager, or unable to play."""
        return (*self.never, *self.out)

    def allowed(self, players: int) -> np.ndarray:
        """Return (players,) bool: who is not barred."""
        return ~np.isin(np.arange(players), self.barred)

    def met(self, squad: np.ndarray) -> bool:
        """Return whether a squad has all who must be in and nobody who must not."""
        return set(self.wanted) <= set(squad.tolist()) and not set(self.barred) & set(squad.tolist())

    def captain_starts(self, pool: Pool) -> bool:
        """Return whether some eleven has a place for the captain."""
        if self.captain is None or not self.lineups:
            return True
        return any(lineup[int(pool.position[self.captain])] for lineup in self.lineups)

    def rows(self) -> Iterator[Row]:
        """Yield what is asked, one row each; who is captain need not be asked for twice."""
        for man in dict.fromkeys(self.must):
            if man != self.captain:
                yield counted(Key(RowKind.MUST, man), np.array([man]), low=1)
        for man in dict.fromkeys(self.never):
            yield counted(Key(RowKind.NEVER, man), np.array([man]), high=0)
        if self.out:
            yield counted(Key(RowKind.OUT), np.array(self.out), high=0)
        if self.captain is not None:
            yield counted(CAPTAIN, np.array([self.captain]), low=1)


NO_DEMANDS = Demands()


@dataclass(frozen=True, slots=True)
class Names:
    """How players and teams are called in an error; by number where nothing is known."""

    players: Sequence[str] = ()
    teams: Sequence[str] = ()

    @classmethod
    def of(cls, signals: Signals) -> Names:
        """Return the names of a round."""
        return cls(tuple(map(str, signals.name)), tuple(map(str, signals.teams.strengths.codes)))

    def player(self, row: int) -> str:
        """Return a player's name."""
        return str(self.players[row]) if len(self.players) else f"player {row}"

    def team(self, number: int) -> str:
        """Return a team's name."""
        return team_name(self.teams, number)


def best_squad(pool: Pool, demands: Demands, score: np.ndarray) -> np.ndarray | None:
    """Return the legal squad of the highest score (n,) that meets the demands, or None where there is none."""
    program = SolverProgram()
    chosen = program.flags(f"x{man}" for man in range(len(pool.price)))
    program.maximise(zip(chosen, score.tolist(), strict=True))
    add_rows(program, dict(enumerate(chosen)), chain(pool_rows(pool), demands.rows()))
    answer = program.solve(SECONDS)
    if answer.impossible:
        return None
    if not answer.found:
        raise SolverError(f"The solver found no repair in {SECONDS:g} seconds. Ask for less, or try again.")
    return pool.by_position(taken(chosen))


class Request:
    """Rules and demands together, as rows that can be left aside; solved in this process, some hundredths of a second.

    It asks only whether a squad exists and how far a row can go, so of those who are alike but for their price the
    cheapest do: as many of each team and position, in the squad one has or not, as a squad could hold.
    """

    def __init__(self, pool: Pool, demands: Demands) -> None:
        self.pool, self.demands = pool, demands
        self.rows = {row.key: row for row in chain(pool_rows(pool), demands.rows())}
        self._players = _cheapest(pool, demands)
        column = np.full(len(pool.price), -1)
        column[self._players] = np.arange(len(self._players))
        self._factors = {key: self._along(row, column) for key, row in self.rows.items()}

    def is_wish(self, key: Key) -> bool:
        """Return whether a row is the manager's own, not the game's."""
        return (
            self.pool.rules[key.rule].wish
            if key.kind in COUNTED
            else key.kind not in (RowKind.BUDGET, RowKind.SHAPE, RowKind.OUT)
        )

    def concerns(self, key: Key, men: Sequence[int], others: Iterable[Key]) -> bool:
        """Return whether a row's group is that of some men, or one that other rows are about."""
        rules = self.pool.rules
        mates = (rules[one.rule] for one in others if one.number == key.number)
        return key.number in rules[key.rule].group[list(men)] or any(rules[key.rule].counts_as(one) for one in mates)

    def _along(self, row: Row, column: np.ndarray) -> np.ndarray:
        factors, place = np.zeros(len(self._players)), column[row.players]
        factors[place[place >= 0]] = row.factor[place >= 0]
        return factors

    def holds(self, keys: Collection[Key]) -> bool:
        """Return whether some set of players keeps all rows of these keys."""
        return self._solved(keys, np.zeros(len(self._players))) is not None

    def reach(self, key: Key, keys: Collection[Key]) -> float | None:
        """Return the least a row comes to, or the most where it asks for more, under these keys; None without a squad.

        The row itself is left aside.
        """
        sign = 1.0 if self.rows[key].high < np.inf else -1.0
        found = self._solved([other for other in keys if other != key], sign * self._factors[key])
        return None if found is None else sign * found

    def _solved(self, keys: Collection[Key], cost: np.ndarray) -> float | None:
        rows = [self.rows[key] for key in keys if key in self.rows]
        if not rows:
            return float(np.minimum(cost, 0.0).sum())
        table = np.stack([self._factors[row.key] for row in rows])
        return least_sum(cost, table, [row.low for row in rows], [row.high for row in rows], SECONDS)


def _cheapest(pool: Pool, demands: Demands) -> np.ndarray:
    """Return the players that decide whether a squad exists: who is asked about, and the cheapest of each kind."""
    named = [*demands.wanted, *demands.never]
    free = np.setdiff1d(np.arange(len(pool.price)), [*named, *demands.out])
    alike = np.stack([pool.position, *(rule.group for rule in pool.counted)])
    order = free[np.lexsort((pool.price[free], *alike[:, free]))]
    begins = np.append(True, (np.diff(alike[:, order], axis=1) != 0).any(axis=0))[: len(order)]
    first = np.flatnonzero(begins)[np.cumsum(begins) - 1]
    place = np.arange(len(order)) - first
    return np.union1d(order[place < np.array(pool.shape)[pool.position[order]]], named).astype(np.int64)


def possible(pool: Pool, demands: Demands) -> bool:
    """Return whether any legal squad meets the demands."""
    request = Request(pool, demands)
    return demands.captain_starts(pool) and request.holds(list(request.rows))


def smallest_conflict(request: Request) -> list[Keys]:
    """Return groups of rules and demands that conflict, none of which can be spared.

    The rules come first: where they alone leave no squad, no wish of the manager's is blamed. A long list of bans is
    first taken position by position; where few positions matter, man by man.
    """
    if not request.demands.captain_starts(request.pool):
        return [(CAPTAIN,), (FORMATION,)]
    found = _clash(request, rule_groups(request))
    crowds = [group for group in found if group[0].kind is RowKind.NEVER and len(group) > 1]
    if not crowds or sum(map(len, crowds)) > MANY_BANS:
        return found
    others = [group for group in found if group not in crowds]
    return _clash(request, [*others, *((key,) for group in crowds for key in group)])


def _clash(request: Request, groups: list[Keys]) -> list[Keys]:
    return smallest_clash(lambda held: request.holds([key for group in held for key in group]), groups)


def rule_groups(request: Request) -> list[Keys]:
    """Return everything a squad has to obey, in groups that stand or fall together; the rules first."""
    wishes = [key for key in request.rows if request.is_wish(key) and key.kind is not RowKind.NEVER]
    shape = [key for key in request.rows if key.kind is RowKind.SHAPE]
    limits = [key for key in request.rows if key.kind in COUNTED and key not in wishes]
    wished = [key for key in wishes if key.kind in COUNTED]
    apart = [key for key in limits if request.concerns(key, request.demands.wanted, wished)]
    together = tuple(key for key in limits if key not in apart)
    return [
        *((key,) for key in (*apart, *shape)),
        *([together] if together else []),
        (BUDGET,),
        *((key,) for key in wishes),
        *_bans(request),
    ]


def _bans(request: Request) -> Iterator[Keys]:
    """Yield the bans one by one, or by position where they are many."""
    bans = [key for key in request.rows if key.kind is RowKind.NEVER]
    if len(bans) <= MANY_BANS:
        yield from ((key,) for key in bans)
        return
    for place in range(len(request.pool.shape)):
        here = tuple(key for key in bans if request.pool.position[key.number] == place)
        if here:
            yield here
