"""My team and Players in a real browser: bring a squad by CSV, improve it, name rivals, tick players; two visitors."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, FilePayload, Page, expect

from tests.cases.small_world import CUP_NAME, awkward_cup, squad_ids
from tests.tools.browser import DRAWN, PHONE, WIDE, WatchedPage, downloaded, upload, visit

pytestmark = pytest.mark.browser

SOON, PATIENT = 90_000, 180_000
AFTER_SCROLLING = 500  # milliseconds: a grid that still scrolls takes no click
FIRST_TICK = {"x": 38.0, "y": 52.0}
"""Where the first row's tick under Must is painted: a grid is one picture."""

SCROLLED = 350  # pixels: ten rows
FIRST_NAME, FIRST_TEAM = {"x": 200.0, "y": 52.0}, {"x": 295.0, "y": 52.0}
STEPS_TO_STARTS = 5  # from the team to the chance to start

SQUAD = squad_ids(awkward_cup())
LINK = f"world={CUP_NAME}&round=2"


def a_file(name: str, content: str) -> FilePayload:
    return {"name": name, "mimeType": "text/csv", "buffer": content.encode("utf-8-sig")}


def my_squad(tab: Page, address: str, more: str = "") -> None:
    tab.goto(f"{address}/my-squad?{LINK}{more}")
    expect(tab.get_by_role("heading", name="Your players")).to_be_visible(timeout=PATIENT)


def test_a_squad_by_csv_is_scored_and_improved_and_pick_starts_from_it(watched: WatchedPage) -> None:
    my_squad(watched.tab, watched.address)
    upload(watched.tab, a_file("squad.csv", "id\n" + "\n".join(map(str, SQUAD))))
    expect(watched.tab.get_by_test_id("pitch").locator("li.xi-man")).to_have_count(15, timeout=PATIENT)
    for theta in ("Protect", "Neutral", "Gain"):
        expect(watched.tab.get_by_test_id("stMetric").filter(has_text=theta)).to_be_visible()
    watched.tab.get_by_role("radio", name="Gain", exact=True).click()
    expect(watched.tab.get_by_role("heading", name="Weakest links")).to_be_visible(timeout=PATIENT)
    watched.tab.get_by_role("button", name="Find the best transfers").click(timeout=PATIENT)
    expect(watched.tab.get_by_text(re.compile(r"^\d transfers?: fitness \+"))).to_be_visible(timeout=PATIENT)
    watched.tab.get_by_role("button", name="Start from this squad on Pick").click()
    expect(watched.tab.get_by_text("Pick starts from this squad.")).to_be_visible(timeout=PATIENT)
    expect(watched.tab).to_have_url(re.compile("current="))


@pytest.mark.soak
def test_a_line_up_exported_on_pick_comes_back_whole(watched: WatchedPage, tmp_path: Path) -> None:
    watched.tab.goto(f"{watched.address}/pick?{LINK}&theta=protect")
    expect(watched.tab.get_by_test_id("pitch").first.locator("li.xi-man")).to_have_count(15, timeout=PATIENT)
    picked = str(watched.tab.get_by_test_id("pitch").first.get_attribute("data-squad"))
    downloaded(watched.tab, "Download line-up", tmp_path / "lineup.csv")
    my_squad(watched.tab, watched.address)
    upload(watched.tab, tmp_path / "lineup.csv")
    pitch = watched.tab.get_by_test_id("pitch")
    expect(pitch.locator("li.xi-man")).to_have_count(15, timeout=PATIENT)
    assert sorted(str(pitch.get_attribute("data-squad")).split(",")) == sorted(picked.split(","))


@pytest.mark.soak
def test_a_squad_that_was_laid_out_survives_a_reload_and_the_back_button(watched: WatchedPage) -> None:
    tab = watched.tab
    my_squad(tab, watched.address)
    upload(tab, a_file("squad.csv", "id\n" + "\n".join(map(str, SQUAD))))
    expect(tab.get_by_text("15 of 15 players")).to_be_visible(timeout=PATIENT)
    tab.locator(".st-key-my_FWD [data-tag] button:visible").first.click()
    expect(tab.get_by_text("14 of 15 players")).to_be_visible(timeout=PATIENT)
    tab.reload()
    expect(tab.get_by_text("14 of 15 players")).to_be_visible(timeout=PATIENT)
    tab.go_back()
    expect(tab.get_by_text("15 of 15 players")).to_be_visible(timeout=PATIENT)


@pytest.mark.soak
def test_a_bad_upload_is_told_with_row_and_candidates_as_plain_words(watched: WatchedPage) -> None:
    my_squad(watched.tab, watched.address)
    upload(watched.tab, a_file("squad.csv", "name\n<img src=x>\nOdegard\n=1+1"))
    said = watched.tab.get_by_test_id("stAlert").first
    expect(said).to_contain_text("Row 2, <img src=x>: fits no player.", timeout=PATIENT)
    expect(said).to_contain_text("Row 3, Odegard: fits no player. Candidates: Ødegaard")
    expect(said.locator("img")).to_have_count(0)
    upload(watched.tab, a_file("squad.json", '{"picks": ['))
    expect(watched.tab.get_by_test_id("stAlert").first).to_contain_text("line 1 column 12", timeout=PATIENT)


