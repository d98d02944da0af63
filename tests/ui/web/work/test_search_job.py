"""A search runs beside the page, is shared, stops on request and when nobody is left to see it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

from data.errors import InfeasibleError
from engine.board.board import Board, Claim, Verdict
from engine.search.breeding.evolution import Progress
from tests.ui.web.work.test_scheduler import PATIENCE, in_the_end, until
from ui.web.work import kept
from ui.web.work.background import PROVING, SEARCHES, SEARCHING
from ui.web.work.scheduler import Job, Phase, Scheduler, Task
from ui.web.work.search_job import Bred, search_task

BOARD = Board("a world", 1, "Matchday 1", "protect", (), ())
PROVED = Claim(Verdict.OPTIMAL)


def a_step(generation: int, best: float = 1.0) -> Progress:
    known = {"generation": generation, "best": best, "mean": 1.0, "evaluations": 1234, "stalled": 0, "seconds": 0.1}
    return Progress(**{name: known.get(name, 0.0) for name in Progress.__dataclass_fields__})  # type: ignore[arg-type]


class Breeder:
    """A search in slow motion: each generation waits for leave."""

    def __init__(self, generations: int = 1_000) -> None:
        self.generations, self.started, self.leave = generations, 0, threading.Event()

    def __call__(self, stop: Callable[[], bool]) -> Iterator[Progress | Board]:
        self.started += 1
        for generation in range(1, self.generations + 1):
            yield a_step(generation)
            if stop():
                break
            self.leave.wait(0.002)
        yield BOARD


def an_order(breeder: Breeder, key: str = "plan") -> Task[Bred]:
    return search_task(key, breeder, lambda board: PROVED)


def proving_after(leave: threading.Event) -> Callable[[Board], Claim]:
    return lambda board: PROVED if leave.wait(PATIENCE) else Claim()


@pytest.fixture(autouse=True)
def proofs_begin_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """No board is drawn here that a proof would have to wait for."""
    monkeypatch.setattr("ui.web.work.search_job.PROVING", replace(PROVING, pause=0.0))


@pytest.fixture
def here() -> set[str]:
    """The visitors whose tab is open."""
    return {"anna", "ben"}


@pytest.fixture
def searches(here: set[str]) -> Scheduler:
    return Scheduler(here.__contains__, absence=0.05)


def begun(searches: Scheduler, breeder: Breeder | None = None) -> Job[Bred]:
    """Return anna's search once it has bred."""
    job = searches.job(an_order(breeder or Breeder()), "anna")
    until(lambda: bool(job.now.told.history))
    return job


def test_the_board_is_out_before_its_proof_and_then_there_is_nothing_to_stop(searches: Scheduler) -> None:
    leave = threading.Event()
    job = searches.job(search_task("plan", Breeder(3), proving_after(leave)), "anna")
    until(lambda: job.now.out)
    assert job.now.running
    assert job.now.told.board is BOARD
    job.stop("anna")
    leave.set()
    assert in_the_end(job).now.phase is Phase.DONE
    assert [step.generation for step in job.now.told.history] == [1, 2, 3]
    assert job.now.told.board == replace(BOARD, proof=PROVED)


@pytest.mark.parametrize("shared", [True, False], ids=["he saw it too", "he comes later"])
def test_who_stops_a_search_keeps_the_best_so_far_and_another_gets_one_of_his_own(
    searches: Scheduler, shared: bool
) -> None:
    job = begun(searches)
    if shared:
        assert searches.job(an_order(Breeder()), "ben") is job
    job.stop("anna")
    assert in_the_end(job).now.phase is Phase.STOPPED
    fresh = searches.job(an_order(Breeder(1)), "ben")
    assert fresh is not job
    assert searches.job(an_order(Breeder(1)), "anna") is job
    assert in_the_end(fresh).now.phase is Phase.DONE
    assert searches.job(an_order(Breeder(1)), "anna") is job
    assert searches.again(an_order(Breeder(1)), "anna") is not job
    assert job.now.told.board is BOARD


def test_asking_again_twice_does_not_leave_a_search_behind(searches: Scheduler) -> None:
    breeder = Breeder()
    job = begun(searches, breeder)
    assert searches.again(an_order(breeder), "anna") is job
    job.stop("anna")
    in_the_end(job)
    assert breeder.started == 1


