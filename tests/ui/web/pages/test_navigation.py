"""Every page of the navigation exists, has its own address, and This week is the home."""

from __future__ import annotations

from importlib.util import find_spec

import pytest

from ui.web.pages.navigation import PAGES, PageEntry


@pytest.mark.parametrize("entry", PAGES, ids=lambda entry: entry.path)
def test_a_page_is_a_module_of_ui(entry: PageEntry) -> None:
    assert find_spec(f"ui.web.pages.{entry.path.replace('-', '_')}") is not None


def test_addresses_and_titles_are_unique_and_this_week_comes_first() -> None:
    assert len({entry.path for entry in PAGES}) == len({entry.title for entry in PAGES}) == len(PAGES)
    assert PAGES[0].title == "This week"
