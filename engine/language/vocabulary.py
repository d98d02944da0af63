"""What a fitness spec may name, checked when it is loaded, and the scene that holds the values when it is scored."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from data.errors import SpecError
from engine.language.deferred import Deferred
from engine.language.parsing import KEYWORDS

Floats: TypeAlias = npt.NDArray[np.float64]
Bools: TypeAlias = npt.NDArray[np.bool_]
Held = TypeVar("Held")

SEARCH_FIGURES = frozenset({"generation", "stalled", "evaluations", "changes"})
"""`engine.*` names that belong to the search: a termination on these alone ends it."""
SQUAD_FIGURES = frozenset({"complexity", "nodes"})
"""`engine.*` names that belong to a squad: how many teams it draws on, how many players it has."""
PLAN_FIGURES = frozenset({"hits", "transfers", "chips_kept"})
"""`plan.*` names: transfers beyond the free ones and all transfers before a round, and boosters left after it."""
ROLE = "role"
"""The field of a record that depends on the squad a player is in; all others are his own."""

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")


@dataclass(frozen=True, slots=True, eq=False)
class RecordSet:
    """Records of one kind for p squads, at most m each; where the mask is False there is no record."""

    fields: Mapping[str, Floats]  # (p, m) each
    mask: Bools  # (p, m)

    def __post_init__(self) -> None:
        """Bring every field that is at hand to floats, every one of the mask's shape."""
        object.__setattr__(self, "mask", np.asarray(self.mask, dtype=np.bool_))
        object.__setattr__(self, "fields", _columns(self.fields))
        if self.mask.ndim != 2:
            raise SpecError(f"The mask of a record set has the shape {self.mask.shape}; give (squads, records).")
        for name, values in _at_hand(self.fields).items():
            if values.shape != self.mask.shape:
                raise SpecError(f"Record field {name} has the shape {values.shape}, its mask {self.mask.shape}.")


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """What a spec can see of a batch of p squads: row i of every array is squad i."""

    squad: Mapping[str, Floats]  # (p,) state of the squad for the coming round
    records: Mapping[str, RecordSet] = field(default_factory=dict)  # starter, bench, owned, template_missed, …
    ticks: Mapping[str, Floats] = field(default_factory=dict)  # (p, t) the state round by round of the horizon
    world: Mapping[str, float] = field(default_factory=dict)
    engine: Mapping[str, Floats | float] = field(default_factory=dict)  # (p,) or one figure for all
    plan: Mapping[str, Floats | float] = field(default_factory=dict)  # likewise: moves of the round, boosters left

    def __post_init__(self) -> None:
        """Bring every column that is at hand to floats of one height."""
        for name in ("squad", "ticks", "engine", "plan"):
            object.__setattr__(self, name, _columns(getattr(self, name)))
        self._check("squad", self.squad, {1})
        self._check("engine", self.engine, {0, 1})
        self._check("plan", self.plan, {0, 1})
        self._check("ticks", _at_hand(self.ticks), {2})
        for kind, records in _at_hand(self.records).items():
            if len(records.mask) != self.size:
                raise SpecError(f"Records {kind} hold {len(records.mask)} squads, the scene {self.size}.")
        if len({values.shape for values in _at_hand(self.ticks).values()}) > 1:
            raise SpecError("The ticks of a scene differ in length. Give every one the same rounds.")

    @property
    def size(self) -> int:
        """Number of squads; 1 for a scene that holds figures of the search alone."""
        return next((len(values) for values in self.squad.values()), 1)

    @property
    def horizon(self) -> int:
        """Number of ticks."""
        return next((values.shape[1] for values in self.ticks.values()), 0)

    def _check(self, space: str, columns: Mapping[str, Floats | float], dimensions: set[int]) -> None:
        for name, values in columns.items():
            shape = np.shape(values)
            if len(shape) not in dimensions or (shape and shape[0] != self.size):
                raise SpecError(f"{space}.{name} has the shape {shape}; the scene holds {self.size} squads.")


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The names a spec may use, by space; the records by kind with their fields."""

    squad: frozenset[str]
    records: Mapping[str, frozenset[str]]
    ticks: frozenset[str]
    world: frozenset[str]
    engine: frozenset[str] = SEARCH_FIGURES | SQUAD_FIGURES
    plan: frozenset[str] = PLAN_FIGURES

    def __post_init__(self) -> None:
        """Refuse a name that no spec could write."""
        for name in (*self.squad, *self.records, *self.ticks, *self.world, *self.engine, *_fields(self.records)):
            if not _NAME.fullmatch(name) or name in KEYWORDS:
                raise SpecError(f"{name!r} cannot be a name of the fitness language. Letters, digits and _ only.")

    @classmethod
    def of(cls, scene: Scene) -> Vocabulary:
        """Return the names that a scene holds."""
        return cls(
            squad=frozenset(scene.squad),
            records={kind: frozenset(records.fields) for kind, records in scene.records.items()},
            ticks=frozenset(scene.ticks),
            world=frozenset(scene.world),
            engine=frozenset(scene.engine),
        )


def _columns(values: Mapping[str, npt.ArrayLike]) -> Mapping[str, npt.ArrayLike]:
    """Return columns as floats; those that are made later are floats when they are made."""
    if isinstance(values, Deferred):
        return values
    return {name: np.asarray(column, dtype=np.float64) for name, column in values.items()}


def _at_hand(values: Mapping[str, Held]) -> Mapping[str, Held]:
    """Return what can be checked at once: nothing of what is made later."""
    return {} if isinstance(values, Deferred) else values


def _fields(records: Mapping[str, Iterable[str]]) -> Iterable[str]:
    return (name for fields in records.values() for name in fields)
