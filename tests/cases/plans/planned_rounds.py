"""Rounds and plans of the two small worlds: a league with a blank and a double ahead, a cup with two matchdays left."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np

from engine.plan.fitness.rounds import PlanRounds, PlanSettings, plan_rounds
from engine.plan.moves.moves import Plan, RoundMoves
from engine.plan.moves.state import State
from models.outlook import signals_ahead
from models.signals import Signals
from tests.cases.judged_worlds import cup_signals, league_signals
from tests.cases.small_world import BLANK, quick_settings, small_cup, small_league, squad_ids

NOTHING_KEPT = PlanSettings(spare=(), discount=1.0, held=0.0)


@cache
def ahead(kind: str, horizon: int = 3) -> tuple[Signals, ...]:
    """Return the signals of the next rounds of "league" or "cup"."""
    signals = league_signals(BLANK - 1) if kind == "league" else cup_signals(2)
    return signals_ahead(signals, horizon if kind == "league" else 2, quick_settings(signals.rules))


def rounds_of(kind: str, settings: PlanSettings | None = None, horizon: int = 3) -> PlanRounds:
    """Return the rounds of a plan from a cheap squad with money to spare."""
    made = _rounds_of(kind, horizon)
    return made if settings is None else replace(made, settings=settings)


@cache
def _rounds_of(kind: str, horizon: int) -> PlanRounds:
    signals = ahead(kind, horizon)
    world = small_league() if kind == "league" else small_cup()
    squad = tuple(squad_ids(world, signals[0].round))
    return plan_rounds(signals, State.of_squad(squad, signals[0], free=1))


def held(
    rounds: PlanRounds, chips: dict[int, str] | None = None, swap: dict[int, tuple[int, int]] | None = None
) -> Plan:
    """Return the plan that keeps its squad but for a swap in some rounds, with boosters in some."""
    rules, frame = rounds.signals[0].rules, rounds.frame
    squad, free, bank, moves = frame.start_squad.tolist(), rounds.state.free, rounds.state.bank, []
    for number in rounds.rounds:
        out, into = ((one,) for one in (swap or {})[number]) if number in (swap or {}) else ((), ())
        squad = [*(man for man in squad if man not in out), *into]
        squad = sorted(squad, key=lambda man: (frame.position[man], man))
        bank += sum(frame.selling[man] for man in out) - sum(frame.price[man] for man in into)
        chip = (chips or {}).get(number)
        hits = max(0, len(into) - free) if free is not None else 0
        moves.append(
            RoundMoves(
                round=number,
                out=out,
                into=into,
                chip=chip,
                squad=tuple(squad),
                kept=tuple(squad),
                free=free,
                hits=hits,
                bank=round(float(bank), 1),
            )
        )
        free = rules.free_transfers_after(number, free, len(into)) if number < rules.rounds else 0
    return Plan(tuple(moves))


def a_swap(rounds: PlanRounds) -> tuple[int, int]:
    """Return a man of the squad and the best of his position outside it whom any money buys."""
    frame, xev = rounds.frame, rounds.signals[0].xev
    out = int(frame.start_squad[-1])
    others = np.flatnonzero((frame.position == frame.position[out]) & ~frame.owned)
    return out, int(others[xev[others].argmax()])
