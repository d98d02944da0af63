"""Says which demands conflict, by their values, and what to relax so that a squad exists again."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from data.domain import POSITIONS
from data.errors import InfeasibleError, SolverError
from engine.rules.conflicts import CAPTAIN, COUNTED, FORMATION, Demands, Names, Request, possible, smallest_conflict
from engine.rules.pool import Pool
from engine.rules.pool_rows import BUDGET, Key, RowKind

MOST_NAMED = 12
"""Players listed by name; a longer list is counted."""

FEW_TEAMS = 3
"""Teams whose limits are relaxed one by one in an error; more are listed together."""

STILL_MORE = "Other demands conflict as well."
"""Closes an error whose way out is not enough."""


def conflict_error(pool: Pool, demands: Demands, names: Names | None = None) -> InfeasibleError | SolverError:
    """Return the error that names a smallest set of demands that cannot hold together, and the ways out.

    Where all of them can, whoever said that they cannot has failed.
    """
    if possible(pool, demands):
        return SolverError("The solver found no squad where there is one. Ask again, or change one of the demands.")
    conflict = _Conflict(Request(pool, demands), names or Names())
    error = InfeasibleError(str(conflict))
    error.must, error.never = conflict.men(RowKind.MUST), conflict.men(RowKind.NEVER)
    return error


class _Conflict:
    """One smallest conflict, put into words."""

    def __init__(self, request: Request, names: Names) -> None:
        self.request, self.names, self.pool = request, names, request.pool
        self.needed = [key for group in smallest_conflict(request) for key in group]

    def __str__(self) -> str:
        ways, enough = list(self._ways(self._enough)), True
        if not ways:
            ways = list(self._ways(list))
            enough = not ways
        said = ", or ".join(ways) or "refresh the players"
        return f"No legal squad: {self._clash()}. {said[0].upper()}{said[1:]}.{'' if enough else ' ' + STILL_MORE}"

    def men(self, kind: RowKind) -> tuple[int, ...]:
        """Return the players whom the needed rows of a kind concern."""
        return tuple(key.number for key in self._of(kind))

    def _of(self, *kinds: RowKind) -> list[Key]:
        """Return the needed rows of some kinds."""
        return [key for key in self.needed if key.kind in kinds]

    def _enough(self, keys: Sequence[Key]) -> list[Key]:
        """Return those of some demands of one kind without which a squad exists, all others met."""
        if len(keys) > MOST_NAMED:  # alike as a rule: the first stands for all
            return list(keys) if self._enough(keys[:1]) else []
        rows = self.request.rows
        return [key for key in keys if key not in rows or self.request.holds([one for one in rows if one != key])]

    def _reach(self, key: Key) -> float:
        """Return how far a row can go while everything else holds; where that conflicts too, all that is named."""
        found = self.request.reach(key, list(self.request.rows))
        return float(self.request.reach(key, self.needed) or 0.0) if found is None else found

    def _clash(self) -> str:
        """Return what stands against what."""
        wishes, rules, demands = list(self._wishes()), list(self._rules()), self.request.demands
        if FORMATION in self.needed:
            place = POSITIONS[self.pool.position[demands.captain]]
            return f"{self._captain} is a {place}, and {_formations(demands)} has none"
        if BUDGET in self.needed:
            with_them = f" with {_listed(wishes)}" if wishes else ""
            return f"the cheapest squad{with_them} costs {self._cost():.1f}, the budget is {self.pool.budget:g}"
        if not wishes:
            return f"too few players for {_listed(rules)}"
        if not rules:
            return f"{_listed(wishes)} do not fit together"
        plural = len(wishes) > 1 or "players " in wishes[0]
        return f"{_listed(wishes)} {'do' if plural else 'does'} not fit {_listed(rules)}"

    def _cost(self) -> float:
        """Return the price of the cheapest squad under the rules and the wishes that are named."""
        rules = [key for key in self.request.rows if key != BUDGET and not self.request.is_wish(key)]
        return self.request.reach(BUDGET, [*rules, *self.needed]) or 0.0

    def _wishes(self) -> Iterator[str]:
        """Yield what the manager asked for that is part of it."""
        musts, bans = self.men(RowKind.MUST), self.men(RowKind.NEVER)
        if musts:
            yield f"{_count(len(musts), 'locked player')} ({self._players(musts)})"
        if CAPTAIN in self.needed:
            yield self._captain
        if bans:
            yield f"{_count(len(bans), 'player')} ruled out ({self._players(bans)})"
        yield from (self._limit(key) for kind in COUNTED for key in self._of(kind) if self.request.is_wish(key))

    def _limit(self, key: Key, *, of_each: bool = False) -> str:
        """Return a limit of a rule that counts: of one group, or of each."""
        rule, at_least = self.pool.rules[key.rule], key.kind is RowKind.LEAST
        limit = int((rule.least if at_least else rule.most)[key.number])
        said = rule.words.said(rule.words.each, limit) if of_each else self._counted(key, limit)
        return f"at {'least' if at_least else 'most'} {said}"

    def _counted(self, key: Key, n: int | str, *others: Key) -> str:
        """Return a number of players of a row's group, or of one of several."""
        words, teams = self.pool.rules[key.rule].words, [self.names.team(one.number) for one in (key, *others)]
        return words.said(words.asked, n, f"one of {', '.join(teams)}" if others else teams[0])

    def _rules(self) -> Iterator[str]:
        """Yield the rules that are part of it."""
        limits, places = [key for key in self._of(*COUNTED) if not self.request.is_wish(key)], self._of(RowKind.SHAPE)
        captain = self.request.demands.captain
        men = [*self.men(RowKind.MUST), *([captain] if captain is not None and CAPTAIN in self.needed else [])]
        named = [key for key in limits if self.request.concerns(key, men, self._of(RowKind.LEAST))]
        yield from (self._limit(key) for key in named)
        yield from dict.fromkeys(self._limit(key, of_each=True) for key in limits if key not in named)
        if len(places) == len(self.pool.shape):
            yield f"a squad of {self.pool.size}"
        else:
            yield from (f"{self.pool.shape[key.number]} {POSITIONS[key.number]}" for key in places)

    def _ways(self, chosen: Callable[[Sequence[Key]], list[Key]]) -> Iterator[str]:
        """Yield what to relax, with the value that suffices; `chosen` says which demands of a kind are worth it."""
        for kind, verb in ((RowKind.MUST, "unlock"), (RowKind.NEVER, "allow")):
            men = [key.number for key in chosen(self._of(kind))]
            if men:
                yield f"{verb} {'one of ' * (len(men) > 1)}{self._players(men)}"
        if chosen(self._of(RowKind.CAPTAIN)):
            yield f"choose another captain than {self._captain.removeprefix('captain ')}"
        if FORMATION in self.needed:
            yield "another formation"
        for kind, verb in ((RowKind.LEAST, "ask for"), (RowKind.MOST, "allow")):
            wishes = [key for key in self._of(kind) if self.request.is_wish(key)]
            for rule in dict.fromkeys(key.rule for key in wishes):
                yield from self._relaxed(chosen([key for key in wishes if key.rule == rule]), verb)
        if chosen(self._of(RowKind.BUDGET)):
            yield f"raise the budget by {self._reach(BUDGET) - self.pool.budget:.1f}"

    def _relaxed(self, limits: Sequence[Key], verb: str) -> Iterator[str]:
        """Yield how limits of one rule could be relaxed, one by one where they are few."""
        if len(limits) > FEW_TEAMS:
            yield f"{verb} {self._counted(limits[0], 'fewer' if verb == 'ask for' else 'more', *limits[1:])}"
            return
        yield from (f"{verb} {self._counted(key, round(self._reach(key)) or 'none')}" for key in limits)

    @property
    def _captain(self) -> str:
        return f"captain {self._players([self.request.demands.captain or 0])}"

    def _players(self, rows: Sequence[int]) -> str:
        said = [self.names.player(row) for row in rows[:MOST_NAMED]]
        return ", ".join(said) + (f" and {len(rows) - MOST_NAMED} more" if len(rows) > MOST_NAMED else "")


def _formations(demands: Demands) -> str:
    return " or ".join("-".join(map(str, lineup[1:])) for lineup in demands.lineups)


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'s' * (number != 1)}"


def _listed(parts: Sequence[str]) -> str:
    """Return "a", "a and b", "a, b and c"."""
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
