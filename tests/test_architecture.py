"""The layers point one way, and httpx, pulp and streamlit keep to their rooms."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests.conftest import ROOT

ORDER = ("data", "models", "engine", "ui")
ROOMS = {"httpx": {"data"}, "pulp": {"engine"}, "streamlit": {"ui", "app"}}


def imported_names(source: str) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names.add(node.module)
    return {name.partition(".")[0] for name in names}


def broken_arrows(room: str, source: str) -> list[str]:
    """Return what a file of a room imports although it must not."""
    above = set(ORDER[ORDER.index(room) + 1 :]) | {"app"} if room in ORDER else set()
    outside = {library for library, rooms in ROOMS.items() if room not in rooms}
    return sorted(imported_names(source) & (above | outside | {"tests"}))


def project_files() -> list[Path]:
    return [ROOT / "app.py", *(path for room in ORDER for path in sorted((ROOT / room).rglob("*.py")))]


@pytest.mark.parametrize("path", project_files(), ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_only_point_down_the_layers(path: Path) -> None:
    room = path.relative_to(ROOT).parts[0].removesuffix(".py")
    assert broken_arrows(room, path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    ("room", "source"),
    [
        ("data", "from models.signals import Signals"),
        ("data", "def late():\n    import engine.board"),
        ("models", "import engine"),
        ("models", "import httpx"),
        ("engine", "import streamlit as st"),
        ("engine", "from ui import pitch"),
        ("ui", "import pulp"),
        ("app", "from httpx import Client"),
        ("ui", "import tests.conftest"),
    ],
)
def test_an_injected_back_arrow_is_caught(room: str, source: str) -> None:
    assert broken_arrows(room, source)


def test_module_names_are_unique_so_each_has_its_own_test_file() -> None:
    names = [path.stem for path in project_files() if path.stem != "__init__"]
    assert sorted(set(names)) == sorted(names)
