"""At the edges of a terminal: letters it has not, a full disk, a reader who leaves, an interrupt at any moment."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time

import pytest

from tests.conftest import ROOT, in_a_soak

START = "from ui.terminal.start import main; main()"
COMMAND = f"{sys.executable} -c '{START}'"
ASCII = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "COLUMNS": "100"}
FULL = "The output cannot be written: No space left on device."


def shell(line: str, **settings: str) -> subprocess.CompletedProcess[str]:
    """Run a line of bash in which `thetaxi` is the command line."""
    script = f'set -o pipefail; thetaxi() {{ {COMMAND} "$@"; }}; {line}'
    return subprocess.run(["bash", "-c", script], cwd=ROOT, env=os.environ | settings, capture_output=True, text=True)


@pytest.mark.parametrize(
    "command", ["players --round 1", *in_a_soak(["signals --round 1", "fitness show gain", "pick --help"])]
)
def test_a_terminal_without_our_letters_shows_marks_in_their_place(command: str) -> None:
    answer = shell(f"thetaxi {command}", **ASCII)
    assert (answer.returncode, "Traceback" in answer.stderr) == (0, False)
    assert answer.stdout.isascii()
    assert "?" in answer.stdout


def test_json_keeps_every_letter_on_such_a_terminal() -> None:
    answer = shell("thetaxi players --round 1 --json", **ASCII)
    assert answer.stdout.isascii()
    assert any("é" in man["name"] for man in json.loads(answer.stdout)["players"])


@pytest.mark.parametrize("command", ["worlds", "players --round 1 --json", *in_a_soak(["--help", "fitness show gain"])])
@pytest.mark.daily("worlds")
def test_a_full_disk_is_a_sentence(command: str) -> None:
    answer = shell(f"thetaxi {command} > /dev/full", COLUMNS="200")
    assert (answer.returncode, answer.stderr.partition(" Make room")[0]) == (1, FULL)


@pytest.mark.parametrize("line", ["thetaxi worlds | true", *in_a_soak(["thetaxi players --round 1 | head -1"])])
def test_a_reader_who_leaves_a_table_is_no_error(line: str) -> None:
    answer = shell(line)
    assert (answer.returncode, answer.stderr) == (0, "")


@pytest.mark.soak
@pytest.mark.parametrize("closed", [">&-", "2>&-", "2> /dev/full", "<&- >&- 2>&-"])
def test_without_a_place_to_write_to_the_exit_code_still_tells(closed: str) -> None:
    assert shell(f"thetaxi worlds {closed}").returncode == 0
    assert shell(f"thetaxi players --round 99 {closed}").returncode == 1


@pytest.mark.parametrize("seconds", [0.2, 0.6, *in_a_soak([0.1, 0.3, 0.4, 0.5, 0.8, 1.0, 1.3, 1.6, 2.0])])
def test_an_interrupt_while_it_starts_is_one_word(seconds: float) -> None:
    heard = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"  # where the run is deaf too
    begun = f"{heard}; print('begun', flush=True); {START}"
    command = [sys.executable, "-c", begun, "calibrate", "--rounds", "1-8"]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout is not None
    process.stdout.readline()
    time.sleep(seconds)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=180)
    assert (process.returncode, errors.split()[-1:]) == (130, ["Interrupted."])
    assert "Traceback" not in errors


def test_an_interrupt_that_is_ignored_stays_so() -> None:
    code = (
        "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)\n"
        "import ui.terminal.main as line; line.main = lambda: print(signal.getsignal(signal.SIGINT).name)\n"
        f"{START}"
    )
    answer = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert answer.stdout == "SIG_IGN\n"
