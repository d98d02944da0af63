"""SquadBench in a real browser: the last leaderboard is there, the quick bench starts, shows progress and stops."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from data.storage.files import HOME_VARIABLE
from tests.browser.conftest import Site
from tests.cases.board_cases import a_placing, put_board
from tests.tools.browser import WatchedPage

pytestmark = pytest.mark.browser

PATIENT = 180_000


@pytest.mark.soak
def test_the_board_is_shown_and_a_bench_is_started_and_stopped(
    watched: WatchedPage, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(HOME_VARIABLE, str(site.home))
    put_board(a_placing("ours", 0.95), a_placing("greedy", 0.2))
    tab = watched.tab
    tab.goto(f"{watched.address}/squadbench")
    expect(tab.get_by_role("heading", name="Your last bench")).to_be_visible(timeout=PATIENT)
    tab.get_by_text("Begin anew").click(timeout=PATIENT)
    tab.get_by_role("button", name="Run the quick bench").click(timeout=PATIENT)
    expect(tab.get_by_text("Proving the optimum")).to_be_visible(timeout=PATIENT)
    tab.get_by_role("button", name="Stop").click(timeout=PATIENT)
    expect(tab.get_by_role("button", name="Run the quick bench")).to_be_visible(timeout=PATIENT)


@pytest.mark.soak
def test_who_passes_by_comes_back_to_his_plan(watched: WatchedPage) -> None:
    tab = watched.tab
    tab.goto(f"{watched.address}/data?round=2&theta=gain&bans=5")
    expect(tab).to_have_url(re.compile("world=wc2026"), timeout=PATIENT)
    for page in ("Lab", "SquadBench", "Data"):
        tab.get_by_role("link", name=page, exact=True).click(timeout=PATIENT)
        expect(tab.get_by_role("heading", name=page, level=1)).to_be_visible(timeout=PATIENT)
        expect(tab).to_have_url(re.compile(rf"/{page.lower()}\?.*bans=5"), timeout=PATIENT)
