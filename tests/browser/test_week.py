"""This week and Plan in a real browser: the answer, a choice by a press, a round opened, a plan taken away."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.cases.small_world import CUP_NAME
from tests.conftest import in_a_soak
from tests.tools.browser import DRAWN, PHONE, WIDE, WatchedPage, downloaded, squads, visit

pytestmark = pytest.mark.browser

SOON, PATIENT = 30_000, 180_000
LINK = f"world={CUP_NAME}&round=2"
SHIFTS = """window.moved = 0; new PerformanceObserver(list => {
  for (const shift of list.getEntries()) window.moved += shift.value
}).observe({type: "layout-shift", buffered: true})"""
MOST_MOVED = 0.05


def test_the_week_asks_and_a_press_on_a_plan_answers_with_its_squad(watched: WatchedPage) -> None:
    tab = watched.tab
    tab.goto(f"{watched.address}/?{LINK}")
    expect(tab.get_by_test_id("shared")).to_be_visible(timeout=PATIENT)
    expect(tab.locator("[aria-pressed=true]")).to_have_count(0)
    card = tab.get_by_test_id("plan-gain")
    expected = str(card.locator("em").text_content()).split()[0]
    card.focus()
    tab.keyboard.press("Enter")
    (chosen,) = squads(tab)
    expect(tab).to_have_url(re.compile("theta=gain"))
    expect(tab.get_by_test_id("answer")).to_contain_text(f"{expected} expected")
    tab.get_by_role("link", name="Pick", exact=True).click()
    expect(tab.get_by_role("heading", name="Pick a squad")).to_be_visible(timeout=PATIENT)
    assert squads(tab) == [chosen]


@pytest.mark.parametrize("size", [WIDE, *in_a_soak([PHONE])], ids=lambda size: str(size["width"]))
def test_the_whole_week_is_in_the_first_screen_and_nothing_jumps(
    browser: Browser, watched: WatchedPage, size: dict[str, int]
) -> None:
    link = f"{watched.address}/?{LINK}&theta=gain"
    watched.tab.goto(link)
    squads(watched.tab)
    with visit(browser, watched.address, viewport=size) as again:
        again.tab.add_init_script(SHIFTS)
        again.tab.goto(link)
        squads(again.tab)
        expect(again.tab.locator(DRAWN)).to_be_visible(timeout=SOON)
        box = again.tab.locator(".xi-bench").bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= (1 if size is WIDE else 2) * size["height"]
        assert again.tab.evaluate("document.documentElement.scrollWidth") <= size["width"]
        assert again.tab.evaluate("window.moved") <= MOST_MOVED


def test_a_plan_is_read_round_by_round_and_taken_away(watched: WatchedPage, tmp_path: Path) -> None:
    tab = watched.tab
    tab.goto(f"{watched.address}/plan?{LINK}&theta=neutral&horizon=2")
    expect(tab.get_by_test_id("timeline").locator("button")).to_have_count(2, timeout=PATIENT)
    tab.get_by_test_id("round-3").click()
    expect(tab.get_by_test_id("round-3")).to_have_attribute("aria-pressed", "true", timeout=SOON)
    tab.get_by_text("line-up and reasons").click()
    (shown,) = squads(tab)
    text = downloaded(tab, "Download the plan", tmp_path / "plan.csv").partition("\n\n")[0]
    rows = [row for row in csv.DictReader(io.StringIO(text)) if row["round"] == "3"]
    assert {int(row["id"]) for row in rows} == shown
