"""What is made ready beforehand is what the search would have made, so a board is the same with and without it."""

from __future__ import annotations

import pytest

from engine.fitness.judge import named_objective
from engine.fitness.squad_view import SceneSettings
from engine.rules.conflicts import Demands
from engine.search.breeding.evolution import EvolutionSettings
from engine.search.seeding.archetypes import SolvedSquads
from engine.search.seeding.seeds import make_ready
from tests.cases.judged_worlds import board_of, small_judge

SHORT = EvolutionSettings(generations=1, evaluations=10_000)


@pytest.mark.parametrize(
    ("demands", "scene"),
    [
        (Demands(), SceneSettings()),
        (Demands(must=(1,), never=(2, 3)), SceneSettings(captain=20)),
    ],
    ids=["no wishes", "wishes"],
)
def test_a_board_made_ready_finds_all_its_archetypes_solved_and_is_the_same_board(
    demands: Demands, scene: SceneSettings
) -> None:
    judge, cache = small_judge(scene), SolvedSquads()
    assert len(list(make_ready(judge, [named_objective("gain", judge.view)], demands, cache))) == 1
    solved = len(cache)
    ready, plain = (
        board_of("gain", judge=judge, demands=demands, settings=SHORT, cache=known) for known in (cache, SolvedSquads())
    )
    assert len(cache) == solved > 1
    assert [option.rows for option in ready.options] == [option.rows for option in plain.options]
