"""A board is what people read: complete, ordered, and with the case against each option."""

from __future__ import annotations

import numpy as np
import pytest

from engine.board.board import Board, make_board
from engine.fitness.judge import Judge, named_objective
from engine.fitness.squad_view import SceneSettings
from tests.cases.judged_worlds import a_judge


@pytest.fixture(scope="module")
def board(judge: Judge) -> Board:
    origins = [("drawn at random", ("none",)), ("", ()), ("linear optimum", ())]
    return make_board(judge, named_objective("protect", judge.view), judge.pool[[0, 5, -1]], origins=origins)


def test_the_best_option_under_the_aim_is_recommended(board: Board) -> None:
    scores = [option.decomposition.fitness for option in board.options]
    assert scores == sorted(scores, reverse=True)
    assert board.recommended.lineage == "linear optimum"
    assert board.recommended.differences == ()


def test_an_option_has_eleven_starters_a_bench_in_order_and_one_armband(board: Board) -> None:
    for option in board.options:
        roles = [man.role for man in option.men]
        assert roles.count("starter") == 11
        assert roles[11:] == ["bench 1", "bench 2", "bench 3", "bench 4"]
        assert [man.armband for man in option.men].count("C") == 1
        assert option.captain.role == "starter"
        places = [man.position for man in option.men[:11]]
        counts = [places.count(position) for position in ("DEF", "MID", "FWD")]
        assert option.formation == "-".join(str(count) for count in counts)


def test_expected_points_are_those_of_the_decomposition_and_lie_within_the_swing(board: Board) -> None:
    for option in board.options:
        terms = option.decomposition.terms
        assert option.expected == pytest.approx(terms["raw_xev"] + terms["captaincy_uplift"])
        assert option.swing[0] < option.expected < option.swing[1]
        assert option.price == pytest.approx(sum(man.price for man in option.men))


def test_every_option_has_a_ladder_a_dissent_and_its_differences(board: Board) -> None:
    for option in board.options:
        assert option.ladder[0].startswith("Start with ")
        assert option.dissent.startswith("It ")
    swaps = board.options[1].differences
    shared = set(board.recommended.rows) & set(board.options[1].rows)
    assert sum("→" in line and "owned" in line for line in swaps) == 15 - len(shared)


def test_a_squad_that_expects_far_fewer_points_is_told_so(board: Board) -> None:
    assert "points fewer than the squad with the most expected points" in board.options[-1].dissent


def test_the_ladder_starts_with_the_captain_the_manager_holds(judge: Judge, board: Board) -> None:
    squad = np.array(board.recommended.rows)
    other = next(man for man in board.recommended.men if man.role == "starter" and man.armband == "")
    holding = a_judge(judge.view.signals, SceneSettings(captain=other.row))
    held = make_board(holding, named_objective("neutral", holding.view), squad[None, :])
    assert held.recommended.captain.row == other.row
    assert other.short in held.recommended.ladder[0]
    assert held.recommended.expected <= board.recommended.expected + 1e-9
