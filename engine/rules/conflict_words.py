"""Says which demands conflict, by their values, and what to relax so that a squad exists again."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from data.domain import POSITIONS
from data.errors import InfeasibleError
from engine.rules.conflicts import CAPTAIN, FORMATION, Demands, Names, Request, smallest_conflict
from engine.rules.legality import Pool

MOST_NAMED = 12
"""Players listed by name; a longer list is counted."""

FEW_TEAMS = 3
"""Teams whose limits are relaxed one by one in an error; more are listed together."""

STILL_MORE = "Other demands conflict as well."
"""Closes an error whose way out is not enough."""


def conflict_error(pool: Pool, demands: Demands, names: Names | None = None) -> InfeasibleError:
    """Return the error that names a smallest set of demands that cannot hold together, and the ways out."""
    found = _Conflict(Request(pool, demands), names or Names())
    error = InfeasibleError(str(found))
    error.must, error.never = tuple(found._of("must")), tuple(found._of("never"))
    return error


class _Conflict:
    """One smallest conflict, put into words."""

    def __init__(self, request: Request, names: Names) -> None:
        self.request, self.names, self.pool = request, names, request.pool
        self.needed = [name for group in smallest_conflict(request) for name in group]

    def __str__(self) -> str:
        ways, enough = list(self._ways(self._enough)), True
        if not ways:
            ways = list(self._ways(lambda names: list(names)))
            enough = not ways
        said = ", or ".join(ways) or "refresh the players"
        return f"No legal squad: {self._clash()}. {said[0].upper()}{said[1:]}.{'' if enough else ' ' + STILL_MORE}"

    def _of(self, kind: str) -> list[int]:
        """Return the numbers that the needed rows of a kind concern."""
        return [int(name.split()[1]) for name in self.needed if name.startswith(f"{kind} ")]

    def _enough(self, names: Sequence[str]) -> list[str]:
        """Return those of some demands of one kind without which a squad exists, all others met."""
        if len(names) > MOST_NAMED:  # alike as a rule: the first stands for all
            return list(names) if self._enough(names[:1]) else []
        rows = self.request.rows
        return [name for name in names if name not in rows or self.request.holds([n for n in rows if n != name])]

    def _reach(self, name: str) -> float:
        """Return how far a row can go while everything else holds; where that conflicts too, all that is named."""
        found = self.request.reach(name, list(self.request.rows))
        return float(self.request.reach(name, self.needed) or 0.0) if found is None else found

    def _clash(self) -> str:
        """Return what stands against what."""
        wishes, rules, demands = list(self._wishes()), list(self._rules()), self.request.demands
        if FORMATION in self.needed:
            place = POSITIONS[self.pool.position[demands.captain]]
            return f"{self._captain} is a {place}, and {_formations(demands)} has none"
        if "budget" in self.needed:
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
        rules = [name for name in self.request.rows if name.startswith(("cap ", "shape "))]
        return self.request.reach("budget", [*rules, *self.needed]) or 0.0

    def _wishes(self) -> Iterator[str]:
        """Yield what the manager asked for that is part of it."""
        musts, bans = self._of("must"), self._of("never")
        if musts:
            yield f"{_count(len(musts), 'locked player')} ({self._players(musts)})"
        if CAPTAIN in self.needed:
            yield self._captain
        if bans:
            yield f"{_count(len(bans), 'player')} ruled out ({self._players(bans)})"
        for team in self._of("least"):
            yield f"at least {self.pool.floors[team]} from {self.names.team(team)}"
        for team in self._of("most"):
            yield f"at most {self.request.rows[f'most {team}'].high:g} from {self.names.team(team)}"
        if "changes" in self.needed:
            yield f"at most {_count(self.pool.most_changes or 0, 'change')}"

    def _rules(self) -> Iterator[str]:
        """Yield the rules that are part of it."""
        caps, places = self._of("cap"), self._of("shape")
        captain = self.request.demands.captain
        men = [*self._of("must"), *([captain] if captain is not None and CAPTAIN in self.needed else [])]
        concerned = {*self.pool.team[men].tolist(), *self._of("least")}
        for team in [team for team in caps if team in concerned]:
            yield f"at most {self.pool.team_cap} from {self.names.team(team)}"
        if set(caps) - concerned:
            yield f"at most {self.pool.team_cap} per team"
        if len(places) == len(self.pool.shape):
            yield f"a squad of {self.pool.size}"
        else:
            yield from (f"{self.pool.shape[place]} {POSITIONS[place]}" for place in places)

    def _ways(self, chosen: Callable[[Sequence[str]], list[str]]) -> Iterator[str]:
        """Yield what to relax, with the value that suffices; `chosen` says which demands of a kind are worth it."""
        for kind, verb in (("must", "unlock"), ("never", "allow")):
            men = [int(name.split()[1]) for name in chosen([n for n in self.needed if n.startswith(f"{kind} ")])]
            if men:
                yield f"{verb} {'one of ' * (len(men) > 1)}{self._players(men)}"
        if chosen([name for name in self.needed if name == CAPTAIN]):
            yield f"choose another captain than {self._captain.removeprefix('captain ')}"
        if FORMATION in self.needed:
            yield "another formation"
        for kind, verb in (("least", "ask for"), ("most", "allow")):
            yield from self._teams(chosen([n for n in self.needed if n.startswith(f"{kind} ")]), verb)
        if chosen([name for name in self.needed if name == "changes"]):
            yield f"allow {_count(round(self._reach('changes')), 'change')}"
        if chosen([name for name in self.needed if name == "budget"]):
            yield f"raise the budget by {self._reach('budget') - self.pool.budget:.1f}"

    def _teams(self, limits: Sequence[str], verb: str) -> Iterator[str]:
        """Yield how limits on teams could be relaxed, one by one where they are few."""
        teams = [self.names.team(int(name.split()[1])) for name in limits]
        if len(limits) > FEW_TEAMS:
            yield f"{verb} {'fewer' if verb == 'ask for' else 'more'} from one of {', '.join(teams)}"
            return
        for name, team in zip(limits, teams, strict=True):
            yield f"{verb} {round(self._reach(name)) or 'none'} from {team}"

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
