"""Rivals by name: whole squads one plays against in place of all managers, as exposure and as a field."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace

import numpy as np

from data.rules import STARTERS
from engine.fitness.wishes import rows_of
from engine.rank.field import (
    BEST_MANAGERS,
    OBSERVED,
    Field,
    best_field,
    ev_aware_field,
    field_view,
    lined_up_rivals,
    naive_field,
    observed_field,
)
from engine.rank.field_draw import Tastes
from models.crowd.ownership import Exposure, Rivals, rivals_exposure
from models.signals import Signals

MANAGERS = 1_000
"""Managers of a field that is drawn to be played against: enough for a percentile, drawn in a second."""

NAMED = 5
"""Rivals whose names are told in a row; of more than one beyond them only how many there are."""

FIELDS: dict[str, Callable[[Signals, int, Tastes], Field]] = {
    OBSERVED: observed_field,
    BEST_MANAGERS: best_field,
    "ev-aware": ev_aware_field,
    "naive": naive_field,
}
"""Managers that can be drawn, by what they are called."""


@dataclass(frozen=True, slots=True)
class Rival:
    """A named opponent, by player ids."""

    name: str
    starters: tuple[int, ...]
    captain: int
    bench: tuple[int, ...] = ()  # empty where it is not known
    rank: int | None = None  # in the league he was read from
    ahead: int | None = None  # points of the manager ahead of him, negative behind; None where it is not known
    chips: tuple[str, ...] | None = None  # boosters he has left, by the rulebook's names; None where it is not known
    captains: tuple[int, ...] = ()  # whom he captained of late, the last round first; empty where it is not known
    with_crowd: int | None = None  # in how many of these rounds it was whom most managers captained; None = not known


def listed_names(names: Sequence[str], most: int = NAMED) -> str:
    """Return names in a row; of many the first, and how many others there are."""
    if len(names) <= most + 1:
        return ", ".join(names)
    return f"{', '.join(names[:most])} and {len(names) - most} others"


def playing(rivals: Sequence[Rival], player_ids: Collection[int]) -> tuple[Rival, ...]:
    """Return the rivals whose elevens are among these players; a bench that is not wholly there is not known."""
    known = frozenset(player_ids)
    return tuple(
        rival if known.issuperset(rival.bench) else replace(rival, bench=())
        for rival in rivals
        if known.issuperset(rival.starters)
    )


def rival_exposure(rivals: Sequence[Rival], signals: Signals) -> Exposure:
    """Return what named rivals are exposed to; benches count only where every rival's is known."""
    benches = [[signals.row_of(number) for number in rival.bench] for rival in rivals]
    known = len({len(bench) for bench in benches}) == 1
    named = Rivals(
        starters=np.array([[signals.row_of(number) for number in rival.starters] for rival in rivals]),
        captain=np.array([signals.row_of(rival.captain) for rival in rivals]),
        bench=np.array(benches if known else [[] for _ in rivals], dtype=np.int64),
    )
    return rivals_exposure(named, field_view(signals))


def opponents(
    signals: Signals, rivals: Sequence[Rival], seed: int, kind: str = OBSERVED, managers: int = MANAGERS
) -> Field:
    """Return whom one plays against: the named rivals whose whole squads are known, else managers of a kind.

    A rival plays the eleven, the bench and the captain that he was brought with.
    """
    squads = [rows_of((*rival.starters, *rival.bench), signals) for rival in rivals]
    known = [len(squad) == signals.rules.squad.size for squad in squads]
    if not any(known):
        return FIELDS[kind](signals, managers, Tastes(seed))
    rows = np.array([squad for squad, whole in zip(squads, known, strict=True) if whole])
    captains = [rows_of((rival.captain,), signals)[0] for rival, whole in zip(rivals, known, strict=True) if whole]
    there = listed_names([rival.name for rival, whole in zip(rivals, known, strict=True) if whole])
    name = f"{len(rows)} named rival{'s' * (len(rows) != 1)}: {there}"
    if not all(known):
        without = listed_names([rival.name for rival, whole in zip(rivals, known, strict=True) if not whole])
        name += f" ({without} left out: not all fifteen are known or can be picked this round)"
    return lined_up_rivals(signals, rows[:, :STARTERS], rows[:, STARTERS:], np.array(captains), name=name)
