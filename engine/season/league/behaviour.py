"""How rivals behave: they sell and buy, take hits, follow the crowd with the armband and play boosters.

Fitted on a mini-league of 72 real managers over gameweeks 2 to 19 of 2025/26, chips aside where transfers are counted;
captains on the squads of the best 10,000, since the league has none on record: those follow the crowd more than others.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from data.domain import POSITIONS
from engine.rules.money import SLACK
from models.signals import Signals

TRANSFERS = (0.248, 0.399, 0.255, 0.067, 0.031)
"""Share of weeks with 0, 1, 2, 3 and 4 transfers or more; gameweek 16, which filled everybody's up, is left out."""

HIT_WEEK = 0.19
"""Share of weeks in which somebody paid for transfers; 1.24 of them then."""

HITS = 1.24

WITH_CROWD = 0.83
"""Chance that an owner of the man whom most captain captains him; the mean of nineteen gameweeks, .56 to .99."""

BOOSTERS = {"bench": 0.036, "captain": 0.037, "rebuild": 0.076}
"""Chance a week to play a bench boost, a triple captain, and a wildcard or free hit."""

REBUILT = 5
"""Transfers that a wildcard or a free hit stands for."""

TASTE = 2.0
"""Spread, in points over the rounds ahead, of what a manager sees in a player beside our forecast."""

KNOWN = 0.005
"""Share of managers who own a man below which hardly anybody buys him."""

PURSE = 0.3
"""Millions that a rival can add to what a man sold for; a bank is not known."""


@dataclass(frozen=True, slots=True, eq=False)
class RivalPaths:
    """What rivals may do over the rounds ahead: path b, rival i, round j."""

    squads: np.ndarray  # (b, m, r, 15) player rows
    cost: np.ndarray  # (b, m, r) points paid for transfers
    with_crowd: np.ndarray  # (b, m, r) bool: the armband is with whom most captain, where he starts
    booster: np.ndarray  # (b, m, r) 0 none, 1 bench boost, 2 triple captain

    def __len__(self) -> int:
        return len(self.squads)


def rival_paths(
    ahead: Sequence[Signals], squads: np.ndarray, paths: int, rng: np.random.Generator, boosters: bool = True
) -> RivalPaths:
    """Return paths of rivals whose squads (m, 15) of rows are known before the first of the rounds ahead."""
    shape = (paths, len(squads), len(ahead))
    found = np.zeros((*shape, squads.shape[1]), dtype=np.int64)
    moves = rng.choice(len(TRANSFERS), size=shape, p=np.array(TRANSFERS) / sum(TRANSFERS))
    chances = [*(BOOSTERS.values() if boosters else (0.0,) * len(BOOSTERS))]
    played = rng.choice(len(chances) + 1, size=shape, p=[1.0 - sum(chances), *chances])
    moves = np.where(played == len(chances), REBUILT, moves)
    market = _Market(ahead)
    for path in range(paths):
        for rival, squad in enumerate(squads):
            taste = rng.gumbel(scale=TASTE, size=len(market))
            held = squad.copy()
            for column in range(shape[2]):
                held = market.moved(held, int(moves[path, rival, column]), column, taste)
                found[path, rival, column] = held
    cost = ahead[0].rules.transfers.hit_cost * HITS * ((rng.random(shape) < HIT_WEEK) & (played != len(chances)))
    return RivalPaths(found, cost, rng.random(shape) < WITH_CROWD, np.where(played < len(chances), played, 0))


class _Market:
    """Who may be bought, and what is expected of him from a round on."""

    def __init__(self, ahead: Sequence[Signals]) -> None:
        first = ahead[0]
        self.position, self.price, self.team = first.position, first.price, first.team
        self.cap = first.rules.stage(first.round).team_cap
        xev = np.stack([signals.xev[: len(first)] for signals in ahead], axis=1)
        self.rest = np.cumsum(xev[:, ::-1], axis=1)[:, ::-1]  # (n, r) from a round to the last
        wanted = (first.owned >= KNOWN) & ~first.unavailable
        self.men = [np.flatnonzero(wanted & (self.position == place)) for place in range(len(POSITIONS))]

    def __len__(self) -> int:
        return len(self.position)

    def moved(self, squad: np.ndarray, count: int, column: int, taste: np.ndarray) -> np.ndarray:
        """Return a squad after so many transfers, each the one that gains most by a manager's own view."""
        squad = squad.copy()
        seen = self.rest[:, column] + taste * (self.rest[:, column] > 0)
        for _ in range(count):
            gain, place, man = max(self._exchanges(squad, seen), default=(0.0, -1, -1))
            if gain <= 0.0:
                break
            squad[place] = man
        return squad

    def _exchanges(self, squad: np.ndarray, seen: np.ndarray) -> Iterator[tuple[float, int, int]]:
        """Yield gain, place in the squad and newcomer: for each position the man seen least in and who comes for him.

        Only the man in whom least is seen goes: others would be sold for money, which is not looked at.
        """
        counts = np.bincount(self.team[squad], minlength=int(self.team.max()) + 1)
        for code, rows in enumerate(self.men):
            places = np.flatnonzero(self.position[squad] == code)
            place = int(places[seen[squad[places]].argmin()])
            man = int(squad[place])
            full = counts >= self.cap
            full[self.team[man]] = counts[self.team[man]] > self.cap
            paid = self.price[rows] <= self.price[man] + PURSE + SLACK
            open_to = rows[paid & ~full[self.team[rows]] & ~np.isin(rows, squad)]
            if len(open_to):
                best = int(open_to[seen[open_to].argmax()])
                yield float(seen[best] - seen[man]), place, best
