"""Worlds that are kept while a source is tried: each is read and checked once, however many copies there are."""

from __future__ import annotations

import pytest

from tests.cases.judged_worlds import opened_once


@pytest.fixture(autouse=True)
def read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Open what has not changed only once."""
    monkeypatch.setattr("data.worlds.world.open_state", opened_once)
