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


ARROWS = {
    ("data/errors.py", "import models.signals"): "Layers point one way",
    ("models/teams/goals.py", "import models.players.minutes"): "Rooms of models",
    ("engine/rules/pool.py", "import engine.board.board"): "Rooms of engine",
    ("engine/search/population/blocks.py", "import engine.search.run"): "Rooms of the search",
    ("engine/desk.py", "import streamlit"): "Streamlit stays in the page",
    ("models/signals.py", "import httpx"): "Only data speaks HTTP",
    ("engine/replay/hindsight.py", "def late():\n    import pulp"): "The solver is the one door to PuLP and HiGHS",
    ("engine/rules/cbc.py", "import highspy"): "The solver is the one door to PuLP and HiGHS",
    ("ui/terminal/main.py", "import ui.web.choice.plan"): "The two faces do not know each other",
}
"""Imports that no room may have, all put in at once: to draw the house takes longer than to look at an arrow."""


def test_every_injected_arrow_is_caught(house: Path) -> None:
    for file, line in ARROWS:
        with (house / file).open("a", encoding="utf-8") as place:
            place.write(f"\n{line}\n")
    found = linted(house)
    assert found.returncode == 1
    broken = [said for said in found.stdout.splitlines() if " BROKEN" in said]
    for (file, line), contract in ARROWS.items():
        arrow = f"{file.removesuffix('.py').replace('/', '.')} -> {line.rpartition(' ')[2]}"
        assert any(said.startswith(contract) for said in broken), contract
        assert arrow in found.stdout, arrow
