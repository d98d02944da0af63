"""From one expression to code: lazy where a branch may not be taken, computed at once where all is constant."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from data.errors import did_you_mean
from engine.language.arithmetic import FUNCTIONS, INFIX, PREFIX, Function, applied, bounded
from engine.language.names import Code, Moment, Scope, reader
from engine.language.syntax import Expression, Name, Number, Operation
from engine.language.vocabulary import Bools, Floats, Scene

Codes = tuple[Code, ...]


@dataclass(frozen=True, slots=True)
class Constant:
    """Code that always gives one number."""

    value: float

    def __call__(self, _: Moment, __: Bools) -> Floats:
        """Give the number."""
        return np.asarray(self.value)


def compiled(expression: Expression, scope: Scope) -> Code:
    """Return the code of an expression; the recursion is bounded by the parser's limit on depth."""
    if isinstance(expression, Number):
        return Constant(expression.value)
    if isinstance(expression, Name):
        return reader(expression, scope)
    operands = tuple(compiled(operand, scope) for operand in expression.operands)
    lazy = _LAZY.get(expression.symbol)
    return lazy(*operands) if lazy else _strict(expression, operands)


def constant_of(code: Code) -> float:
    """Return the number that code gives which reads nothing but numbers."""
    return float(code(Moment(Scene({}), {}), np.asarray(True)))


def _strict(operation: Operation, operands: Codes) -> Code:
    function = _function(operation)
    if operation.symbol == "/" and operands[1] == Constant(0.0):
        raise operation.spot.error("Division by zero: the divisor is always 0.")

    def run(moment: Moment, live: Bools) -> Floats:
        return applied(function, tuple(code(moment, live) for code in operands), live, operation.spot)

    if not all(isinstance(code, Constant) for code in operands):
        return run
    return Constant(float(bounded(np.asarray(constant_of(run)), np.asarray(True), operation.spot)))


def _function(operation: Operation) -> Function:
    symbol, count = operation.symbol, len(operation.operands)
    if symbol in FUNCTIONS:
        function, fewest, most = FUNCTIONS[symbol]
        if count < fewest or (most is not None and count > most):
            wanted = str(fewest) if fewest == most else f"{fewest} or more"
            raise operation.spot.error(f"{symbol} takes {wanted} arguments, not {count}.")
        return function
    table = PREFIX if count == 1 else INFIX
    if symbol not in table:
        raise operation.spot.error(f"Unknown function {symbol}. {did_you_mean(symbol, FUNCTIONS)}")
    return table[symbol]


def _choice(condition: Code, chosen: Code, otherwise: Code) -> Code:
    def run(moment: Moment, live: Bools) -> Floats:
        holds = condition(moment, live) != 0.0
        return np.where(holds, chosen(moment, live & holds), otherwise(moment, live & ~holds))

    return run


def _truth(code: Code) -> Code:
    return lambda moment, live: np.asarray(code(moment, live) != 0.0, dtype=np.float64)


_LAZY: Mapping[str, Callable[..., Code]] = MappingProxyType(
    {
        "?": _choice,
        "and": lambda left, right: _choice(left, _truth(right), Constant(0.0)),
        "or": lambda left, right: _choice(left, Constant(1.0), _truth(right)),
    }
)
