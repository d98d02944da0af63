"""What a fitness spec is made of: its source, the places in it, and the tree the parser builds.

The tree says only what is written. What the names mean is settled in `compile_spec`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from data.errors import SpecError

EXCERPT = 100  # characters of a source line that an error shows around its place

Verb: TypeAlias = Literal["maximize", "reward", "penalize"]


@dataclass(frozen=True, slots=True)
class SpecSource:
    """The text of one spec, lines ended by a line feed, and the file it is shown under."""

    file: str
    text: str = field(repr=False)

    def spot_at(self, index: int) -> Spot:
        """Return the place of the character at `index`, the last character for an index beyond the text."""
        index = max(0, min(index, len(self.text) - 1))
        line_start = self.text.rfind("\n", 0, index) + 1
        return Spot(self, 1 + self.text.count("\n", 0, index), 1 + index - line_start)

    def line(self, number: int) -> str:
        """Return one line of the text, counted from 1."""
        return self.text.split("\n")[number - 1]


@dataclass(frozen=True, slots=True)
class Spot:
    """A place in a spec: line and column from 1, and how many characters it spans."""

    source: SpecSource
    line: int
    column: int
    width: int = 1

    def error(self, message: str) -> SpecError:
        """Return the error of this place: file, line and column, what is wrong, the source line and a caret."""
        error = SpecError(f"{self.source.file}:{self.line}:{self.column}: {message}\n{self._excerpt()}")
        error.line, error.column = self.line, self.column
        return error

    def _excerpt(self) -> str:
        line, at = self.source.line(self.line), self.column - 1
        start = max(0, at - EXCERPT // 2)
        shown = "".join(c if c.isprintable() else " " for c in line[start : start + EXCERPT])
        carets = "^" * max(1, min(self.width, len(shown) - (at - start)))
        return f"  {shown}\n  {' ' * (at - start)}{carets}"


@dataclass(frozen=True, slots=True)
class Number:
    """A number as written."""

    spot: Spot
    value: float
    depth: int = 1  # levels of nesting down to the deepest leaf


@dataclass(frozen=True, slots=True)
class Name:
    """`space.name`, or a bare name with an empty space."""

    spot: Spot
    space: str
    name: str
    depth: int = 1

    def __str__(self) -> str:
        return f"{self.space}.{self.name}" if self.space else self.name


@dataclass(frozen=True, slots=True)
class Operation:
    """An operator or a function and what it is applied to: `+`, `<`, `and`, `?`, `clamp`, …"""

    spot: Spot
    symbol: str
    operands: tuple[Expression, ...]
    depth: int


Expression: TypeAlias = Number | Name | Operation


@dataclass(frozen=True, slots=True)
class Parameter:
    """`parameter k = 0.02`: a number the caller may set."""

    spot: Spot
    name: str
    default: Expression


@dataclass(frozen=True, slots=True)
class Gate:
    """`gate feasible` checks squad state; `gate name = expression` is a multiplier."""

    spot: Spot
    name: str
    expression: Expression | None


@dataclass(frozen=True, slots=True)
class Metric:
    """`metric name = expression`, or with an aggregate `metric name { per …: expression … }`."""

    spot: Spot
    name: str
    expression: Expression
    aggregate: Name | None = None
    record: Name | None = None  # the kind that is gathered; None for ticks
    transform: Expression | None = None


@dataclass(frozen=True, slots=True)
class Weight:
    """`maximize metric: weight as term`."""

    spot: Spot
    verb: Verb
    metric: Name
    weight: Expression
    term: Name | None


@dataclass(frozen=True, slots=True)
class Stop:
    """`terminate when condition`."""

    spot: Spot
    condition: Expression


Statement: TypeAlias = Parameter | Gate | Metric | Weight | Stop


@dataclass(frozen=True, slots=True)
class Fitness:
    """One whole spec."""

    spot: Spot
    name: str
    statements: tuple[Statement, ...]


def names_in(expression: Expression) -> Iterator[Name]:
    """Yield every name of an expression, in the order they are written."""
    if isinstance(expression, Name):
        yield expression
    elif isinstance(expression, Operation):
        for operand in expression.operands:
            yield from names_in(operand)
