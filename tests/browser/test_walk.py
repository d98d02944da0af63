"""One squad through the World Cup in a real browser: limits follow the round, transfers come first, hits count."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.cases.judged_worlds import a_judge, world_cup_signals
from tests.tools.browser import WatchedPage, open_round

pytestmark = pytest.mark.browser

PATIENT = 180_000
LIMITS = {
    2: ("with 2 free", 100.0),
    4: ("all free this round", 105.0),
    5: ("with 4 free", 105.0),
    8: ("with 6 free", 105.0),
}
"""What the game gives before a round: free transfers as the card says them, and the budget."""


def board_of(tab: Page, number: int) -> str:
    """Wait for the board of a round and return the text of its transfer card."""
    expect(tab.get_by_test_id("head")).to_be_visible(timeout=PATIENT)
    card = tab.locator(".st-key-transfer_card")
    expect(card).to_contain_text(LIMITS[number][0], timeout=PATIENT)
    return card.inner_text()


def figures(tab: Page) -> dict[str, str]:
    """Return the four large figures of the option that is shown, each with the words under it."""
    four = tab.get_by_test_id("four").first
    return {
        item.locator("dt").inner_text(): " ".join(item.locator("dd").all_inner_texts())
        for item in four.locator("div").all()
    }


def number_in(text: str) -> float:
    found = re.search(r"-?\d+\.\d", text)
    assert found, text
    return float(found[0])


def test_limits_follow_the_round_and_nobody_who_is_out_is_kept_unsaid(watched: WatchedPage) -> None:
    judge = a_judge(world_cup_signals(2))
    squad = judge.view.signals.player_id[judge.pool[-1]]
    tab, numbers = watched.tab, ",".join(map(str, squad))
    tab.goto(f"{watched.address}/pick?world=wc2026&round=2&theta=neutral&current={numbers}&generations=1")
    for place, number in enumerate(LIMITS):
        if place:
            open_round(tab, number)
        card = board_of(tab, number)
        shown = figures(tab)
        assert number_in(shown["Spent"]) <= LIMITS[number][1]
        assert number_in(shown["Spent"]) + number_in(shown["Spent"].split("m", 1)[1]) == pytest.approx(
            LIMITS[number][1]
        )
        beyond = re.search(r"(\d+) beyond that cost (\d+) points", card)
        if beyond:
            assert f"{beyond[2]} of hits taken off" in shown["Expected"]
        assert_nobody_out(tab, number)


def assert_nobody_out(tab: Page, number: int) -> None:
    """Whoever of the squad has no match stays only by name."""
    signals = world_cup_signals(number)
    pitch = tab.get_by_test_id("pitch").first
    ids = [int(player) for player in str(pitch.get_attribute("data-squad")).split(",")]
    said = tab.locator("body").inner_text()
    for player in ids:
        row = signals.row_of(player)
        if signals.unavailable[row]:
            assert f"You keep {signals.short[row]}" in said
