"""Can the demands on a squad hold together? The solver's answer, and where it is no, which of them conflict."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from data.domain import POSITIONS
from data.errors import InfeasibleError, InputError, ModelError
from engine.legality import TENTH, Pool

SECONDS = 10.0
"""The solver's time for one answer; the full pool of a World Cup takes a tenth of a second."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Demands:
    """What a manager asks of any squad, by player rows."""

    must: tuple[int, ...] = ()
    never: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        both = sorted(set(self.must) & set(self.never))
        if both:
            raise InputError(f"Player {both[0]} is asked for and ruled out at once. Take him off one of the lists.")

    def met(self, squad: np.ndarray) -> bool:
        """Return whether a squad has all who must be in and nobody who must not."""
        return set(self.must) <= set(squad.tolist()) and not set(self.never) & set(squad.tolist())


@dataclass(frozen=True, slots=True)
class Names:
    """How players and teams are called in an error; by number where nothing is known."""

    players: Sequence[str] = ()
    teams: Sequence[str] = ()

    def player(self, row: int) -> str:
        """Return a player's name."""
        return str(self.players[row]) if len(self.players) else f"player {row}"

    def team(self, number: int) -> str:
        """Return a team's name."""
        return str(self.teams[number]) if len(self.teams) else f"team {number}"


def best_squad(
    pool: Pool, demands: Demands, score: np.ndarray | None = None, without: frozenset[str] = frozenset()
) -> np.ndarray | None:
    """Return the legal squad of the highest score (n,) that meets the demands, or None where there is none.

    Without a score any squad will do. `without` names the rules that are left aside.
    """
    import pulp  # costs half a second: only who solves pays it

    rows = np.arange(len(pool.price)) if score is not None else _cheapest(pool, demands)
    problem = pulp.LpProblem("repair", pulp.LpMaximize)
    chosen = {int(row): problem.add_variable(f"x{row}", cat="Binary") for row in rows}
    worths = np.zeros(len(pool.price)) if score is None else score
    problem += pulp.LpAffineExpression([(variable, float(worths[row])) for row, variable in chosen.items()])
    if "budget" not in without:
        cost = pulp.LpAffineExpression([(variable, float(pool.price[row])) for row, variable in chosen.items()])
        problem += cost <= pool.budget + TENTH
    for place, count in enumerate(pool.shape):
        if f"shape {place}" not in without:
            problem += pulp.lpSum(chosen[row] for row in chosen if pool.position[row] == place) == count
    for team in np.unique(pool.team[rows]).tolist():
        if f"cap {team}" not in without:
            problem += pulp.lpSum(chosen[row] for row in chosen if pool.team[row] == team) <= pool.team_cap
    for row in demands.must:
        if f"must {row}" not in without:
            problem += chosen[row] == 1
    for row in demands.never:
        if row in chosen and "never" not in without:
            problem += chosen[row] == 0
    bundled = pulp.PULP_CBC_CMD.pulp_cbc_path
    status = problem.solve(pulp.COIN_CMD(path=bundled, msg=False, timeLimit=SECONDS))
    if status == pulp.LpStatusInfeasible and problem.solutionTime < SECONDS:
        return None
    if problem.sol_status not in (pulp.LpSolutionOptimal, pulp.LpSolutionIntegerFeasible):
        raise ModelError(f"The solver found no repair in {SECONDS:g} seconds. Ask for less, or try again.")
    picked = np.array([row for row, variable in chosen.items() if (variable.varValue or 0) > 0.5], dtype=np.int64)
    return np.asarray(picked[np.lexsort((picked, pool.position[picked]))])


def _cheapest(pool: Pool, demands: Demands) -> np.ndarray:
    """Return the players that decide whether a squad exists: who must be in, and the cheapest of team and position.

    With or without the bans: so many of each team and position as a squad could hold, and as many ruled out.
    """
    keep = set(demands.must)
    for team in np.unique(pool.team):
        for place, count in enumerate(pool.shape):
            here = np.flatnonzero((pool.team == team) & (pool.position == place))
            here = here[np.argsort(pool.price[here], kind="stable")]
            free = here[~np.isin(here, [*demands.never, *demands.must])]
            keep |= {*free[:count].tolist(), *here[: count + len(demands.must)].tolist()}
    return np.array(sorted(keep), dtype=np.int64)


