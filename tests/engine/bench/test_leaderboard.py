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
    Entry,
    Size,
    board_json,
    board_markdown,
    board_rows,
    entry_of,
    ranked,
    read_board,
    replaces,
    shortfalls,
    updated,
)
from engine.bench.score import Parts, Validation
from tests.engine.bench.test_score import a_run

PARTS = Parts(success_rate=0.92, efficiency=0.78, learning_speed=0.85, stability=0.95)
ENTRY = Entry(
    contender="ours",
    task="full",
    score=0.867,
    half=0.023,
    variance=0.01,
    validation=Validation.TARGET,
    confirmed=0.7,
    submitted="2026-06-10T12:00:00+00:00",
    sessions=10,
    runs=500,
    parts=PARTS,
    seconds=0.05,
    configuration="local search",
)


def test_the_sizes_are_ten_sessions_of_fifty_runs_and_a_quick_one() -> None:
    assert (FULL.sessions, FULL.runs) == (10, 50)
    assert QUICK.sessions * QUICK.runs < 50
    with pytest.raises(InputError, match="show nothing"):
        Size(name="none", sessions=0, runs=5)


def test_a_submission_with_too_few_sessions_or_runs_is_not_valid() -> None:
    assert shortfalls(ENTRY, FULL) == ()
    assert shortfalls(replace(ENTRY, sessions=9), FULL) == ("9 sessions, 10 are required",)
    assert shortfalls(replace(ENTRY, runs=499), FULL) == ("499 runs, 500 are required",)
    assert updated([], replace(ENTRY, runs=499), FULL) == ()


def test_a_first_valid_submission_enters() -> None:
    assert updated([], ENTRY, FULL) == (ENTRY,)


def test_a_higher_mean_replaces_and_a_lower_one_does_not() -> None:
    better, worse = replace(ENTRY, score=0.868), replace(ENTRY, score=0.866)
    assert updated([ENTRY], better, FULL) == (better,)
    assert updated([ENTRY], worse, FULL) == (ENTRY,)
    assert updated([ENTRY], replace(ENTRY, submitted="2026-07-01"), FULL) == (ENTRY,)


def test_an_interval_wholly_above_the_other_replaces() -> None:
    above = replace(ENTRY, score=0.95, half=0.01)
    assert above.low > ENTRY.high
    assert replaces(above, ENTRY)
    assert not replaces(ENTRY, above)


def test_a_submission_replaces_only_its_own_contender_and_task() -> None:
    peer, quick = replace(ENTRY, contender="deap-ga", score=0.3), replace(ENTRY, task="quick", score=0.4)
    better = replace(ENTRY, score=0.9)
    assert set(updated([ENTRY, peer, quick], better, FULL)) == {better, peer, quick}


def test_higher_scores_stand_above_lower_ones() -> None:
    low, high = replace(ENTRY, contender="a", score=0.5), replace(ENTRY, contender="b", score=0.6)
    assert ranked([low, high]) == (high, low)


def test_equal_scores_are_ordered_by_variance_then_validation_then_date() -> None:
    steady = replace(ENTRY, contender="steady", variance=0.005, score=0.8671)
    checked = replace(ENTRY, contender="checked", validation=Validation.EXCELLENT)
    early = replace(ENTRY, contender="early", submitted="2026-06-01T00:00:00+00:00")
    assert [entry.contender for entry in ranked([ENTRY, early, checked, steady])] == [
        "steady", "checked", "early", "ours",
    ]  # fmt: skip


def test_scores_that_differ_where_nobody_sees_it_are_equal() -> None:
    calm, lucky = replace(ENTRY, variance=0.001), replace(ENTRY, contender="lucky", score=0.86703)
    assert ranked([lucky, calm]) == (calm, lucky)


def test_an_entry_is_made_of_its_runs() -> None:
    sessions = [[a_run(1.0), a_run(2.0)], [a_run(4.0), a_run(10.0, reached=False)]]
    entry = entry_of("ours", "words", "quick", sessions, {"round 1 gain": 1.0}, "2026-06-10")
    assert (entry.sessions, entry.runs, entry.seconds, entry.confirmed) == (2, 4, 2.0, 0.75)
    assert entry.validation is Validation.EXCELLENT
    assert entry.score == pytest.approx(0.4 * 0.75 + 0.3 * 1.75 / 4 + 0.2 * 0.4 + 0.1 * (1 - 0.25 / 0.75))
    assert entry.half > 0


def test_who_never_reached_the_goal_has_no_time_and_no_score_but_a_line() -> None:
    entry = entry_of("random", "words", "quick", [[a_run(10.0, reached=False)]], {"round 1 gain": 0.1}, "2026-06-10")
    assert entry.score == 0.0
    assert board_rows([entry])[0][HEADS.index("CPU s to goal")] == "—"


def test_a_board_survives_its_file() -> None:
    other = replace(ENTRY, contender="greedy", seconds=None, score=0.1)
    content = json.loads(json.dumps(board_json([ENTRY, other])))
    assert read_board(content, "leaderboard.json") == (ENTRY, other)
    assert content["entries"][0]["band"] == "Excellent"
    assert content["entries"][0]["score_legal"] > content["entries"][0]["score"]


@pytest.mark.parametrize("content", [{}, {"entries": [{"contender": "ours"}]}, {"entries": 3}])
def test_another_file_is_refused_by_name(content: dict[str, object]) -> None:
    with pytest.raises(InputError, match=r"leaderboard\.json is no leaderboard"):
        read_board(content, "leaderboard.json")


def test_the_markdown_has_a_row_and_the_configuration_of_everybody() -> None:
    text = board_markdown([ENTRY, replace(ENTRY, contender="greedy", configuration="worthiest first", score=0.2)])
    assert "| 1 | ours | 0.867 ± 0.023 | Excellent |" in text
    assert "| 2 | greedy | 0.200 ± 0.023 | Below threshold |" in text
    assert "- **greedy**: worthiest first" in text
