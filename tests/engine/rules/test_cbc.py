"""Whatever stands in the place of CBC: the same optimum by HiGHS and a sentence, or an error that is one."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from data.errors import InfeasibleError, SolverError
from engine.rules.conflict_words import conflict_error
from engine.rules.conflicts import Demands, best_squad
from engine.rules.exact import linear_optimum
from engine.rules.legality import legal
from engine.rules.solver import CBC_HANGS
from tests.cases.hostile.fake_solvers import FAKES, a_fake, in_place_of_cbc
from tests.conftest import ROOT
from tests.engine.rules.test_exact import LINEUPS, a_pool, some_values

SHORT = 1.0  # seconds: a solver that hangs is killed after half as many more


@pytest.fixture(autouse=True)
def killed_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.rules.cbc.PATIENCE", 0.1)


@pytest.mark.parametrize("fake", FAKES)
def test_the_optimum_is_found_without_cbc_and_a_sentence_says_so(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, fake: str
) -> None:
    pool, values = a_pool(3), some_values(3)
    truth = linear_optimum(values, pool, LINEUPS)
    with in_place_of_cbc(a_fake(tmp_path, FAKES[fake])):
        found = linear_optimum(values, pool, LINEUPS, seconds=SHORT if fake == "hangs" else 60.0)
    assert found.value == pytest.approx(truth.value)
    assert found.proved
    assert legal(found.squad[None, :], pool).all()
    assert "The solver CBC failed: it" in caplog.text
    assert "HiGHS solved in its place" in caplog.text


@pytest.mark.parametrize("what", ["nothing", "a folder", "no program", "a broken program"])
def test_what_cannot_even_be_started_is_no_traceback(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, what: str
) -> None:
    path = tmp_path / "cbc"
    if what == "a folder":
        path.mkdir()
    elif what != "nothing":
        path.write_text("rubbish")
        path.chmod(0o755 if what == "a broken program" else 0o644)
    with in_place_of_cbc(path):
        assert linear_optimum(some_values(3), a_pool(3), LINEUPS).proved
    assert "it cannot be started" in caplog.text


@pytest.mark.parametrize("fake", FAKES)
def test_what_is_impossible_stays_impossible_whatever_cbc_says(tmp_path: Path, fake: str) -> None:
    pool = a_pool(1, budget=12.5)
    with in_place_of_cbc(a_fake(tmp_path, FAKES[fake])):
        CBC_HANGS.set() if fake == "hangs" else None
        with pytest.raises(InfeasibleError, match=r"the budget is 12\.5\. Raise the budget by \d"):
            linear_optimum(some_values(1), pool, LINEUPS)


def test_nobody_waits_a_second_time_for_a_solver_that_hangs(tmp_path: Path) -> None:
    pool, called = a_pool(3), tmp_path / "called"
    with in_place_of_cbc(a_fake(tmp_path, f"echo once >> {called}; exec sleep 600")):
        for _ in range(3):
            linear_optimum(some_values(3), pool, LINEUPS, seconds=SHORT)
    assert called.read_text() == "once\n"


def test_a_killed_solver_leaves_no_process_and_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    desk = tmp_path / "desk"
    desk.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(desk))
    number = tmp_path / "number"
    with in_place_of_cbc(a_fake(tmp_path, f"echo $$ > {number}; exec sleep 600")):
        linear_optimum(some_values(3), a_pool(3), LINEUPS, seconds=SHORT)
    assert not Path("/proc", number.read_text().strip()).exists()
    assert list(desk.iterdir()) == []


def test_a_repair_is_legal_whatever_cbc_says(tmp_path: Path) -> None:
    pool, score = a_pool(3), np.arange(10.0)
    with in_place_of_cbc(a_fake(tmp_path, FAKES["takes everybody"])):
        squad = best_squad(pool, Demands(), score)
    assert squad is not None
    assert legal(squad[None, :], pool).all()


def test_without_any_solver_the_error_names_both_and_the_way_out(tmp_path: Path) -> None:
    fake = a_fake(tmp_path, FAKES["is killed"])
    code = (
        "import sys; sys.modules['highspy'] = None\n"  # as where it is not installed
        "import pulp; pulp.PULP_CBC_CMD.pulp_cbc_path = sys.argv[1]\n"
        "from engine.rules.exact import linear_optimum\n"
        "from data.errors import SolverError\n"
        "from tests.engine.rules.test_exact import LINEUPS, a_pool, some_values\n"
        "try: linear_optimum(some_values(3), a_pool(3), LINEUPS)\n"
        "except SolverError as error: print(error)"
    )
    said = subprocess.run([sys.executable, "-c", code, fake], cwd=ROOT, capture_output=True, text=True, check=True)
    assert said.stdout.startswith("No solver answers. CBC: it ended with code -9. HiGHS: ")
    assert "pip install --force-reinstall pulp highspy" in said.stdout


def test_demands_that_hold_together_are_never_explained_as_a_conflict() -> None:
    error = conflict_error(a_pool(3), Demands())
    assert isinstance(error, SolverError)
    assert "Raise the budget" not in str(error)
