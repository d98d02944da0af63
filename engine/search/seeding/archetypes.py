"""The seeds of the search: six convictions about what wins, each as the best legal squad that believes in it.

Each conviction is a linear value by role, and PuLP finds its best squad; that of the objective's own linear part is the
seventh. Most players cannot matter: whoever is beaten in every respect, price included, by so many others of his
position that one of them is always free to replace him. Without those, two thirds of the World Cup's, the optimum is
the same and takes less than half the time: about a second for all seven.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import partial
from itertools import chain

import numpy as np

from data.errors import SolverError
from engine.fitness.reference import CHEAPEST_BENCH
from engine.fitness.squad_scoring import carry_weight
from engine.fitness.squad_view import DISCOUNT, SquadView
from engine.jobs import Shared
from engine.rules.conflict_words import conflict_error
from engine.rules.conflicts import Demands, Names
from engine.rules.dominance import Market
from engine.rules.exact import LinearValues, RoleVariables
from engine.rules.pool import Pool
from engine.rules.pool_rows import pool_rows
from engine.rules.solved_before import bundled_squads, problem_key
from engine.rules.solver import SolverProgram

SECONDS = 5.0
"""Time for one squad; in the World Cup each takes about 0.15."""

COVER_BELIEF = 1.0  # points for each point of template exposure at its ceiling, as under protect at its strongest
DARE_BELIEF = 0.3  # points for each point of a differential's ceiling: three times the strongest gain
PROGRESS_BELIEF = 0.7  # weight of all later rounds: twice that of the early knock-outs
FIXTURE_BELIEF = 3.0  # points for each point that this round's matches are better than typical ones
RUNG_BELIEF = 2.0  # points for each point that an armband candidate may bring at his kick-off
KEPT_SQUADS = 256


class SolvedSquads(Shared[np.ndarray]):
    """Squads that were solved before, by all that the solver was told: in this process, or for the bundled worlds."""

    def __init__(self, most: int = KEPT_SQUADS) -> None:
        super().__init__(most)

    def of(self, key: str, make: Callable[[], np.ndarray]) -> np.ndarray:
        """Return the squad of a problem, solved now where it is not known."""
        known = bundled_squads().get(key)
        return super().of(key, make) if known is None else known


@dataclass(frozen=True, slots=True, eq=False)
class Conviction:
    """What a believer thinks each player is worth by role; with slots, one armband value counts for each of them."""

    values: LinearValues
    slot: np.ndarray | None = None  # (n,) kick-off slot; None for one captain in all


def archetype_squads(
    view: SquadView,
    *,
    demands: Demands | None = None,
    cache: SolvedSquads | None = None,
    each: Callable[..., Iterable[np.ndarray]] = map,
) -> np.ndarray:
    """Return (7, s) the squads of `ARCHETYPES`, each complete and legal, rows by position.

    Transfers are priced in where the view starts from a squad. `each` is how the seven are gone through, by default
    one after the other.
    """
    known = cache if cache is not None else SolvedSquads()
    problems = archetype_problems(view, demands or Demands())
    return np.stack(list(each(lambda problem: known.of(problem.key, partial(problem.solve, SECONDS)), problems)))


def archetype_problems(view: SquadView, demands: Demands) -> list[SquadProblem]:
    """Return what the solver is asked for each of `ARCHETYPES`."""
    return [SquadProblem.of(view, believe(view), demands) for believe in ARCHETYPES.values()]


def template_anchor(view: SquadView) -> Conviction:
    """Believe in what the field owns: missing a popular man who hauls is what costs rank."""
    exposure, signals = view.field_exposure, view.signals
    return _held_captain(view, COVER_BELIEF * exposure.template * exposure.eo * signals.ceiling)


def differential_hunter(view: SquadView) -> Conviction:
    """Believe in ceilings that the field does not own."""
    exposure, signals = view.field_exposure, view.signals
    return _held_captain(view, DARE_BELIEF * exposure.differential * signals.ceiling * (1 - exposure.eo))


def progression_theorist(view: SquadView) -> Conviction:
    """Believe in teams that go far, to the very end: a free rebuild on the way does not shake him."""
    signals = view.signals
    later = [column for column, number in enumerate(signals.rounds) if number > signals.round]
    discount = DISCOUNT ** np.arange(1, len(later) + 1)
    return _held_captain(view, PROGRESS_BELIEF * signals.typical_xev * (signals.plays[:, later] * discount).sum(axis=1))


def fixture_exploiter(view: SquadView) -> Conviction:
    """Believe in this round's matches: weak opponents, and two matches where a league has them."""
    return _held_captain(view, FIXTURE_BELIEF * (view.signals.xev - view.signals.typical_xev))


def ev_maximiser(view: SquadView) -> Conviction:
    """Believe in expected points and nothing else."""
    return _held_captain(view, np.zeros(len(view.signals)))


