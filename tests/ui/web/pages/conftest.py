"""A home that lasts for a file of page tests."""

from __future__ import annotations

from pathlib import Path

import pytest

from data.storage.files import HOME_VARIABLE


@pytest.fixture(scope="module")
def one_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for all tests of a file."""
    return tmp_path_factory.mktemp("home")


@pytest.fixture(autouse=True)
def short_searches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Breed for a moment only: what a page shows of a board does not depend on how good it is."""
    monkeypatch.setattr("ui.web.work.orders.GENERATIONS", 2)


@pytest.fixture(autouse=True)
def own_home(one_home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """One home for the whole file: what a page knows of a world is kept by its folder."""
    monkeypatch.setenv(HOME_VARIABLE, str(one_home))
    return one_home
