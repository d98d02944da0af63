"""No line-up has an inverted pair: an exchange of a starter with a man of the bench that would bring more.

Every eleven of a squad is valued with every goalkeeper, not only those a bound leaves, and the neighbours of the chosen
one are held against it.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from data.rules import CaptaincyMode
from engine.fitness.reference import random_squads
from engine.fitness.squad_view import SquadView
from engine.lineup.joint import RISKY, WORTH_THE_RISK, SortedSquads
from engine.lineup.lineups import Lineups, best_lineups
from engine.lineup.outfield import Outfields, outfield_choices
from engine.rules.pool import pool_of
from models.signals import Signals
from tests.cases.judged_worlds import cup_signals, league_signals, under, world_cup_signals
from tests.conftest import SOAKING

CASES = 5_000 if SOAKING else 240
SOURCES = [
    *((world_cup_signals, number) for number in (range(1, 9) if SOAKING else (1, 4, 8))),
    (cup_signals, 2),
    (league_signals, 3),
]


def own_squads(signals: Signals, rng: np.random.Generator, count: int) -> np.ndarray:
    """Draw squads as managers have them: some good, some careless, some with men who cannot play."""
    pool = replace(pool_of(signals), budget=1_000.0, team_cap=15)
    blurred = signals.xev + rng.normal(scale=rng.choice([0.3, 1.0, 4.0]), size=len(signals))
    return random_squads(blurred, pool, rng, count)


def every_lineup(signals: Signals, squad: np.ndarray) -> tuple[list[frozenset[int]], np.ndarray]:
    """Return every eleven with every goalkeeper, as sets of player rows, and the expected points of each."""
    rows = squad[np.lexsort((squad, signals.position[squad]))][None, :]
    columns = [values[rows].T for values in (signals.xev, signals.p_play, signals.unavailable)]
    squads = SortedSquads(signals.rules, signals.armband, rows, *columns, np.array([-1]))
    outfields = Outfields.of(outfield_choices(signals.rules, None), *columns)
    starts = outfields.choices.starts
    bench = outfields.benches(np.zeros(len(starts), dtype=int), np.arange(len(starts))).points
    elevens, points = [], []
    for keeper in range(signals.rules.squad.places[0]):
        behind = [row for row in range(signals.rules.squad.places[0]) if row != keeper]
        waiting = bench + (1 - columns[1][keeper, 0]) * columns[0][behind, 0].sum() * signals.rules.autosubs.enabled
        men = rows[0][np.column_stack([np.full(len(starts), keeper), starts])]
        forfeit = np.maximum(waiting, 0.0) * signals.rules.autosubs.manual_change_cancels_autosubs
        uplift = squads.armbands(men, forfeit, np.zeros(len(men), dtype=int))[0]
        elevens += [frozenset(eleven) for eleven in men.tolist()]
        points.append(signals.xev[men].sum(axis=1) + waiting + uplift)
    return elevens, np.concatenate(points)


def breaches(signals: Signals, eleven: frozenset[int], squad: np.ndarray, legal: set[frozenset[int]]) -> int:
    """Count the men who should not start: unfit, with a fitter man of the bench who could take the place."""
    bench = set(squad.tolist()) - eleven
    return sum(
        any(signals.p_play[fitter] > signals.p_play[man] and eleven - {man} | {fitter} in legal for fitter in bench)
        for man in eleven
        if signals.p_play[man] < RISKY
    )


def assert_no_inverted_pair(signals: Signals, lineups: Lineups, row: int) -> None:
    squad = lineups.squads[row]
    elevens, points = every_lineup(signals, squad)
    legal, chosen = set(elevens), frozenset(lineups.starters[row].tolist())
    value = {eleven: float(worth) for eleven, worth in zip(elevens, points, strict=True)}
    assert lineups.expected[row] == pytest.approx(value[chosen], abs=1e-9)
    idle, wrong = {man for man in squad.tolist() if signals.unavailable[man]}, breaches(signals, chosen, squad, legal)
    for eleven in legal:
        if len(eleven & chosen) != len(chosen) - 1 or len(eleven & idle) > len(chosen & idle):
            continue
        fewer = len(chosen & idle) > len(eleven & idle)
        allowed = WORTH_THE_RISK * (breaches(signals, eleven, squad, legal) - wrong)
        assert not fewer, f"{eleven - chosen} could start for the unavailable {chosen - eleven}"
        assert value[eleven] - allowed <= value[chosen] + 1e-6, f"{eleven - chosen} should start for {chosen - eleven}"


@pytest.mark.parametrize("mode", list(CaptaincyMode))
@pytest.mark.parametrize(("source", "number"), SOURCES, ids=lambda value: getattr(value, "__name__", value))
def test_no_exchange_of_a_starter_with_the_bench_brings_more(source: object, number: int, mode: CaptaincyMode) -> None:
    signals = under(source(number), mode)  # type: ignore[operator]
    rng = np.random.default_rng([number, list(CaptaincyMode).index(mode)])
    count = max(CASES // len(SOURCES) // len(CaptaincyMode), 1)
    squads = np.concatenate([own_squads(signals, rng, -(-count // 3)) for _ in range(3)])[:count]
    lineups = best_lineups(signals, squads)
    for row in range(len(squads)):
        assert_no_inverted_pair(signals, lineups, row)


def test_the_line_ups_of_a_search_have_no_inverted_pair() -> None:
    for mode in CaptaincyMode:
        signals = under(world_cup_signals(1), mode)
        lineups = SquadView(signals).lineups(random_squads(signals.xev, pool_of(signals), np.random.default_rng(3), 5))
        for row in range(len(lineups)):
            assert_no_inverted_pair(signals, lineups, row)
