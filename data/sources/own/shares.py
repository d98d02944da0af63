"""Percent or fraction? A column of shares is read as one of the two, aloud, or refused."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

import numpy as np
import pandas as pd

from data.errors import TableError

SLACK = 1.1
"""A table may sum a little above its total: rounding, and players listed twice."""

FAR_FROM_GAME = 10.0
"""Half-way, in ratio, between right and wrong by the factor 100 that parts percent from fraction."""


class Unit(Enum):
    """What the numbers of a share column count; the value is what 100 % is written as."""

    FRACTION = 1.0
    PERCENT = 100.0


@dataclass(frozen=True, slots=True)
class ShareKind:
    """A column of shares: what all players' fractions sum to, and the least a percent column's largest value can be."""

    column: str
    total: float | None
    least_percent: float

    @property
    def advice(self) -> str:
        """How a user says which unit is meant."""
        return f"Name the column {self.column}_percent or {self.column}_fraction to say which."


OWNED = ShareKind("owned", total=15.0, least_percent=2.0)
CAPTAIN_SHARE = ShareKind("captain_share", total=1.0, least_percent=2.0)
P_START = ShareKind("p_start", total=None, least_percent=10.0)
SHARES = {kind.column: kind for kind in (OWNED, CAPTAIN_SHARE, P_START)}


def unit_of(values: pd.Series, kind: ShareKind, header: str) -> Unit:
    """Return the only unit the values can be written in, from their largest and their sum."""
    largest = float(values.max()) if values.notna().any() else 0.0
    if largest <= Unit.FRACTION.value:
        return Unit.FRACTION
    if largest >= kind.least_percent:
        return Unit.PERCENT
    raise TableError(
        f"Column {header!r}: with {largest:g} as the largest value it holds neither fractions (at most 1) nor "
        f"percent (somebody reaches {kind.least_percent:g}). {kind.advice}"
    )


def as_fractions(values: pd.Series, kind: ShareKind, header: str, said: Unit | None) -> tuple[pd.Series, str]:
    """Return shares between 0 and 1 and a sentence that says how the column was read.

    `said` is the unit the table itself states, by a % sign or in the header; without it the values decide.
    """
    unit = said or unit_of(values, kind, header)
    name = unit.name.lower()
    fractions = values / unit.value
    largest, total = float(values.max()), float(values.sum())
    if largest > unit.value:
        raise TableError(
            f"Column {header!r} is read as {name}, but {largest:g} is more than {unit.value:g}. {kind.advice}"
        )
    if kind.total is not None and total > SLACK * kind.total * unit.value:
        raise TableError(
            f"Column {header!r} sums to {total:,.4g}, but read as {name} all players together make "
            f"{kind.total * unit.value:,g}. It fits neither percent nor fraction. {kind.advice}"
        )
    how = "as the table says" if said else f"judged by the largest value {largest:g} and the sum {total:,.4g}"
    return fractions, f"{header} is read as {name}, {how}."


def compare_with_game(given: pd.Series, game: pd.Series, header: str, kind: ShareKind) -> None:
    """Refuse a judged unit that puts the same players' shares far from what the game itself shows."""
    known = given.notna() & game.notna()
    ours, shown = float(given[known].sum()), float(game[known].sum())
    if ours <= 0 or shown <= 0:
        return
    ratio = ours / shown
    if not np.isfinite(ratio) or not 1 / FAR_FROM_GAME <= ratio <= FAR_FROM_GAME:
        raise TableError(
            f"Column {header!r} would make its players {ratio:.3g} times as owned as the game shows them. "
            f"Percent and fraction seem confused. {kind.advice}"
        )
