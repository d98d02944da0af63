"""The best outfield is the best of all elevens, and what the bound rules out could never have been it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from data.rules import GameRules
from engine.lineup import outfield
from engine.lineup.autosubs import bench_tables
from engine.lineup.outfield import _Choices, _choices, _Squads, best_outfield
from tests.engine.lineup.test_autosubs import a_game, games

SEEDS = st.integers(0, 2**32 - 1)


def some_squads(rules: GameRules, seed: int, count: int = 12) -> tuple[np.ndarray, np.ndarray]:
    """Return what the men (s, p) of squads sorted by position bring, and how surely they play."""
    rng, size = np.random.default_rng(seed), sum(rules.squad.shape.values())
    play = rng.choice([0.0, 0.4, 0.8, 0.95, 1.0], (size, count))
    return play * rng.uniform(-0.5, 7.0, (size, count)), play


def all_choices(rules: GameRules, formation: int | None = None) -> _Choices:
    return _choices(bench_tables(rules), tuple(rules.squad.shape.values()), formation)


def every_value(rules: GameRules, xev: np.ndarray, play: np.ndarray) -> np.ndarray:
    """Return (e, p) what every eleven brings exactly."""
    choices = all_choices(rules)
    squads = _Squads.of(choices, xev, play)
    eleven, squad = (grid.ravel() for grid in np.indices((len(choices.starts), xev.shape[1])))
    valued = squads.valued(squad, eleven, np.zeros((len(choices.starts), xev.shape[1])))
    return valued.value.reshape(len(choices.starts), -1)


@given(seed=SEEDS, rules=games())
def test_no_eleven_brings_more_than_its_bound(seed: int, rules: GameRules) -> None:
    xev, play = some_squads(rules, seed)
    bound = _Squads.of(all_choices(rules), xev, play).bounds(rules.autosubs.enabled)
    assert (every_value(rules, xev, play) <= bound + 1e-9).all()


@given(seed=SEEDS, rules=games())
def test_the_best_of_all_elevens_is_found(seed: int, rules: GameRules) -> None:
    xev, play = some_squads(rules, seed)
    found = best_outfield(rules, xev, play, np.full(xev.shape[1], -1), None)
    each = np.arange(xev.shape[1])
    brought = xev[found.starts.T, each].sum(axis=0) + (found.needed.T * xev[found.bench.T, each]).sum(axis=0)
    assert brought == pytest.approx(every_value(rules, xev, play).max(axis=0), abs=1e-9)


def test_few_elevens_are_left_by_the_bound_when_men_are_sure(monkeypatch: pytest.MonkeyPatch) -> None:
    rules, rng = a_game(), np.random.default_rng(1)
    play = rng.uniform(0.9, 1.0, (15, 50))
    xev = play * rng.uniform(1.0, 7.0, (15, 50))
    counted: list[int] = []
    valued = _Squads.valued

    def counting(squads: _Squads, squad: np.ndarray, *rest: np.ndarray) -> object:
        counted.append(len(squad))
        return valued(squads, squad, *rest)

    monkeypatch.setattr(outfield._Squads, "valued", counting)
    best_outfield(rules, xev, play, np.full(50, -1), None)
    assert sum(counted) < 50 * 20 < 50 * len(all_choices(rules).starts)


def test_a_man_who_is_held_starts_and_a_formation_too() -> None:
    rules = a_game()
    xev, play = some_squads(rules, 3)
    held = np.full(xev.shape[1], 14)
    found = best_outfield(rules, xev, play, held, 1)
    assert (found.formation == 1).all()
    assert (found.starts == 14).any(axis=1).all()


def test_of_elevens_that_tie_the_first_is_taken() -> None:
    rules = a_game(["4-4-2", "3-5-2"])
    found = best_outfield(rules, np.zeros((15, 2)), np.zeros((15, 2)), np.full(2, -1), None)
    assert found.formation.tolist() == [0, 0]
    assert found.starts.tolist() == [[2, 3, 4, 5, 7, 8, 9, 10, 12, 13]] * 2
