"""What a name means where it stands: each becomes a reader of the moment, or an error with the nearest known name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias, TypeVar

import numpy as np

from data.errors import did_you_mean
from engine.language.arithmetic import settled
from engine.language.syntax import Name
from engine.language.vocabulary import Bools, Floats, Scene, Vocabulary

T = TypeVar("T")

TICK_LENGTH = 1.0  # `dt`: a tick is one round of the horizon
VALUE, TICK = "value", "dt"
ALIASES = {"agent": "squad"}
SPACES = frozenset({"squad", "agent", "world", "engine", "plan"})


@dataclass(frozen=True, slots=True, eq=False)
class Moment:
    """What the readers read while a spec is evaluated."""

    scene: Scene
    parameters: Mapping[str, float]
    metrics: dict[str, Floats] = field(default_factory=dict)  # (p, 1) each, filled in the order they are declared
    ticks: slice = field(default_factory=lambda: slice(None))  # the ticks looked at
    value: Floats | None = None  # (p, 1) what a transform transforms


Code: TypeAlias = Callable[[Moment, Bools], Floats]
"""An expression ready to run: the moment and where its value counts, to a column."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """What can be named at one place of a spec."""

    vocabulary: Vocabulary
    parameters: frozenset[str]
    metrics: frozenset[str] = frozenset()  # declared above
    spaces: frozenset[str] = SPACES
    record: str = ""  # the kind of records whose fields are named bare
    special: str = ""  # `value` in a transform, `dt` in a tick

    @property
    def squad(self) -> frozenset[str]:
        """Squad state that can be read here: in a tick, what is known round by round."""
        return frozenset(self.vocabulary.ticks if self.special == TICK else self.vocabulary.squad)

    @property
    def fields(self) -> frozenset[str]:
        """Fields of the record that the scope is in."""
        return frozenset(self.vocabulary.records.get(self.record, ()))

    @property
    def bare(self) -> frozenset[str]:
        """Every name that stands here without a space."""
        return self.fields | self.parameters | self.metrics | frozenset({self.special} - {""})


def reader(name: Name, scope: Scope) -> Code:
    """Return the code that reads a name where the scope allows it."""
    return _spaced_reader(name, scope) if name.space else _bare_reader(name, scope)


def _spaced_reader(name: Name, scope: Scope) -> Code:
    if name.space not in scope.spaces:
        hint = did_you_mean(name.space, scope.spaces) if scope.spaces else "Only numbers and parameters can."
        raise name.spot.error(f"{name} cannot be read here. {hint}")
    if ALIASES.get(name.space, name.space) == "squad":
        _check_known(name, scope.squad, " round by round" if scope.special == TICK else "")
        return _tick_reader(name) if scope.special == TICK else _squad_reader(name)
    if name.space == "world":
        _check_known(name, scope.vocabulary.world)
        return _shared_reader(name, lambda moment: moment.scene.world)
    if name.space == "plan":
        _check_known(name, scope.vocabulary.plan)
        return _shared_reader(name, lambda moment: moment.scene.plan)
    _check_known(name, scope.vocabulary.engine)
    return _shared_reader(name, lambda moment: moment.scene.engine)


def _bare_reader(name: Name, scope: Scope) -> Code:
    """Read the innermost meaning first: a field of the record hides a metric or a parameter of its name."""
    if name.name == scope.special:
        return _value if name.name == VALUE else _tick_length
    if name.name in scope.fields:
        return _field_reader(name, scope.record)
    if name.name in scope.metrics:
        return lambda moment, _: moment.metrics[name.name]
    if name.name in scope.parameters:
        return lambda moment, _: np.asarray(moment.parameters[name.name])
    if name.name in scope.squad and "squad" in scope.spaces:
        raise name.spot.error(f"Unknown name {name}. Squad state is written squad.{name} in an expression.")
    hint = did_you_mean(name.name, scope.bare) if scope.bare else "Declare it first, as a parameter or a metric."
    raise name.spot.error(f"Unknown name {name}. {hint}")


def _check_known(name: Name, known: Iterable[str], how: str = "") -> None:
    if name.name not in known:
        hint = did_you_mean(name.name, known)
        raise name.spot.error(f"Unknown name {name}: no scene gives it{how}. {hint}")


def _squad_reader(name: Name) -> Code:
    return lambda moment, live: _finite(_given(moment.scene.squad, name)[:, None], live, name)


def _tick_reader(name: Name) -> Code:
    return lambda moment, live: _finite(_given(moment.scene.ticks, name)[:, moment.ticks], live, name)


def _field_reader(name: Name, kind: str) -> Code:
    return lambda moment, live: _finite(_given(moment.scene.records[kind].fields, name), live, name)


def _shared_reader(name: Name, space: Callable[[Moment], Mapping[str, Floats | float]]) -> Code:
    def read(moment: Moment, live: Bools) -> Floats:
        values = np.asarray(_given(space(moment), name), dtype=np.float64)
        return _finite(values[:, None] if values.ndim else values, live, name)

    return read


def _given(columns: Mapping[str, T], name: Name) -> T:
    if name.name not in columns:
        raise name.spot.error(f"{name} is known, but this scene does not hold it.")
    return columns[name.name]


def _finite(values: Floats, live: Bools, name: Name) -> Floats:
    return settled(values, live, name.spot, f"{name} is not a finite number")


def _value(moment: Moment, _: Bools) -> Floats:
    assert moment.value is not None, "only a transform names `value`"
    return moment.value


def _tick_length(_: Moment, __: Bools) -> Floats:
    return np.asarray(TICK_LENGTH)
