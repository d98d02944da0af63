"""Picking and comparing on the command line."""

from __future__ import annotations

import csv
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.command_line import thetaxi
from tests.conftest import ROOT

QUICK = ("--generations", "2", "--captaincy", "locked")


def test_pick_recommends_a_squad_with_every_term_and_writes_it(tmp_path: Path) -> None:
    file = tmp_path / "lineup.csv"
    answer = thetaxi(
        "pick", "--round", "1", "--theta", "protect", "--lock", "Harry Kane", "--ban", "Kylian Mbappé", *QUICK,
        "--csv", file, "--json", timeout=300,
    )  # fmt: skip
    assert answer.code == 0, answer.notes
    proof = str(answer.json["proof"])
    assert proof.startswith(("proved optimal", "within "))
    options: list[dict[str, object]] = answer.json["options"]  # type: ignore[assignment]
    for option in options:
        names = [man["name"] for man in option["men"]]  # type: ignore[attr-defined]
        assert "Harry Kane" in names
        assert "Kylian Mbappé" not in names
        assert sum(option["decomposition"].values()) == pytest.approx(option["fitness"], abs=1e-9)  # type: ignore[attr-defined]
    lines = file.read_text(encoding="utf-8-sig").partition("\n\n")[0].splitlines()
    assert len(list(csv.DictReader(lines))) == 15
    scored = thetaxi("score", "--round", "1", "--theta", "protect", "--squad", file, "--captaincy", "locked", "--json")
    assert scored.json["fitness"] == pytest.approx(options[0]["fitness"])


def test_pick_as_a_table_shows_the_options_side_by_side() -> None:
    answer = thetaxi("pick", "--round", "4", "--theta", "gain", *QUICK, "--no-prove", timeout=300)
    assert answer.code == 0, answer.notes
    assert "Every score decomposed" in answer.output
    assert "transfer_cost" in answer.output
    assert "Against it: " in answer.notes


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("pick", "--round", "1"), "The objective θ is missing"),
        (("pick", "--round", "1", "--theta", "protect", "--lock", "Nobody Known"), "Nobody Known"),
        (
            ("pick", "--round", "1", "--theta", "gain", "--lock", "Harry Kane", "--ban", "Harry Kane"),
            "ruled out at once",
        ),
    ],
)
def test_an_impossible_request_is_a_sentence(arguments: tuple[str, ...], sentence: str) -> None:
    answer = thetaxi(*arguments, timeout=300)
    assert answer.code == 1
    assert sentence in " ".join(answer.notes.split())
    assert "Traceback" not in answer.notes


def test_compare_shows_two_plans_and_each_under_both_objectives() -> None:
    answer = thetaxi("compare", "--round", "2", *QUICK, "--json", timeout=300)
    assert answer.code == 0, answer.notes
    content = answer.json
    assert len(content["shared"]) + len(content["swaps"]) == 15  # type: ignore[arg-type]
    assert set(content["under_both"]) == {"protect", "gain"}  # type: ignore[call-overload]


def test_an_interrupt_ends_the_search_with_the_best_board_so_far() -> None:
    code = "from engine.cli import main; main()"
    command = [sys.executable, "-c", code, "pick", "--round", "1", "--theta", "gain", "--captaincy", "locked"]
    command += ["--generations", "1000", "--seconds", "600", "--no-prove", "--json"]
    search = subprocess.Popen(
        command,
        cwd=ROOT,
        env=os.environ | {"COLUMNS": "100"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert search.stderr is not None
    while "Breeding" not in (line := search.stderr.readline()):
        assert line, "the search ended before it began"
    time.sleep(2)  # the wish to stop comes in the middle of a generation
    search.send_signal(signal.SIGINT)
    output, errors = search.communicate(timeout=60)
    assert search.returncode == 0, errors
    assert '"options"' in output
