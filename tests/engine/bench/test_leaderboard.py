"""The leaderboard: who may enter, who replaces whom, and how ties are broken."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from data.errors import InputError
from engine.bench.leaderboard import (
    FULL,
    HEADS,
    QUICK,
    Size,
    board_json,
    board_markdown,
    board_rows,
    placing_of,
    ranked,
    read_board,
    updated,
)
from engine.bench.run import published_board
from tests.cases.board_cases import a_placing
from tests.engine.bench.test_score import a_run

PLACING = replace(a_placing("ours", 0.867), confirmed=0.7)


def test_the_sizes_are_ten_sessions_of_fifty_runs_and_a_quick_one() -> None:
    assert (FULL.sessions, FULL.runs) == (10, 50)
    assert QUICK.sessions * QUICK.runs < 50
    with pytest.raises(InputError, match="show nothing"):
        Size(name="none", sessions=0, runs=5)


@pytest.mark.parametrize(
    ("score", "configuration", "enters"),
    [(0.868, "other", True), (0.866, "other", False), (0.867, "other", False), (0.866, "", True)],
    ids=["better", "worse", "level", "the same scored again"],
)
def test_a_higher_score_replaces_and_a_lower_one_only_if_the_set_up_is_the_same(
    score: float, configuration: str, enters: bool
) -> None:
    new = replace(PLACING, score=score, configuration=configuration or PLACING.configuration)
    assert updated([], new) == (new,)
    assert updated([PLACING], new) == (new if enters else PLACING,)


def test_who_is_scored_again_keeps_the_date() -> None:
    assert updated([PLACING], replace(PLACING, submitted="2026-07-01")) == (PLACING,)


def test_a_submission_replaces_only_its_own_contender_and_task() -> None:
    peer, quick = replace(PLACING, contender="deap-ga", score=0.3), replace(PLACING, task="quick", score=0.4)
    better = replace(PLACING, score=0.9)
    assert set(updated([PLACING, peer, quick], better)) == {better, peer, quick}


def test_scores_equal_to_the_eye_are_ordered_by_variance_then_validation_then_date() -> None:
    higher = replace(PLACING, contender="higher", score=0.9, variance=0.5)
    steady = replace(PLACING, contender="steady", variance=0.005)
    checked = replace(PLACING, contender="checked", confirmed=0.8)
    early = replace(PLACING, contender="early", submitted="2026-06-01T00:00:00+00:00")
    lucky = replace(PLACING, score=0.86703)
    assert ranked([lucky, early, checked, steady, higher]) == (higher, steady, checked, early, lucky)


def test_a_placing_is_made_of_its_runs() -> None:
    sessions = [[a_run(1.0), a_run(2.0)], [a_run(4.0), a_run(10.0, reached=False)]]
    placing = placing_of("ours", "words", "quick", sessions, {"round 1 gain": 1.0}, "2026-06-10")
    assert (placing.sessions, placing.runs, placing.seconds, placing.confirmed) == (2, 4, 2.0, 0.75)
    assert placing.validation == "Excellent"
    assert placing.score == pytest.approx(0.4 * 0.75 + 0.3 * 1.75 / 4 + 0.2 * 0.4 + 0.1 * (1 - 0.25 / 0.75))
    assert placing.half > 0


def test_who_never_reached_the_goal_has_no_time_and_no_score_but_a_line() -> None:
    placing = placing_of(
        "random", "words", "quick", [[a_run(10.0, reached=False)]], {"round 1 gain": 0.1}, "2026-06-10"
    )
    assert placing.score == 0.0
    assert board_rows([placing])[0][HEADS.index("CPU s to goal")] == "—"


def test_a_board_survives_its_file_and_the_published_one_opens() -> None:
    assert [one.contender for one in published_board()][:2] == ["ours", "deap-ga-lent"]
    other = replace(PLACING, contender="greedy", seconds=None, score=0.1)
    content = json.loads(json.dumps(board_json([PLACING, other])))
    assert read_board(content, "leaderboard.json") == (PLACING, other)
    assert content["entries"][0]["band"] == "Excellent"
    assert content["entries"][0]["score_legal"] > content["entries"][0]["score"]


@pytest.mark.parametrize("content", [{}, {"entries": [{"contender": "ours"}]}, {"entries": 3}])
def test_another_file_is_refused_by_name(content: dict[str, object]) -> None:
    with pytest.raises(InputError, match=r"leaderboard\.json is no leaderboard"):
        read_board(content, "leaderboard.json")


def test_the_markdown_has_a_row_and_the_configuration_of_everybody() -> None:
    text = board_markdown([PLACING, replace(PLACING, contender="greedy", configuration="worthiest first", score=0.2)])
    assert "| 1 | ours | 0.867 ± 0.020 | Excellent |" in text
    assert "| 2 | greedy | 0.200 ± 0.020 | Below threshold |" in text
    assert "- **greedy**: worthiest first" in text
