"""Fixtures shared by all tests: the bundled World Cup, the facts beside the project, an own home folder."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from data.library import BUNDLED
from data.rules import GameRules, load_rules
from data.storage import HOME_VARIABLE
from data.world import World, open_world

ROOT = Path(__file__).parent.parent
FACTS = ROOT.parent / "shared" / "facts"

_quick = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow, HealthCheck.data_too_large]}
settings.register_profile("quick", max_examples=60, derandomize=True, **_quick)
settings.register_profile("soak", max_examples=400, **_quick)
settings.load_profile("soak" if os.environ.get("THETAXI_SOAK") else "quick")


@pytest.fixture(autouse=True)
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Keep every test out of the user's real folder."""
    home = tmp_path / "home"
    monkeypatch.setenv(HOME_VARIABLE, str(home))
    return home


@pytest.fixture(scope="session")
def world_cup() -> World:
    """The bundled World Cup 2026."""
    return open_world(BUNDLED / "wc2026")


@pytest.fixture(scope="session")
def world_cup_rules() -> GameRules:
    """The World Cup's rulebook as shipped."""
    return load_rules("wc2026")


@pytest.fixture(scope="session")
def facts() -> Path:
    """The fact tables beside the project; tests that need them are extra."""
    if not FACTS.is_dir():
        pytest.skip("the fact tables are not beside the project: clone them to ../shared/facts to run this check")
    return FACTS
