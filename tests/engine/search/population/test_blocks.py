"""Every man of a squad is in one block, and the blocks share out what is linear in the fitness."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engine.fitness.judge import named_objective
from engine.fitness.reference import random_squads
from engine.fitness.squad_scoring import ScoredSquads
from engine.fitness.squad_view import SquadView
from engine.search.population.blocks import (
    BENCH,
    BLOCK_NAMES,
    CORE,
    CORE_SIZE,
    ENGINE,
    POD,
    SPINE,
    tag_blocks,
)
from tests.cases.judged_worlds import league_signals, small_judge
from tests.cases.small_world import BLANK


@pytest.fixture(scope="module")
def view() -> SquadView:
    return small_judge().view


@pytest.fixture(scope="module")
def scored(view: SquadView) -> ScoredSquads:
    return small_judge().score(small_judge().pool, named_objective("gain", view))


@pytest.fixture(scope="module")
def tags(view: SquadView, scored: ScoredSquads) -> np.ndarray:
    return tag_blocks(view.signals, view.field_exposure, scored.lineups)


def starts(scored: ScoredSquads) -> np.ndarray:
    return (scored.squads[:, :, None] == scored.lineups.starters[:, None, :]).any(axis=2)


def test_every_man_is_in_one_of_five_blocks(scored: ScoredSquads, tags: np.ndarray) -> None:
    assert tags.shape == scored.squads.shape
    assert tags.dtype == np.uint8
    assert set(np.unique(tags)) <= set(range(len(BLOCK_NAMES)))
    assert {CORE, SPINE, ENGINE, BENCH} <= set(np.unique(tags))


def test_captain_and_vice_are_in_a_core_of_three(scored: ScoredSquads, tags: np.ndarray) -> None:
    assert ((tags == CORE).sum(axis=1) == CORE_SIZE).all()
    for wearer in (scored.lineups.captain, scored.lineups.vice):
        assert (tags[scored.squads == wearer[:, None]] == CORE).all()


def test_the_third_of_the_core_has_the_highest_ceiling_left(
    view: SquadView, scored: ScoredSquads, tags: np.ndarray
) -> None:
    ceiling, lineups = view.signals.ceiling[scored.squads], scored.lineups
    worn = (scored.squads == lineups.captain[:, None]) | (scored.squads == lineups.vice[:, None])
    third = np.where((tags == CORE) & ~worn, ceiling, -np.inf).max(axis=1)
    rest = np.where(starts(scored) & ~worn, ceiling, -np.inf).max(axis=1)
    assert third.tolist() == rest.tolist()


def test_the_bench_is_whoever_does_not_start(scored: ScoredSquads, tags: np.ndarray) -> None:
    assert ((tags == BENCH) == ~starts(scored)).all()


def test_a_spine_is_a_keeper_or_defender_with_a_mate_in_the_eleven(
    view: SquadView, scored: ScoredSquads, tags: np.ndarray
) -> None:
    signals = view.signals
    for squad, tag, playing in zip(scored.squads, tags, starts(scored), strict=True):
        guards = [row for row, on in zip(squad, playing, strict=True) if on and signals.position[row] <= 1]
        teams = [signals.team[row] for row in guards]
        stacked = {row for row in guards if teams.count(signals.team[row]) >= 2}
        core = set(squad[tag == CORE])
        assert set(squad[tag == SPINE]) == stacked - core


def test_the_pod_is_rare_and_the_engine_is_not(view: SquadView, scored: ScoredSquads, tags: np.ndarray) -> None:
    rare = view.field_exposure.differential
    assert rare[scored.squads[tags == POD]].all()
    assert not rare[scored.squads[tags == ENGINE]].any()


def test_blocks_do_not_depend_on_the_order_of_the_men(view: SquadView, scored: ScoredSquads, tags: np.ndarray) -> None:
    turned = scored.squads[:, ::-1]
    again = tag_blocks(view.signals, view.field_exposure, view.look(turned)[1])
    assert again[:, ::-1].tolist() == tags.tolist()


def test_a_gameweek_with_idle_clubs_is_tagged_too() -> None:
    idle = SquadView(league_signals(BLANK))
    anything_goes = replace(idle.pool, budget=1000.0, team_cap=15)
    squads = random_squads(idle.signals.xev, anything_goes, np.random.default_rng(1), 20)
    tags = tag_blocks(idle.signals, idle.field_exposure, idle.look(squads)[1])
    assert ((tags == CORE).sum(axis=1) == CORE_SIZE).all()
    assert ((tags == BENCH).sum(axis=1) == 4).all()
