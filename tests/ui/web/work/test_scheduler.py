"""Work beside the page is done once for all who ask the same, in lanes, and a failure is a sentence."""

from __future__ import annotations

import gc
import logging
import threading
import time
import weakref
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from data.errors import ModelError
from ui.web.work import background
from ui.web.work.background import (
    ADVICE,
    BENCHES,
    CHANCES,
    FIELD,
    PLANS,
    PROVING,
    REFRESHES,
    SEARCHES,
    SEARCHING,
    SKETCHING,
)
from ui.web.work.kept import Bound
from ui.web.work.scheduler import Job, JobKind, JobPart, Lane, Phase, Scheduler, Task

PATIENCE = 60.0
FOUND = "found"
KINDS = [SEARCHES, CHANCES, ADVICE, REFRESHES, BENCHES]


def a_task(work: Callable[[], Any], key: str = "key", kind: JobKind = CHANCES, lane: Lane = FIELD) -> Task[Any]:
    return Task(kind, key, (JobPart(lane, lambda _: work()),), None)


def until(condition: Callable[[], bool]) -> None:
    limit = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < limit, "it never came about"
        time.sleep(0.002)


def in_the_end(job: Job[Any]) -> Job[Any]:
    until(lambda: not job.now.running)
    return job


def test_an_answer_is_not_waited_for_and_worked_out_once() -> None:
    scheduler, leave, counted = Scheduler(), threading.Event(), []
    task = a_task(lambda: leave.wait(PATIENCE) and (counted.append(1) or FOUND))  # type: ignore[func-returns-value]
    assert scheduler.job(task, "anna").now.running
    assert scheduler.job(task, "ben").now.running
    leave.set()
    assert in_the_end(scheduler.job(task, "anna")).now.told == FOUND
    assert scheduler.job(task, "carl").now.told == FOUND
    assert counted == [1]


@pytest.mark.parametrize(("leaves", "worked_on"), [(True, ["one", "three"]), (False, ["one", "two", "three"])])
def test_a_question_its_visitor_has_left_is_dropped_before_it_begins(leaves: bool, worked_on: list[str]) -> None:
    scheduler, leave, answered = Scheduler(), threading.Event(), list[str]()

    def asked(key: str) -> Job[Any]:
        def answer() -> str:
            answered.append(key)
            leave.wait(PATIENCE)
            return FOUND

        job = scheduler.job(a_task(answer, key), "anna")
        if leaves:
            scheduler.attend("anna", CHANCES, {key})
        return job

    first = asked("one")
    until(lambda: answered == ["one"])
    jobs = [first, asked("two"), asked("three")]
    leave.set()
    assert [in_the_end(job).task.key for job in jobs if in_the_end(job).now.told == FOUND] == worked_on
    assert sorted(answered) == sorted(worked_on)


def test_the_more_visitors_wait_the_rarer_their_pages_look(monkeypatch: pytest.MonkeyPatch) -> None:
    scheduler, leave = Scheduler(), threading.Event()
    monkeypatch.setattr(background, "background", lambda: scheduler)
    task = a_task(lambda: leave.wait(PATIENCE))
    assert background.crowding() == 1.0
    jobs = [scheduler.job(task, f"visitor {number}") for number in range(60)]
    assert scheduler.waiting() == 60
    assert background.crowding() == 60 / background.FEW_VISITORS
    leave.set()
    in_the_end(jobs[0])
    assert background.crowding() == 1.0


