"""The fitness language: load a spec once, score whole populations with it, every score decomposed.

    total = Σ maximize · weight · gates + Σ reward · weight · gates − Σ penalize · weight

A spec can name what its vocabulary gives and nothing else; it can never run code.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import reduce
from pathlib import Path
from types import MappingProxyType

import numpy as np

from data.errors import SpecError, did_you_mean
from data.storage.files import read_bounded
from engine.language.arithmetic import aggregated, applied, bounded, counts
from engine.language.compiling import FEASIBILITY, MetricPlan, Program, WeightPlan, compile_spec
from engine.language.names import Code, Moment
from engine.language.parsing import MAX_CHARACTERS, MAX_NUMBER, parse_spec
from engine.language.syntax import Spot
from engine.language.vocabulary import Bools, Floats, Scene, Vocabulary

SPECS = Path(__file__).parent / "specs"
SUFFIX = ".fitness"
_UNSET: Mapping[str, float] = MappingProxyType({})


@dataclass(frozen=True, slots=True, eq=False)
class SpecScore:
    """The scores of a batch of p squads with the lines they are made of."""

    total: Floats  # (p,) exactly 0 where disqualified
    terms: Mapping[str, Floats]  # (p,) each, signed, in reading order; they sum to the total
    disqualified: Bools  # (p,) a boolean gate failed
    metrics: Mapping[str, Floats]  # (p,) each, before weights and gates


@dataclass(frozen=True, slots=True, eq=False)
class Spec:
    """A loaded spec."""

    name: str
    file: str
    text: str = field(repr=False)
    spot: Spot = field(repr=False)
    program: Program = field(repr=False)

    @property
    def parameters(self) -> Mapping[str, float]:
        """The parameters with their defaults."""
        return MappingProxyType(self.program.parameters)

    @property
    def terms(self) -> tuple[str, ...]:
        """The lines of the decomposition, in reading order."""
        return self.program.terms

    def evaluate(self, scene: Scene, parameters: Mapping[str, float] = _UNSET) -> SpecScore:
        """Score every squad of the scene; parameters not given keep their defaults."""
        moment = Moment(scene, self.settings(parameters))
        passed = _passed(self.program, moment)
        gates = _gate_product(self.program, moment, passed)
        counted = _counted_ticks(self.program.squad_stops, moment, passed)
        for metric in self.program.metrics:
            moment.metrics[metric.name] = np.broadcast_to(_measured(metric, moment, passed, counted), passed.shape)
        return self._scored(moment, passed, gates)

    def stops(self, engine: Mapping[str, float], parameters: Mapping[str, float] = _UNSET) -> bool:
        """Tell whether the figures of the search (`engine.*`) end it by one of the spec's terminations."""
        moment = Moment(Scene({}, engine=engine), self.settings(parameters))
        live = np.ones((1, 1), dtype=np.bool_)
        return any(bool(np.any(code(moment, live))) for code in self.program.search_stops)

    def known(self, parameters: Mapping[str, float]) -> dict[str, float]:
        """Return those of some parameters that the spec declares."""
        return {name: value for name, value in parameters.items() if name in self.program.parameters}

    def settings(self, parameters: Mapping[str, float]) -> dict[str, float]:
        """Return the parameters in force: those given, which the spec must declare, and the defaults of the others."""
        for name, value in parameters.items():
            if name not in self.program.parameters:
                hint = did_you_mean(name, self.program.parameters)
                raise SpecError(f"{self.file}: the spec {self.name} has no parameter {name}. {hint}")
            if not abs(value) <= MAX_NUMBER:
                raise SpecError(f"{self.file}: parameter {name} is {value}. Give a number up to {MAX_NUMBER:g}.")
        return self.program.parameters | {name: float(value) for name, value in parameters.items()}

    def _scored(self, moment: Moment, passed: Bools, gates: Floats) -> SpecScore:
        terms = {term: np.zeros(passed.shape) for term in self.program.terms}
        for line in self.program.weights:
            added = contribution(line, moment, passed, gates)
            terms[line.term] = applied(np.add, (terms[line.term], added), passed, line.spot)
        terms[FEASIBILITY] = np.where(passed, 0.0, 0.0 - self._sum(terms.values(), passed))
        total = np.where(passed, self._sum(terms.values(), passed), 0.0)
        return SpecScore(total[:, 0], _flat(terms), ~passed[:, 0], _flat(moment.metrics))

    def _sum(self, terms: Iterable[Floats], passed: Bools) -> Floats:
        return reduce(lambda total, term: applied(np.add, (total, term), passed, self.spot), terms)


