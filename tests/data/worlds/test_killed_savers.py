"""Savers that are killed anywhere, or write at the same time, leave a whole world: the old one or the new."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from data.errors import UnknownError
from data.storage.files import UNFINISHED
from data.worlds.generations import KEPT, earlier_states
from data.worlds.manifest import MANIFEST, file_name, parse_manifest
from data.worlds.table_files import has_digest
from data.worlds.world import open_world
from tests.conftest import ROOT, SOAKING
from tests.tools.disk_faults import save_league

RACES = 200 if SOAKING else 10
NEW = "League 9"


def run(*arguments: str | Path) -> list[list[int]]:
    """Run the saboteur in a process of its own and return the numbers it prints."""
    command = [sys.executable, "-m", "tests.tools.disk_faults", *map(str, arguments)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stderr == ""
    return [[int(word) for word in line.split()] for line in done.stdout.splitlines()]


def killed(root: Path, work: str) -> list[Path]:
    """Return a folder for each operation that the work was killed at; the last came to its end."""
    ((number, code),) = run("kill", root, work)
    assert code == 0
    return [root / f"{one:03}" for one in range(number + 1)]


def titles(folder: Path) -> list[str]:
    """Return the states of a world folder, the one in place first; none of them may be torn."""
    found = [open_world(folder).title]
    for path in earlier_states(folder).values():
        state = parse_manifest(path.read_text(), path)
        assert all(has_digest(folder / file_name(*table), table[1]) for table in state.tables.items())
        found.append(state.title)
    return list(dict.fromkeys(found))  # a copy of the one in place may be left


def assert_tidy(folder: Path) -> None:
    """Nothing may be left that no state needs."""
    assert not list(folder.glob(f".*{UNFINISHED}"))
    manifests = [folder / MANIFEST, *earlier_states(folder).values()]
    needed = {file for path in manifests for file in parse_manifest(path.read_text(), path).files}
    assert {path.name for path in folder.glob("*.parquet")} == needed


@pytest.fixture
def full(tmp_path: Path) -> Path:
    """A place whose base is a world with as many earlier states as are kept."""
    for number in range(KEPT + 1):
        save_league(number, tmp_path / "base")
    return tmp_path


BEFORE = [f"League {number}" for number in range(KEPT, -1, -1)]


def test_a_save_killed_at_any_write_rename_or_unlink_leaves_the_old_world_or_the_new(full: Path) -> None:
    folders = killed(full, "save")
    seen = [titles(folder) for folder in folders]
    assert {states[0] for states in seen} == {BEFORE[0], NEW}
    for states in seen:
        assert [title for title in states if title != NEW][:KEPT] == BEFORE[:KEPT]  # none of the last is lost
    for folder in folders:
        save_league(9, folder)
        assert titles(folder) == [NEW, *BEFORE[:KEPT]]
        assert_tidy(folder)
    assert len(folders) > 10


@pytest.mark.soak
def test_a_first_save_killed_anywhere_can_be_done_again(tmp_path: Path) -> None:
    folders = killed(tmp_path, "save")
    for folder in folders:
        try:
            assert open_world(folder).title == NEW
        except UnknownError:
            assert not (folder / MANIFEST).exists()
        save_league(9, folder)
        assert titles(folder) == [NEW]
        assert_tidy(folder)
    assert len(folders) > 30


@pytest.mark.soak
def test_a_restore_killed_anywhere_leaves_one_of_the_two_and_loses_none(full: Path) -> None:
    folders = killed(full, "restore")
    for folder in folders:
        first, second, *others = titles(folder)
        assert {first, second} == set(BEFORE[:2])
        assert others == BEFORE[2:]
    assert [titles(folders[0])[0], titles(folders[-1])[0]] == BEFORE[:2]
    assert_tidy(folders[-1])


def test_two_savers_at_once_both_have_their_turn(tmp_path: Path) -> None:
    save_league(0, tmp_path / "base")
    assert run("race", tmp_path, str(RACES)) == [[0, 0]] * RACES
    ends = [titles(tmp_path / f"{number:03}") for number in range(RACES)]
    assert {tuple(end[:2]) for end in ends} == {("League 1", "League 2"), ("League 2", "League 1")}
    assert {end[2] for end in ends} == {"League 0"}
    for number in range(RACES):
        assert_tidy(tmp_path / f"{number:03}")