def test_who_leaves_one_kind_of_work_stays_with_the_others() -> None:
    scheduler, leave = Scheduler(), threading.Event()
    jobs = [scheduler.job(a_task(lambda: leave.wait(PATIENCE), kind=kind), "anna") for kind in (CHANCES, ADVICE)]
    scheduler.attend("anna", ADVICE, ())
    assert [job.visitors for job in jobs] == [{"anna"}, set()]
    leave.set()


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_only_so_many_answers_are_kept(kind: JobKind) -> None:
    scheduler, few, answered = Scheduler(), replace(kind, kept=Bound(2, 0)), list[str]()
    for key in ("a", "b", "c", "a"):
        in_the_end(scheduler.job(a_task(lambda key=key: answered.append(key), key, few)))  # type: ignore[misc]
    assert answered == ["a", "b", "c", "a"]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_a_failure_is_a_sentence_and_an_unforeseen_one_is_logged(
    kind: JobKind, caplog: pytest.LogCaptureFixture
) -> None:
    def failing(error: Exception) -> None:
        raise error

    scheduler = Scheduler()
    foreseen = scheduler.job(a_task(lambda: failing(ModelError("No match yet. Refresh.")), "foreseen", kind))
    assert str(in_the_end(foreseen).now.error) == "No match yet. Refresh."
    with caplog.at_level(logging.ERROR, logger="thetaxi"):
        unforeseen = in_the_end(scheduler.job(a_task(lambda: failing(KeyError("secret")), "unforeseen", kind)))
    assert str(unforeseen.now.error) == kind.unforeseen
    assert kind.unforeseen.endswith("server's log names the cause.")
    assert "KeyError" in caplog.text


def test_a_failure_is_tried_again_after_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    scheduler, tries = Scheduler(), []

    def answer() -> str:
        tries.append(1)
        if len(tries) == 1:
            raise ModelError("The solver ran out of time.")
        return FOUND

    job = in_the_end(scheduler.job(a_task(answer)))
    assert scheduler.job(a_task(answer)).now.phase is Phase.FAILED
    monkeypatch.setattr("ui.web.work.scheduler.RETRY", 0.0)
    until(lambda: in_the_end(scheduler.job(a_task(answer))).now.told == FOUND)
    assert job.now.error is None
    assert len(tries) == 2


def test_a_lane_is_free_again_after_a_mishap() -> None:
    scheduler = Scheduler()
    in_the_end(scheduler.job(a_task(lambda: [][0], "broken", CHANCES, PROVING)))
    assert not scheduler.busy(PROVING)
    assert in_the_end(scheduler.job(a_task(lambda: FOUND, "next", CHANCES, PROVING))).now.told == FOUND


def test_work_waits_for_the_lane_that_passes_first_but_not_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    scheduler, leave = Scheduler(), threading.Event()
    scheduler.job(a_task(lambda: leave.wait(PATIENCE), kind=SEARCHES, lane=SEARCHING))
    patient = scheduler.job(a_task(lambda: FOUND, "patient", CHANCES, PROVING))
    time.sleep(0.1)
    assert patient.now.phase is Phase.WAITING
    monkeypatch.setattr("ui.web.work.scheduler.LONGEST_WAIT", 0.0)
    assert in_the_end(scheduler.job(a_task(lambda: FOUND, "hasty", CHANCES, PROVING))).now.told == FOUND
    leave.set()
    assert in_the_end(patient).now.told == FOUND


@pytest.mark.parametrize("end", [Phase.DONE, Phase.FAILED])
def test_a_job_that_has_ended_lets_go_of_what_it_worked_with(end: Phase) -> None:
    class Beliefs:
        """Large."""

    def a_large_task() -> tuple[Task[Any], weakref.ref[Beliefs]]:
        beliefs = Beliefs()

        def answer() -> str:
            if end is Phase.FAILED:
                raise ModelError("No match yet.")
            return str(beliefs) and FOUND

        return a_task(answer), weakref.ref(beliefs)

    task, large = a_large_task()
    job = in_the_end(Scheduler().job(task))
    del task
    until(lambda: gc.collect() >= 0 and large() is None)
    assert job.now.phase is end


def test_what_is_known_of_a_task_can_be_asked_without_starting_it() -> None:
    scheduler, task = Scheduler(), a_task(lambda: FOUND)
    assert not scheduler.state(task).running
    scheduler.stop(task)
    in_the_end(scheduler.job(task))
    assert scheduler.state(task).told == FOUND


def test_proofs_let_boards_pass_and_nothing_lets_itself_pass() -> None:
    lanes = {name: lane for name, lane in vars(background).items() if isinstance(lane, Lane)}
    assert {name for name, lane in lanes.items() if lane.after == SEARCHING} == {"PROVING"}
    assert SEARCHING.after == SKETCHING
    assert SKETCHING.after is None