@pytest.mark.soak
def test_rivals_are_pasted_and_left_again_by_keyboard_and_on_a_phone(on_phone: WatchedPage) -> None:
    tab = on_phone.tab
    my_squad(tab, on_phone.address)
    tab.get_by_text("Rivals", exact=True).click()
    box = tab.get_by_role("textbox", name="Squads of up to 20 rivals")
    box.fill("Anna:\n" + "\n".join(map(str, SQUAD)))
    box.press("Control+Enter")
    tab.get_by_role("button", name="Play against these rivals").press("Enter")
    expect(tab.get_by_text("You play against Anna")).to_be_visible(timeout=PATIENT)
    expect(tab).to_have_url(re.compile(r"rivals=[\w-]{60,}"))
    assert tab.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


@pytest.mark.soak
def test_two_visitors_do_not_see_each_others_squads(browser: Browser, watched: WatchedPage) -> None:
    my_squad(watched.tab, watched.address, f"&current={','.join(map(str, SQUAD))}")
    expect(watched.tab.get_by_text("15 of 15 players")).to_be_visible(timeout=PATIENT)
    with visit(browser, watched.address, viewport=WIDE) as other:
        my_squad(other.tab, watched.address)
        expect(other.tab.get_by_text("0 of 15 players")).to_be_visible(timeout=PATIENT)
    watched.tab.reload()
    expect(watched.tab.get_by_text("15 of 15 players")).to_be_visible(timeout=PATIENT)


@pytest.mark.soak
def test_ticks_are_wishes_that_survive_a_reload_and_a_chance_is_written_by_keyboard(watched: WatchedPage) -> None:
    watched.tab.goto(f"{watched.address}/players?{LINK}")
    grid = watched.tab.get_by_test_id("stDataFrame")
    expect(grid).to_be_visible(timeout=PATIENT)
    expect(watched.tab.get_by_text("144 of 144 players")).to_be_visible(timeout=SOON)
    canvas = grid.locator("canvas").first
    expect(canvas).to_be_visible(timeout=PATIENT)
    canvas.hover(force=True)
    expect(watched.tab.get_by_role("button", name=re.compile("^Fullscreen: Players"))).to_be_visible(timeout=SOON)
    expect(watched.tab.get_by_role("button", name=re.compile("^Download as CSV"))).to_have_count(0)
    canvas.click(position=FIRST_TICK, force=True)
    expect(watched.tab).to_have_url(re.compile(r"locks=\d+"), timeout=PATIENT)
    chosen = watched.tab.locator(".st-key-locks_choice [data-tag]")
    expect(chosen).to_have_count(1, timeout=PATIENT)
    expect(watched.tab.locator(DRAWN)).to_be_visible(timeout=SOON)
    scroller = grid.locator(".dvn-scroller")
    scroller.evaluate(f"grid => grid.scrollTop = {SCROLLED}")
    watched.tab.wait_for_timeout(AFTER_SCROLLING)
    canvas.click(position=FIRST_TICK, force=True)
    expect(watched.tab).to_have_url(re.compile(r"locks=\d+(,|%2C)\d+"), timeout=PATIENT)
    expect(chosen).to_have_count(2, timeout=PATIENT)
    assert scroller.evaluate("grid => grid.scrollTop") == SCROLLED
    watched.tab.reload()
    expect(chosen.first).to_be_visible(timeout=PATIENT)
    expect(canvas).to_be_visible(timeout=PATIENT)
    canvas.click(position=FIRST_TEAM, force=True)
    for key in (*["ArrowRight"] * STEPS_TO_STARTS, "Enter"):
        watched.tab.keyboard.press(key)
    cell = watched.tab.locator("#portal input")
    cell.fill("50", timeout=SOON)
    cell.press("Enter")
    expect(watched.tab.get_by_text("1 player has figures of your own")).to_be_visible(timeout=PATIENT)
    expect(watched.tab).to_have_url(re.compile("own=[0-9a-f]{12}"))


@pytest.mark.soak
def test_a_players_name_opens_his_card_with_the_wishes_about_him(watched: WatchedPage) -> None:
    tab = watched.tab
    tab.goto(f"{watched.address}/players?{LINK}")
    canvas = tab.get_by_test_id("stDataFrame").locator("canvas").first
    expect(canvas).to_be_visible(timeout=PATIENT)
    expect(tab.locator(DRAWN)).to_be_visible(timeout=SOON)
    canvas.click(position=FIRST_NAME, force=True)
    card = tab.get_by_role("dialog")
    told = re.compile("Expected.*Price.*Owned.*Where his points come from.*Status: ", re.DOTALL)
    expect(card).to_contain_text(told, timeout=SOON)
    expect(card.get_by_test_id("waterfall").locator("i").first).to_have_css("background-color", "rgb(0, 110, 89)")
    card.get_by_role("button", name="Never pick").click()
    expect(tab).to_have_url(re.compile(r"bans=\d+"), timeout=PATIENT)
    expect(card).to_have_count(0, timeout=SOON)
    expect(tab.locator(".st-key-bans_choice [data-tag]")).to_have_count(1, timeout=SOON)
