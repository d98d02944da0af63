"""Pick in a real browser: cards, a board for each objective, wishes, links, several visitors, a phone."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.cases.small_world import CUP_NAME, player_of
from tests.conftest import in_a_soak
from tests.tools.browser import (
    DRAWN,
    PHONE,
    WIDE,
    WatchedPage,
    assert_settled_within,
    stopped_in_time,
    visit,
    watch_shifts,
)

pytestmark = pytest.mark.browser

SOON, PATIENT = 90_000, 90_000
KEYSTROKE = 100  # milliseconds
ENDLESS = 2_000
"""Generations that never come: a search ends when forty in a row were no better, after some seconds."""

TRIES = 5
LONGER_THAN_A_SEARCH = 10_000  # milliseconds


def pitch(tab: Page) -> Locator:
    return tab.locator("[data-testid=pitch]:visible")


def squad(tab: Page) -> str:
    """The ids of the squad on the pitch, once it is drawn."""
    expect(pitch(tab).locator("li.xi-man")).to_have_count(15, timeout=PATIENT)
    return str(pitch(tab).get_attribute("data-squad"))


def settled(tab: Page) -> None:
    """Wait until nothing more is drawn: the proof is out, and a list that is opened stays open."""
    expect(tab.get_by_text("Being computed")).to_have_count(0, timeout=PATIENT)
    expect(tab.locator(DRAWN)).to_be_visible(timeout=SOON)


def choose(tab: Page, label: str, name: str) -> None:
    """Type a name into a list, no faster than people do, and take the first player it finds.

    A list opens a moment after the first letter, and stays closed where all of them come at once.
    """
    box = tab.get_by_label(label)
    box.click(timeout=SOON)
    settled(tab)
    box.press_sequentially(name, delay=KEYSTROKE)
    tab.get_by_role("option", name=re.compile(name)).first.click()


def breeds(tab: Page, link: str) -> bool:
    """Open a link; whether its search is under way and not ended long ago."""
    tab.goto(link)
    running = tab.get_by_text(re.compile(r"generation \d+"))
    expect(running.or_(pitch(tab)).first).to_be_visible(timeout=PATIENT)
    return running.is_visible()


def bench_men(count: int) -> list[int]:
    """Ids of men nobody misses: each of them ruled out makes a search of its own."""
    from data.worlds.library import find_world

    players = find_world("wc2026").at(2).players
    return [int(player) for player in players.sort_values(["owned", "player_id"])["player_id"].head(count)]


def ids_of(team: str, count: int) -> str:
    from data.worlds.library import find_world

    players = find_world("wc2026").at(1).players
    return ",".join(str(player) for player in players.loc[players["team"] == team, "player_id"].head(count))


def test_the_first_paint_has_three_cards_and_none_is_chosen(watched: WatchedPage) -> None:
    watched.tab.goto(f"{watched.address}/pick")
    for theta in ("protect", "neutral", "gain"):
        card = watched.tab.get_by_test_id(f"card-{theta}")
        expect(card).to_be_visible(timeout=PATIENT)
        told = re.compile(r"Captain.*Expected.*points.*8 in 10", re.DOTALL)
        expect(card).to_contain_text(told, timeout=PATIENT)
    expect(watched.tab.get_by_test_id("head")).to_contain_text("Thu 11 Jun 2026, 21:00 Europe/Berlin")
    expect(pitch(watched.tab)).to_have_count(0)
    expect(watched.tab).to_have_url(f"{watched.address}/pick")


@pytest.mark.parametrize("theta", ["Protect", *in_a_soak(["Neutral", "Gain"])])
@pytest.mark.soak
def test_a_card_opens_its_board(watched: WatchedPage, theta: str) -> None:
    watched.tab.goto(f"{watched.address}/pick")
    watched.tab.get_by_role("button", name=f"Choose {theta}").click(timeout=PATIENT)
    assert len(set(squad(watched.tab).split(","))) == 15
    expect(watched.tab).to_have_url(re.compile(f"round=1&theta={theta.lower()}"))
    expect(watched.tab.get_by_role("tab", name=re.compile("^Recommended"))).to_be_visible()
    expect(watched.tab.get_by_test_id("armband")).to_contain_text("Start with")
    expect(watched.tab.get_by_text(f"under {theta.lower()}")).to_be_visible()
    chart = watched.tab.get_by_test_id("waterfall").filter(has_text="Captain again")
    expect(chart).to_be_visible(timeout=SOON)
    expect(chart.locator("i").first).to_have_css("background-color", "rgb(0, 110, 89)")


@pytest.mark.soak
def test_options_are_tabs_that_the_keyboard_moves_between(watched: WatchedPage) -> None:
    watched.tab.goto(f"{watched.address}/pick?theta=gain&round=1")
    first = squad(watched.tab)
    watched.tab.get_by_role("tab", name=re.compile("^Recommended")).focus()
    watched.tab.keyboard.press("ArrowRight")
    watched.tab.keyboard.press("Enter")
    expect(pitch(watched.tab)).not_to_have_attribute("data-squad", first, timeout=SOON)
    expect(watched.tab.get_by_text("Against the recommended squad")).to_be_visible(timeout=SOON)


def test_the_downloaded_lineup_is_the_squad_on_the_pitch(watched: WatchedPage, tmp_path: Path) -> None:
    watched.tab.goto(f"{watched.address}/pick?theta=protect&round=1")
    shown = squad(watched.tab)
    with watched.tab.expect_download(timeout=SOON) as download:
        watched.tab.get_by_role("button", name="Download line-up").click()
    target = tmp_path / "lineup.csv"
    download.value.save_as(target)
    lineup = target.read_bytes().decode("utf-8-sig").partition("\n\n")[0]
    assert ",".join(row["id"] for row in csv.DictReader(io.StringIO(lineup))) == shown
    assert download.value.suggested_filename == "thetaxi-wc2026-1-protect.csv"


def test_a_reload_and_the_back_button_reproduce_what_was_shown(watched: WatchedPage) -> None:
    watched.tab.goto(f"{watched.address}/pick?theta=protect&round=1")
    first = squad(watched.tab)
    watched.tab.get_by_role("radio", name="Gain").click()
    expect(pitch(watched.tab)).not_to_have_attribute("data-squad", first, timeout=PATIENT)
    expect(watched.tab).to_have_url(re.compile("theta=gain"))
    second = squad(watched.tab)
    watched.tab.reload()
    assert squad(watched.tab) == second
    watched.tab.go_back()
    expect(pitch(watched.tab)).to_have_attribute("data-squad", first, timeout=PATIENT)


@pytest.mark.soak
def test_a_must_have_is_typed_and_picked(watched: WatchedPage) -> None:
    watched.tab.goto(f"{watched.address}/pick?world={CUP_NAME}&theta=neutral&round=1")
    squad(watched.tab)
    settled(watched.tab)
    watched.tab.get_by_role("button", name="Wishes").click()
    choose(watched.tab, "Must have", "Ødegaard")
    expect(pitch(watched.tab)).to_contain_text("Ødegaard", timeout=PATIENT)
    expect(watched.tab).to_have_url(re.compile("locks="))


@pytest.mark.soak
def test_impossible_locks_name_a_way_out_that_works(watched: WatchedPage) -> None:
    locks = ",".join(str(player_of("A2", position)) for position in ("GK", "DEF", "MID", "FWD"))
    watched.tab.goto(f"{watched.address}/pick?world={CUP_NAME}&theta=protect&round=1&locks={locks}")
    expect(watched.tab.get_by_text("No legal squad")).to_be_visible(timeout=PATIENT)
    expect(pitch(watched.tab)).to_have_count(0)
    watched.tab.get_by_role("button", name=re.compile("^Unlock ")).first.click()
    squad(watched.tab)
    expect(watched.tab.get_by_text("No legal squad")).to_have_count(0)


@pytest.mark.soak
def test_a_search_stops_on_request_with_the_best_so_far(watched: WatchedPage) -> None:
    links = (f"{watched.address}/pick?theta=gain&round=2&generations={ENDLESS}&bans={man}" for man in bench_men(TRIES))
    stop = "Stop and show the best so far"
    assert any(stopped_in_time(watched.tab, link, stop, pitch(watched.tab)) for link in links)
    squad(watched.tab)
    watched.tab.get_by_role("button", name="Search again").click()
    expect(watched.tab.get_by_text(re.compile(r"generation \d+"))).to_be_visible(timeout=PATIENT)


@pytest.mark.soak
def test_a_closed_tab_stops_its_search(browser: Browser, watched: WatchedPage) -> None:
    links = (
        f"{watched.address}/pick?theta=neutral&round=2&generations={ENDLESS}&bans={man}" for man in bench_men(TRIES)
    )
    other = browser.new_context()
    tab = other.new_page()
    link = next(link for link in links if breeds(tab, link))
    other.close()
    watched.tab.wait_for_timeout(LONGER_THAN_A_SEARCH)
    watched.tab.goto(link)  # a search that had gone on would have its board out by now
    expect(watched.tab.get_by_text(re.compile(r"generation \d+"))).to_be_visible(timeout=PATIENT)


@pytest.mark.soak
def test_two_visitors_do_not_see_each_others_wishes(browser: Browser, watched: WatchedPage) -> None:
    spain, france = (ids_of(team, 2) for team in ("ESP", "FRA"))
    with visit(browser, watched.address, viewport=WIDE) as theirs:
        watched.tab.goto(f"{watched.address}/pick?theta=protect&round=1&locks={spain}")
        theirs.tab.goto(f"{watched.address}/pick?theta=gain&round=1&locks={france}")
        mine, yours = squad(watched.tab), squad(theirs.tab)
        assert set(spain.split(",")) <= set(mine.split(","))
        assert set(france.split(",")) <= set(yours.split(","))
        watched.tab.get_by_role("radio", name="Neutral").click()
        expect(watched.tab).to_have_url(re.compile(f"theta=neutral.*locks={spain.replace(',', '(,|%2C)')}"))
        expect(theirs.tab).to_have_url(re.compile("theta=gain"))
        assert squad(theirs.tab) == yours


@pytest.mark.soak
def test_an_unknown_deep_link_is_told_and_the_page_works(watched: WatchedPage) -> None:
    watched.tab.goto(f"{watched.address}/pick?world=atlantis&theta=win&locks=%3Cscript%3E")
    expect(watched.tab.get_by_text("There is no competition")).to_be_visible(timeout=PATIENT)
    expect(watched.tab.get_by_test_id("card-gain")).to_be_visible(timeout=SOON)


@pytest.mark.soak
def test_why_not_names_what_a_player_costs(watched: WatchedPage) -> None:
    watched.tab.goto(f"{watched.address}/pick?theta=protect&round=1")
    squad(watched.tab)
    settled(watched.tab)
    watched.tab.get_by_text("Why not …? The best squad").click()
    choose(watched.tab, "Why not …?", "Saka")
    expect(watched.tab.get_by_text(re.compile(r"Saka (costs|is in the best squad)"))).to_be_visible(timeout=PATIENT)


@pytest.mark.soak
def test_the_page_fits_a_phone(on_phone: WatchedPage) -> None:
    on_phone.tab.goto(f"{on_phone.address}/pick?theta=gain&round=1")
    squad(on_phone.tab)
    assert on_phone.tab.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    cards = pitch(on_phone.tab).locator("li.xi-man").all()
    boxes = [box for box in (card.bounding_box() for card in cards) if box is not None]
    assert len(boxes) == 15
    assert all(box["x"] >= 0 and box["x"] + box["width"] <= PHONE["width"] for box in boxes)


@pytest.mark.soak
def test_a_player_is_opened_by_mouse_and_by_keyboard_and_made_a_must(watched: WatchedPage) -> None:
    watched.tab.goto(f"{watched.address}/pick?world={CUP_NAME}&theta=neutral&round=1")
    shown = squad(watched.tab).split(",")
    settled(watched.tab)
    man = pitch(watched.tab).locator(f"[data-pick='{shown[3]}']")
    man.click()
    card = watched.tab.get_by_role("dialog")
    expect(card.get_by_text("Where his points come from")).to_be_visible(timeout=SOON)
    expect(card.get_by_label("Next matches, with expected points").locator("li").first).to_be_visible()
    watched.tab.keyboard.press("Escape")
    expect(card).to_have_count(0, timeout=SOON)
    expect(man).to_be_focused()
    watched.tab.keyboard.press("Enter")
    card.get_by_role("button", name="Must have").click(timeout=SOON)
    expect(watched.tab).to_have_url(re.compile(f"locks={shown[3]}"), timeout=SOON)
    watched.tab.get_by_role("button", name="Undo").click(timeout=PATIENT)
    expect(watched.tab).not_to_have_url(re.compile("locks="), timeout=SOON)


@pytest.mark.parametrize("size", [WIDE, *in_a_soak([PHONE])], ids=lambda size: str(size["width"]))
@pytest.mark.soak
def test_the_pitch_stands_in_the_first_screen_and_nothing_jumps(
    browser: Browser, watched: WatchedPage, size: dict[str, int]
) -> None:
    link = f"{watched.address}/pick?world={CUP_NAME}&theta=neutral&round=1"
    watched.tab.goto(link)
    squad(watched.tab)
    with visit(browser, watched.address, viewport=size) as again:
        watch_shifts(again.tab)
        again.tab.goto(link)
        squad(again.tab)
        settled(again.tab)
        bench = pitch(again.tab).locator(".xi-bench")
        assert_settled_within(again.tab, bench, (1 if size is WIDE else 1.5) * size["height"])