def test_first_answers_pass_all_that_takes_seconds_whoever_came_first() -> None:
    scheduler, leave, done = Scheduler(), threading.Event(), list[str]()

    def part(lane: Lane, name: str) -> JobPart[Any]:
        def work(job: Job[Any]) -> str:
            done.append(f"{job.task.key} {name}")
            if lane != SKETCHING:
                leave.wait(PATIENCE)
            return name

        return JobPart(lane, work)

    def plan(visitor: str) -> Task[Any]:
        steps = part(SKETCHING, "sketch"), part(SEARCHING, "whole"), part(PROVING, "prices")
        return Task(PLANS, visitor, steps, None, answer=2)

    visitors = [f"visitor {number}" for number in range(2 * SEARCHING.places)]
    jobs = [scheduler.job(plan(visitor), visitor) for visitor in visitors]
    until(lambda: len(done) == len(visitors) + SEARCHING.places)
    late = scheduler.job(plan("late"), "late")
    until(lambda: late.now.told == "sketch")
    assert not late.now.out, "a first answer is no whole one"
    assert not any("prices" in one for one in done)
    leave.set()
    for job in (*jobs, late):
        in_the_end(job)
    for visitor in (*visitors, "late"):
        own = [one.removeprefix(f"{visitor} ") for one in done if one.startswith(visitor)]
        assert own == ["sketch", "whole", "prices"]


def test_what_takes_seconds_is_not_begun_for_who_has_moved_on() -> None:
    scheduler, leave, done = Scheduler(), threading.Event(), list[str]()

    def whole(job: Job[Any]) -> str:
        done.append(job.task.key)
        return "whole"

    steps = (JobPart(SKETCHING, lambda job: "sketch"), JobPart(FIELD, whole))
    before = scheduler.job(a_task(lambda: leave.wait(PATIENCE)), "anna")
    until(lambda: before.now.phase is Phase.RUNNING)  # it has the only place of the lane
    job = scheduler.job(Task(PLANS, "first wish", steps, "", answer=2), "anna")
    until(lambda: job.now.step == 1)
    scheduler.attend("anna", PLANS, {"second wish"})
    leave.set()
    assert in_the_end(job).now.told == "sketch"
    assert done == []
    assert in_the_end(scheduler.job(Task(PLANS, "first wish", steps, "", answer=2), "anna")).now.told == "whole"


def test_a_whole_answer_that_fails_is_told_beside_its_sketch() -> None:
    def fails(_: object) -> str:
        raise ModelError("No plan.")

    steps = (JobPart(SKETCHING, lambda job: "sketch"), JobPart(SEARCHING, fails))
    found = in_the_end(Scheduler().job(Task(PLANS, "key", steps, "", answer=2))).now
    assert (found.phase, found.told, str(found.error)) == (Phase.FAILED, "sketch", "No plan.")


def test_who_asks_for_more_steps_than_were_done_has_the_others_done() -> None:
    scheduler, whole = Scheduler(), a_task(lambda: FOUND)
    more = replace(whole, steps=(*whole.steps, JobPart(PROVING, lambda job: f"{job.now.told}, proved")))
    assert in_the_end(scheduler.job(whole)).now.told == FOUND
    job = scheduler.job(more)
    assert job.now.out
    assert in_the_end(job).now.told == f"{FOUND}, proved"
    assert scheduler.job(whole).now.told == f"{FOUND}, proved"


def test_a_step_that_failed_after_the_answer_is_not_tried_for_ever() -> None:
    scheduler, tries = Scheduler(), []

    def fails(_: object) -> str:
        tries.append(1)
        raise ModelError("No bound.")

    whole = a_task(lambda: FOUND)
    more = replace(whole, steps=(*whole.steps, JobPart(PROVING, fails)))
    for _ in range(3):
        assert in_the_end(scheduler.job(more)).now.told == FOUND
    assert tries == [1]
