"""What a spec adds up: the weighted sum it is of squad state and of what players bring each on his own.

A spec is such a sum where every line it weighs is linear in squad state, or in the roles of players (`degrees`); what
is not is named instead. Its gates are left aside.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from data.errors import SpecError
from engine.language.compiling import MetricPlan
from engine.language.degrees import OTHER
from engine.language.names import Moment
from engine.language.spec import Spec, contribution
from engine.language.vocabulary import Floats, Scene


@dataclass(frozen=True, slots=True, eq=False)
class RecordSum:
    """What one metric adds up over records of a kind: row i of every array is player i."""

    kind: str
    fixed: Floats  # (n,) for being such a record; 0 for who never is
    by_role: Floats  # (n,) more for each unit of role
    weight: float = 0.0


@dataclass(frozen=True, slots=True, eq=False)
class WeightedSum:
    """constant + Σ weight · state + Σ weight · Σ records, and what a spec weighs besides."""

    constant: float
    state: Mapping[str, float]  # weight of squad state by name; what has none is left out
    records: tuple[RecordSum, ...]
    beyond: tuple[str, ...]  # metrics that are no such sum


def weighted_sum(spec: Spec, parameters: Mapping[str, float], players: Scene) -> WeightedSum:
    """Return the sum that a spec is under some parameters.

    `players` is a scene of two squads that hold every player as a record of each kind he may be: the first in the
    role 0, the second in the role 1.
    """
    program, settings = spec.program, spec.settings(parameters)
    sampled = {one.name: _record_sum(one, Moment(players, settings)) for one in program.metrics if _adds_records(one)}
    records = {name: one for name, one in sampled.items() if one is not None}
    if len(records) < len(sampled):
        return WeightedSum(0.0, {}, (), tuple(sorted(sampled.keys() - records.keys())))
    first = 1 + len(program.state)
    unit = np.eye(first + len(records))  # the first row has nothing, each other one has one thing
    scene = Scene(dict(zip(program.state, unit[:, 1:first].T, strict=True)), world=players.world)
    moment = Moment(scene, settings, dict(zip(records, unit.T[first:, :, None], strict=True)))
    weight, beyond = _weights(spec, moment)
    return WeightedSum(
        constant=float(weight[0]),
        state={name: worth for name, worth in zip(program.state, weight[1:first].tolist(), strict=True) if worth},
        records=tuple(replace(r, weight=w) for r, w in zip(records.values(), weight[first:].tolist(), strict=True)),
        beyond=beyond,
    )


def _adds_records(metric: MetricPlan) -> bool:
    return bool(metric.record) and metric.degree < OTHER


def _record_sum(metric: MetricPlan, moment: Moment) -> RecordSum | None:
    """Return what a metric adds up, its weight aside; None where that cannot be computed for every player."""
    mask = moment.scene.records[metric.record].mask
    try:
        out, playing = np.where(mask, metric.code(moment, mask), 0.0)
    except SpecError:
        return None
    return RecordSum(metric.record, out, playing - out)


def _weights(spec: Spec, moment: Moment) -> tuple[Floats, tuple[str, ...]]:
    """Return the worth of a moment's first row, that of each other one beyond it, and the metrics that are no sums."""
    anyone = np.ones((moment.scene.size, 1), dtype=np.bool_)
    for metric in spec.program.metrics:
        if metric.degree < OTHER and not metric.record:
            moment.metrics[metric.name] = np.broadcast_to(metric.code(moment, anyone), anyone.shape)
    total, beyond = np.zeros(anyone.shape), list[str]()
    for line in spec.program.weights:
        if line.metric in moment.metrics:
            total += contribution(line, moment, anyone, anyone.astype(np.float64))
        elif line.weight(moment, anyone).any():
            beyond.append(line.metric)
    total[1:] -= total[0]
    return total[:, 0], tuple(dict.fromkeys(beyond))
