"""Long jobs give the same results on one core, on all, and on a cluster that loses a worker."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from data.errors import InputError, ModelError, UnreachableError
from engine.jobs import run_jobs
from tests.conftest import ROOT
from tests.tools.dask_cluster import local_cluster


def drawn(seed: int) -> float:
    """Return what a generator of this seed draws."""
    return float(np.random.default_rng(seed).random())


def slowly_drawn(seed: int) -> float:
    """Return the same after a while, so that a worker can die in between."""
    time.sleep(0.1)
    return drawn(seed)


def refused(seed: int) -> float:
    """Fail the way the engine does."""
    raise InputError(f"Seed {seed} is not wanted.")


@pytest.mark.parametrize("cores", [1, 2])
def test_every_task_has_one_result_whatever_the_cores(cores: int) -> None:
    found = list(run_jobs(drawn, range(7), cores=cores))
    assert sorted(found) == [(place, drawn(place)) for place in range(7)]


def ended(seed: int) -> float:
    """Die the way a process does that is out of memory."""
    os.kill(os.getpid(), signal.SIGKILL)
    return drawn(seed)


def test_a_process_that_dies_is_an_error_with_a_way_out() -> None:
    with pytest.raises(ModelError, match="--cores 1"):
        list(run_jobs(ended, [1, 2], cores=2))
    assert len(list(run_jobs(drawn, [1, 2], cores=2))) == 2


TRAP = "import pathlib; pathlib.Path({caught!r}).open('a').write(__name__ + ' '); raise ImportError('caught')"
TRAPPED = ("json", "numpy", "pickle", "argparse", "threading", "joblib", "engine", "tests")
"""Modules of the same names as those a worker imports, laid out in the folder that somebody works in."""


def test_a_worker_imports_nothing_from_the_working_directory(tmp_path: Path) -> None:
    work, caught, script = tmp_path / "work", tmp_path / "caught", tmp_path / "started.py"
    work.mkdir()
    for name in TRAPPED:
        (work / f"{name}.py").write_text(TRAP.format(caught=str(caught)))
    script.write_text(
        "from engine.jobs import run_jobs\nfrom tests.engine.test_jobs import drawn\n"
        "if __name__ == '__main__': print(len(list(run_jobs(drawn, range(4), cores=2))))"
    )
    settings = os.environ | {"PYTHONPATH": str(ROOT)}
    answer = subprocess.run(
        [sys.executable, script], cwd=work, env=settings, capture_output=True, text=True, timeout=120
    )
    assert not caught.exists(), caught.read_text()
    assert answer.stdout == "4\n", answer.stderr


def test_no_tasks_are_no_results() -> None:
    assert list(run_jobs(drawn, [])) == []


@pytest.mark.parametrize("cores", [1, 2])
def test_an_error_keeps_its_sentence_on_its_way_back(cores: int) -> None:
    with pytest.raises(InputError, match="is not wanted"):
        list(run_jobs(refused, [3, 4], cores=cores))


def test_a_cluster_that_does_not_answer_is_an_error_with_a_way_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.jobs.PATIENCE", 0.3)
    with pytest.raises(UnreachableError, match=r"No Dask cluster answers at tcp://127\.0\.0\.1:9"):
        list(run_jobs(drawn, [1, 2], cluster="tcp://127.0.0.1:9"))


@pytest.mark.soak
@pytest.mark.filterwarnings("default")  # a client that loses its worker warns of it, which is what is wanted here
def test_a_cluster_that_loses_a_worker_still_gives_every_result(tmp_path: Path) -> None:
    with local_cluster(tmp_path) as cluster:
        found = []
        for result in run_jobs(slowly_drawn, range(16), cluster=cluster.address):
            found.append(result)
            if len(found) == 3:
                cluster.kill_a_worker()
        assert cluster.workers[0].returncode is not None
    assert sorted(found) == [(place, drawn(place)) for place in range(16)]
