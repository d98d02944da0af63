"""Remarks on a line-up: why an unlikely man starts, and who is kept or asked for although he cannot play."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from data.domain import Status
from engine.fitness.judge import Judge, Objective
from engine.fitness.squad_scoring import ScoredSquads
from engine.fitness.squad_view import SquadView
from engine.lineup.joint import RISKY
from engine.lineup.lineups import Lineups
from models.players.minutes.playing_time import RULED_OUT
from models.signals import Signals

LEFT = {Status.TRANSFERRED: "no longer in his squad", Status.ELIMINATED: "his team is out"}
"""How a status is said where its own word would not be understood."""


def lineup_remarks(judge: Judge, objective: Objective, scored: ScoredSquads, row: int) -> tuple[str, ...]:
    """Return what a manager should be told of the line-up of one squad; nothing where it speaks for itself."""
    view, lineups = judge.view, scored.lineups
    return (*_crowded(view), *_kept(view, lineups, row), *_unlikely(judge, objective, scored, row))


def why_unavailable(signals: Signals, player: int) -> str:
    """Return in a few words why a man cannot be counted on."""
    status = str(signals.status[player])
    if status in RULED_OUT:
        return LEFT.get(Status(status), status)
    return "no match" if np.isnat(signals.kickoff[player]) else "not expected to play"


def _crowded(view: SquadView) -> Iterator[str]:
    """Say of which teams a manager has more men than a squad may have: nobody but himself can see to it."""
    signals, current = view.signals, list(view.settings.current)
    codes, counts = np.unique(signals.codes[current], return_counts=True)
    cap = view.pool.team_cap
    for code, count in zip(codes[counts > cap], counts[counts > cap], strict=True):
        yield f"You have {count} of {code}: legal until your next transfer, which has to bring them down to {cap}."


def _kept(view: SquadView, lineups: Lineups, row: int) -> Iterator[str]:
    signals, current = view.signals, view.settings.current
    for player in lineups.squads[row][signals.unavailable[lineups.squads[row]]].tolist():
        held = "You keep" if player in current else "You asked for"
        forced = ". He starts, since no legal eleven is without such a man" * (player in lineups.starters[row])
        yield f"{held} {signals.short[player]} ({why_unavailable(signals, player)}){forced}."


def _unlikely(judge: Judge, objective: Objective, scored: ScoredSquads, row: int) -> Iterator[str]:
    """Say what it is worth under the objective to start a man who seldom plays, beside the best line-up without him."""
    signals, starters = judge.view.signals, scored.lineups.starters[row]
    for player in starters[(signals.p_play[starters] < RISKY) & ~signals.unavailable[starters]].tolist():
        benched = replace(signals, unavailable=signals.unavailable | (np.arange(len(signals)) == player))
        without = replace(judge, view=replace(judge.view, signals=benched))
        other = without.sent_out(scored.squads[row : row + 1], objective)
        if player not in other.lineups.starters[0]:
            worth = float(scored.fitness[row] - other.fitness[0])
            yield (
                f"{signals.short[player]} starts because that is worth {worth:.1f} points, "
                f"although he plays only {signals.p_play[player]:.0%} of the time."
            )
