"""Which objective serves a standing best: each one's squad, measured against the field instead of believed.

The rank objective needs κ = z/(2σ), and z needs the edge over the field and the spread of the difference, which
depend on the squad. So squads are bred for several κ, and simulation decides between them. The most expected points
(κ = 0) is always among them and wins where nothing measures better beyond luck.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from data.errors import InputError
from engine.fitness.judge import Judge, Objective, named_objective
from engine.fitness.objective import RANK
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
KAPPAS = (-0.05, -0.03, -0.02, -0.01, 0.0, 0.015, 0.03, 0.05, 0.1)
"""Strengths of the rank objective that are tried; the slider ends at .05, a single rival may ask for more."""
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


def best_kappa(outcomes: Mapping[float, np.ndarray]) -> float:
    """Return the κ whose outcomes (n,) are best; 0 where no other is better by more than luck."""
    chosen = max(outcomes, key=lambda kappa: float(outcomes[kappa].mean()))
    return chosen if _beyond(outcomes[0.0], outcomes[chosen], LUCK) else 0.0


@dataclass(frozen=True, slots=True)
class Measured:
    """One objective's chance to end ahead."""

    objective: str
    squad: tuple[int, ...]  # player rows
    ahead: Estimate
    points: float  # mean simulated points of this round


@dataclass(frozen=True, slots=True)
class Recommendation:
    """What measures best for a standing, with every figure it was chosen by."""

    best: Measured
    measured: tuple[Measured, ...]  # the best chance first
    reason: str
    kappa: float | None = None  # strength of rank that measures best; None where its squad was given
    against: str = ""  # the field it was measured against


def recommend(
    judge: Judge,
    lead: float,
    opponents: Field,
    rng: np.random.Generator,
    *,
    rounds_left: int | None = None,
    n: int = SIMULATIONS,
    squads: Mapping[str, np.ndarray] | None = None,
) -> Recommendation:
    """Return which objective measures best for a lead (a deficit is negative) on somebody of the field.

    `squads` are those of the objectives where they are known, such as the page's own boards; "max-EV" is found where
    it is missing. Without them the shipped objectives and rank at several strengths are bred, which takes seconds.
    Rank is chosen on one half of the simulations and everything is measured on the other.
    """
    signals = judge.view.signals
    left = rounds_left if rounds_left is not None else signals.rules.rounds - signals.round + 1
    search_rng, choice_rng, rng = rng.spawn(3)
    view = SquadView(signals, judge.view.settings, opponents.exposure(signals))
    breeder = Breeder(view, search_rng, carry=None if left > 1 else 0.0)
    objectives = {} if squads else {name: breeder.objective(name) for name in ("protect", "gain")}
    kappas = KAPPAS if RANK not in (squads or {}) else (0.0,)
    bred = breeder.best(*objectives.values(), *(breeder.rank(kappa) for kappa in kappas))
    ranked = dict(zip(kappas, bred[len(objectives) :], strict=True))
    named = {MOST_POINTS: ranked[0.0]} | dict(zip(objectives, bred, strict=False)) | dict(squads or {})
    ends = _Ends(judge, opponents, lead, left - 1, n)
    kappa = None
    if RANK not in named:
        tried = ranked | {0.0: named[MOST_POINTS]}
        ahead, _ = ends.outcomes(np.stack(list(tried.values())), choice_rng)
        kappa = best_kappa(dict(zip(tried, ahead, strict=True)))
        named[RANK] = named[MOST_POINTS] if kappa == 0.0 else ranked[kappa]
    found = _recommended(named, ends.outcomes(np.stack(list(named.values())), rng), lead)
    return replace(found, kappa=kappa, against=opponents.name)


@dataclass(frozen=True, slots=True, eq=False)
class _Ends:
    """What is measured: whether one is ahead when the last round is over."""

    judge: Judge
    opponents: Field
    lead: float
    later: int
    n: int

    def outcomes(self, squads: np.ndarray, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        """Return (p, n) the chance to be ahead at the end, and (p,) the mean points of this round."""
        view = self.judge.view
        lined = view.lineups(squads)
        hits = view.transfer_cost(squads)
        simulation = simulate(view.signals, squads, self.opponents, self.n, rng, lineups=lined, hits=hits)
        edges = later_edges(view, lined.starters, self.opponents, self.later)
        ahead = [ahead_at_the_end(simulation, r, self.lead, self.later, float(e)) for r, e in enumerate(edges)]
        return np.stack(ahead), simulation.points.mean(axis=1)


def _recommended(
    named: Mapping[str, np.ndarray], measured: tuple[np.ndarray, np.ndarray], lead: float
) -> Recommendation:
    ahead, points = (dict(zip(named, values, strict=True)) for values in measured)
    listed = {
        name: Measured(name, tuple(squad.tolist()), estimate(ahead[name]), float(points[name]))
        for name, squad in named.items()
    }
    order = sorted(listed.values(), key=lambda one: -one.ahead.value)
    goal = f"hold a lead of {lead:g}" if lead >= 0 else f"erase a deficit of {-lead:g}"
    best, plain = order[0], listed[MOST_POINTS]
    if best is plain or not _beyond(ahead[MOST_POINTS], ahead[best.objective], SURE_LUCK):
        reason = f"Nothing measures better than the most points to {goal}: {plain.ahead}."
        return Recommendation(plain, tuple(order), reason)
    gain = paired(ahead[MOST_POINTS], ahead[best.objective])
    reason = (
        f"To {goal}, {best.objective} measures best: {best.ahead}, {gain.value:+.1%} "
        f"({gain.low:+.1%} to {gain.high:+.1%}) against the most points."
    )
    return Recommendation(best, tuple(order), reason)


def _beyond(first: np.ndarray, second: np.ndarray, errors: float) -> bool:
    """Return whether the second outcomes are above the first by more than some standard errors."""
    gaps = second - first
    return bool(gaps.mean() > errors * gaps.std() / np.sqrt(len(gaps)) and gaps.mean() > 0)
