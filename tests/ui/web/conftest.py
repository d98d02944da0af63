"""Pages run without a browser: what Streamlit looks up for each of them is looked up once."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import pytest
from streamlit.components.v2 import manifest_scanner

from tests.cases.brief_searches import GENERATIONS
from tests.conftest import SOAKING


@pytest.fixture(scope="session", autouse=True)
def components_scanned_once() -> Iterator[None]:
    """Streamlit reads the metadata of every installed package for each page it tests, and finds the same."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(manifest_scanner, "scan_component_manifests", cache(manifest_scanner.scan_component_manifests))
        yield


@pytest.fixture(autouse=True)
def few_generations(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages breed for a moment; a link that asks for more generations gets them."""
    if not SOAKING:
        monkeypatch.setattr("ui.web.work.orders.GENERATIONS", GENERATIONS)
