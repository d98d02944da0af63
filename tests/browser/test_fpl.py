"""Premier League in a real browser, from a refresh to transfers over a double gameweek, compared and exported.

One visitor in one tab walks the whole way, as a manager does on the evening before a deadline.
"""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Site
from tests.cases.small_world import CUP_NAME, DOUBLE, IDLE_CLUBS, small_league
from tests.tools.browser import DRAWN, WatchedPage, downloaded, open_round, squads, upload
from tests.tools.fpl_writer import entry_documents, to_fpl_api
from tests.ui.web.squads.test_entry_import import ENTRY, a_squad

pytestmark = pytest.mark.browser

PATIENT = 180_000
NOBODY = 78  # an entry the game does not have
FREE = 2
ONE_SPENT = {2: 1}
"""Transfers by gameweek: one made in the second, none in the third, so two are free before the fourth."""

HIT = 4.0  # points for each transfer beyond the free ones


def go_to(tab: Page, title: str) -> None:
    """Open a page from the navigation: the visitor's plan goes with him, and nothing of the page before is left."""
    tab.get_by_role("link", name=title, exact=True).click(timeout=PATIENT)
    expect(tab.get_by_role("heading", level=1)).to_have_text(re.compile(f"^{title}"), timeout=PATIENT)
    expect(tab.locator(DRAWN)).to_be_visible(timeout=PATIENT)


def refreshed(tab: Page, address: str) -> None:
    """Switch from another competition to the live one."""
    tab.goto(f"{address}/data?world={CUP_NAME}")
    tab.get_by_role("button", name="Refresh Fantasy Premier League").click(timeout=PATIENT)
    tab.get_by_role("button", name="Open Fantasy Premier League").click(timeout=PATIENT)
    expect(tab).to_have_url(re.compile("world=fpl-live"), timeout=PATIENT)
    open_round(tab, DOUBLE)
    expect(tab).to_have_url(re.compile(f"round={DOUBLE}"), timeout=PATIENT)


def ask_for(tab: Page, entry: int) -> None:
    number = tab.get_by_role("spinbutton", name="Entry number")
    number.fill(str(entry), timeout=PATIENT)
    number.press("Enter")
    tab.get_by_role("button", name="Import this squad").click()


def imported(tab: Page) -> None:
    """Bring the squad of an entry, after one that nobody has, and start from it under gain."""
    go_to(tab, "My team")
    tab.get_by_role("tab", name="Import by entry").click(timeout=PATIENT)
    ask_for(tab, NOBODY)
    expect(tab.get_by_test_id("stAlert").filter(has_text="404")).to_be_visible(timeout=PATIENT)
    expect(tab.get_by_text("0 of 15 players")).to_be_visible()
    ask_for(tab, ENTRY)
    assert squads(tab) == [set(a_squad())]
    expect(tab.get_by_role("spinbutton", name="Free transfers")).to_have_value(str(FREE))
    tab.get_by_role("radio", name="Gain", exact=True).click()
    expect(tab).to_have_url(re.compile("theta=gain"), timeout=PATIENT)
    tab.get_by_role("button", name="Start from this squad on Pick").click()
    expect(tab.get_by_text("Pick starts from this squad.")).to_be_visible(timeout=PATIENT)


def term(lineup: str, name: str) -> float:
    """Return a term of the score from the second table of an exported line-up."""
    return next(float(row[1]) for row in csv.reader(io.StringIO(lineup.partition("\n\n")[2])) if row[0] == name)


@pytest.mark.soak
def test_from_a_refresh_to_transfers_over_a_double_gameweek_and_back_from_the_file(
    watched: WatchedPage, site: Site, tmp_path: Path
) -> None:
    entry = entry_documents(ENTRY, DOUBLE - 1, a_squad(), bank=0.5, transfers=ONE_SPENT)
    site.feed.routes = dict(to_fpl_api(small_league(), DOUBLE) | entry)
    tab, owned = watched.tab, set(a_squad())
    refreshed(tab, watched.address)
    imported(tab)
    go_to(tab, "Pick")
    (picked,) = squads(tab)
    expect(tab).to_have_url(re.compile(f"free={FREE}"))
    lineup = downloaded(tab, "Download line-up", tmp_path / "lineup.csv")
    made = len(picked - owned)
    assert term(lineup, "transfer_cost") == pytest.approx(-HIT * max(0, made - FREE))
    club = small_league().at(DOUBLE).players.set_index("player_id")["team"]
    assert sum(club[player] in IDLE_CLUBS for player in picked) > sum(club[player] in IDLE_CLUBS for player in owned)
    go_to(tab, "Compare")
    protect, gain = squads(tab, 2)
    assert gain == picked
    expect(tab.get_by_text(f"They share {len(protect & gain)} of 15 players")).to_be_visible()
    go_to(tab, "My team")
    tab.get_by_text("Bring your squad").click(timeout=PATIENT)
    upload(tab, tmp_path / "lineup.csv")
    expect(tab.get_by_text("15 of 15 players")).to_be_visible(timeout=PATIENT)
    expect(tab.locator("[data-testid=pitch]:visible")).to_have_attribute(
        "data-squad", re.compile("".join(f"(?=.*{player})" for player in sorted(picked))), timeout=PATIENT
    )
