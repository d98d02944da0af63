"""What is made ready beforehand is what the search would have made, so a board is the same with and without it."""

from __future__ import annotations

import pytest

from engine.board.board import Board
from engine.fitness.judge import aim_at
from engine.fitness.view import SceneSettings
from engine.rules.conflicts import Demands
from engine.search.breeding.evolution import EvolutionSettings
from engine.search.seeding.archetypes import SolvedSquads
from engine.search.seeding.readying import make_ready
from tests.cases.judged_worlds import board_of, small_judge

SHORT = EvolutionSettings(generations=1, evaluations=10_000)


def a_board(cache: SolvedSquads, demands: Demands, scene: SceneSettings, *, ready: bool) -> Board:
    judge = small_judge(scene)
    if ready:
        assert len(list(make_ready(judge, [aim_at("gain", judge.view)], demands, cache))) == 1
    return board_of("gain", judge=judge, demands=demands, settings=SHORT, cache=cache)


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
    board = a_board(cache, demands, scene, ready=False)
    assert len(cache) == solved > 1
    assert board.recommended.rows == a_board(SolvedSquads(), demands, scene, ready=False).recommended.rows


def test_a_board_made_ready_is_the_same_board() -> None:
    plain = a_board(SolvedSquads(), Demands(), SceneSettings(), ready=False)
    ready = a_board(SolvedSquads(), Demands(), SceneSettings(), ready=True)
    assert [option.rows for option in plain.options] == [option.rows for option in ready.options]