def matchday_mechanic(view: SquadView) -> Conviction:
    """Believe in the ladder: armband candidates at different kick-offs, each worth what he adds above a good score."""
    signals = view.signals
    rung = RUNG_BELIEF * signals.armband.surplus_over(float(signals.xev.max()))
    return Conviction(LinearValues(signals.xev, CHEAPEST_BENCH * signals.xev, rung), slot=signals.slot)


def linear_part(view: SquadView) -> Conviction:
    """Believe in expected points and the carry of the stage."""
    weight = carry_weight(view.signals.rules, view.signals.round)
    return _held_captain(view, weight * view.carry.sum(axis=1))


ARCHETYPES: dict[str, Callable[[SquadView], Conviction]] = {
    "template anchor": template_anchor,
    "differential hunter": differential_hunter,
    "progression theorist": progression_theorist,
    "fixture exploiter": fixture_exploiter,
    "EV maximiser": ev_maximiser,
    "matchday mechanic": matchday_mechanic,
    "linear optimum": linear_part,
}
"""The six convictions, and the optimum of the linear part beside them."""

ARCHETYPE_NAMES = tuple(ARCHETYPES)


def _held_captain(view: SquadView, belief: np.ndarray) -> Conviction:
    xev = view.signals.xev
    copies = view.signals.rules.captaincy.multiplier - 1
    return Conviction(LinearValues(xev + belief, CHEAPEST_BENCH * (xev + belief), copies * xev))


@dataclass(frozen=True, slots=True, eq=False)
class SquadProblem:
    """All that the solver is told: row i of every array is player i."""

    pool: Pool
    conviction: Conviction
    demands: Demands  # with the elevens and the captain that the manager holds
    newcomer: np.ndarray  # (n,) 1 for whoever is a change from the squad one starts from
    free: float  # changes that cost nothing
    hit: float  # points of each further one
    names: Names = field(default_factory=Names)  # for an error alone

    @classmethod
    def of(cls, view: SquadView, conviction: Conviction, demands: Demands) -> SquadProblem:
        """Ask for the best squad of a conviction in a round, under everything the manager holds."""
        captain = view.settings.captain
        return cls(
            pool=view.wished,
            conviction=conviction,
            demands=Demands(
                must=tuple(sorted({*demands.must} - {captain})),
                never=tuple(sorted(demands.never)),
                out=demands.out,
                captain=captain,
                lineups=view.formations,
            ),
            newcomer=view.newcomer,
            free=min(view.free_transfers, float(view.pool.size)),
            hit=float(view.signals.rules.transfers.hit_cost),
            names=Names.of(view.signals),
        )

    @property
    def key(self) -> str:
        """A digest of everything the answer depends on, the user's own figures included."""
        values, slot = self.conviction.values, self.conviction.slot
        figures = [values.start, values.bench, values.captain, self.newcomer, *(() if slot is None else (slot,))]
        return problem_key(self.pool, (self.demands, self.free, self.hit), figures)

    def solve(self, seconds: float) -> np.ndarray:
        """Return the best squad by position; where the time runs out, the best found."""
        program, rows = SolverProgram(), self.contenders()
        roles = self._roles(program, rows)
        hits = program.amount("h")
        changes = zip(roles.chosen, self.newcomer[rows].tolist(), strict=True)
        program.add([*changes, (hits, -1.0)], high=self.free)
        program.maximise([*roles.worth(self.conviction.values), (hits, -self.hit)])
        answer = program.solve(seconds)
        if answer.impossible:
            raise conflict_error(self.pool, self.demands, self.names)
        if not answer.found:
            raise SolverError(f"The solver found no squad in {seconds:g} seconds. Give it more.")
        return roles.squad(self.pool)

    def _roles(self, program: SolverProgram, rows: np.ndarray) -> RoleVariables:
        """Add the squad: whoever is captain leads, and one leads in all, or one at each kick-off."""
        asked, slot = chain(pool_rows(self.pool), self.demands.rows()), self.conviction.slot
        roles = RoleVariables.of(program, self.pool, rows, asked, self.demands.lineups)
        for place in np.flatnonzero(rows == self.demands.captain):
            program.add([(roles.leads[place], 1.0)], low=1)
        times = np.zeros(len(rows), dtype=int) if slot is None else slot[rows]
        for time in np.unique(times):
            roles.one_leads(program, np.flatnonzero(times == time))
        return roles

    def contenders(self) -> np.ndarray:
        """Return the rows of the players that an optimal squad may need; some optimal squad has no others."""
        market = Market(self.pool, self.conviction.values, self.conviction.slot, self.newcomer)
        wanted = np.array(self.demands.wanted, dtype=np.int64)
        barred = np.isin(np.arange(len(self.pool.price)), [*self.demands.barred, *self.demands.wanted])
        return np.union1d(market.undominated(barred), wanted).astype(np.int64)