def load_spec(text: str, *, file: str, vocabulary: Vocabulary) -> Spec:
    """Return a spec checked against the vocabulary; a fault is a `SpecError` with file, line, column and caret."""
    tree = parse_spec(text, file)
    return Spec(tree.name, file, text, tree.spot, compile_spec(tree, vocabulary))


def read_spec(path: Path, *, vocabulary: Vocabulary) -> Spec:
    """Load a spec file."""
    try:
        content = read_bounded(path, 4 * MAX_CHARACTERS)  # four bytes are the most a character takes
    except OSError as error:
        raise SpecError(f"{path} cannot be read: {error.strerror}.") from None
    return load_spec(content.decode("utf-8", errors="replace"), file=path.name, vocabulary=vocabulary)


def shipped_spec(name: str, *, vocabulary: Vocabulary) -> Spec:
    """Load one of the specs that come with ThetaXI."""
    return load_spec(shipped_text(name), file=f"{name}{SUFFIX}", vocabulary=vocabulary)


def shipped_text(name: str) -> str:
    """Return the text of a shipped spec."""
    if name not in shipped_names():
        raise SpecError(f"No shipped spec is called {name}. {did_you_mean(name, shipped_names())}")
    return (SPECS / f"{name}{SUFFIX}").read_text(encoding="utf-8")


def shipped_names() -> tuple[str, ...]:
    """Return the names of the shipped specs."""
    return tuple(sorted(path.stem for path in SPECS.glob(f"*{SUFFIX}")))


def _passed(program: Program, moment: Moment) -> Bools:
    """Return (p, 1) whether every boolean gate holds."""
    passed = np.ones((moment.scene.size, 1), dtype=np.bool_)
    for gate in program.gates:
        if gate.boolean:
            passed = passed & (gate.code(moment, passed) != 0.0)
    return passed


def _gate_product(program: Program, moment: Moment, passed: Bools) -> Floats:
    product = np.ones(passed.shape)
    for gate in program.gates:
        if not gate.boolean:
            product = applied(np.multiply, (product, gate.code(moment, passed)), passed, gate.spot)
    return product


def _counted_ticks(stops: tuple[Code, ...], moment: Moment, passed: Bools) -> Bools:
    """Return (p, t) which ticks count: the tick at which a termination first holds is the last that does."""
    horizon = moment.scene.horizon
    counted = np.ones((moment.scene.size, horizon), dtype=np.bool_)
    for tick in range(horizon - 1 if stops else 0):
        running = counted[:, tick : tick + 1]
        now = replace(moment, ticks=slice(tick, tick + 1))
        ended = [code(now, running & passed) != 0.0 for code in stops]
        counted[:, tick + 1 :] &= running & ~reduce(np.logical_or, ended)
    return counted


def _measured(metric: MetricPlan, moment: Moment, passed: Bools, ticks: Bools) -> Floats:
    """Return the metric (p, 1); 0 for a squad without a record or tick to aggregate."""
    if not metric.aggregate:
        return metric.code(moment, passed)
    mask = _record_mask(metric, moment.scene) if metric.record else ticks
    values = metric.code(moment, mask & passed)
    value = aggregated(metric.aggregate, values, mask, passed, metric.spot)
    if metric.transform is None:
        return value
    sampled = counts(mask)[:, None] > 0.0
    return np.where(sampled, metric.transform(replace(moment, value=value), passed & sampled), 0.0)


def _record_mask(metric: MetricPlan, scene: Scene) -> Bools:
    if metric.record not in scene.records:
        raise metric.spot.error(f"Records {metric.record} are known, but this scene does not hold them.")
    return scene.records[metric.record].mask


def contribution(line: WeightPlan, moment: Moment, passed: Bools, gates: Floats) -> Floats:
    """Return (p, 1) what a weight line adds to the score: a penalty bypasses the gates."""
    weight = line.weight(moment, np.asarray(True))
    product = applied(np.multiply, (moment.metrics[line.metric], weight), passed, line.spot)
    added = applied(np.multiply, (product, gates), passed, line.spot) if line.gated else 0.0 - product
    return bounded(added, passed, line.spot)


def _flat(columns: Mapping[str, Floats]) -> Mapping[str, Floats]:
    return {name: column[:, 0] for name, column in columns.items()}
