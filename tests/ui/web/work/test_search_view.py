"""Progress and proof in words."""

from __future__ import annotations

from dataclasses import replace

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


def test_the_proof_is_told_when_it_is_there_and_its_absence_too() -> None:
    out = Bred(board=a_board())
    for verdict, icon in (
        (Verdict.OPTIMAL, "verified"),
        (Verdict.WITHIN, "straighten"),
        (Verdict.NO_BOUND, "straighten"),
    ):
        board = replace(a_board(), proof=Claim(verdict))
        line = proof_line(a_job(Bred(board=board), Phase.DONE))
        assert line == f":material/{icon}: The recommended squad is {Claim(verdict)}."
    assert "Being computed" in proof_line(a_job(out, Phase.RUNNING))
    assert "stopped" in proof_line(a_job(out, Phase.STOPPED))
    assert "the proof failed" in proof_line(a_job(out, Phase.DONE))
