"""Which of many demands conflict? The fewest questions that find a set of which none can be spared."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

Part = TypeVar("Part")


def smallest_clash(holds: Callable[[list[Part]], bool], parts: Sequence[Part]) -> list[Part]:
    """Return parts that cannot hold together and of which none can be spared; all parts together must not hold.

    What comes first is blamed last. Asks a few times for each part that is named, and hardly at all for the others
    (Junker's QuickXplain).
    """
    return _explained(holds, [], False, list(parts))


def _explained(holds: Callable[[list[Part]], bool], given: list[Part], grown: bool, parts: list[Part]) -> list[Part]:
    """Return those of the parts that conflict beside what is given; `grown` says whether that has changed since."""
    if grown and not holds(given):
        return []
    if len(parts) == 1:
        return parts
    first, second = parts[: len(parts) // 2], parts[len(parts) // 2 :]
    later = _explained(holds, given + first, True, second)
    return _explained(holds, given + later, bool(later), first) + later
