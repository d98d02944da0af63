"""Players picked from a list in a real browser: by a name in plain letters, one with each Enter."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page, expect

from data.worlds.library import find_world
from tests.cases.small_world import squad_ids
from tests.tools.browser import DRAWN, WatchedPage

pytestmark = pytest.mark.browser

SOON, PATIENT = 90_000, 90_000
KEYSTROKE = 80  # milliseconds
ROW = 40  # pixels: an option on one line


def typed(tab: Page, label: str, name: str) -> Locator:
    """Type a name into a list and return the options that are left."""
    box = tab.get_by_label(label)
    box.click(timeout=PATIENT)
    expect(tab.locator(DRAWN)).to_be_visible(timeout=SOON)
    box.press_sequentially(name, delay=KEYSTROKE)
    return tab.get_by_role("option")


def test_a_name_in_plain_letters_and_enter_takes_that_one_player(watched: WatchedPage) -> None:
    tab = watched.tab
    tab.goto(f"{watched.address}/players?round=1")
    found = typed(tab, "Must have", "odegaard")
    expect(found).to_have_count(1, timeout=SOON)
    expect(found).to_contain_text("Martin Ødegaard")
    box = found.bounding_box()
    assert box is not None
    assert box["height"] <= ROW
    tags = tab.locator(".st-key-locks_choice [data-tag]:visible")
    for count, name in enumerate(("Martin Ødegaard", "Lionel Messi"), start=1):
        tab.keyboard.press("Enter")
        expect(tags).to_have_count(count, timeout=SOON)
        expect(tags.last).to_contain_text(name)
        typed(tab, "Must have", "messi")


@pytest.mark.parametrize(
    ("page", "label", "key"), [("my-squad", "Forwards, 3", "my_FWD"), ("pick", "Captain", "captain")]
)
@pytest.mark.soak
def test_every_list_of_players_finds_a_name_without_its_accents(
    watched: WatchedPage, page: str, label: str, key: str
) -> None:
    tab = watched.tab
    tab.goto(f"{watched.address}/{page}?round=1")
    if page == "pick":
        tab.get_by_role("button", name="Wishes").click(timeout=PATIENT)
    expect(typed(tab, label, "mbappe")).to_have_count(1, timeout=SOON)
    tab.keyboard.press("Enter")
    expect(tab.locator(f"[class*=st-key-{key}] [data-tag]:visible")).to_contain_text("Mbappé", timeout=SOON)


@pytest.mark.soak
def test_a_phone_shows_every_man_of_a_line(on_phone: WatchedPage) -> None:
    tab = on_phone.tab
    squad = ",".join(map(str, squad_ids(find_world("wc2026"))))
    tab.goto(f"{on_phone.address}/my-squad?round=1&draft={squad}")
    line = tab.locator(".st-key-my_DEF")
    expect(line.locator("[data-tag]:visible")).to_have_count(5, timeout=PATIENT)
    seen = line.get_by_test_id("stMultiSelectTagsContainer").last
    assert seen.evaluate("line => line.scrollHeight - line.clientHeight") == 0
