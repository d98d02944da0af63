"""What the command line prints: text as it is, numbers to the right, JSON alone on standard output."""

from __future__ import annotations

import json
import math
import subprocess
import sys

import pytest

from tests.conftest import ROOT
from ui.terminal.console import notes, print_json, print_table


@pytest.fixture(autouse=True)
def terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """A plain terminal of forty columns."""
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("TERM", "dumb")


def printed(capsys: pytest.CaptureFixture[str]) -> list[str]:
    return [line.rstrip() for line in capsys.readouterr().out.splitlines()]


def test_numbers_are_aligned_right_with_one_decimal(capsys: pytest.CaptureFixture[str]) -> None:
    print_table("Players", ["name", "xEV", "round"], [["Pelé", 12.34, 1], ["Garrincha", 5.0, 12]], "2 of 2")
    assert printed(capsys) == [
        "Players",
        "name        xEV  round",
        "Pelé       12.3      1",
        "Garrincha   5.0     12",
        "2 of 2",
    ]


@pytest.mark.parametrize("text", ["[bold]", "[/]", "a\\[b]", "\\", ":fire:", "[link=x]y[/link]", "[1;31m"])
def test_a_text_is_printed_as_it_is_wherever_it_stands(capsys: pytest.CaptureFixture[str], text: str) -> None:
    print_table(text, [text], [[text]], text)
    assert printed(capsys) == [text] * 4


def test_a_long_text_goes_on_in_the_next_line(capsys: pytest.CaptureFixture[str]) -> None:
    print_table("T", ["name", "xEV"], [["x" * 50, 1.5], ["Kylian Mbappé Lottin of the Club in Madrid", 2.5]])
    shown = printed(capsys)[2:]
    assert shown == [f"{'x' * 35}  1.5", "x" * 15, "Kylian Mbappé Lottin of the Club in  2.5", "Madrid"]


def test_figures_written_as_text_are_aligned_right_and_words_between_them_with_them(
    capsys: pytest.CaptureFixture[str],
) -> None:
    print_table("T", ["term", "points"], [["first", "+12.5*"], ["second", "–"], ["third", "5–16"], ["captain", "Pelé"]])
    assert printed(capsys)[2:] == ["first    +12.5*", "second        –", "third      5–16", "captain    Pelé"]


def test_a_title_is_as_wide_as_the_terminal_not_the_table(capsys: pytest.CaptureFixture[str]) -> None:
    print_table("The same squads under both objectives", ["plan"], [["gain"]])
    assert printed(capsys)[0] == "The same squads under both objectives"


def test_a_table_without_rows_keeps_its_head(capsys: pytest.CaptureFixture[str]) -> None:
    print_table("Nobody", ["name", "xEV"], [])
    assert printed(capsys) == ["Nobody", "name  xEV"]


def test_json_is_one_object_with_letters_as_people_write_them(capsys: pytest.CaptureFixture[str]) -> None:
    print_json({"name": "Mbappé", "xev": 6.5, "lines": [1, None]})
    answer = capsys.readouterr()
    assert json.loads(answer.out) == {"name": "Mbappé", "xev": 6.5, "lines": [1, None]}
    assert "Mbappé" in answer.out
    assert answer.err == ""


def test_json_refuses_what_is_no_number_and_prints_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        print_json({"xev": math.nan})
    assert capsys.readouterr().out == ""


def test_notes_go_to_standard_error(capsys: pytest.CaptureFixture[str]) -> None:
    notes().print("fetching")
    answer = capsys.readouterr()
    assert (answer.out, answer.err) == ("", "fetching\n")


def test_a_reader_who_has_seen_enough_is_no_error() -> None:
    command = f"{sys.executable} -c 'from ui.terminal.main import main; main()' players --round 1 --json"
    piped = ["bash", "-c", f"set -o pipefail; {command} | head -1"]
    answer = subprocess.run(piped, cwd=ROOT, capture_output=True, text=True)
    assert (answer.returncode, answer.stdout, answer.stderr) == (0, "{\n", "")
