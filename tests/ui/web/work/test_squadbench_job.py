"""A bench beside the page: one at a time, ended on request with its workers, and its failure is a sentence."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from data.storage.files import HOME_VARIABLE
from engine.bench.leaderboard import QUICK
from engine.bench.run import SESSIONS, SETTINGS, bench_folder
from ui.web.work.squadbench_job import LOG, UNTOLD, BenchDesk, BenchState

PATIENCE = 60.0
ENDLESS = (sys.executable, "-c", "import time; time.sleep(600)")


@pytest.fixture(autouse=True)
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(HOME_VARIABLE, str(tmp_path))
    return tmp_path


@pytest.fixture
def desks() -> Iterator[Callable[..., BenchDesk]]:
    """Desks with a command of their own; whatever still runs at the end is stopped."""
    made: list[BenchDesk] = []

    def made_for(*command: str) -> BenchDesk:
        made.append(BenchDesk(command))
        return made[-1]

    yield made_for
    for desk in made:
        desk.stop()


def ended(desk: BenchDesk) -> BenchState:
    limit = time.monotonic() + PATIENCE
    while desk.state().running:
        assert time.monotonic() < limit, "the bench never ended"
        time.sleep(0.02)
    return desk.state()


def saying(message: str, code: int) -> tuple[str, ...]:
    script = (
        f"import sys; print('ours: thrifty', file=sys.stderr); print({message!r}, file=sys.stderr); sys.exit({code})"
    )
    return (sys.executable, "-c", script)


def test_only_one_runs_at_a_time_and_stop_ends_it_without_a_failure(desks: Callable[..., BenchDesk]) -> None:
    desk = desks(*ENDLESS)
    assert desk.start()
    assert not desk.start()
    assert desk.state().running
    desk.stop()
    assert desk.state() == BenchState(running=False, total=desk.state().total)
    assert desk.start()


def test_progress_is_the_share_of_finished_sessions(desks: Callable[..., BenchDesk]) -> None:
    desk, folder = desks(*ENDLESS), bench_folder(QUICK)
    assert desk.state().words.startswith("Proving the optimum")
    (folder / SESSIONS).mkdir(parents=True)
    (folder / SETTINGS).write_text("{}")
    (folder / SESSIONS / "ours-000.json").write_text("{}")
    state = desk.state()
    assert state.words == f"1 of {state.total} sessions are finished"
    assert state.share == pytest.approx(1 / state.total)


def test_what_the_command_says_last_is_the_failure(desks: Callable[..., BenchDesk]) -> None:
    desk = desks(*saying("The folder holds a bench with other settings. Use --fresh.", 1))
    desk.start()
    assert ended(desk).failure == "The folder holds a bench with other settings. Use --fresh."


@pytest.mark.parametrize("said", ["", "Traceback (most recent call last)"])
def test_a_failure_without_a_sentence_points_to_the_log(desks: Callable[..., BenchDesk], said: str) -> None:
    script = f"import sys; sys.stderr.write({said!r}); sys.exit(1)"
    desk = desks(sys.executable, "-c", script)
    desk.start()
    assert ended(desk).failure == UNTOLD
    assert (bench_folder(QUICK) / LOG).read_text() == said


def test_beginning_anew_is_asked_of_the_command(desks: Callable[..., BenchDesk]) -> None:
    desk = desks(sys.executable, "-c", "import sys; print(*sys.argv[1:], file=sys.stderr); sys.exit(1)")
    desk.start(fresh=True)
    assert ended(desk).failure.endswith("--fresh")


def test_a_bench_that_ends_well_has_no_failure(desks: Callable[..., BenchDesk]) -> None:
    desk = desks(*saying("done", 0))
    desk.start()
    assert ended(desk).failure == ""
