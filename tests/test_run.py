"""The whole story: from convictions to a board, again and again the same."""

from __future__ import annotations

import numpy as np
import pytest

from data.rules import load_rules
from data.world import World
from engine.archetypes import SolvedSquads
from engine.board import Board
from engine.comparison import compare
from engine.conflicts import Demands
from engine.evolution import EvolutionSettings, Progress
from engine.export import board_json
from engine.judge import Judge, aim_at
from engine.run import PickSettings, pick
from engine.scene import SceneSettings, SquadView
from models.signals import Signals, build_signals

FEW = EvolutionSettings(children=16, generations=3)


@pytest.fixture(scope="module")
def signals(world_cup: World) -> Signals:
    return build_signals(world_cup.at(2), load_rules("wc2026"))


@pytest.fixture(scope="module")
def judge(signals: Signals) -> Judge:
    return Judge(SquadView(signals), np.random.default_rng(0), pool_size=200)


@pytest.fixture(scope="module")
def cache() -> SolvedSquads:
    return SolvedSquads()


def a_board(judge: Judge, theta: str, cache: SolvedSquads, demands: Demands | None = None) -> Board:
    settings = PickSettings(evolution=FEW, demands=demands or Demands())
    steps = list(pick(judge, aim_at(theta, judge.view), np.random.default_rng(3), settings, cache=cache))
    assert all(isinstance(step, Progress) for step in steps[:-1])
    assert isinstance(steps[-1], Board)
    return steps[-1]


def test_a_board_has_two_to_four_options_that_differ(judge: Judge, cache: SolvedSquads) -> None:
    board = a_board(judge, "protect", cache)
    assert 2 <= len(board.options) <= 4
    for option in board.options[1:]:
        assert len(set(option.rows) & set(board.recommended.rows)) <= 12
    assert all(option.lineage for option in board.options)
    assert not any(option.decomposition.disqualified for option in board.options)


def test_the_same_seed_gives_the_same_board_byte_for_byte(judge: Judge, cache: SolvedSquads) -> None:
    first = board_json(a_board(judge, "gain", cache))
    np.random.seed(99)
    assert board_json(a_board(judge, "gain", SolvedSquads())) == first


def test_protect_and_gain_give_different_squads_and_each_is_best_at_its_own(judge: Judge, cache: SolvedSquads) -> None:
    boards = {theta: a_board(judge, theta, cache) for theta in ("protect", "gain")}
    aims = {theta: aim_at(theta, judge.view) for theta in boards}
    result = compare(
        judge, (boards["protect"].recommended, aims["protect"]), (boards["gain"].recommended, aims["gain"])
    )
    assert len(result.shared) + len(result.swaps) == 15
    assert result.swaps
    under = result.crossed
    assert under["protect"]["protect"].fitness > under["gain"]["protect"].fitness
    assert under["gain"]["gain"].fitness > under["protect"]["gain"].fitness
    assert f"They share {len(result.shared)} of 15 players" in result.summary()


def test_a_must_have_is_in_every_option_and_a_never_in_none(
    judge: Judge, cache: SolvedSquads, signals: Signals
) -> None:
    cheap = int(np.argmin(np.where(signals.position == 3, signals.price, np.inf)))
    star = int(np.argmax(signals.xev))
    board = a_board(judge, "neutral", cache, Demands(must=(cheap,), never=(star,)))
    for option in board.options:
        assert cheap in option.rows
        assert star not in option.rows


def test_transfers_beyond_the_free_ones_are_priced_in(signals: Signals, cache: SolvedSquads) -> None:
    start = Judge(SquadView(signals), np.random.default_rng(0), pool_size=50).pool[0]
    view = SquadView(signals, SceneSettings(current=tuple(int(row) for row in start), free_transfers=2))
    judge = Judge(view, np.random.default_rng(0), pool_size=100)
    best = a_board(judge, "neutral", cache).recommended
    changes = len(set(best.rows) - {int(row) for row in start})
    assert best.decomposition.terms["transfer_cost"] == pytest.approx(-3 * max(changes - 2, 0))
