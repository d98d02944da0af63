"""Progress and proof in words."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.board.board import Claim, Verdict
from tests.cases.board_cases import a_board
from tests.ui.web.work.test_search_job import a_step
from ui.web.work.scheduler import Job, Phase, Scheduler, State
from ui.web.work.search_job import Bred, SearchJob, search_task
from ui.web.work.search_view import progress_in_words, proof_line


def a_job(told: Bred, phase: Phase = Phase.WAITING) -> SearchJob:
    job = Job(search_task("plan", lambda stop: iter(())), Scheduler())
    job.now = State(told, phase)
    return job


def test_a_search_that_waits_says_so() -> None:
    assert progress_in_words(a_job(Bred()), "Gain", 10) == (0.0, "Gain: waiting for a free place …")


def test_progress_is_a_share_of_the_generations_and_never_more() -> None:
    share, words = progress_in_words(a_job(Bred((a_step(5, best=74.4),)), Phase.RUNNING), "Gain", 10)
    assert share == 0.5
    assert words == "Gain: generation 5, 1,234 squads, best 74.4"
    assert progress_in_words(a_job(Bred((a_step(50),)), Phase.RUNNING), "Gain", 10)[0] == 1.0


@pytest.mark.parametrize(
    ("claim", "icon", "words"),
    [
        (Claim(Verdict.OPTIMAL), "verified", "Nothing better exists."),
        (Claim(Verdict.WITHIN, 0.126, False, 9.6), "straighten", "At most 9.6 points below the best possible squad."),
        (Claim(Verdict.NO_BOUND), "straighten", "How far below the best possible squad it can be is not known."),
    ],
)
def test_a_proof_is_told_in_plain_words_and_precisely_behind_them(claim: Claim, icon: str, words: str) -> None:
    line, precise = proof_line(a_job(Bred(board=replace(a_board(), proof=claim)), Phase.DONE))
    assert line.startswith(f":material/{icon}: {words}")
    assert precise == f"The recommended squad is {claim}."


def test_a_proof_that_is_not_there_says_why() -> None:
    out = Bred(board=a_board())
    assert "Being computed" in proof_line(a_job(out, Phase.RUNNING))[0]
    assert "stopped" in proof_line(a_job(out, Phase.STOPPED))[0]
    assert "the proof failed" in proof_line(a_job(out, Phase.DONE))[0]
