"""Data in a real browser: a refresh that fails, works and fails again, own projections, the armband."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Site
from tests.cases.small_world import CUP_NAME, DOUBLE, small_league
from tests.tools.browser import DRAWN, WatchedPage
from tests.tools.fpl_writer import to_fpl_api
from tests.tools.loopback import Loopback, Reply

pytestmark = pytest.mark.browser

PATIENT, STEP, SOON = 180_000, 200, 150
BROKEN = {"bootstrap-static/": Reply(body=b"<html>maintenance</html>")}


def refresh(tab: Page) -> None:
    tab.get_by_role("button", name="Refresh Fantasy Premier League").click(timeout=PATIENT)


def serve_league(feed: Loopback) -> None:
    """Let the feed answer as the game does before the double gameweek."""
    feed.routes = dict(to_fpl_api(small_league(), DOUBLE))


def test_nothing_is_fetched_until_the_button_and_a_failed_refresh_says_what_is_kept(
    watched: WatchedPage, site: Site
) -> None:
    site.feed.routes, asked = dict(BROKEN), len(site.feed.paths)
    watched.tab.goto(f"{site.url}/data?world={CUP_NAME}")
    expect(watched.tab.get_by_role("heading", name="Refresh from a live source")).to_be_visible(timeout=PATIENT)
    assert len(site.feed.paths) == asked
    refresh(watched.tab)
    failed = watched.tab.get_by_test_id("stAlert").filter(has_text="The refresh failed")
    expect(failed).to_contain_text("is not JSON", timeout=PATIENT)
    expect(failed).to_contain_text("Kept: ")
    for _ in range(SOON):  # what is said may be of the refresh before
        if len(site.feed.paths) > asked:
            break
        watched.tab.wait_for_timeout(STEP)
    assert len(site.feed.paths) > asked


@pytest.mark.soak
def test_a_refresh_that_fails_later_leaves_the_last_good_league_open(watched: WatchedPage, site: Site) -> None:
    serve_league(site.feed)
    tab = watched.tab
    tab.goto(f"{site.url}/data?world={CUP_NAME}")
    refresh(tab)
    expect(tab.get_by_role("button", name="Open Fantasy Premier League")).to_be_visible(timeout=PATIENT)
    site.feed.routes = dict(BROKEN)
    refresh(tab)
    failed = tab.get_by_test_id("stAlert").filter(has_text="The refresh failed")
    expect(failed).to_contain_text("Kept: Fantasy Premier League (live)", timeout=PATIENT)
    tab.goto(f"{site.url}/data?world=fpl-live")
    expect(tab.get_by_text("Fantasy Premier League (live)").first).to_be_visible(timeout=PATIENT)


@pytest.mark.soak
def test_own_projections_are_settled_and_used_and_the_armband_stands_in_the_link(watched: WatchedPage) -> None:
    tab = watched.tab
    tab.goto(f"{watched.address}/data?world={CUP_NAME}&round=2")
    box = tab.get_by_label("Or paste it")
    box.fill("name,xev\nOdegard,9.5\nFirst GK0 A2,3", timeout=PATIENT)
    box.press("Control+Enter")
    settle = tab.get_by_role("combobox", name=re.compile("Row 2: Odegard"))
    expect(settle).to_be_visible(timeout=PATIENT)
    expect(tab.locator(DRAWN)).to_be_visible(timeout=PATIENT)  # a list that is open while the page is drawn closes
    settle.click()
    tab.get_by_role("option", name=re.compile("^Ødegaard")).click()
    expect(tab.get_by_text("2 of 2 rows fit a player.")).to_be_visible(timeout=PATIENT)
    tab.get_by_role("button", name="Use these figures").click()
    expect(tab.get_by_text("Your own figures are in use for 2 players")).to_be_visible(timeout=PATIENT)
    expect(tab.locator(DRAWN)).to_be_visible(timeout=PATIENT)
    tab.goto(f"{watched.address}/pick?world={CUP_NAME}&round=2&theta=neutral")
    tab.get_by_role("button", name="Wishes").click(timeout=PATIENT)
    tab.get_by_role("radio", name="Not at all").click(timeout=PATIENT)
    expect(tab).to_have_url(re.compile("captaincy=locked"), timeout=PATIENT)


@pytest.mark.soak
def test_a_bad_table_names_row_and_column(watched: WatchedPage) -> None:
    tab = watched.tab
    tab.goto(f"{watched.address}/data?world={CUP_NAME}&round=2")
    expect(tab.get_by_role("heading", name="Your own projections")).to_be_visible(timeout=PATIENT)
    tab.locator("input[type=file]").first.set_input_files(
        {"name": "own.csv", "mimeType": "text/csv", "buffer": b"name,xev\nFirst GK0 A2,=1+1"}
    )
    expect(tab.get_by_text("Row 2, column 'xev': '=1+1' is a spreadsheet formula")).to_be_visible(timeout=PATIENT)
