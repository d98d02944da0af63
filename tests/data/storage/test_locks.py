"""One writer at a time in a folder, and nobody waits for the dead or for ever."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from data.errors import InputError
from data.storage.locks import alone_in
from tests.conftest import ROOT

HOLD = (
    "import sys, time; from pathlib import Path; from data.storage.locks import alone_in\n"
    "with alone_in(Path(sys.argv[1])):\n    print('held', flush=True)\n    time.sleep(60)"
)


def test_another_process_waits_until_the_holder_is_killed(tmp_path: Path) -> None:
    command = [sys.executable, "-c", HOLD, str(tmp_path)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        with pytest.raises(InputError, match="has been writing to"), alone_in(tmp_path, 0.05):
            pass
        holder.send_signal(signal.SIGKILL)
        with alone_in(tmp_path, 20):
            pass


def test_threads_take_turns(tmp_path: Path) -> None:
    inside, most = [0], [0]

    def work() -> None:
        with alone_in(tmp_path):
            inside[0] += 1
            most[0] = max(most[0], inside[0])
            threading.Event().wait(0.01)
            inside[0] -= 1

    threads = [threading.Thread(target=work) for _ in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == [1]


def test_a_failure_gives_the_folder_back(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError), alone_in(tmp_path):
        raise ZeroDivisionError
    with alone_in(tmp_path, 0):
        assert not list(tmp_path.iterdir())
