"""The page in a real browser: it paints, it answers, and it talks to nobody but its own server."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.tools.browser import DRAWN, WatchedPage, open_round

pytestmark = pytest.mark.browser


def test_the_navigation_leads_to_the_players_of_the_bundled_world_cup(watched: WatchedPage) -> None:
    watched.tab.goto(watched.address)
    watched.tab.get_by_role("link", name="Players").click(timeout=90_000)
    expect(watched.tab.get_by_role("heading", name="Players")).to_be_visible(timeout=90_000)
    expect(watched.tab.get_by_text("1,482 of 1,482 players")).to_be_visible(timeout=90_000)
    expect(watched.tab.get_by_text("Matchday 1 · deadline", exact=False)).to_be_visible()


@pytest.mark.soak
def test_the_drawer_of_a_narrow_window_closes_over_the_page_that_was_chosen(on_phone: WatchedPage) -> None:
    tab = on_phone.tab
    tab.goto(f"{on_phone.address}/players")
    for name in ("My team", "Data"):
        expect(tab.locator(DRAWN)).to_be_visible(timeout=90_000)  # the drawer closes over a page that is being drawn
        tab.get_by_test_id("stExpandSidebarButton").click(timeout=90_000)
        tab.get_by_role("link", name=name).click(timeout=90_000)
        expect(tab.get_by_role("heading", name=name, level=1)).to_be_visible(timeout=90_000)
        expect(tab.get_by_test_id("stSidebar")).to_have_attribute("data-collapsed", "true", timeout=90_000)


@pytest.mark.soak
def test_another_round_is_one_click_and_a_link(watched: WatchedPage) -> None:
    watched.tab.goto(f"{watched.address}/players")
    open_round(watched.tab, 4)
    expect(watched.tab.get_by_text("Round of 32 · deadline", exact=False)).to_be_visible(timeout=90_000)
    expect(watched.tab).to_have_url(re.compile("round=4"))
    watched.tab.reload()
    expect(watched.tab.get_by_text("Round of 32 · deadline", exact=False)).to_be_visible(timeout=90_000)


@pytest.mark.soak
def test_a_search_finds_names_without_their_accents(watched: WatchedPage) -> None:
    watched.tab.goto(f"{watched.address}/players")
    box = watched.tab.get_by_label("Search", exact=True)
    box.fill("mbappe", timeout=90_000)
    box.press("Enter")
    expect(watched.tab.get_by_text("1 of 1,482 players")).to_be_visible(timeout=90_000)


@pytest.mark.soak
def test_an_unknown_round_in_a_link_shows_no_traceback(watched: WatchedPage) -> None:
    watched.tab.goto(f"{watched.address}/players?round=99&world=nowhere")
    expect(watched.tab.get_by_text("of 1,482 players")).to_be_visible(timeout=90_000)
    expect(watched.tab.get_by_text("Traceback")).to_have_count(0)


def test_a_player_opens_with_his_lines_and_his_distribution(watched: WatchedPage) -> None:
    watched.tab.goto(f"{watched.address}/players?round=4")
    expect(watched.tab.get_by_role("heading", name="eight times in ten")).to_be_visible(timeout=60_000)
    expect(watched.tab.get_by_role("listitem").filter(has_text="Certainty")).to_contain_text("eight times in ten")
    expect(watched.tab.get_by_test_id("waterfall").filter(has_text="xEV")).to_be_visible(timeout=90_000)
    expect(watched.tab.locator("svg").filter(has_text="Probability").first).to_be_visible(timeout=90_000)


@pytest.mark.soak
def test_a_squad_stands_under_three_objectives_and_a_broken_spec_is_explained(watched: WatchedPage) -> None:
    watched.tab.goto(f"{watched.address}/fitness")
    for theta in ("Protect", "Neutral", "Gain"):
        expect(watched.tab.get_by_role("heading", name=theta, exact=True)).to_be_visible(timeout=60_000)
    waterfalls = watched.tab.get_by_test_id("waterfall").filter(has_text="Captain again")
    expect(waterfalls.first).to_be_visible(timeout=90_000)
    expect(waterfalls).to_have_count(4, timeout=90_000)
    editor = watched.tab.get_by_label("Spec", exact=True)
    editor.fill("fitness Mine {\n  maximize raw_xevv: 1\n}")
    editor.press("Control+Enter")
    expect(watched.tab.get_by_text("Did you mean raw_xev?")).to_be_visible(timeout=90_000)
    editor.fill("fitness Mine {\n  maximize raw_xev: 1\n}")
    editor.press("Control+Enter")
    expect(watched.tab.get_by_text("Mine is fine")).to_be_visible(timeout=90_000)
