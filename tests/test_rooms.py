"""The rooms of the house: an arrow that points up, or a library out of its room, fails the check."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT

LAYERS = ("data", "models", "engine", "ui", "tests")


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the code without its data."""
    folder = tmp_path_factory.mktemp("house")
    shutil.copy(ROOT / "pyproject.toml", folder)
    for file in (file for layer in LAYERS for file in (ROOT / layer).rglob("*.py")):
        place = folder / file.relative_to(ROOT)
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(file, place)
    return folder


def linted(house: Path) -> subprocess.CompletedProcess[str]:
    code = "import sys; sys.path.insert(0, '.'); from importlinter.cli import lint_imports_command as main; main()"
    return subprocess.run([sys.executable, "-c", code, "--no-cache"], cwd=house, capture_output=True, text=True)


def test_the_house_as_it_is_keeps_every_contract(house: Path) -> None:
    assert linted(house).returncode == 0


@pytest.mark.parametrize(
    ("file", "line", "contract"),
    [
        ("data/errors.py", "import models.signals", "Layers point one way"),
        ("models/teams/goals.py", "from models.players import minutes", "Rooms of models"),
        ("engine/rules/pool.py", "from engine.board.board import Board", "Rooms of engine"),
        ("engine/search/population/blocks.py", "from engine.search import run", "Rooms of the search"),
        ("engine/desk.py", "import streamlit", "Streamlit stays in the page"),
        ("models/signals.py", "import httpx", "Only data speaks HTTP"),
        ("engine/replay/hindsight.py", "def late():\n    import pulp", "The solver is the one door to PuLP and HiGHS"),
        ("engine/rules/cbc.py", "import highspy", "The solver is the one door to PuLP and HiGHS"),
        ("ui/terminal/main.py", "import ui.web.choice.plan", "The two faces do not know each other"),
    ],
)
def test_an_injected_arrow_is_caught(house: Path, file: str, line: str, contract: str) -> None:
    place = house / file
    before = place.read_text(encoding="utf-8")
    place.write_text(f"{before}\n{line}\n", encoding="utf-8")
    try:
        found = linted(house)
    finally:
        place.write_text(before, encoding="utf-8")
    broken = [said for said in found.stdout.splitlines() if " BROKEN" in said]
    assert found.returncode == 1
    assert any(said.startswith(contract) for said in broken), broken
