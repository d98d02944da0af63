"""What is made ready beforehand is what the search would have made, so a board is the same with and without it."""

from __future__ import annotations

import numpy as np
import pytest

from engine.board.board import Board
from engine.board.picking import pick
from engine.fitness.judge import aim_at
from engine.fitness.view import SceneSettings
from engine.rules.conflicts import Demands
from engine.search.breeding.evolution import EvolutionSettings
from engine.search.run import PickSettings
from engine.search.seeding.archetypes import SolvedSquads
from engine.search.seeding.readying import make_ready
from tests.cases.breeding_cases import small_judge

SHORT = EvolutionSettings(generations=1, evaluations=10_000)


def board_of(cache: SolvedSquads, demands: Demands, scene: SceneSettings, *, ready: bool) -> Board:
    judge = small_judge(scene)
    aim = aim_at("gain", judge.view)
    if ready:
        assert len(list(make_ready(judge, [aim], demands, cache))) == 1
    found = list(
        pick(judge, aim, np.random.default_rng(3), PickSettings(evolution=SHORT, demands=demands), cache=cache)
    )
    board = found[-1]
    assert isinstance(board, Board)
    return board


@pytest.mark.parametrize(
    ("demands", "scene"),
    [
        (Demands(), SceneSettings()),
        (Demands(must=(1,), never=(2, 3)), SceneSettings(captain=20)),
    ],
    ids=["no wishes", "wishes"],
)
def test_a_board_finds_all_its_archetypes_solved(demands: Demands, scene: SceneSettings) -> None:
    cache = SolvedSquads()
    judge = small_judge(scene)
    list(make_ready(judge, [aim_at("gain", judge.view)], demands, cache))
    solved = len(cache)
    board = board_of(cache, demands, scene, ready=False)
    assert len(cache) == solved > 1
    assert board.recommended.rows == board_of(SolvedSquads(), demands, scene, ready=False).recommended.rows


def test_a_board_made_ready_is_the_same_board() -> None:
    plain = board_of(SolvedSquads(), Demands(), SceneSettings(), ready=False)
    ready = board_of(SolvedSquads(), Demands(), SceneSettings(), ready=True)
    assert [option.rows for option in plain.options] == [option.rows for option in ready.options]
