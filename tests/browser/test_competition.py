"""The competition used last stays with the browser, and a deadline that passes is said by itself."""

from __future__ import annotations

import shutil
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Site
from tests.cases.small_world import changed, small_league
from tests.tools.browser import ROUNDS, WIDE, WatchedPage, visit
from ui.web.choice.competition import COOKIE

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.browser
PATIENT = 180_000  # milliseconds
SEASON = "GW 20"
"""What the choice of a round says in the league that is bundled."""


def test_the_page_opens_on_the_competition_that_this_browser_used_last(
    watched: WatchedPage, browser: Browser, address: str
) -> None:
    tab = watched.tab
    tab.goto(f"{address}/?world=fpl2025-26")
    expect(tab.get_by_test_id("head")).to_contain_text("As of the deadline Sat 03 Jan 2026", timeout=PATIENT)
    tab.wait_for_function(f"document.cookie.includes('{COOKIE}=fpl2025-26')", timeout=PATIENT)
    tab.goto(address)
    expect(tab.locator(ROUNDS)).to_contain_text(SEASON, timeout=PATIENT)
    with visit(browser, address, viewport=WIDE) as other:
        other.tab.goto(address)
        expect(other.tab.locator(ROUNDS)).to_be_visible(timeout=PATIENT)
        expect(other.tab.locator(ROUNDS)).not_to_contain_text(SEASON)


@pytest.mark.soak
def test_a_deadline_that_passes_while_the_page_is_open_is_said_by_itself(watched: WatchedPage, site: Site) -> None:
    soon = datetime.now(UTC) + timedelta(seconds=20)
    folder = site.home / "worlds" / "soon"
    changed(small_league(), "rounds", lambda rounds: rounds.assign(deadline=soon)).save(folder)
    try:
        watched.tab.goto(f"{site.url}/?world=soon&round=3")
        expect(watched.tab.get_by_test_id("head")).to_contain_text("left", timeout=PATIENT)
        told = watched.tab.get_by_text("The deadline of Gameweek 3 has passed while this page was open")
        expect(told).to_be_visible(timeout=PATIENT)
    finally:
        shutil.rmtree(folder)