@pytest.mark.parametrize(
    ("most", "each"),
    [(kept.SEARCHES.most, kept.SEARCHES.most + 4), (2 * kept.BELIEFS.most, 2)],
    ids=["of one belief", "of many beliefs"],
)
def test_only_so_many_searches_are_kept(searches: Scheduler, most: int, each: int) -> None:
    breeders = [Breeder(1) for _ in range(most + 4)]
    orders = [search_task(str(n), one, beliefs=str(n // each)) for n, one in enumerate(breeders)]
    for order in (*orders, *reversed(orders)):
        in_the_end(searches.job(order, "anna"))
    assert [breeder.started for breeder in breeders] == [2] * 4 + [1] * most


def test_a_closed_tab_stops_its_search(searches: Scheduler, here: set[str]) -> None:
    job = begun(searches)
    here.discard("anna")
    assert in_the_end(job).now.phase is Phase.STOPPED


def test_a_search_goes_on_while_one_of_two_is_there(searches: Scheduler, here: set[str]) -> None:
    job = searches.job(an_order(Breeder()), "anna")
    searches.job(an_order(Breeder()), "ben")
    here.discard("anna")
    until(lambda: len(job.now.told.history) > 5)
    assert job.now.phase is Phase.RUNNING
    job.stop("anna")


def test_a_tab_that_is_gone_for_a_moment_keeps_its_search(here: set[str]) -> None:
    job = begun(Scheduler(here.__contains__, absence=PATIENCE))
    here.discard("anna")
    seen = len(job.now.told.history)
    until(lambda: len(job.now.told.history) > seen + 5)
    here.add("anna")
    assert job.now.phase is Phase.RUNNING
    job.stop("anna")


def test_who_turns_to_another_plan_cuts_a_search_short_and_who_comes_back_sees_it_whole(searches: Scheduler) -> None:
    breeder = Breeder(100)
    job = begun(searches, breeder)
    searches.job(an_order(Breeder(1), "second"), "anna")
    searches.attend("anna", SEARCHES, {"second"})
    in_the_end(job)
    assert (job.now.phase, job.now.told.board) == (Phase.STOPPED, None)
    again = searches.job(an_order(breeder), "anna")
    assert again is job
    assert in_the_end(again).now.phase is Phase.DONE
    assert [step.generation for step in again.now.told.history] == list(range(1, 101))
    assert breeder.started == 2


def test_who_comes_back_while_a_search_is_being_cut_short_sees_it_whole(searches: Scheduler, here: set[str]) -> None:
    cut, back = threading.Event(), threading.Event()
    starts = []

    def search(stop: Callable[[], bool]) -> Iterator[Progress | Board]:
        starts.append(len(starts))
        for generation in range(1, 30):
            yield a_step(generation)
            if len(starts) == 1:
                until(stop)
                cut.set()
                back.wait(PATIENCE)
                break
        yield BOARD

    job = searches.job(search_task("plan", search), "anna")
    until(lambda: bool(job.now.told.history))
    here.discard("anna")
    assert cut.wait(PATIENCE)
    here.add("ben")
    searches.job(search_task("plan", search), "ben")
    back.set()
    in_the_end(job)
    assert (job.now.phase, job.now.told.board, len(starts)) == (Phase.DONE, BOARD, 2)
    assert len(job.now.told.history) == 29


def test_who_comes_back_finds_the_board_and_only_the_proof_is_made_up(searches: Scheduler) -> None:
    breeder, leave = Breeder(3), threading.Event()
    order = search_task("plan", breeder, proving_after(leave))
    second = search_task("other", Breeder(1), proving_after(leave))
    job, other = searches.job(order, "anna"), searches.job(second, "ben")
    until(lambda: job.now.out and other.now.out)
    searches.attend("anna", SEARCHES, set())
    searches.attend("ben", SEARCHES, set())
    leave.set()
    until(lambda: not job.now.running and not other.now.running)
    left, asked = (job, order) if job.now.phase is Phase.STOPPED else (other, second)
    assert left.now.phase is Phase.STOPPED  # there is one place for proofs, so one of them had not begun
    assert left.now.told.board == BOARD
    again = searches.job(asked, "anna")
    assert again is left
    assert in_the_end(again).now.phase is Phase.DONE
    assert again.now.told.board == replace(BOARD, proof=PROVED)
    assert breeder.started == 1


def test_wishes_that_cannot_hold_together_are_a_sentence(searches: Scheduler) -> None:
    def search(stop: Callable[[], bool]) -> Iterator[Progress | Board]:
        error = InfeasibleError("No legal squad: unlock one of Kane, Saka.")
        error.must = (3, 8)
        raise error
        yield

    job = in_the_end(searches.job(search_task("plan", search), "anna"))
    assert isinstance(job.now.error, InfeasibleError)
    assert str(job.now.error) == "No legal squad: unlock one of Kane, Saka."
    assert job.now.error.must == (3, 8)
    assert job.now.error.__traceback__ is None
    assert searches.job(search_task("plan", search), "ben").now.phase is Phase.FAILED


def test_a_mishap_is_a_sentence_and_the_next_who_asks_tries_again(searches: Scheduler) -> None:
    def search(stop: Callable[[], bool]) -> Iterator[Progress | Board]:
        if not mended:
            raise ZeroDivisionError("secret detail")
        yield BOARD

    mended: list[int] = []
    order = search_task("plan", search)
    job = in_the_end(searches.job(order, "anna"))
    assert "secret" not in str(job.now.error)
    mended.append(1)
    assert searches.job(order, "anna").now.error
    in_the_end(searches.job(order, "ben"))
    assert job.now.phase is Phase.DONE


def test_a_proof_that_fails_leaves_the_board(searches: Scheduler) -> None:
    def prove(board: Board) -> Claim:
        raise RuntimeError("no solver")

    job = searches.job(search_task("plan", Breeder(1), prove), "anna")
    assert in_the_end(job).now.phase is Phase.DONE
    assert job.now.told.board == BOARD


def test_no_more_searches_run_at_once_than_there_are_places(here: set[str]) -> None:
    searches = Scheduler(here.__contains__)
    jobs = [searches.job(an_order(Breeder(), str(number)), "anna") for number in range(SEARCHING.places + 1)]
    until(lambda: sum(bool(job.now.told.history) for job in jobs) == SEARCHING.places)
    assert searches.busy(SEARCHING) == SEARCHING.places + 1
    waiting = next(job for job in jobs if job.now.phase is Phase.WAITING)
    next(job for job in jobs if job is not waiting).stop("anna")
    until(lambda: bool(waiting.now.told.history))
    for job in jobs:
        job.stop("anna")


def test_search_again_forgets_the_answer(searches: Scheduler) -> None:
    first = in_the_end(searches.job(an_order(Breeder(1)), "anna"))
    second = searches.again(an_order(Breeder(1)), "anna")
    assert in_the_end(second) is not first
