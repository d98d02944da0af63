"""A bench beside the page: one at a time, ended on request with its workers, and its failure is a sentence."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator

import pytest

from engine.bench.contenders import competing
from engine.bench.leaderboard import QUICK
from engine.bench.run import SESSIONS, SETTINGS, bench_folder
from tests.ui.web.work.test_scheduler import until
from ui.web.work.scheduler import Job, Phase, Scheduler, State
from ui.web.work.squadbench_job import LOG, UNTOLD, bench_task, sessions_so_far

ENDLESS = (sys.executable, "-c", "import time; time.sleep(600)")


@pytest.fixture
def scheduler() -> Iterator[Scheduler]:
    """A scheduler of its own; a bench that still runs at the end is stopped."""
    made = Scheduler()
    yield made
    made.stop(bench_task())
    ended(made)


def ended(scheduler: Scheduler) -> State[None]:
    until(lambda: not scheduler.state(bench_task()).running)
    return scheduler.state(bench_task())


@pytest.fixture
def started(scheduler: Scheduler, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Job[None]]:
    """Starts a bench with a command of its own."""

    def start(*command: str, fresh: bool = False) -> Job[None]:
        monkeypatch.setattr("ui.web.work.squadbench_job.COMMAND", command)
        return scheduler.again(bench_task(fresh=fresh))

    return start


def test_only_one_runs_at_a_time_and_stop_ends_it_without_a_failure(
    scheduler: Scheduler, started: Callable[..., Job[None]]
) -> None:
    job = started(*ENDLESS)
    assert started(*ENDLESS) is job
    assert scheduler.state(bench_task()).running
    scheduler.stop(bench_task())
    state = ended(scheduler)
    assert (state.phase, state.error) == (Phase.STOPPED, None)
    assert started(*ENDLESS) is not job


def test_progress_is_the_share_of_finished_sessions() -> None:
    folder = bench_folder(QUICK)
    assert sessions_so_far() == (0.0, "Proving the optimum of every round and objective …")
    (folder / SESSIONS).mkdir(parents=True)
    (folder / SETTINGS).write_text("{}")
    (folder / SESSIONS / "ours-000.json").write_text("{}")
    total = QUICK.sessions * len(competing())
    assert sessions_so_far() == (pytest.approx(1 / total), f"1 of {total} sessions are finished")


OTHERS = "The folder holds a bench with other settings. Use --fresh."


@pytest.mark.parametrize(
    ("said", "code", "told"),
    [
        (f"ours: thrifty\n{OTHERS}\n", 1, OTHERS),
        ("", 1, UNTOLD),
        ("Traceback (most recent call last)", 1, UNTOLD),
        ("ours: thrifty\ndone\n", 0, "None"),
    ],
    ids=["the last sentence is the failure", "silence points to the log", "a traceback too", "all went well"],
)
def test_a_bench_that_fails_says_why(
    scheduler: Scheduler, started: Callable[..., Job[None]], said: str, code: int, told: str
) -> None:
    started(sys.executable, "-c", f"import sys; sys.stderr.write({said!r}); sys.exit({code})")
    assert str(ended(scheduler).error) == told
    assert (bench_folder(QUICK) / LOG).read_text() == said


def test_beginning_anew_sets_aside_and_removes_nothing(scheduler: Scheduler, started: Callable[..., Job[None]]) -> None:
    started(sys.executable, "-c", "import sys; print(*sys.argv[1:], file=sys.stderr); sys.exit(1)", fresh=True)
    assert str(ended(scheduler).error).endswith("--set-aside")
