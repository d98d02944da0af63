"""The whole story: from convictions to a board, again and again the same."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from functools import cache

import numpy as np
import pytest

from engine.board.board import Board
from engine.board.comparison import compare
from engine.board.export import board_json
from engine.board.picking import pick
from engine.fitness.judge import Judge, Objective, named_objective
from engine.fitness.squad_scoring import ScoredSquads
from engine.fitness.squad_view import SceneSettings
from engine.rules.conflicts import Demands
from engine.rules.legality import legal
from engine.rules.pool import TeamLimit
from engine.search.breeding.evolution import EvolutionSettings, Progress
from engine.search.run import PickSettings
from engine.search.seeding.archetypes import ARCHETYPE_NAMES, SolvedSquads
from tests.cases.judged_worlds import (
    a_judge,
    board_of,
    bred_for,
    cup_signals,
    small_judge,
    steps_of,
    world_cup_signals,
)
from tests.conftest import ROOT, in_a_soak
from tests.engine.search.seeding.test_seeds import Fond

FEW = EvolutionSettings(children=16, generations=3)


@pytest.fixture(scope="module")
def judge() -> Judge:
    return a_judge(world_cup_signals(2), pool_size=200)


def a_board(judge: Judge, theta: str, **options: object) -> Board:
    return board_of(theta, judge=judge, settings=FEW, **options)


usual_board = cache(a_board)


def test_a_board_has_two_to_four_options_that_differ(judge: Judge) -> None:
    board = usual_board(judge, "protect")
    assert 2 <= len(board.options) <= 4
    for option in board.options[1:]:
        assert len(set(option.rows) & set(board.recommended.rows)) <= 12
    assert all(option.lineage for option in board.options)
    assert not any(option.decomposition.disqualified for option in board.options)


@pytest.mark.soak
def test_the_same_seed_gives_the_same_board_byte_for_byte(judge: Judge) -> None:
    first = board_json(usual_board(judge, "gain"))
    np.random.seed(99)
    assert board_json(a_board(judge, "gain", cache=SolvedSquads())) == first


def test_protect_and_gain_give_different_squads_and_each_is_best_at_its_own(judge: Judge) -> None:
    boards = {theta: usual_board(judge, theta) for theta in ("protect", "gain")}
    objectives = {theta: named_objective(theta, judge.view) for theta in boards}
    result = compare(
        judge, (boards["protect"].recommended, objectives["protect"]), (boards["gain"].recommended, objectives["gain"])
    )
    assert len(result.shared) + len(result.swaps) == 15
    assert result.swaps
    under = result.crossed
    assert under["protect"]["protect"].fitness > under["gain"]["protect"].fitness
    assert under["gain"]["gain"].fitness > under["protect"]["gain"].fitness
    assert f"They share {len(result.shared)} of 15 players" in result.summary()


def test_a_must_have_is_in_every_option_and_a_never_in_none(judge: Judge) -> None:
    signals = judge.view.signals
    cheap = int(np.argmin(np.where(signals.position == 3, signals.price, np.inf)))
    star = int(np.argmax(signals.xev))
    board = a_board(judge, "neutral", demands=Demands(must=(cheap,), never=(star,)))
    for option in board.options:
        assert cheap in option.rows
        assert star not in option.rows


def test_transfers_beyond_the_free_ones_are_priced_in(judge: Judge) -> None:
    current = tuple(judge.pool[0].tolist())
    paying = a_judge(judge.view.signals, SceneSettings(current=current, free_transfers=2))
    best = a_board(paying, "neutral").recommended
    changes = len(set(best.rows) - set(current))
    assert best.decomposition.terms["transfer_cost"] == pytest.approx(-3 * max(changes - 2, 0))


def test_a_managers_limits_hold_in_every_candidate() -> None:
    signals, start = cup_signals(1), small_judge().pool[-1]
    captain = int(start[np.argmax(signals.xev[start])])
    team = int(signals.team[captain])
    wishes = SceneSettings(
        current=tuple(start.tolist()), most_changes=4, captain=captain, teams=(TeamLimit(team, least=1, most=2),)
    )
    judge = small_judge(wishes)
    board = board_of(judge=judge)
    squads = bred_for(board).population.columns.squads
    assert legal(squads, judge.view.wished).all()
    assert (squads == captain).any(axis=1).all()
    assert all(option.captain.row == captain for option in board.options)


@pytest.mark.soak
def test_a_favourite_of_the_memory_has_more_descendants() -> None:
    hunter = ARCHETYPE_NAMES.index("differential hunter")

    def share(favourite: int) -> float:
        columns = bred_for(
            board_of(memory=Fond(favourite), settings=EvolutionSettings(children=32, generations=6))
        ).population.columns
        return float((columns.archetype[columns.generation > 2] == hunter).mean())

    assert share(hunter) > share(0)


class StopAfter:
    """A wish to stop that comes after so many looks."""

    def __init__(self, looks: int) -> None:
        self.looks = looks

    def __call__(self) -> bool:
        self.looks -= 1
        return self.wished

    @property
    def wished(self) -> bool:
        return self.looks < 0


@pytest.mark.parametrize("looks", [0, 9, 30, *in_a_soak([3, 15])])
def test_a_stop_request_at_any_moment_gives_a_legal_board_at_once(
    judge: Judge, looks: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    objective, stop, score, late = named_objective("gain", judge.view), StopAfter(looks), Judge.score, []

    def counted(judge: Judge, squads: np.ndarray, objective: Objective) -> ScoredSquads:
        late.extend(squads if stop.wished else ())
        return score(judge, squads, objective)

    monkeypatch.setattr(Judge, "score", counted)
    judge.yardstick(objective)
    *_, board = pick(judge, objective, np.random.default_rng(1), PickSettings(), stop=stop)
    assert isinstance(board, Board)
    assert stop.wished
    assert len(late) < 200  # a search that nobody stops scores more than a thousand
    assert board.options
    assert legal(np.array([option.rows for option in board.options]), judge.view.pool).all()


def test_a_search_may_run_in_a_thread_and_be_closed_in_the_middle() -> None:
    judge, before = small_judge(), threading.active_count()
    search = pick(judge, named_objective("gain", judge.view), np.random.default_rng(1), PickSettings())
    assert isinstance(next(search), Progress)
    search.close()  # type: ignore[attr-defined]
    assert threading.active_count() == before
    boards: list[Progress | Board] = []
    runner = threading.Thread(target=lambda: boards.extend(steps_of("gain")))
    runner.start()
    runner.join(timeout=120)
    assert isinstance(boards[-1], Board)


SMALL = """
from tests.cases.judged_worlds import board_of
board = board_of("gain")
"""
LARGE = """
from data.worlds.library import find_world
from data.rules import load_rules
from engine.fitness.judge import Judge, Objective, named_objective
from engine.fitness.squad_scoring import ScoredSquads
from engine.board.picking import pick
from engine.search.run import PickSettings
from engine.fitness.squad_view import SquadView
from models.signals import build_signals
model_rng, pool_rng, search_rng = np.random.default_rng(7).spawn(3)
view = SquadView(build_signals(find_world("wc2026").at(1), load_rules("wc2026"), rng=model_rng))
*_, board = pick(Judge(view, pool_rng), named_objective("protect", view), search_rng, PickSettings())
"""


def board_bytes(code: str, disturbance: int) -> bytes:
    """Return the board that a fresh process prints whose global generators were disturbed."""
    disturbed = f"import random, sys\nimport numpy as np\nnp.random.seed({disturbance})\nrandom.seed({disturbance})\n"
    told = "\nfrom engine.board.export import board_json\nsys.stdout.write(board_json(board))"
    answer = subprocess.run(
        [sys.executable, "-c", disturbed + code + told],
        cwd=ROOT,
        env=os.environ | {"PYTHONHASHSEED": str(disturbance)},
        capture_output=True,
        timeout=300,
        check=True,
    )
    return answer.stdout


@pytest.mark.parametrize(
    "code", [pytest.param(SMALL, id="small cup"), pytest.param(LARGE, id="World Cup", marks=pytest.mark.soak)]
)
def test_two_fresh_processes_give_the_same_board_byte_for_byte(code: str) -> None:
    first = board_bytes(code, 1)
    assert first
    assert first == board_bytes(code, 99)
