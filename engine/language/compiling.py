"""From the tree of a spec to code over whole populations: names settled, constants computed, every fault found early.

The code is a tree of closures over numpy; no text is ever run.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from data.errors import did_you_mean
from engine.language.arithmetic import AGGREGATES
from engine.language.degrees import LINEAR, OTHER, degree_of
from engine.language.expressions import compiled, constant_of
from engine.language.names import ALIASES, TICK, VALUE, Code, Scope, reader
from engine.language.parsing import MAX_NUMBER
from engine.language.syntax import (
    Expression,
    Fitness,
    Gate,
    Metric,
    Name,
    Parameter,
    Spot,
    Statement,
    Stop,
    Weight,
    names_in,
)
from engine.language.vocabulary import SEARCH_FIGURES, Vocabulary

MAX_PARAMETERS = 40
"""Each is a slider on the page; the shipped specs have three."""

FEASIBILITY = "feasibility_penalty"
"""The line that brings the sum of a disqualified squad to 0; no weight may be named so."""

TERM_ORDER = (
    "raw_xev",
    "captaincy_uplift",
    "cs_corr_bonus",
    "progression_carry",
    "ownership_leverage",
    "variance_term",
    FEASIBILITY,
    "preferences",
    "transfer_cost",
)
"""The lines of the objective in reading order; a spec's own lines follow as they are written."""


@dataclass(frozen=True, slots=True)
class GatePlan:
    """A gate ready to run: a boolean gate disqualifies, any other multiplies."""

    name: str
    code: Code
    boolean: bool
    spot: Spot


@dataclass(frozen=True, slots=True)
class MetricPlan:
    """A metric ready to run; `aggregate` is empty for a simple one, `record` for one per tick."""

    name: str
    code: Code
    spot: Spot
    degree: int  # how it depends on squads: 0 not, 1 linear in their state or the roles of records, 2 otherwise
    record: str = ""
    aggregate: str = ""
    transform: Code | None = None


@dataclass(frozen=True, slots=True)
class WeightPlan:
    """A weight line ready to run."""

    term: str
    metric: str
    weight: Code
    gated: bool
    spot: Spot


@dataclass(frozen=True, slots=True)
class Program:
    """A whole spec ready to run."""

    parameters: dict[str, float]  # with their defaults
    state: tuple[str, ...]  # of squads, all that could be named
    gates: tuple[GatePlan, ...]
    metrics: tuple[MetricPlan, ...]
    weights: tuple[WeightPlan, ...]
    search_stops: tuple[Code, ...]  # end the search
    squad_stops: tuple[Code, ...]  # end a squad's horizon

    @property
    def terms(self) -> tuple[str, ...]:
        """Names of the lines of the decomposition, in order."""
        written = dict.fromkeys([FEASIBILITY, *(weight.term for weight in self.weights)])
        return (*(term for term in TERM_ORDER if term in written), *(t for t in written if t not in TERM_ORDER))


def compile_spec(tree: Fitness, vocabulary: Vocabulary) -> Program:
    """Return the program of a spec, or the first fault of it."""
    return _Compiler(tree, vocabulary).program()


