"""A search runs beside the page, is shared, stops on request and when nobody is left to see it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

from data.errors import InfeasibleError
from engine.board.board import Board
from engine.search.breeding.evolution import Progress
from ui.web.work.search_job import BELIEFS_KEPT, Order, Phase, Places, Searches, SearchJob

BOARD = Board("a world", 1, "Matchday 1", "protect", (), (), "not proved")
PATIENCE = 10.0


def a_step(generation: int) -> Progress:
    known = {"generation": generation, "best": 1.0, "mean": 1.0, "evaluations": 10, "stalled": 0, "seconds": 0.1}
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


def an_order(breeder: Breeder, key: str = "plan", proof: str | None = "proved optimal") -> Order:
    return Order(key, breeder, None if proof is None else lambda board: proof)


def until(condition: Callable[[], bool]) -> None:
    limit = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < limit, "it never came about"
        time.sleep(0.002)


@pytest.fixture
def here() -> set[str]:
    """The visitors whose tab is open."""
    return {"anna", "ben"}


@pytest.fixture
def searches(here: set[str]) -> Searches:
    return Searches(here.__contains__, absence=0.05)


def ended(job: SearchJob) -> Callable[[], bool]:
    return lambda: not job.now.running


def test_a_search_ends_with_a_board_and_then_its_proof(searches: Searches) -> None:
    job = searches.job(an_order(Breeder(3)), "anna")
    until(ended(job))
    assert job.now.phase is Phase.DONE
    assert [step.generation for step in job.now.history] == [1, 2, 3]
    assert job.now.board == replace(BOARD, proof="proved optimal")


def test_what_nobody_waits_for_waits_for_those_who_breed(searches: Searches) -> None:
    breeder, order = Breeder(), []
    job = searches.job(an_order(breeder, proof=None), "anna")
    until(lambda: job.now.phase is Phase.BREEDING)
    waiting = threading.Thread(target=lambda: (searches.wait_until_idle(), order.append("idle")))
    waiting.start()
    time.sleep(0.1)
    order.append("still breeding")
    job.stop("anna")
    waiting.join(PATIENCE)
    assert order == ["still breeding", "idle"]
    assert job.now.phase is Phase.STOPPED


def test_the_board_is_out_before_the_proof(searches: Searches) -> None:
    proved = threading.Event()
    job = searches.job(Order("plan", Breeder(1), lambda board: str(proved.wait(PATIENCE))), "anna")
    until(lambda: job.now.phase is Phase.PROVING)
    assert job.now.board is BOARD
    proved.set()
    until(ended(job))
    assert job.now.board is not None
    assert job.now.board.proof == "True"


def test_two_who_ask_the_same_share_one_search(searches: Searches) -> None:
    breeder = Breeder(5)
    first, second = (searches.job(an_order(breeder), visitor) for visitor in ("anna", "ben"))
    until(ended(first))
    assert first is second
    assert searches.job(an_order(breeder), "anna") is first
    assert breeder.started == 1


def test_stop_gives_the_best_so_far(searches: Searches) -> None:
    job = searches.job(an_order(Breeder()), "anna")
    until(lambda: bool(job.now.history))
    job.stop("anna")
    until(ended(job))
    assert job.now.phase is Phase.STOPPED
    assert job.now.board is BOARD


def test_another_visitor_does_not_inherit_a_stopped_search(searches: Searches) -> None:
    job = searches.job(an_order(Breeder()), "anna")
    job.stop("anna")
    until(ended(job))
    assert searches.job(an_order(Breeder(1)), "anna") is job
    fresh = searches.job(an_order(Breeder(1)), "ben")
    assert fresh is not job
    until(ended(fresh))
    assert fresh.now.phase is Phase.DONE


def test_who_did_not_stop_a_search_gets_one_of_his_own_and_who_did_keeps_his_board(searches: Searches) -> None:
    job = searches.job(an_order(Breeder()), "anna")
    assert searches.job(an_order(Breeder()), "ben") is job
    until(lambda: bool(job.now.history))
    job.stop("anna")
    until(ended(job))
    fresh = searches.job(an_order(Breeder(1)), "ben")
    assert fresh is not job
    assert searches.job(an_order(Breeder(1)), "anna") is job
    until(ended(fresh))
    assert searches.job(an_order(Breeder(1)), "anna") is job
    assert searches.again(an_order(Breeder(1)), "anna") is not job
    assert job.now.board is BOARD


def test_where_the_board_is_out_there_is_nothing_to_stop(searches: Searches) -> None:
    proved = threading.Event()
    job = searches.job(Order("plan", Breeder(1), lambda board: str(proved.wait(PATIENCE))), "anna")
    until(lambda: job.now.phase is Phase.PROVING)
    job.stop("anna")
    proved.set()
    until(ended(job))
    assert job.now.phase is Phase.DONE


def test_asking_again_twice_does_not_leave_a_search_behind(searches: Searches) -> None:
    breeder = Breeder()
    job = searches.job(an_order(breeder), "anna")
    until(lambda: bool(job.now.history))
    assert searches.again(an_order(breeder), "anna") is job
    job.stop("anna")
    until(ended(job))
    assert breeder.started == 1


def test_searches_of_many_beliefs_are_not_all_kept(searches: Searches) -> None:
    orders = [replace(an_order(Breeder(1), str(n), None), beliefs=str(n // 2)) for n in range(2 * BELIEFS_KEPT + 4)]
    for order in orders:
        until(ended(searches.job(order, "anna")))
    assert len(searches) == 2 * BELIEFS_KEPT
    again = searches.job(orders[-1], "anna")
    assert again.order is orders[-1]


def test_a_closed_tab_stops_its_search(searches: Searches, here: set[str]) -> None:
    job = searches.job(an_order(Breeder()), "anna")
    until(lambda: bool(job.now.history))
    here.discard("anna")
    until(ended(job))
    assert job.now.phase is Phase.STOPPED


def test_a_search_goes_on_while_one_of_two_is_there(searches: Searches, here: set[str]) -> None:
    job = searches.job(an_order(Breeder()), "anna")
    searches.job(an_order(Breeder()), "ben")
    here.discard("anna")
    until(lambda: len(job.now.history) > 5)
    assert job.now.phase is Phase.BREEDING
    job.stop("anna")


def test_who_turns_to_another_plan_leaves_the_first_search(searches: Searches) -> None:
    first = searches.job(an_order(Breeder(), "first"), "anna")
    searches.job(an_order(Breeder(1), "second"), "anna")
    searches.attend("anna", {"second"})
    until(ended(first))
    assert first.left_alone


def test_a_tab_that_is_gone_for_a_moment_keeps_its_search(here: set[str]) -> None:
    job = Searches(here.__contains__, absence=PATIENCE).job(an_order(Breeder()), "anna")
    until(lambda: bool(job.now.history))
    here.discard("anna")
    seen = len(job.now.history)
    until(lambda: len(job.now.history) > seen + 5)
    here.add("anna")
    assert job.now.phase is Phase.BREEDING
    job.stop("anna")


def test_who_comes_back_to_a_search_that_was_cut_short_sees_it_whole(searches: Searches) -> None:
    breeder = Breeder(40)
    job = searches.job(an_order(breeder), "anna")
    until(lambda: bool(job.now.history))
    searches.attend("anna", set())
    until(ended(job))
    assert (job.now.phase, job.now.board) == (Phase.STOPPED, None)
    again = searches.job(an_order(breeder), "anna")
    until(ended(again))
    assert again is job
    assert again.now.phase is Phase.DONE
    assert [step.generation for step in again.now.history] == list(range(1, 41))
    assert breeder.started == 2


def test_who_comes_back_while_a_search_is_being_cut_short_sees_it_whole(searches: Searches, here: set[str]) -> None:
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

    job = searches.job(Order("plan", search), "anna")
    until(lambda: bool(job.now.history))
    here.discard("anna")
    assert cut.wait(PATIENCE)
    here.add("ben")
    searches.job(Order("plan", search), "ben")
    back.set()
    until(ended(job))
    assert (job.now.phase, job.now.board, len(starts)) == (Phase.DONE, BOARD, 2)
    assert len(job.now.history) == 29


def test_who_comes_back_finds_the_board_and_only_the_proof_is_made_up(searches: Searches) -> None:
    breeder, leave = Breeder(3), threading.Event()
    order = Order("plan", breeder, lambda board: str(leave.wait(PATIENCE)))
    job, other = searches.job(order, "anna"), searches.job(Order("other", Breeder(1), order.prove), "ben")
    until(lambda: job.now.board is not None and other.now.board is not None)
    searches.attend("anna", set())
    searches.attend("ben", set())
    leave.set()
    until(lambda: not job.now.running and not other.now.running)
    left = job if job.left_alone else other
    assert left.left_alone  # there is one place for proofs, so one of them had not begun
    assert left.now.board == BOARD
    again = searches.job(left.order, "anna")
    until(ended(again))
    assert again is left
    assert again.now.phase is Phase.DONE
    assert again.now.board is not None
    assert again.now.board.proof == "True"
    assert breeder.started == 1


def test_wishes_that_cannot_hold_together_are_a_sentence(searches: Searches) -> None:
    def search(stop: Callable[[], bool]) -> Iterator[Progress | Board]:
        raise InfeasibleError("No legal squad: unlock one of Kane, Saka.")
        yield

    job = searches.job(Order("plan", search), "anna")
    until(ended(job))
    assert (job.now.phase, job.now.conflict) == (Phase.FAILED, True)
    assert job.now.error == "No legal squad: unlock one of Kane, Saka."


def test_a_mishap_is_a_sentence_and_the_next_who_asks_tries_again(searches: Searches) -> None:
    def search(stop: Callable[[], bool]) -> Iterator[Progress | Board]:
        raise ZeroDivisionError("secret detail")
        yield

    job = searches.job(Order("plan", search), "anna")
    until(ended(job))
    assert "secret" not in job.now.error
    retried = searches.job(an_order(Breeder(1)), "ben")
    assert retried is not job
    until(ended(retried))
    assert retried.now.phase is Phase.DONE


def test_a_proof_that_fails_leaves_the_board(searches: Searches) -> None:
    def prove(board: Board) -> str:
        raise RuntimeError("no solver")

    job = searches.job(Order("plan", Breeder(1), prove), "anna")
    until(ended(job))
    assert job.now.phase is Phase.DONE
    assert job.now.board == BOARD


def test_no_more_searches_run_at_once_than_there_are_places(here: set[str]) -> None:
    searches = Searches(here.__contains__, places=Places(searching=threading.Semaphore(1)))
    first, second = (searches.job(an_order(Breeder(), key), "anna") for key in "ab")
    until(lambda: bool(first.now.history))
    assert second.now.phase is Phase.WAITING
    first.stop("anna")
    until(lambda: bool(second.now.history))
    second.stop("anna")


def test_old_answers_are_forgotten(here: set[str]) -> None:
    searches = Searches(here.__contains__, kept=3)
    for number in range(8):
        until(ended(searches.job(an_order(Breeder(1), str(number)), "anna")))
    assert len(searches) == 3


def test_search_again_forgets_the_answer(searches: Searches) -> None:
    first = searches.job(an_order(Breeder(1)), "anna")
    until(ended(first))
    second = searches.again(an_order(Breeder(1)), "anna")
    assert second is not first
    until(ended(second))
