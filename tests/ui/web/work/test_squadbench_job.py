"""A bench beside the page: one at a time, ended on request with its workers, and its failure is a sentence."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from data.storage.files import HOME_VARIABLE
from engine.bench.contenders import competing
from engine.bench.leaderboard import QUICK
from engine.bench.run import SESSIONS, SETTINGS, bench_folder
from ui.web.work.scheduler import Job, Phase, Scheduler, State
from ui.web.work.squadbench_job import LOG, UNTOLD, bench_task, sessions_so_far

PATIENCE = 60.0
ENDLESS = (sys.executable, "-c", "import time; time.sleep(600)")


@pytest.fixture(autouse=True)
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(HOME_VARIABLE, str(tmp_path))
    return tmp_path


@pytest.fixture
def scheduler() -> Iterator[Scheduler]:
    """A scheduler of its own; a bench that still runs at the end is stopped."""
    made = Scheduler()
    yield made
    made.stop(bench_task())
    ended(made)


def ended(scheduler: Scheduler) -> State[None]:
    limit = time.monotonic() + PATIENCE
    while scheduler.state(bench_task()).running:
        assert time.monotonic() < limit, "the bench never ended"
        time.sleep(0.02)
    return scheduler.state(bench_task())


@pytest.fixture
def started(scheduler: Scheduler, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Job[None]]:
    """Starts a bench with a command of its own."""

    def start(*command: str, fresh: bool = False) -> Job[None]:
        monkeypatch.setattr("ui.web.work.squadbench_job.COMMAND", command)
        return scheduler.again(bench_task(fresh=fresh))

    return start


def saying(message: str, code: int) -> tuple[str, ...]:
    script = (
        f"import sys; print('ours: thrifty', file=sys.stderr); print({message!r}, file=sys.stderr); sys.exit({code})"
    )
    return (sys.executable, "-c", script)


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


def test_what_the_command_says_last_is_the_failure(scheduler: Scheduler, started: Callable[..., Job[None]]) -> None:
    started(*saying("The folder holds a bench with other settings. Use --fresh.", 1))
    assert str(ended(scheduler).error) == "The folder holds a bench with other settings. Use --fresh."


@pytest.mark.parametrize("said", ["", "Traceback (most recent call last)"])
def test_a_failure_without_a_sentence_points_to_the_log(
    scheduler: Scheduler, started: Callable[..., Job[None]], said: str
) -> None:
    started(sys.executable, "-c", f"import sys; sys.stderr.write({said!r}); sys.exit(1)")
    assert str(ended(scheduler).error) == UNTOLD
    assert (bench_folder(QUICK) / LOG).read_text() == said


def test_beginning_anew_is_asked_of_the_command(scheduler: Scheduler, started: Callable[..., Job[None]]) -> None:
    started(sys.executable, "-c", "import sys; print(*sys.argv[1:], file=sys.stderr); sys.exit(1)", fresh=True)
    assert str(ended(scheduler).error).endswith("--fresh")


def test_a_bench_that_ends_well_has_no_failure(scheduler: Scheduler, started: Callable[..., Job[None]]) -> None:
    started(*saying("done", 0))
    assert ended(scheduler).error is None
