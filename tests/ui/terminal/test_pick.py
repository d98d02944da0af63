"""Picking and comparing on the command line."""

from __future__ import annotations

import csv
import os
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from engine.search.seeding.memory import memory_path, read_memory
from tests.cases.hostile.fake_solvers import FAKES, a_fake, in_place_of_cbc
from tests.conftest import ROOT
from tests.tools.run_here import PROCESS, done

pytestmark = pytest.mark.usefixtures("worlds_at_hand")

QUICK = ("--world", "cup", "--generations", "2", "--captaincy", "locked")


def test_pick_recommends_a_squad_with_every_term_and_writes_it(tmp_path: Path) -> None:
    file = tmp_path / "lineup.csv"
    answer = done(
        "pick", "--round", "1", "--theta", "protect", "--lock", "First FWD1 B4", "--ban", "First FWD0 A1", *QUICK,
        "--at-least", "Team B3:2", "--at-most", "A2:1", "--budget", "99", "--csv", file, "--json",
    )  # fmt: skip
    proof = str(answer.json["proof"])
    assert proof.startswith(("proved optimal", "within "))
    options: list[dict[str, Any]] = answer.json["options"]
    for option in options:
        names = [man["name"] for man in option["men"]]
        assert "First FWD1 B4" in names
        assert "First FWD0 A1" not in names
        teams = [man["team"] for man in option["men"]]
        assert teams.count("B3") >= 2
        assert teams.count("A2") <= 1
        assert option["price"] <= 99.0 + 1e-6
        assert sum(option["decomposition"].values()) == pytest.approx(option["fitness"], abs=1e-9)
    lines = file.read_text(encoding="utf-8-sig").partition("\n\n")[0].splitlines()
    assert len(list(csv.DictReader(lines))) == 15
    scored = done("score", "--round", "1", "--theta", "protect", "--squad", file, *QUICK[:2], *QUICK[-2:], "--json")
    assert scored.json["fitness"] == pytest.approx(options[0]["fitness"])


def test_pick_as_a_table_shows_the_options_side_by_side() -> None:
    held = ("--formation", "3-5-2", "--captain", "First FWD0 A2")
    answer = done("pick", "--round", "3", "--theta", "gain", *QUICK, *held, "--no-prove")
    assert "gain, 3-5-2" in answer.output
    captains = next(line for line in answer.output.splitlines() if line.startswith("captain "))
    assert set(captains.split()) == {"captain", "FWD0", "A2"}
    assert "Every score, term by term" in answer.output
    assert "transfer cost" in answer.output
    assert "Against it: " in answer.notes


SEARCH = ("pick", "--world", "cup", "--round", "1", "--theta", "neutral", "--generations", "1", "--no-prove")


@pytest.mark.parametrize("fake", ["is killed", "says infeasible", "takes everybody"])
@pytest.mark.daily("is killed")
def test_a_solver_that_fails_costs_a_sentence_and_no_board(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, fake: str
) -> None:
    with in_place_of_cbc(a_fake(tmp_path, FAKES[fake])):
        answer = done(*SEARCH, "--json")
    assert answer.json["options"]
    assert "HiGHS solved in its place" in caplog.text


def test_memory_learns_from_a_search_when_asked_to() -> None:
    done(*SEARCH)
    assert not memory_path().exists()
    done(*SEARCH, "--memory")
    assert [lesson.occasion for lesson in read_memory().lessons] == ["small cup/1"]


@pytest.mark.soak
def test_a_memory_that_cannot_be_written_costs_a_note_and_no_board() -> None:
    memory_path().mkdir()  # a folder where the file belongs
    answer = done(*SEARCH, "--memory", "--json")
    assert answer.json["options"]
    assert "What this search taught cannot be kept" in answer.said


def test_compare_shows_two_plans_and_each_under_both_objectives() -> None:
    answer = done("compare", "--round", "2", *QUICK, "--json")
    content = answer.json
    assert len(content["shared"]) + len(content["swaps"]) == 15
    assert set(content["under_both"]) == {"protect", "gain"}


def test_an_interrupt_ends_the_search_with_the_best_board_so_far() -> None:
    asked = "pick --round 1 --theta gain --captaincy locked --generations 1000 --seconds 600 --no-prove --json"
    search = subprocess.Popen(
        [*PROCESS, *asked.split()],
        cwd=ROOT,
        env=os.environ | {"COLUMNS": "100"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert search.stderr is not None
    while "Searching" not in (line := search.stderr.readline()):
        assert line, "the search ended before it began"
    time.sleep(0.5)  # the wish to stop comes in the middle of a generation
    search.send_signal(signal.SIGINT)
    output, errors = search.communicate(timeout=180)
    assert search.returncode == 0, errors
    assert '"options"' in output
