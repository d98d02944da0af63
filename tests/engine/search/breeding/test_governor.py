"""Options differ, or the search is seeded anew, twice at most, and then the board says so."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from engine.board.board import Board
from engine.fitness.reference import POOL_SIZE
from engine.search.breeding import governor
from engine.search.breeding.diversity import LEAST_DIFFERENT
from engine.search.breeding.evolution import EvolutionSettings
from engine.search.breeding.governor import RERUNS, SHORTER, Choice, govern
from tests.cases.judged_worlds import a_judge, an_evolution, board_of, small_board, world_cup_signals

THETAS = ("protect", "neutral", "gain")


def governed(evolution: governor.Evolution) -> tuple[int, Choice]:
    """Return how many generations were told of, and the choice."""
    first = evolution.seeded(evolution.population.columns.squads, evolution.population.columns.archetype)
    search, told = govern(evolution, first), 0
    while True:
        try:
            next(search)
            told += 1
        except StopIteration as finished:
            return told, finished.value


def test_the_best_squad_is_always_an_option_and_options_differ() -> None:
    evolution = an_evolution()
    _, choice = governed(evolution)
    squads = evolution.population.columns.squads[choice.rows]
    assert choice.rows[0] == evolution.population.best()
    for place, squad in enumerate(squads):
        for other in squads[:place]:
            assert np.isin(squad, other).sum() <= 15 - LEAST_DIFFERENT


def test_options_that_are_too_close_seed_the_search_anew_twice_at_most(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.search.breeding.diversity.MOST_OVERLAP", 0.01)  # nobody can meet this floor
    evolution = an_evolution()
    before = evolution.settings
    told, choice = governed(evolution)
    assert evolution.generation == before.generations + RERUNS * SHORTER
    assert not choice.diversity.met
    assert "The options are close" in choice.diversity.flag
    assert told > before.generations
    assert evolution.settings == before


def test_a_stop_request_allows_no_second_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.search.breeding.diversity.MOST_OVERLAP", 0.01)
    evolution = an_evolution()
    evolution.stop = lambda: True
    assert governed(evolution)[0] == 1


def test_a_choice_is_made_of_the_best_and_of_every_band() -> None:
    evolution = an_evolution()
    governed(evolution)
    bands = evolution.population.columns.band
    assert set(bands[governor.considered(evolution)].tolist()) == set(bands.tolist())


def leans_both_ways(board: Board) -> bool:
    """Return whether one option covers more than what was chosen from does, and one dares more, each by its formula."""
    assert board.breeding is not None
    evolution = board.breeding.evolution
    judge, exposure = evolution.judge, evolution.judge.view.field_exposure
    squads, ceiling = evolution.population.columns.squads, judge.view.signals.ceiling
    usual = judge.score(squads[governor.considered(evolution)], evolution.objective)
    shown = judge.sent_out(squads[list(board.breeding.options)], evolution.objective)
    worths = (exposure.template * exposure.eo * ceiling, exposure.differential * (1 - exposure.eo) * ceiling)
    held = [[(one.lineups.weight * worth[one.squads]).sum(axis=1) for one in (shown, usual)] for worth in worths]
    lean, usual_lean = (apart(held[0][one], held[0][1]) - apart(held[1][one], held[1][1]) for one in (0, 1))
    sides = apart(lean, usual_lean)
    return float(sides.max()) >= 0.5 and float(sides.min()) <= -0.5


def apart(figure: np.ndarray, usual: np.ndarray) -> np.ndarray:
    """Return how far each is from the usual median, in usual mean deviations; nobody where all are alike."""
    away = np.abs(usual - np.median(usual)).mean()
    return (figure - np.median(usual)) / away if away > 1e-9 else np.zeros_like(figure)


def meets_floors_or_says_so(board: Board) -> bool:
    """Return whether the options differ as they should, counted anew from the board, or the flag is there."""
    squads = [set(option.rows) for option in board.options]
    shared = [len(one & two) / 15 for place, one in enumerate(squads) for two in squads[:place]]
    bands = {str(option.decomposition.band) for option in board.options}
    captains = {option.captain.row for option in board.options}
    met = len(captains) >= 2 and {"low", "high"} <= bands and float(np.mean(shared)) < 0.75 and leans_both_ways(board)
    return met or any(flag.startswith("The options are close") for flag in board.flags)


@pytest.mark.parametrize("theta", ["protect", "gain"])
def test_a_board_meets_its_floors_or_carries_the_flag(theta: str) -> None:
    assert meets_floors_or_says_so(small_board(theta))


@pytest.mark.soak
@pytest.mark.parametrize("round_number", [1, 2, 3, 4])
def test_floors_or_flag_in_every_round_under_every_theta(round_number: int) -> None:
    judge, flagged = a_judge(world_cup_signals(round_number), pool_size=POOL_SIZE), 0
    for theta, seed in product(THETAS, range(10)):
        board = board_of(theta, seed=seed, judge=judge, settings=EvolutionSettings())
        assert meets_floors_or_says_so(board), (theta, seed)
        flagged += bool(board.flags)
    assert flagged <= 3  # of thirty: the flag is honest, and rare
