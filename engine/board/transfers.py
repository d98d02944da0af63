"""Transfers of an option that starts from a squad: who goes, who comes, what it costs and brings, net of hits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from math import inf

import numpy as np

from data.domain import POSITIONS, price_words
from engine.board.remarks import why_unavailable
from engine.fitness.judge import Judge, Objective
from engine.fitness.squad_scoring import ScoredSquads
from models.signals import Signals

EMPTY = "an empty place"
SHOWN = 0.05
"""Points below this print as 0.0."""


@dataclass(frozen=True, slots=True)
class Transfer:
    """One man out and one in, of the same position."""

    position: str
    out: str
    out_team: str
    into: str
    into_team: str
    into_row: int
    price: float  # millions it costs, below 0 where it frees money
    points: float  # expected points of the newcomer this round, less those of who goes
    carry: float  # and what the later rounds count for under the objective
    reason: str  # why who goes could not stay, such as "suspended"; empty where he could
    market: tuple[str, ...] = ()  # what the two prices are about to do, such as "Saka: price likely to rise tonight"


@dataclass(frozen=True, slots=True)
class TransferCard:
    """What an option does with the squad that a manager has."""

    moves: tuple[Transfer, ...]
    free: float  # transfers that cost nothing; infinite where the squad may be rebuilt
    hits: int  # transfers beyond them
    cost: float  # points those take
    net: float | None  # expected points of the round, hits taken off, less those of the squad as it is, if it is whole

    @property
    def headline(self) -> str:
        """The transfers counted and paid for, in one sentence."""
        if not self.moves:
            return "No transfers: your fifteen stay."
        count = f"{len(self.moves)} transfer{'s' * (len(self.moves) != 1)}"
        if self.free == inf:
            return f"{count}, all free this round."
        paid = f"{self.hits} beyond that cost {self.cost:.0f} points" if self.hits else "no hit"
        return f"{count} with {self.free:.0f} free: {paid}."

    @property
    def result(self) -> str:
        """What the round brings by it, in one sentence."""
        if self.net is None:
            return "Your squad as it is has empty places, so there is nothing to hold the round against."
        if abs(self.net) < SHOWN:
            return "Net of hits the round brings as much as your squad as it is."
        side = "more" if self.net > 0 else "fewer"
        return f"Net of hits the round brings {abs(self.net):.1f} points {side} than your squad as it is."


def transfer_card(judge: Judge, objective: Objective, scored: ScoredSquads, row: int) -> TransferCard | None:
    """Return the transfers of a scored squad from the one its manager has; None for a new squad."""
    view = judge.view
    current = np.array(view.settings.current, dtype=np.int64)
    if not current.size:
        return None
    cost = float(scored.figures["transfer_cost"][row])
    changes = int(scored.figures["changes"][row])
    hits = int(max(changes - view.free_transfers, 0)) if view.free_transfers < inf else 0
    weight = float(objective.spec.known(objective.parameters).get("c", 0.0))
    out, into = np.setdiff1d(current, scored.squads[row]), np.setdiff1d(scored.squads[row], current)
    moves = _moves(view.signals, out, into, weight * view.carry.sum(axis=1))
    net = None
    if len(current) == view.pool.size:
        held = judge.sent_out(current[None, :], objective).lineups
        net = float(scored.lineups.expected[row] - held.expected[0]) - cost
    return TransferCard(moves, view.free_transfers, hits, cost, net)


def _moves(signals: Signals, out: np.ndarray, into: np.ndarray, carry: np.ndarray) -> tuple[Transfer, ...]:
    """Return who comes in for whom: by position, those who could not stay first, then the dearer first."""
    moves = []
    for code, position in enumerate(POSITIONS):
        leaving = sorted(
            out[signals.position[out] == code], key=lambda man: (not signals.unavailable[man], -signals.price[man])
        )
        coming = sorted(into[signals.position[into] == code], key=lambda man: -signals.price[man])
        pairs = zip_longest(leaving, coming)  # a man who left the game leaves a place empty
        moves += [_move(signals, position, out, int(into), carry) for out, into in pairs]
    return tuple(moves)


def _move(signals: Signals, position: str, out: int | None, into: int, carry: np.ndarray) -> Transfer:
    if out is None:
        price, points, later = float(signals.price[into]), float(signals.xev[into]), float(carry[into])
    else:
        price, points, later = (float(values[into] - values[out]) for values in (signals.price, signals.xev, carry))
    return Transfer(
        position=position,
        out=EMPTY if out is None else str(signals.short[out]),
        out_team="" if out is None else str(signals.codes[out]),
        into=str(signals.short[into]),
        into_team=str(signals.codes[into]),
        into_row=into,
        price=round(price, 1) + 0.0,  # no "-0.0"
        points=points,
        carry=later,
        reason=why_unavailable(signals, out) if out is not None and signals.unavailable[out] else "",
        market=tuple(_price_news(signals, [man for man in (out, into) if man is not None])),
    )


def _price_news(signals: Signals, men: Sequence[int]) -> Iterator[str]:
    for man in men:
        if words := price_words(float(signals.price_tonight[man])):
            yield f"{signals.short[man]}: {words}"
