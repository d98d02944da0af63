"""Which objective serves a standing best: each one's squad, measured against the field instead of believed.

Protect and gain are the two sides of the rank objective. Its strength is κ = z/(2σ), and z needs the edge over the
field and the spread of the difference, which depend on the squad. So squads are bred for several κ, and simulation
decides between them. The most expected points (κ = 0) is always among them and wins where nothing measures better
beyond luck: who is behind a weak field with rounds to come is the favourite, and a chaser's swing would cost him.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from data.errors import InputError
from engine.fitness.judge import Judge, Objective, named_objective
from engine.fitness.objective import MEANINGS, RANK
from engine.fitness.squad_view import SquadView
from engine.fitness.standard_form import standard_form
from engine.language.spec import SUFFIX, shipped_names
from engine.rank.chances import SIMULATIONS, ahead_at_the_end, later_edges, simulate
from engine.rank.field import Field
from engine.rank.intervals import Estimate, estimate, paired
from engine.rules.conflicts import NO_DEMANDS, Demands
from engine.search.climbing.first_squad import held
from engine.search.climbing.limits import Limits
from engine.search.climbing.local_search import improve
from engine.search.seeding.archetypes import SolvedSquads, archetype_squads

MOST_POINTS = "max-EV"
PROTECT, NEUTRAL, GAIN = MEANINGS
KAPPAS = (-0.05, -0.03, -0.02, -0.01, 0.0, 0.01, 0.02, 0.03, 0.05, 0.1)
"""Strengths that are tried; the slider ends at .05, a single rival may ask for more."""
SIDES = {
    PROTECT: tuple(kappa for kappa in KAPPAS if kappa >= 0),
    GAIN: tuple(kappa for kappa in KAPPAS if kappa <= 0),
    RANK: KAPPAS,
}
"""Strengths of each objective: protect and gain are the two sides of rank."""
LUCK = 1.0
"""Standard errors by which a κ must beat κ = 0 to be taken: below, it is luck as often as skill."""
SURE_LUCK = 1.96
"""Standard errors by which an objective must beat the most points to be recommended instead."""
KICKS = 2
"""Times each seed is shaken by the local search; at MD1 more do not raise the exact fitness at κ = −.03, 0 or .05."""


@dataclass(eq=False)
class Breeder:
    """Finds the best squad of any objective against one field; the seeds are solved once."""

    view: SquadView
    rng: np.random.Generator
    kicks: int = KICKS
    carry: float | None = 0.0  # weight of later rounds; None = as shipped
    demands: Demands = NO_DEMANDS
    cache: SolvedSquads = field(default_factory=SolvedSquads)
    _found: list[np.ndarray] = field(default_factory=list, repr=False)

    def best(self, *objectives: Objective) -> np.ndarray:
        """Return (a, 15) for each objective the squad with the highest exact fitness among all found for any of them.

        The local search climbs the standard form; what stands below its top may be higher by the exact fitness. So
        all are found before any is chosen: none has more to choose from than another.
        """
        asked = self.view.available(self.demands)
        allowed, kept = asked.allowed(len(self.view.signals)), held(self.view, asked).wanted
        seeds = archetype_squads(self.view, demands=asked, cache=self.cache)
        self._found.append(seeds)
        for objective in objectives:
            form = standard_form(self.view, objective)
            if form is not None:
                self._found += [
                    improve(form, seeds, self.rng, Limits(kicks=kicks), allowed, kept).squads
                    for kicks in (0, self.kicks)
                ]
        judge, found = Judge(self.view, self.rng), np.unique(np.concatenate(self._found), axis=0)
        scored = [judge.score(found, objective) for objective in objectives]
        return np.stack([one.squads[one.ranking[0]] for one in scored])

    def objective(self, name: str) -> Objective:
        """Return the objective of a shipped objective."""
        return named_objective(name, self.view, c=self.carry)

    def rank(self, kappa: float) -> Objective:
        """Return the objective of the rank objective at a strength; κ = 0 asks for the most expected points."""
        return rank_objective(self.view, kappa, self.carry)


def rank_objective(view: SquadView, kappa: float, carry: float | None = 0.0) -> Objective:
    """Return the rank objective at a strength κ; `carry` None leaves the weight of later rounds as shipped."""
    objective = named_objective(RANK, view, c=carry)
    return replace(objective, parameters=objective.parameters | {"kappa": kappa})


def check_measured(*names: str) -> None:
    """Refuse a name that is no objective to measure: a shipped spec, the most points, or the path of a spec file."""
    known = (MOST_POINTS, *shipped_names())
    for name in names:
        if name not in known and not name.endswith(SUFFIX):
            raise InputError(
                f"There is no objective {name!r}. Name one of {', '.join(known)}, or the path of a {SUFFIX} file."
            )


def measured_objective(name: str, view: SquadView, k: float | None = None, *, later: bool) -> Objective:
    """Return the objective that a measurement names; no shipped one pays for `later` rounds where they do not count."""
    check_measured(name)
    carry = None if later else 0.0
    if name == MOST_POINTS:
        return rank_objective(view, 0.0, carry)
    return named_objective(name, view, k=k, c=carry if name in shipped_names() else None)


def chosen_kappa(outcomes: Mapping[float, np.ndarray]) -> float:
    """Return the κ whose outcomes (n,) are best; 0 where no other is better by more than luck."""
    chosen = max(outcomes, key=lambda kappa: float(outcomes[kappa].mean()))
    return chosen if _beyond(outcomes[0.0], outcomes[chosen], LUCK) else 0.0


@dataclass(frozen=True, slots=True)
class Measured:
    """One objective's chance to end ahead."""

    objective: str
    squad: tuple[int, ...]  # player rows
    ahead: Estimate
    points: float  # mean simulated points of this round, hits taken off
    k: float | None  # its strength, chosen by simulation; None where it has none


