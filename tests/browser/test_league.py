"""A manager in a real browser: entry, league, standing, board, reload; and a stranger beside him."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import Site
from tests.browser.test_fpl import ENTRY, PATIENT, ask_for, go_to, refreshed
from tests.cases.small_world import DOUBLE, small_league
from tests.tools.browser import WIDE, WatchedPage, squads, visit
from tests.tools.fpl_writer import entry_documents, league_documents, to_fpl_api
from tests.ui.web.squads.test_entry_import import a_squad, other_squad

pytestmark = pytest.mark.browser

LEAGUE, NO_LEAGUE = 314, 315
RIVAL = "<b>Anna"
ACCOUNT = "Entry 77; bank 0.5; players sell for 75.0; 2 free transfers; chips left: Wildcard 1"
STANDING = re.compile(r"You play against <b>Anna of league 314.* You are 1 point behind, with \d+ rounds left\.")


def documents() -> dict[str, bytes]:
    """The game before a double gameweek, with a league of three: a leader with an unkind name, the visitor, another."""
    week = DOUBLE - 1
    mine = entry_documents(ENTRY, week, a_squad(), bank=0.5, selling=[5.0] * 15, transfers={2: 1}, chips={1: "3xc"})
    others = entry_documents(1, week, other_squad()) | entry_documents(2, week, a_squad())
    table = league_documents(LEAGUE, "Office", [1, ENTRY, 2])
    named = {path: page.replace(b"Team 1", RIVAL.encode()) for path, page in table.items()}
    return to_fpl_api(small_league(), DOUBLE) | mine | others | named


def ask_for_league(tab: Page, league: int) -> None:
    number = tab.get_by_role("spinbutton", name="Your classic league")
    number.fill(str(league), timeout=PATIENT)
    number.press("Enter")
    tab.get_by_role("button", name="Play against this league").click()


def written(home: Path) -> bytes:
    """Return all that the server keeps on disk."""
    return b"".join(file.read_bytes() for file in home.rglob("*") if file.is_file())


def test_from_an_entry_and_a_league_to_the_standing_and_a_board_and_nobody_else_sees_it(
    browser: Browser, watched: WatchedPage, site: Site
) -> None:
    site.feed.routes = dict(documents())
    tab = watched.tab
    refreshed(tab, watched.address)
    go_to(tab, "My team")
    tab.get_by_role("tab", name="Import by entry").click(timeout=PATIENT)
    ask_for(tab, ENTRY)
    expect(tab.get_by_text(ACCOUNT)).to_be_visible(timeout=PATIENT)
    tab.get_by_text("Rivals", exact=True).click()
    ask_for_league(tab, NO_LEAGUE)
    expect(tab.get_by_test_id("stAlert").filter(has_text="no classic league 315")).to_be_visible(timeout=PATIENT)
    ask_for_league(tab, LEAGUE)
    expect(tab.get_by_role("row", name=re.compile("<b>Anna 1 point behind"))).to_be_visible(timeout=PATIENT)
    tab.get_by_role("combobox", name="Measure yourself against").click()
    tab.get_by_role("option", name=re.compile("Anna")).click()
    expect(tab.get_by_text(re.compile("You are 1 point behind, with"))).to_be_visible(timeout=PATIENT)
    go_to(tab, "Pick")
    expect(tab.get_by_text(STANDING)).to_be_visible(timeout=PATIENT)
    expect(tab.get_by_role("spinbutton", name="Points ahead")).to_have_value("-1", timeout=PATIENT)
    tab.get_by_role("button", name=re.compile("^Use ")).first.click(timeout=PATIENT)
    (picked,) = squads(tab)
    asked = len(site.feed.requests)
    tab.reload()
    expect(tab.get_by_text(STANDING)).to_be_visible(timeout=PATIENT)
    assert squads(tab) == [picked]
    go_to(tab, "Compare")
    expect(tab.get_by_text(STANDING)).to_be_visible(timeout=PATIENT)
    go_to(tab, "My team")
    expect(tab.get_by_text(ACCOUNT)).to_be_visible(timeout=PATIENT)
    assert len(site.feed.requests) == asked  # all of it came back from the address bar
    with visit(browser, watched.address, viewport=WIDE) as other:
        other.tab.goto(f"{watched.address}/my-squad?world=fpl-live&round={DOUBLE}")
        expect(other.tab.get_by_text("0 of 15 players")).to_be_visible(timeout=PATIENT)
        expect(other.tab.get_by_text(re.compile("Entry 77|Anna"))).to_have_count(0)
    assert not re.search(rb"Anna|Manager \d", written(site.home))
