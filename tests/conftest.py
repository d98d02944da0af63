"""Fixtures shared by all tests: the bundled World Cup, a folder of facts, an own home folder, a browser."""

from __future__ import annotations

import gc
import os
import shutil
import tempfile
from collections.abc import Generator, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

from data.storage.files import HOME_VARIABLE
from data.worlds.library import BUNDLED
from data.worlds.world import World, open_world
from tests.cases.shelf import SHELF_VARIABLE

if TYPE_CHECKING:
    from _pytest.mark.structures import ParameterSet
    from playwright.sync_api import Browser

ROOT = Path(__file__).parent.parent
FACTS_VARIABLE = "THETAXI_FACTS"
"""Names the folder of fact tables, `wc2026` and others in it, for the tests that check worlds against them."""

_quick = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow, HealthCheck.data_too_large]}
settings.register_profile("quick", max_examples=10, derandomize=True, **_quick)
settings.register_profile("soak", max_examples=400, **_quick)
SOAKING = bool(os.environ.get("THETAXI_SOAK"))
settings.load_profile("soak" if SOAKING else "quick")

RUBBISH = (50_000, 20, 50)
"""New objects between two searches for rubbish, and young searches between older ones: tables make many that last."""

BROWSER_RUNS = 10
"""How often in a row a test in a real browser has to pass when the long counts are run."""

BROWSER_SHARE = 0.8
"""By this share of all files the last one with a browser has begun, so that no run ends with waiting for it."""


def in_a_soak(values: Iterable[object]) -> list[ParameterSet]:
    """Return values of a parameter that only the long counts try: thousands, which nobody else has to collect."""
    return [pytest.param(value, marks=pytest.mark.soak) for value in values] if SOAKING else []


def pytest_configure(config: pytest.Config) -> None:
    """Make the shelf that the processes of a run share; they inherit its name."""
    if not hasattr(config, "workerinput"):
        os.environ[SHELF_VARIABLE] = tempfile.mkdtemp(prefix="thetaxi-tests-")


def pytest_unconfigure(config: pytest.Config) -> None:
    """Remove the shelf with the run."""
    if not hasattr(config, "workerinput"):
        shutil.rmtree(os.environ.pop(SHELF_VARIABLE))


def pytest_collection_finish() -> None:
    """Leave the thousands of collected tests out of every later search for rubbish, and search less often."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*RUBBISH)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Repeat what drives a real browser in a soak: what passes once may still hang on a moment's luck."""
    marks = {mark.name for mark in metafunc.definition.iter_markers()}
    if SOAKING and "browser" in marks and "once" not in marks:
        metafunc.fixturenames.append("browser_run")
        metafunc.parametrize("browser_run", range(BROWSER_RUNS))


@pytest.hookimpl(wrapper=True)
def pytest_pycollect_makeitem() -> Generator[None, object, object]:
    """Leave to the long counts all cases of a test but those it names as daily."""
    made = yield
    cases = made if isinstance(made, list) else []
    if cases and (daily := cases[0].get_closest_marker("daily")):
        _check_daily(daily.args, cases)
        for item in cases:
            if not _case(item).startswith(daily.args):
                item.add_marker(pytest.mark.soak)
    return made


def _check_daily(names: tuple[str, ...], cases: list[pytest.Function]) -> None:
    """Refuse a name that fits no case: one that was given another name would leave every run unseen."""
    ids = [_case(item) for item in cases]
    if lost := [name for name in names if not any(one.startswith(name) for one in ids)]:
        raise pytest.Collector.CollectError(
            f"{cases[0].originalname} names {', '.join(lost)} as daily, but no case of it begins so. "
            f"Its cases are {', '.join(filter(None, ids)) or 'none'}."
        )


def _case(item: pytest.Function) -> str:
    return item.callspec.id if hasattr(item, "callspec") else ""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Spread the files that drive a browser over the run: a browser mostly waits, and meanwhile others can compute."""
    marked = {item.path: item.get_closest_marker("browser") is not None for item in items}
    place: dict[Path, float] = {}
    for drives_browser, share in ((True, BROWSER_SHARE), (False, 1.0)):
        files = [path for path, marks in marked.items() if marks is drives_browser]
        place |= {path: share * number / len(files) for number, path in enumerate(files)}
    items.sort(key=lambda item: place[item.path])


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
def facts() -> Path:
    """The folder of fact tables that the environment names; tests that need them are extra."""
    folder = os.environ.get(FACTS_VARIABLE)
    if not folder:
        pytest.skip(f"no fact tables are at hand: set {FACTS_VARIABLE} to their folder to run this check")
    return Path(folder)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """One Chromium for all tests of a file; each opens contexts of its own in it."""
    from playwright.sync_api import sync_playwright

    from tests.tools.browser import launch

    with sync_playwright() as playwright:
        chromium = launch(playwright)
        yield chromium
        chromium.close()
