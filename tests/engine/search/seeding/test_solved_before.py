"""Squads solved beforehand: what comes with the project is what the solver says of the bundled worlds today."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from data.worlds.library import DEFAULT_WORLD, PAST_SEASONS
from engine.desk import open_desk
from engine.rules.conflicts import Demands
from engine.rules.solved_before import SOLVED, bundled_squads, squads_csv
from engine.search.seeding.archetypes import (
    SolvedSquads,
    SquadProblem,
    archetype_squads,
    ev_maximiser,
)
from engine.search.seeding.first_problems import first_squads

ROUNDS = [(DEFAULT_WORLD, number) for number in range(1, 9)] + [(PAST_SEASONS, number) for number in range(1, 21)]
DAILY = ((DEFAULT_WORLD, 1), (PAST_SEASONS, 20))


@pytest.mark.parametrize(
    ("world", "number"), [pytest.param(*one, marks=() if one in DAILY else pytest.mark.soak) for one in ROUNDS]
)
def test_every_archetype_of_a_bundled_round_comes_with_the_project_as_the_solver_finds_it(
    world: str, number: int
) -> None:
    desk = open_desk(world, number)
    found = first_squads(desk.view, desk.demands)
    assert len(found) == 8
    assert all(key in bundled_squads() for key, _ in found), "beliefs have changed: write them anew with `make seeds`"
    assert all(np.array_equal(bundled_squads()[key], squad) for key, squad in found)


def test_a_round_as_it_comes_asks_no_solver_and_another_price_does(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    solved = SquadProblem.solve
    monkeypatch.setattr(SquadProblem, "solve", lambda one, seconds: asked.append(one.key) or solved(one, seconds))
    desk = open_desk(DEFAULT_WORLD, 1)
    squads = archetype_squads(desk.view, demands=desk.demands)
    assert not asked
    best = int(squads[4][np.argmax(desk.signals.xev[squads[4]])])
    without = archetype_squads(desk.view, demands=replace(desk.demands, never=(best,)))
    assert len(asked) == len(squads)
    assert not (without == best).any()


def test_a_problem_is_known_by_its_figures_whatever_their_last_bits() -> None:
    desk = open_desk(DEFAULT_WORLD, 1)
    problem = SquadProblem.of(desk.view, ev_maximiser(desk.view), Demands())
    start = problem.conviction.values.start

    def key(values: np.ndarray) -> str:
        conviction = replace(problem.conviction, values=replace(problem.conviction.values, start=values))
        return replace(problem, conviction=conviction).key

    assert key(start) == key(start * (1 + 1e-15)) != key(start + 1e-6)


def test_the_file_is_written_as_it_is_read() -> None:
    assert squads_csv(bundled_squads().items()) == SOLVED.read_text(encoding="utf-8")


def test_what_is_not_in_the_file_is_kept_once_it_is_solved() -> None:
    known, made = SolvedSquads(), []
    for _ in range(2):
        known.of("another", lambda: made.append(1) or np.arange(15))
    assert made == [1]
