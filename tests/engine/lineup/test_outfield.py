"""What benches bring at most and exactly, and whom a fitter man of the bench could replace."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from data.rules import GameRules
from engine.lineup.outfield import Outfields, outfield_choices
from tests.cases.lineups.games import a_game, games

SEEDS = st.integers(0, 2**32 - 1)


def some_squads(rules: GameRules, seed: int, count: int = 12) -> tuple[np.ndarray, np.ndarray]:
    """Return what the men (s, p) of squads sorted by position bring, and how surely they play."""
    rng, size = np.random.default_rng(seed), sum(rules.squad.shape.values())
    play = rng.choice([0.0, 0.4, 0.8, 0.95, 1.0], (size, count))
    return play * rng.uniform(-0.5, 7.0, (size, count)), play


def every_bench(rules: GameRules, outfields: Outfields) -> np.ndarray:
    """Return (e, p) what the bench behind every eleven brings exactly."""
    eleven, squad = np.indices((len(outfields.choices.starts), outfields.xev.shape[1]))
    return outfields.benches(squad.ravel(), eleven.ravel()).points.reshape(eleven.shape)


@given(seed=SEEDS, rules=games())
def test_no_bench_brings_more_than_its_bound(seed: int, rules: GameRules) -> None:
    xev, play = some_squads(rules, seed)
    outfields = Outfields.of(outfield_choices(rules, None), xev, play, play == 0)
    bound = outfields.bench_bounds(rules.autosubs.enabled)
    assert (every_bench(rules, outfields) <= bound + 1e-9).all()


def test_a_man_may_be_replaced_where_the_formation_stays_allowed() -> None:
    choices = outfield_choices(a_game(["4-4-2", "3-5-2"]), None)
    four_back, three_back = (choices.replaces[choices.formation == number][0] for number in (0, 1))
    # Behind 4-4-2 wait a defender, a midfielder and a forward; behind 3-5-2 two defenders and a forward.
    assert four_back.tolist() == [[True, False, False], [True, True, False], [False, False, True]]
    assert three_back.tolist() == [[True, True, False], [True, True, False], [False, False, True]]


def test_a_risky_start_counts_where_a_fitter_man_could_take_the_place() -> None:
    rules = a_game(["4-4-2"])
    choices = outfield_choices(rules, None)
    play = np.full((15, 1), 0.9)
    play[[2, 7]] = 0.2  # a defender and a midfielder
    play[11] = 0.1  # the midfielder of the bench is no fitter
    outfields = Outfields.of(choices, play, play, play < 0)
    eleven = int(np.flatnonzero((choices.starts == [2, 3, 4, 5, 7, 8, 9, 10, 12, 13]).all(axis=1))[0])
    assert outfields.risky_starts(np.array([0]), np.array([eleven]), 0.25).tolist() == [1]
    assert outfields.risky_starts(np.array([0]), np.array([eleven]), 0.15).tolist() == [0]