class _Compiler:
    """Works through the statements in order and remembers what was declared."""

    def __init__(self, tree: Fitness, vocabulary: Vocabulary) -> None:
        self._tree = tree
        self._vocabulary = vocabulary
        self._parameters: dict[str, float] = {}
        self._gates: dict[str, GatePlan] = {}
        self._metrics: dict[str, MetricPlan] = {}
        self._weights: list[WeightPlan] = []
        self._search_stops: list[Code] = []
        self._squad_stops: list[Code] = []
        self._declared: dict[str, Spot] = {}  # parameters and metrics
        self._to_come = {one.name: one.spot for one in tree.statements if isinstance(one, Metric)}

    def program(self) -> Program:
        """Compile every statement, parameters first: they may be declared anywhere."""
        for statement in sorted(self._tree.statements, key=lambda one: not isinstance(one, Parameter)):
            self._add(statement)
        if not self._weights:
            raise self._tree.spot.error("Nothing is maximized, rewarded or penalized. Add a line: maximize raw_xev: 1")
        return Program(
            self._parameters,
            tuple(sorted(self._vocabulary.squad)),
            tuple(self._gates.values()),
            tuple(self._metrics.values()),
            tuple(self._weights),
            tuple(self._search_stops),
            tuple(self._squad_stops),
        )

    def _add(self, statement: Statement) -> None:
        match statement:
            case Parameter():
                self._declare(statement.name, statement.spot)
                self._parameters[statement.name] = self._default(statement)
            case Gate():
                self._check_new(statement.name, statement.spot, {name: one.spot for name, one in self._gates.items()})
                self._gates[statement.name] = self._gate(statement)
            case Metric():
                self._declare(statement.name, statement.spot)
                self._metrics[statement.name] = self._metric(statement)
            case Weight():
                self._weights.append(self._weight(statement))
            case Stop():
                stops = self._search_stops if _ends_the_search(statement) else self._squad_stops
                stops.append(compiled(statement.condition, self._scope(special=TICK)))

    def _default(self, parameter: Parameter) -> float:
        value = constant_of(compiled(parameter.default, self._numbers()))
        if abs(value) > MAX_NUMBER:
            raise parameter.spot.error(f"parameter {parameter.name} is {value:g}; {MAX_NUMBER:g} is the most.")
        if len(self._parameters) == MAX_PARAMETERS:
            raise parameter.spot.error(f"The spec has more than {MAX_PARAMETERS} parameters. Write numbers instead.")
        return value

    def _numbers(self, *parameters: str) -> Scope:
        return Scope(vocabulary=self._vocabulary, parameters=frozenset(parameters), spaces=frozenset())

    def _scope(self, *, metrics: bool = False, record: str = "", special: str = "") -> Scope:
        return Scope(
            vocabulary=self._vocabulary,
            parameters=frozenset(self._parameters),
            metrics=frozenset(self._metrics) if metrics else frozenset(),
            record=record,
            special=special,
        )

    def _declare(self, name: str, spot: Spot) -> None:
        self._check_new(name, spot, self._declared)
        self._declared[name] = spot
        self._to_come.pop(name, None)

    def _check_new(self, name: str, spot: Spot, declared: dict[str, Spot]) -> None:
        if name in declared:
            raise spot.error(f"{name} is declared twice, first in line {declared[name].line}. Rename one.")
        if name in {VALUE, TICK}:
            raise spot.error(f"{name} has a meaning of its own in transforms and ticks. Choose another name.")

    def _gate(self, gate: Gate) -> GatePlan:
        if gate.expression is not None:
            return GatePlan(gate.name, compiled(gate.expression, self._scope()), False, gate.spot)
        if gate.name not in self._vocabulary.squad:
            hint = did_you_mean(gate.name, self._vocabulary.squad)
            raise gate.spot.error(f"gate {gate.name} checks squad.{gate.name}, which is unknown. {hint}")
        return GatePlan(gate.name, reader(Name(gate.spot, "squad", gate.name), self._scope()), True, gate.spot)

    def _metric(self, metric: Metric) -> MetricPlan:
        aggregate, transform = metric.aggregate, metric.transform
        if aggregate is None:
            return self._simple(metric.name, metric.expression, metric.spot, self._scope(metrics=True))
        record = metric.record.name if metric.record else ""
        if metric.record:
            _check_choice("kind of record", metric.record, frozenset(self._vocabulary.records))
        _check_choice("aggregate", aggregate, AGGREGATES)
        scope = self._scope(metrics=True, record=record, special="" if record else TICK)
        plan = self._simple(metric.name, metric.expression, metric.spot, scope)
        summed = record and aggregate.name == "sum" and transform is None
        return replace(
            plan,
            degree=max(plan.degree, LINEAR) if summed else OTHER,
            record=record,
            aggregate=aggregate.name,
            transform=compiled(transform, self._scope(metrics=True, special=VALUE)) if transform else None,
        )

    def _simple(self, name: str, expression: Expression, spot: Spot, scope: Scope) -> MetricPlan:
        degrees = {name: metric.degree for name, metric in self._metrics.items()}
        return MetricPlan(name, compiled(expression, scope), spot, degree_of(expression, scope, degrees))

    def _weight(self, line: Weight) -> WeightPlan:
        metric = self._weighted(line.metric)
        term = line.term or line.metric
        if term.name == FEASIBILITY:
            raise term.spot.error(f"{FEASIBILITY} is the line that settles a disqualified squad. Choose another name.")
        weight = compiled(line.weight, self._numbers(*self._parameters))
        return WeightPlan(_term_name(term), metric, weight, line.verb != "penalize", line.spot)

    def _weighted(self, name: Name) -> str:
        """Return the metric that a weight names; squad state and built-ins need no declaration."""
        key = f"{ALIASES.get(name.space, name.space)}.{name.name}" if name.space else name.name
        if key not in self._metrics:
            state = name if name.space else self._shorthand(name)
            self._metrics[key] = self._simple(key, state, name.spot, self._scope())
        return key

    def _shorthand(self, name: Name) -> Name:
        if name.name in self._to_come:
            line = self._to_come[name.name].line
            raise name.spot.error(f"metric {name} is declared below, in line {line}. Move it above this line.")
        known = self._vocabulary.squad
        if name.name not in known:
            hint = did_you_mean(name.name, known | set(self._metrics))
            raise name.spot.error(f"{name} is neither a metric of this spec nor squad state. {hint}")
        return Name(name.spot, "squad", name.name)


def _ends_the_search(stop: Stop) -> bool:
    """Tell whether a termination looks at the figures of the search alone; parameters and numbers aside."""
    spaced = [name for name in names_in(stop.condition) if name.space]
    return bool(spaced) and all(name.space == "engine" and name.name in SEARCH_FIGURES for name in spaced)


def _check_choice(what: str, name: Name, known: frozenset[str]) -> None:
    if name.name not in known:
        raise name.spot.error(f"Unknown {what} {name}. {did_you_mean(name.name, known)}")


def _term_name(name: Name) -> str:
    """Return the line's name: squad state by its own, built-ins of the engine and the world with their space."""
    return name.name if ALIASES.get(name.space, name.space) in {"", "squad"} else str(name)
