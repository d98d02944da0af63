"""This week and Plan in a real browser: the answer, a choice by a press, a round opened, a plan taken away."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from engine.desk import open_desk
from tests.cases.small_world import CUP_NAME, awkward_cup, squad_ids
from tests.conftest import in_a_soak
from tests.tools.browser import (
    DRAWN,
    PHONE,
    WIDE,
    WatchedPage,
    assert_settled_within,
    downloaded,
    squads,
    visit,
    watch_shifts,
)
from ui.web.squads.team_store import STORE

pytestmark = pytest.mark.browser

SOON, PATIENT = 90_000, 180_000
LINK = f"world={CUP_NAME}&round=2"


def test_the_week_asks_and_a_press_on_a_plan_answers_with_its_squad(watched: WatchedPage) -> None:
    tab = watched.tab
    tab.goto(f"{watched.address}/?{LINK}&horizon=2")
    expect(tab.get_by_test_id("shared")).to_be_visible(timeout=PATIENT)
    expect(tab.locator("[aria-pressed=true]")).to_have_count(0)
    card = tab.get_by_test_id("plan-gain")
    card.focus()
    tab.keyboard.press("Enter")
    expect(tab).to_have_url(re.compile("theta=gain"))
    expect(card).to_have_attribute("data-planned", "yes", timeout=PATIENT)
    (chosen,) = squads(tab)
    expected = str(card.locator("em").text_content()).split()[0]
    over = str(card.get_by_text(re.compile("Next 2:")).text_content()).split()[-1]
    expect(tab.get_by_test_id("answer")).to_contain_text(f"{expected} expected")
    plan = open_desk(awkward_cup(), 2).plan("gain", 2).recommended
    assert {man.player_id for man in plan.cards[0].men} == chosen
    assert (f"{plan.cards[0].expected:.1f}", f"{plan.table.points:.1f}") == (expected, over)
    tab.get_by_role("link", name="Pick", exact=True).click()
    expect(tab.get_by_role("heading", name="Pick a squad")).to_be_visible(timeout=PATIENT)


@pytest.mark.parametrize("size", [WIDE, *in_a_soak([PHONE])], ids=lambda size: str(size["width"]))
@pytest.mark.soak
def test_the_whole_week_is_in_the_first_screen_and_nothing_jumps(
    browser: Browser, watched: WatchedPage, size: dict[str, int]
) -> None:
    link = f"{watched.address}/?{LINK}&theta=gain"
    watched.tab.goto(link)
    squads(watched.tab)
    with visit(browser, watched.address, viewport=size) as again:
        watch_shifts(again.tab)
        again.tab.goto(link)
        squads(again.tab)
        expect(again.tab.locator(DRAWN)).to_be_visible(timeout=SOON)
        bench = again.tab.locator(".xi-bench")
        assert_settled_within(again.tab, bench, (1 if size is WIDE else 2) * size["height"])
        assert again.tab.evaluate("document.documentElement.scrollWidth") <= size["width"]


def test_a_plan_is_read_round_by_round_and_taken_away(watched: WatchedPage, tmp_path: Path) -> None:
    tab = watched.tab
    tab.goto(f"{watched.address}/plan?{LINK}&theta=neutral&horizon=2&edits=roll@3")
    expect(tab.get_by_test_id("timeline").locator("button")).to_have_count(2, timeout=PATIENT)
    tab.get_by_test_id("round-3").click()
    expect(tab.get_by_test_id("round-3")).to_have_attribute("aria-pressed", "true", timeout=SOON)
    tab.get_by_text("line-up and reasons").click()
    (shown,) = squads(tab)
    text = downloaded(tab, "Download the plan", tmp_path / "plan.csv").partition("\n\n")[0]
    rows = [row for row in csv.DictReader(io.StringIO(text)) if row["round"] == "3"]
    assert {int(row["id"]) for row in rows} == shown
    tab.get_by_role("button", name=re.compile("No transfer in .*(free|costs)")).click(timeout=PATIENT)
    expect(tab).not_to_have_url(re.compile("edits="), timeout=SOON)


@pytest.mark.soak
def test_a_draft_is_saved_found_again_after_a_reload_and_opened_by_its_name(watched: WatchedPage) -> None:
    tab = watched.tab
    tab.goto(f"{watched.address}/plan?{LINK}&horizon=3&edits=roll@3")
    tab.get_by_role("button", name="Drafts").click(timeout=PATIENT)
    tab.get_by_label("Name of this plan").fill("Wildcard early")
    tab.get_by_role("button", name="Save as a draft").click()
    expect(tab.get_by_role("button", name="Drafts (1)")).to_be_visible(timeout=SOON)
    tab.goto(f"{watched.address}/plan?{LINK}")
    tab.get_by_role("button", name="Drafts (1)").click(timeout=PATIENT)
    tab.get_by_role("button", name="Wildcard early", exact=True).click(timeout=SOON)
    expect(tab).to_have_url(re.compile("edits=roll@3|edits=roll%403"), timeout=SOON)


@pytest.mark.soak
def test_the_team_of_the_last_visit_is_offered_again(watched: WatchedPage) -> None:
    tab, team = watched.tab, ",".join(map(str, squad_ids(awkward_cup(), 2)))
    tab.goto(f"{watched.address}/plan?{LINK}&current={team}")
    tab.wait_for_function(f"localStorage.getItem('{STORE}_{CUP_NAME}')", timeout=PATIENT)
    tab.goto(f"{watched.address}/plan?{LINK}")
    tab.get_by_role("button", name="My team").click(timeout=PATIENT)
    tab.get_by_role("button", name="My team as last time").click(timeout=SOON)
    expect(tab).to_have_url(re.compile("current="), timeout=SOON)
