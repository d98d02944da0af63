"""One page for all browser tests of a process, with a server on this machine in place of the Premier League's."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.cases.small_world import CUP_NAME, awkward_cup
from tests.tools.browser import PHONE, WIDE, WatchedPage, running_page, visit
from tests.tools.loopback import Loopback, serving

if TYPE_CHECKING:
    from playwright.sync_api import Browser


SHARING = "tests.tools.served_page"


@dataclass(frozen=True, slots=True)
class Site:
    """A running page, the folder it keeps things in, and the feed it refreshes from."""

    url: str
    home: Path
    feed: Loopback


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A page that knows the bundled World Cup and the awkward cup; its feed serves nothing until a test says what."""
    home = tmp_path_factory.mktemp("page") / "home"
    awkward_cup().save(home / "worlds" / CUP_NAME)
    with serving({}) as feed, running_page(home, SHARING, THETAXI_FPL_URL=feed.url) as url:
        yield Site(url, home, feed)


@pytest.fixture(scope="session")
def address(site: Site) -> str:
    """Where the page is."""
    return site.url


@pytest.fixture
def watched(browser: Browser, address: str) -> Iterator[WatchedPage]:
    """A visitor at a desk."""
    with visit(browser, address, viewport=WIDE, timezone_id="Europe/Berlin", accept_downloads=True) as seen:
        yield seen


@pytest.fixture
def on_phone(browser: Browser, address: str) -> Iterator[WatchedPage]:
    """A visitor with a phone."""
    with visit(browser, address, viewport=PHONE, has_touch=True, is_mobile=True) as seen:
        yield seen