def conflict_error(pool: Pool, demands: Demands, names: Names) -> InfeasibleError:
    """Return the error that names a smallest set of demands that cannot hold together."""
    needed = {rule for group in smallest_conflict(pool, demands) for rule in group}
    musts = [row for row in demands.must if f"must {row}" in needed]
    told = "; ".join(_clashes(pool, demands, needed, musts, names))
    return InfeasibleError(f"No legal squad: {told}. {_way_out(demands, needed, musts, names)}")


def smallest_conflict(pool: Pool, demands: Demands) -> list[tuple[str, ...]]:
    """Return the groups of rules and demands that conflict, none of which can be spared.

    Each group is dropped when the conflict survives without it. What the manager asked for is tried first: where the
    rules alone leave no squad, no wish of his is blamed.
    """
    groups = rule_groups(pool, demands)
    without: frozenset[str] = frozenset()
    for group in groups:
        if best_squad(pool, demands, None, without | set(group)) is None:
            without |= set(group)
    return [group for group in groups if not set(group) <= without]


def rule_groups(pool: Pool, demands: Demands) -> list[tuple[str, ...]]:
    """Return everything a squad has to obey, in groups that stand or fall together."""
    caps = [f"cap {team}" for team in np.unique(pool.team).tolist()]
    locked = {f"cap {team}" for team in pool.team[list(demands.must)].tolist()}
    asked = [*((f"must {row}",) for row in dict.fromkeys(demands.must)), ("never",)]
    given = [("budget",), tuple(cap for cap in caps if cap not in locked)]
    shape = [(f"shape {place}",) for place in range(len(pool.shape))]
    return [*asked, *given, *shape, *((cap,) for cap in caps if cap in locked)]


def _clashes(pool: Pool, demands: Demands, needed: set[str], musts: list[int], names: Names) -> Iterator[str]:
    """Yield what stands against what, in words."""
    locked = f"{len(musts)} locked player{'s' * (len(musts) > 1)} ({', '.join(map(names.player, musts))})"
    if "budget" in needed:
        cost = _lowest_cost(pool, demands, needed)
        yield f"the cheapest squad{f' with {locked}' * bool(musts)} costs {cost:.1f}, the budget is {pool.budget:g}"
    elif musts:
        rules = [
            f"at most {pool.team_cap} from {names.team(int(rule[4:]))}" for rule in _named(needed, "cap ", musts, pool)
        ]
        rules += [
            f"{pool.shape[int(rule[6:])]} {POSITIONS[int(rule[6:])]}" for rule in sorted(needed) if "shape" in rule
        ]
        yield f"{locked} do not fit {' and '.join(rules)}"
    else:
        yield f"too few players for the shape of a squad with at most {pool.team_cap} per team"
    if "never" in needed:
        yield f"{len(demands.never)} players are ruled out"


def _named(needed: set[str], kind: str, musts: list[int], pool: Pool) -> list[str]:
    """Return the rules of a kind that concern the teams of locked players."""
    teams = {f"{kind}{team}" for team in pool.team[musts].tolist()}
    return sorted(needed & teams)


def _lowest_cost(pool: Pool, demands: Demands, needed: set[str]) -> float:
    """Return the price of the cheapest squad that keeps everything in the conflict but the budget."""
    kept = replace(demands, must=tuple(row for row in demands.must if f"must {row}" in needed))
    squad = best_squad(pool, kept, -pool.price, frozenset({"budget"}))
    return float(pool.price[squad].sum()) if squad is not None else float("nan")


def _way_out(demands: Demands, needed: set[str], musts: list[int], names: Names) -> str:
    """Return what to relax."""
    ways = []
    if musts:
        ways.append("unlock one of " + ", ".join(names.player(row) for row in musts))
    if "never" in needed:
        ways.append("allow one of " + ", ".join(names.player(row) for row in demands.never))
    if "budget" in needed:
        ways.append("raise the budget")
    sentence = ", or ".join(ways) or "refresh the players"
    return f"{sentence[0].upper()}{sentence[1:]}."
