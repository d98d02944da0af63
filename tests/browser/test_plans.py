"""Compare, Spectrum, Lineage and Fitness in a real browser: their main jobs, by mouse, by keyboard and on a phone."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from engine.desk import open_desk
from tests.cases.small_world import CUP_NAME, awkward_cup
from tests.conftest import in_a_soak
from tests.tools.browser import PHONE, WatchedPage, downloaded, squads, stopped_in_time, upload

pytestmark = pytest.mark.browser

SOON, PATIENT, STEP = 90_000, 180_000, 200
TRIES = 5
LINK = f"world={CUP_NAME}&round=2"
RULES = {"runOnly": {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"]}}
"""Of axe-core: WCAG 2.1, A and AA."""


def moved_on(tab: Page, before: set[int]) -> set[int]:
    """The players on the pitch, once it shows another squad than before."""
    for _ in range(SOON // STEP):
        (shown,) = squads(tab)
        if shown != before:
            return shown
        tab.wait_for_timeout(STEP)
    raise AssertionError("the pitch still shows the squad that was there before")


def frontier_marks(tab: Page) -> Locator:
    return tab.locator(".st-key-spectrum_variance svg .mark-symbol.role-mark path")


@pytest.mark.soak
def test_two_plans_stand_side_by_side_with_their_chances(watched: WatchedPage) -> None:
    watched.tab.goto(f"{watched.address}/compare?{LINK}")
    first, second = squads(watched.tab, 2)
    ringed = watched.tab.locator("li.xi-ringed")
    expect(ringed).to_have_count(len(first ^ second))
    expect(watched.tab.get_by_text(re.compile(r"They share \d+ of 15 players"))).to_be_visible()
    expect(watched.tab.locator("svg").filter(has_text="Transfer hits").first).to_be_visible(timeout=SOON)
    expect(watched.tab.get_by_text("In brackets 95 % intervals")).to_be_visible(timeout=PATIENT)
    chances = watched.tab.get_by_role("region", name="Chances to hold")
    assert chances.evaluate("table => table.scrollWidth - table.clientWidth") == 0
    watched.tab.set_viewport_size(PHONE)
    assert watched.tab.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


def test_two_plans_over_rounds_stand_side_by_side_and_are_one_file(watched: WatchedPage, tmp_path: Path) -> None:
    tab = watched.tab
    tab.goto(f"{watched.address}/compare?{LINK}&horizon=2")
    tab.get_by_role("radio", name="Next 2 rounds").click(timeout=PATIENT)
    expect(tab.get_by_text("Where the two plans part")).to_be_visible(timeout=PATIENT)
    text = downloaded(tab, "Download both plans", tmp_path / "plans.csv")
    assert text.count("\nProtect,") == text.count("\nGain,") == 2 * 15
    told = re.search(r"Protect expects ([\d.]+) points in 2 rounds", tab.locator(".stMain").inner_text())
    assert told
    plan = open_desk(awkward_cup(), 2).plan("protect", 2).recommended
    assert told[1] == f"{plan.table.points:.1f}"


@pytest.mark.soak
def test_both_plans_are_one_file_that_brings_the_first_back(watched: WatchedPage, tmp_path: Path) -> None:
    watched.tab.goto(f"{watched.address}/compare?{LINK}&first=Gain&second=Neutral")
    first, second = squads(watched.tab, 2)
    text = downloaded(watched.tab, "Download both plans", tmp_path / "plans.csv")
    assert text.count(",Gain\n") == len(first)
    assert text.count(",Neutral\n") == len(second) + 1  # its column of terms too
    watched.tab.goto(f"{watched.address}/my-squad?{LINK}")
    upload(watched.tab, tmp_path / "plans.csv")
    assert squads(watched.tab) == [first]


@pytest.mark.soak
def test_the_link_names_both_sides_and_a_reload_keeps_them(watched: WatchedPage) -> None:
    watched.tab.goto(f"{watched.address}/compare?{LINK}")
    before = squads(watched.tab, 2)
    watched.tab.get_by_role("combobox", name="Second plan", exact=True).click()
    watched.tab.get_by_role("option", name="Neutral").click()
    expect(watched.tab.get_by_role("heading", name="From Protect to Neutral")).to_be_visible(timeout=PATIENT)
    expect(watched.tab).to_have_url(re.compile("second=Neutral"))
    expect(watched.tab.get_by_text("In brackets 95 % intervals")).to_be_visible(timeout=PATIENT)
    after = squads(watched.tab, 2)
    assert after[0] == before[0]
    watched.tab.reload()
    expect(watched.tab.get_by_role("heading", name="From Protect to Neutral")).to_be_visible(timeout=PATIENT)
    assert squads(watched.tab, 2) == after


@pytest.mark.soak
def test_a_click_on_a_mark_shows_its_squad_and_the_list_follows(watched: WatchedPage) -> None:
    watched.tab.goto(f"{watched.address}/spectrum?{LINK}&theta=protect")
    (before,) = squads(watched.tab)
    marks = frontier_marks(watched.tab)
    expect(marks.first).to_be_visible(timeout=SOON)
    marks.last.click(force=True)
    moved_on(watched.tab, before)
    expect(watched.tab.locator(".st-key-spectrum_list_variance")).not_to_contain_text("Recommended", timeout=SOON)


@pytest.mark.soak
def test_a_squad_is_chosen_by_keyboard_and_pick_shows_it(watched: WatchedPage) -> None:
    watched.tab.goto(f"{watched.address}/spectrum?{LINK}&theta=protect")
    (before,) = squads(watched.tab)
    box = watched.tab.get_by_role("combobox", name="Squad")
    box.focus()
    for key in ("ArrowDown", "ArrowDown", "Enter"):
        box.press(key)
    expect(watched.tab.locator(".st-key-spectrum_list_variance")).not_to_contain_text("Recommended", timeout=SOON)
    chosen = moved_on(watched.tab, before)
    use = watched.tab.get_by_role("button", name="Use this squad")
    use.focus()
    use.press("Enter")
    expect(watched.tab.get_by_text("A squad is in use")).to_be_visible(timeout=SOON)
    expect(watched.tab).to_have_url(re.compile("locks="))
    watched.tab.get_by_role("link", name="Pick").click()
    expect(watched.tab.get_by_role("heading", name="Pick a squad")).to_be_visible(timeout=PATIENT)
    expect(watched.tab.get_by_role("tab", name=re.compile("^Recommended"))).to_be_visible(timeout=PATIENT)
    assert squads(watched.tab) == [chosen]


@pytest.mark.soak
def test_breeding_is_watched_and_stopped(watched: WatchedPage) -> None:
    players = awkward_cup().at(2).players["player_id"].tolist()[-TRIES:]
    links = (f"{watched.address}/lineage?{LINK}&theta=gain&generations=2000&bans={player}" for player in players)
    assert any(stopped_in_time(watched.tab, link, "Stop", watched.tab.get_by_test_id("tree")) for link in links)
    expect(watched.tab.get_by_text(re.compile(r"Generation \d+: [\d,]+ squads scored"))).to_be_visible(timeout=SOON)
    expect(watched.tab.locator("svg").filter(has_text="Best so far").first).to_be_visible(timeout=SOON)
    for fact in ("Parents", "Made by", "Blocks", "What changed", "Repairs", "Gained"):
        expect(watched.tab.get_by_test_id("child").get_by_text(fact, exact=True)).to_be_visible()


@pytest.mark.soak
def test_a_slider_changes_the_ranking_of_the_options(watched: WatchedPage) -> None:
    watched.tab.goto(f"{watched.address}/fitness?{LINK}&theta=protect")
    told = watched.tab.get_by_text(re.compile("^Protect (ranks|puts) ")).first
    expect(told).to_have_text("Protect ranks the options as they were: Recommended first.", timeout=PATIENT)
    slider = watched.tab.get_by_role("slider", name="k")
    slider.focus()
    slider.press("End")
    expect(told).to_contain_text(re.compile("puts|ranks"), timeout=SOON)
    editor = watched.tab.get_by_label("Spec", exact=True)
    editor.fill("fitness Upside {\n  penalize raw_xev: 1\n}")
    editor.press("Control+Enter")
    expect(watched.tab.get_by_text(re.compile("^Upside puts Option . first"))).to_be_visible(timeout=SOON)
    editor.fill("fitness Upside {\n  maximize raw_xevv: 1\n}")
    editor.press("Control+Enter")
    expect(watched.tab.get_by_text("Did you mean raw_xev?")).to_be_visible(timeout=SOON)


@pytest.mark.parametrize("path", ["compare", *in_a_soak(["spectrum", "lineage", "fitness"])])
@pytest.mark.soak
def test_the_pages_fit_a_phone_and_can_be_read_by_everybody(on_phone: WatchedPage, path: str) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe-playwright-python is not installed")
    tab = on_phone.tab
    tab.emulate_media(color_scheme="dark")
    tab.goto(f"{on_phone.address}/{path}?{LINK}&theta=gain")
    ready = {"lineage": tab.get_by_test_id("tree"), "fitness": tab.get_by_text("Gain ranks the options")}
    expect(ready.get(path, tab.get_by_test_id("pitch")).first).to_be_visible(timeout=PATIENT)
    assert tab.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    found = axe.Axe().run(tab, options=RULES).response["violations"]
    assert [f"{rule['id']}: {rule['nodes'][0]['html'][:160]}" for rule in found] == []
