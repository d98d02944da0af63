"""Search of a linear plan under one placement of boosters: relaxation, bound, a narrow beam and then a wide one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from data.errors import InfeasibleError
from engine.plan.linear.answer import LinearAnswer, ValuedPlan
from engine.plan.linear.beam.beam import ROUNDING, Beam, BeamSettings
from engine.plan.linear.beam.lineups import exact_value, round_lineups
from engine.plan.linear.beam.paths import Paths
from engine.plan.linear.beam.terrain import Terrain, terrain
from engine.plan.linear.plans import costs, plan_of, plan_value
from engine.plan.linear.pricing.guidance import Guided, guided
from engine.plan.linear.problem import PlanProblem
from engine.plan.linear.rebuild import OneRoundSquad, free_hit_squad
from engine.plan.linear.round_values import Placement, round_values


@dataclass(frozen=True, slots=True, kw_only=True)
class LinearSettings:
    """How hard a linear plan is searched for."""

    narrow: BeamSettings = field(default_factory=lambda: BeamSettings(width=30, rebuilt=1, climbs=3))
    wide: BeamSettings = field(default_factory=BeamSettings)
    proof: BeamSettings | None = field(
        default_factory=lambda: BeamSettings(width=10_000, buys=5_000, proving=True)
    )  # in which everything with hope is looked at; None = no proof is tried
    plans: int = 4  # with different first moves, as far as there are any
    most_chips: int = 4  # played in one plan, those asked for included
    placements: int = 8  # of boosters that are solved, the best by the sum of single gains
    tightened: int | None = 8  # others with hope, the loosest bound first; None = others have no bound


DEFAULT = LinearSettings()


@dataclass(slots=True, eq=False)
class PlacedSearch:
    """A problem under one placement: its guidance is made at once, plans when they are asked for."""

    problem: PlanProblem
    placement: Placement
    guided: Guided
    hits: dict[int, OneRoundSquad]  # squads of free-hit rounds, everybody of the start squad still held
    ground: Terrain
    bound: float  # no plan with these boosters in these rounds is worth more
    least: float = -np.inf  # value of a plan that is known from elsewhere: what is worth less is not looked for
    found: dict[object, ValuedPlan] = field(default_factory=dict)  # the best plan of each first move
    squads: dict[tuple[int, bytes], np.ndarray] = field(default_factory=dict)  # of free hits, by who is still held

    @classmethod
    def of(
        cls, problem: PlanProblem, placement: Sequence[str | None], known: dict[int, OneRoundSquad] | None = None
    ) -> PlacedSearch:
        """Return a search whose bound is known; an `InfeasibleError` where no plan keeps all rules and wishes.

        `known` are squads of free hits that need not be looked for again, by round.
        """
        rounds = round_values(problem, placement)
        guidance = guided(problem, rounds)
        hits = {
            column: (known or {}).get(column) or free_hit_squad(problem, column)
            for column, one in enumerate(rounds)
            if one.free_hit
        }
        points = np.zeros(len(rounds))
        for column, squad in hits.items():
            points[column] = exact_value(round_lineups(rounds[column], problem.frame), squad.rows)
        bound = guidance.guide.bound + sum(squad.bound for squad in hits.values())
        return cls(problem, tuple(placement), guidance, hits, terrain(problem, guidance, points), bound)

    @property
    def best(self) -> ValuedPlan | None:
        """The best plan found yet."""
        return max(self.found.values(), key=lambda one: one.value, default=None)

    @property
    def floor(self) -> float:
        """Its value, or the least that is looked for."""
        return self.least if self.best is None else max(self.least, self.best.value)

    @property
    def closed(self) -> bool:
        """Whether the best plan found yet is proved to be the best."""
        return self.bound <= self.floor + 2 * ROUNDING

    def run(self, settings: BeamSettings, floor: float = -np.inf) -> None:
        """Look for plans worth more than the best one known; where all are looked at, the bound falls to it."""
        known = max(floor, self.floor)
        beam = Beam(self.ground, settings, known)
        last = beam.run()
        if beam.whole or not settings.proving:
            self._take(beam, last)
        if beam.whole:  # all that could be worth more was looked at
            self.bound = min(self.bound, max(known, self.floor) + ROUNDING)

    def prove(self, settings: BeamSettings | None) -> None:
        """Look at everything with hope, as far as that can be done; the bound falls to the best where it is."""
        if settings is not None and self.ground.exact and not self.closed:
            self.run(settings)

    def other_first_moves(self, settings: BeamSettings, wanted: int) -> None:
        """Look for the best plan behind each of the next best first moves."""
        beam = Beam(self.ground, settings, -np.inf)
        firsts = beam.first_moves()
        known = {tuple(sorted(one.plan.moves[0].kept)) for one in self.found.values()}
        for row in range(len(firsts)):
            if len(self.found) >= wanted:
                return
            kept = tuple(sorted(firsts.rows[row].tolist()))
            if kept in known:
                continue
            known.add(kept)
            onward = Beam(self.ground, settings, -np.inf)
            self._take(onward, onward.run(firsts.only(np.array([row])), 1), firsts.rows[row : row + 1])

    def answer(self, plans: int) -> LinearAnswer:
        """Return what was found."""
        ranked = sorted(self.found.values(), key=lambda one: (-one.value, str(one.plan.key())))
        if not ranked:
            raise InfeasibleError("No plan keeps all rules and wishes. Ask for less, or allow more transfers.")
        return LinearAnswer(tuple(ranked[:plans]), self.bound)

    def _take(self, beam: Beam, last: Paths, earlier: np.ndarray | None = None) -> None:
        """Keep the best plan of each first move among the paths of a beam."""
        first_of = _roots(beam.layers, last)
        order = np.argsort(-last.value, kind="stable")
        seen: set[int] = set()
        for row in order.tolist():
            if first_of[row] not in seen:
                seen.add(first_of[row])
                squads = _squads(beam.layers, row)
                self._keep(squads if earlier is None else np.concatenate([earlier, squads]))

    def valued(self, kept: np.ndarray) -> ValuedPlan:
        """Return the plan of kept squads (r, size), free hits filled in, with its value."""
        plan = plan_of(self.problem, self.placement, kept, self._one_round(kept))
        return ValuedPlan(plan, plan_value(self.problem, plan))

    def _keep(self, kept: np.ndarray) -> None:
        valued = self.valued(kept)
        first = valued.plan.first_key()
        if first not in self.found or self.found[first].value < valued.value:
            self.found[first] = valued

    def _one_round(self, kept: np.ndarray) -> dict[int, np.ndarray]:
        """Return the squads of free hits as this plan can pay them: who was sold has his full price."""
        held = {column: costs(self.problem, kept)[column] < self.problem.frame.price for column in self.hits}
        for column, cheaper in held.items():
            key = (column, cheaper.tobytes())
            if key not in self.squads:
                mine = np.isin(np.arange(self.problem.players), kept[column]) & self.problem.frame.owned
                self.squads[key] = free_hit_squad(self.problem, column, mine).rows
        return {column: self.squads[column, cheaper.tobytes()] for column, cheaper in held.items()}


def _roots(layers: list[Paths], last: Paths) -> np.ndarray:
    """(p,) the path of the first layer after the start that each last one came from."""
    root = np.arange(len(last))
    for layer in reversed(layers[2:]):
        root = layer.parent[root]
    return root


def _squads(layers: list[Paths], row: int) -> np.ndarray:
    """(r, size) player rows of one path after every round."""
    squads = []
    for layer in reversed(layers[1:]):
        squads.append(layer.rows[row])
        row = int(layer.parent[row])
    return np.array(squads[::-1])


def solve_placed(
    problem: PlanProblem,
    placement: Sequence[str | None],
    settings: LinearSettings = DEFAULT,
    least: float = -np.inf,
) -> LinearAnswer:
    """Return the best plans with the boosters of a placement in its rounds, and in no other.

    Only plans that are worth `least` are looked for; an `InfeasibleError` where none is found.
    """
    search = PlacedSearch.of(problem, placement)
    search.least = least
    for beam in (settings.narrow, settings.wide):
        if not search.closed:
            search.run(beam)
    search.prove(settings.proof)
    if search.found or least == -np.inf:
        search.other_first_moves(replace(settings.narrow, width=10), settings.plans)
    return search.answer(settings.plans)
