"""SquadBench on the command line: a leaderboard, and real kills that cost no finished session."""

from __future__ import annotations

import json
import subprocess
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.conftest import ROOT, SOAKING
from tests.tools.dask_cluster import local_cluster
from tests.tools.run_here import PROCESS, done

SESSIONS = 12 if SOAKING else 6
TINY = (
    "squadbench", "--contender", "greedy", "--rounds", "1", "--theta", "neutral", "--sessions", str(SESSIONS),
    "--runs", "3", "--cores", "1",
)  # fmt: skip


def files_of(folder: Path) -> dict[str, tuple[bytes, int]]:
    """Return content and time of every session's file."""
    found = (folder / "sessions").glob("*.json")
    return {path.name: (path.read_bytes(), path.stat().st_mtime_ns) for path in found}


def started(*arguments: str) -> subprocess.Popen[bytes]:
    """Start the bench in a process of its own."""
    return subprocess.Popen([*PROCESS, *arguments], cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def killed_after(folder: Path, sessions: int, seconds: float) -> None:
    """Start the bench and kill its process, by its id, some time after so many sessions are there; it may be done."""
    process = started(*TINY, "--out", str(folder))
    until = time.monotonic() + 120
    while len(files_of(folder)) < sessions and process.poll() is None and time.monotonic() < until:
        time.sleep(0.005)
    time.sleep(seconds)
    process.kill()
    process.wait()


def resumed_whole(folder: Path, before: dict[str, tuple[bytes, int]]) -> bool:
    """Return whether the bench, run to its end, kept every finished session as it was and has all of them."""
    answer = done(*TINY, "--out", folder, "--json")
    after = files_of(folder)
    entries: list[dict[str, Any]] = answer.json["entries"]
    kept = all(after[name] == content for name, content in before.items())
    return kept and len(after) == SESSIONS and entries[0]["runs"] == 3 * SESSIONS


@pytest.mark.timeout(600)
@pytest.mark.soak
def test_a_killed_bench_goes_on_without_repeating_or_losing_a_session(tmp_path: Path) -> None:
    killed_after(tmp_path, 2, 0.05)
    before = files_of(tmp_path)
    assert len(before) >= 2
    assert resumed_whole(tmp_path, before)


@pytest.mark.soak
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("point", range(20))
def test_twenty_random_kill_points(tmp_path: Path, point: int) -> None:
    rng = np.random.default_rng(point)
    killed_after(tmp_path, int(rng.integers(0, SESSIONS)), float(rng.uniform(0, 3.0)))
    assert resumed_whole(tmp_path, files_of(tmp_path))


def test_the_leaderboard_is_a_table_and_every_configuration_is_printed(tmp_path: Path) -> None:
    small = ("--rounds", "1", "--theta", "seed-gain", "--sessions", "1", "--runs", "2", "--cores", "1", "--cap", "2")
    answer = done("squadbench", "--contender", "ours", "--contender", "greedy", *small, "--out", tmp_path)
    assert "wc2026, rounds 1, seed-gain, own size, 2 s a run" in answer.output
    assert "ours: " in answer.notes
    assert "greedy: worthiest men first" in answer.notes
    table = (tmp_path / "leaderboard.md").read_text(encoding="utf-8")
    assert "| 1 | ours |" in table


@pytest.mark.soak
@pytest.mark.timeout(1800)
def test_a_cluster_that_loses_a_worker_answers_like_one_core(tmp_path: Path) -> None:
    common = ("--contender", "ours", "--contender", "greedy", "--rounds", "1", "--theta", "neutral", "--sessions", "4")
    bench = ("squadbench", *common, "--runs", "3")
    done(*bench, "--out", tmp_path / "local", "--cores", "1")
    with local_cluster(tmp_path) as cluster:
        process = started(*bench, "--cluster", cluster.address, "--out", str(tmp_path / "far"))
        while not files_of(tmp_path / "far") and process.poll() is None:
            time.sleep(0.05)
        cluster.kill_a_worker()
        assert process.wait(timeout=600) == 0
    assert answers_of(tmp_path / "local") == answers_of(tmp_path / "far")


def answers_of(folder: Path) -> dict[str, list[object]]:
    """Return every run's squad by session."""
    return {name: [run["squad"] for run in json.loads(text)["runs"]] for name, (text, _) in files_of(folder).items()}
