"""How an expression depends on what differs between squads: not at all, linearly, or otherwise.

What differs is the state of a squad and, in a metric per record, the role of a player in it. A player's other fields,
the parameters and the world are the same for all squads; figures of the search and of a plan are no squad's at all.
"""

from __future__ import annotations

from collections.abc import Mapping

from engine.language.names import Scope
from engine.language.syntax import Expression, Name, Number
from engine.language.vocabulary import ROLE

FIXED, LINEAR, OTHER = 0, 1, 2


def degree_of(expression: Expression, scope: Scope, metrics: Mapping[str, int]) -> int:
    """Return the degree of an expression, given those of the metrics above it; what may be linear by luck is not."""
    if isinstance(expression, Number):
        return FIXED
    if isinstance(expression, Name):
        return _degree_of_name(expression, scope, metrics)
    parts = [degree_of(operand, scope, metrics) for operand in expression.operands]
    match expression.symbol:
        case "+" | "-":
            return max(parts)
        case "*":
            return min(sum(parts), OTHER)
        case "/" if parts[1] == FIXED:
            return parts[0]
        case "?" if parts[0] == FIXED:
            return max(parts)
    return OTHER if any(parts) else FIXED


def _degree_of_name(name: Name, scope: Scope, metrics: Mapping[str, int]) -> int:
    if not name.space and name.name in scope.fields:
        return LINEAR if name.name == ROLE else FIXED
    if name.space == "world" or (not name.space and name.name not in metrics):
        return FIXED
    if scope.record or name.space in {"engine", "plan"}:
        return OTHER
    return LINEAR if name.space else metrics[name.name]
