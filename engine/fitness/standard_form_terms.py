"""What a standard form is made of, read off the compiled spec: points by role, for starting, for being picked.

A spec has a standard form where all it weighs is, in whatever mix and with whatever weights,
- state of the squad that players bring each on his own: raw_xev, bench_xev, progression_carry, field_covariance, price,
  changes, preferences, players, feasible; captaincy_uplift unless penalized; transfer_cost unless rewarded;
- what the men of a match bring together: variance, relative_variance, cs_lift;
- a metric per record with `aggregate: sum` and no transform, of a player's own fields and linear in his `role`;
- a simple metric that is linear in all these;
and where it has no gate but `feasible`. By anything else only whole squads can be scored: such a spec is bred for, but
neither climbed nor bounded.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from engine.fitness.judge import Objective
from engine.fitness.squad_view import SquadView
from engine.language.sums import RecordSum, WeightedSum, weighted_sum

GATE = "feasible"
"""The gate that every squad of a search passes."""

TOGETHER = frozenset({"captaincy_uplift", "variance", "relative_variance", "cs_lift", "transfer_cost"})
"""State of a squad that is no sum over players, but has a place of its own in a standard form."""


class Share(NamedTuple):
    """Points that something brings to squads, (n,) by player or one figure for all of them."""

    role: np.ndarray | float = 0.0  # per unit of role weight
    starting: np.ndarray | float = 0.0
    picked: np.ndarray | float = 0.0  # in any role
    constant: float = 0.0

    def plus(self, weight: float, other: Share) -> Share:
        """Return this share and so much of another."""
        return Share(*(mine + weight * more for mine, more in zip(self, other, strict=True)))  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True, eq=False)
class FormTerms:
    """A fitness in the terms of a standard form."""

    weight: Mapping[str, float]  # of the state of a squad; 0 for what is left out
    share: Share

    @property
    def pull(self) -> float:
        """What a point of covariance with the field is worth."""
        return self.weight["field_covariance"] - 2 * self.weight["relative_variance"]


def form_terms(view: SquadView, objective: Objective) -> FormTerms | None:
    """Return the terms of a fitness; None where it has no standard form."""
    total = _sum(view, objective)
    if any(_beyond(objective, total)):
        return None
    weight, nothing = defaultdict(float, total.state), np.zeros(len(view.signals))
    share = Share(nothing, nothing, nothing, total.constant)
    for name, share_of in _SHARES.items():
        share = share.plus(weight[name], share_of(view)) if weight[name] else share
    for metric in total.records:
        share = share.plus(metric.weight, _RECORDS[metric.kind](metric))
    return FormTerms(weight, share)


def beyond_form(view: SquadView, objective: Objective) -> tuple[str, ...]:
    """Return what keeps a spec from having a standard form, by the names it has in the spec; nothing where it has."""
    return tuple(_beyond(objective, _sum(view, objective)))


def _sum(view: SquadView, objective: Objective) -> WeightedSum:
    return weighted_sum(objective.spec, objective.spec.known(objective.parameters), view.players)


def _beyond(objective: Objective, total: WeightedSum) -> Iterator[str]:
    yield from (f"gate {gate.name}" for gate in objective.spec.program.gates if not gate.boolean or gate.name != GATE)
    yield from total.beyond
    yield from (name for name in total.state if name not in _SHARES and name not in TOGETHER)
    if total.state.get("captaincy_uplift", 0.0) < 0:
        yield "captaincy_uplift as a penalty"
    if total.state.get("transfer_cost", 0.0) > 0:
        yield "transfer_cost as a reward"


def _wishes(view: SquadView) -> Share:
    """Return what the manager's wishes bring, the bound on all of them together aside."""
    points = {role: np.zeros(len(view.signals)) for role in ("squad", "starter", "bench")}
    for wish in view.settings.preferences.preference:
        points[wish.role] += wish.points * wish.fits(view.signals)
    return Share(starting=points["starter"] - points["bench"], picked=points["squad"] + points["bench"])


_SHARES: Mapping[str, Callable[[SquadView], Share]] = {
    "raw_xev": lambda view: Share(role=view.signals.xev),
    "bench_xev": lambda view: Share(role=view.signals.xev, starting=-view.signals.xev),
    "progression_carry": lambda view: Share(role=view.carry.sum(axis=1)),
    "field_covariance": lambda view: Share(role=view.field_pull),
    "relative_variance": lambda view: Share(
        role=-2 * view.field_pull, constant=float(view.field_exposure.eo @ view.field_pull)
    ),
    "price": lambda view: Share(picked=view.signals.price),
    "changes": lambda view: Share(picked=view.newcomer),
    "preferences": _wishes,
    "players": lambda view: Share(constant=float(view.pool.size)),
    GATE: lambda _: Share(constant=1.0),
}
"""What one unit of the state of a squad brings, where players bring it each on his own; the armband aside."""


def _owned(metric: RecordSum) -> Share:
    return Share(role=metric.by_role, picked=metric.fixed)


_RECORDS: Mapping[str, Callable[[RecordSum], Share]] = {
    "owned": _owned,
    "differential_owned": _owned,
    "starter": lambda metric: Share(starting=metric.fixed + metric.by_role),
    "bench": lambda metric: _owned(metric)._replace(starting=-(metric.fixed + metric.by_role)),
    "template_missed": lambda metric: Share(picked=-metric.fixed, constant=float(metric.fixed.sum())),
}
"""What one unit of a metric over records of each kind brings: whom one misses is in no squad, so he is taken off."""
