"""Players and clubs over the rounds to come: points, value, exposure, price change and fixtures, sorted. Pure.

player_rows(outlook, signals, table, …, by)   the men of a table by what they bring over so many rounds
club_rows(outlook, signals, names, attack)    the clubs by how easy it is for them to score, or to concede nothing
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd

from models.outlook import Outlook
from models.signals import Signals
from ui.web.answers.player_marks import difficulties
from ui.web.drawing.rounds.ticker import TickerRow

MOST_SHOWN = 40
ORDERS = ("Points", "Per million", "EO", "Price change")
ATTACK_STEPS, DEFENCE_STEPS = (1.9, 1.55, 1.2, 0.9), (0.9, 1.2, 1.55, 1.9)
"""Goals expected for a team, and against it, up to which a match is a 1, 2, 3 or 4; the mean of a league is 1.4."""

PRICE_CHANGE = "price_change"


@dataclass(frozen=True, slots=True)
class HorizonRow:
    """One man over the rounds to come."""

    player_id: int
    ticker: TickerRow
    points: float  # expected over the rounds
    value: float  # of it for each million
    eo: float  # of the field in the coming round, percent
    change: float | None  # of his price, percent of the way to the next; None where the game tells nothing


def player_rows(
    outlook: Outlook, signals: Signals, table: pd.DataFrame, told: pd.DataFrame, rounds: int, by: str
) -> list[HorizonRow]:
    """Return the men of a table, best first; `told` are the players as the game lists them."""
    hard, place = difficulties(outlook), range(min(rounds, len(outlook.rounds)))
    points = outlook.xev[:, : len(place)].sum(axis=1)
    changes = dict(zip(told["player_id"], told[PRICE_CHANGE], strict=True)) if PRICE_CHANGE in told else {}
    rows = [
        HorizonRow(
            int(outlook.player_id[row]),
            TickerRow(
                str(signals.short[row]),
                str(signals.codes[row]),
                tuple((str(outlook.opponents[row, at]), int(hard[row, at])) for at in place),
            ),
            float(points[row]),
            float(points[row] / signals.price[row]),
            100 * float(signals.exposure.eo[row]),
            _known(changes.get(int(outlook.player_id[row]))),
        )
        for row in table["row"].tolist()
    ]
    return sorted(rows, key=lambda one: (-_sorted_by(one)[by], one.player_id))[:MOST_SHOWN]


def _known(change: object) -> float | None:
    return float(change) if isinstance(change, int | float) and not pd.isna(change) else None


def _sorted_by(row: HorizonRow) -> Mapping[str, float]:
    change = -np.inf if row.change is None else row.change
    return {"Points": row.points, "Per million": row.value, "EO": row.eo, "Price change": change}


def club_rows(outlook: Outlook, signals: Signals, names: Mapping[str, str], *, attack: bool) -> list[TickerRow]:
    """Return the clubs with their fixtures and the goals expected for (or against) them, the easiest run first."""
    goals = outlook.goals_for if attack else outlook.goals_against
    plays = outlook.goals_for > 0
    firsts = {str(code): row for row, code in reversed(list(enumerate(signals.codes))) if signals.team[row] >= 0}
    mean = {code: float(goals[row][plays[row]].mean()) if plays[row].any() else 0.0 for code, row in firsts.items()}
    order = sorted(firsts, key=lambda code: (-mean[code] if attack else mean[code], code))
    return [
        TickerRow(
            names.get(code, code),
            code,
            tuple(_goals_told(outlook, firsts[code], at, goals, attack=attack) for at in range(len(outlook.rounds))),
            f"{mean[code]:.1f}",
        )
        for code in order
    ]


def _goals_told(outlook: Outlook, row: int, at: int, goals: np.ndarray, *, attack: bool) -> tuple[str, int]:
    """Return an opponent and the step of a match for attack or defence; 0 without a match."""
    if not outlook.goals_for[row, at] > 0:
        return str(outlook.opponents[row, at]), 0
    return str(outlook.opponents[row, at]), goal_step(float(goals[row, at]), attack=attack)


def goal_step(goals: float, *, attack: bool) -> int:
    """Return how hard a match is, 1 to 5, by the goals expected for a team (attack) or against it (defence)."""
    steps = ATTACK_STEPS if attack else DEFENCE_STEPS
    easy = (goals >= step if attack else goals <= step for step in steps)
    return next((place for place, holds in enumerate(easy, start=1) if holds), len(steps) + 1)