@dataclass(frozen=True, slots=True)
class Recommendation:
    """What measures best for a standing, with every figure it was chosen by."""

    best: Measured
    measured: tuple[Measured, ...]  # the best chance first
    reason: str
    kappa: float  # strength of rank that measures best: above 0 it protects, below it gains
    against: str  # the field it was measured against

    @property
    def choice(self) -> str:
        """The objective to choose: where the most points measure best, the one that asks for them most plainly."""
        return NEUTRAL if self.best.objective == MOST_POINTS else self.best.objective

    def strength_of(self, objective: str) -> float | None:
        """Return the strength that measures best for an objective; None where it has none to choose."""
        if objective == RANK:
            return self.kappa
        return next((one.k for one in self.measured if one.objective == objective), None)


def recommend(
    judge: Judge,
    lead: float,
    opponents: Field,
    rng: np.random.Generator,
    *,
    rounds_left: int | None = None,
    n: int = SIMULATIONS,
    demands: Demands = NO_DEMANDS,
    cache: SolvedSquads | None = None,
) -> Recommendation:
    """Return which objective measures best for a lead (a deficit is negative) on somebody of the field.

    Protect and gain are each tried at several strengths. The strength is chosen on one half of the simulations, and
    everything is measured on the other.
    """
    signals = judge.view.signals
    left = rounds_left if rounds_left is not None else signals.rules.rounds - signals.round + 1
    search_rng, rng = rng.spawn(2)
    view = SquadView(signals, judge.view.settings, opponents.exposure(signals))
    carry = None if left > 1 else 0.0
    breeder = Breeder(view, search_rng, carry=carry, demands=demands, cache=cache or SolvedSquads())
    squads = breeder.best(breeder.objective(NEUTRAL), *map(breeder.rank, KAPPAS))
    ahead, points = _ends(view, squads, opponents, lead, left - 1, 2 * n, rng)
    rows = dict(zip(KAPPAS, range(1, len(squads)), strict=True))
    kappas = {side: chosen_kappa({kappa: ahead[rows[kappa], :n] for kappa in SIDES[side]}) for side in SIDES}
    race = {MOST_POINTS: rows[0.0], NEUTRAL: 0} | {side: rows[kappas[side]] for side in (PROTECT, GAIN)}
    found = [
        Measured(
            name, tuple(squads[row].tolist()), estimate(ahead[row, n:]), float(points[row]), _strength(name, kappas)
        )
        for name, row in race.items()
    ]
    held_out = {one.objective: ahead[race[one.objective], n:] for one in found}
    best, reason = _best(found, held_out, lead)
    order = tuple(sorted(found, key=lambda one: -one.ahead.value))
    return Recommendation(best, order, reason, kappas[RANK], opponents.name)


def _strength(name: str, kappas: Mapping[str, float]) -> float | None:
    return abs(kappas[name]) if name in (PROTECT, GAIN) else None


def _ends(
    view: SquadView, squads: np.ndarray, opponents: Field, lead: float, later: int, n: int, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """Return (p, n) the chance to be ahead when the last round is over, and (p,) the mean points of this round."""
    lined, hits = view.lineups(squads), view.transfer_cost(squads)
    simulation = simulate(view.signals, squads, opponents, n, rng, lineups=lined, hits=hits)
    edges = later_edges(view, lined.starters, opponents, later)
    ahead = [ahead_at_the_end(simulation, row, lead, later, float(edge)) for row, edge in enumerate(edges)]
    return np.stack(ahead), simulation.points.mean(axis=1)


def _best(found: list[Measured], ahead: Mapping[str, np.ndarray], lead: float) -> tuple[Measured, str]:
    """Return what to recommend, and why: the most points, unless something is better by more than luck."""
    goal = f"hold a lead of {lead:g}" if lead >= 0 else f"erase a deficit of {-lead:g}"
    best = max(found, key=lambda one: one.ahead.value)
    plain = next(one for one in found if one.objective == MOST_POINTS)
    if best is plain or not _beyond(ahead[MOST_POINTS], ahead[best.objective], SURE_LUCK):
        return plain, f"Nothing measures better than the most points to {goal}: {plain.ahead}."
    gain = paired(ahead[MOST_POINTS], ahead[best.objective])
    return best, (
        f"To {goal}, {best.objective} measures best: {best.ahead}, {gain.value:+.1%} "
        f"({gain.low:+.1%} to {gain.high:+.1%}) against the most points."
    )


def _beyond(first: np.ndarray, second: np.ndarray, errors: float) -> bool:
    """Return whether the second outcomes are above the first by more than some standard errors."""
    gaps = second - first
    return bool(gaps.mean() > errors * gaps.std() / np.sqrt(len(gaps)) and gaps.mean() > 0)
