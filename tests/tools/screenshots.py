"""Pictures of every page: light and dark at 1280, light at 390.

Run `python -m tests.tools.screenshots [folder [name …]]`; names such as plan or compare-plans take these pages alone.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.conftest import ROOT
from tests.tools.browser import CHROMIUM, DRAWN, NO_CHROMIUM, launch, running_page
from ui.web.pages.navigation import PAGES

FOLDER = ROOT / "ui" / "pictures"
VIEWS = (("light", 1280), ("dark", 1280), ("light", 390))
SCREEN, TALLEST = 900, 2400
PATIENT = 300_000
MOMENT = 800
"""Milliseconds that charts take to draw after the page is ready."""

BRED = "?theta=gain&round=1"
LINKS = {entry.path: entry.path for entry in PAGES} | {
    "this-week": "?world=fpl2025-26&round=20",
    "this-week-chosen": "?world=fpl2025-26&round=20&theta=protect",
    "pick": "pick?theta=protect&round=1",
    "plan": "plan?world=fpl2025-26&round=20&theta=protect",
    "compare-plans": "compare?world=fpl2025-26&round=20",
    "players-ahead": "players?world=fpl2025-26&round=20&view=Rounds+to+come",
    "clubs": "players?world=fpl2025-26&round=20&view=Clubs",
    "spectrum": f"spectrum{BRED}",
    "lineage": f"lineage{BRED}",
}
"""Where each picture is taken; This week, Compare and Players several times. A bred page needs an objective."""

READY = {
    "this-week": "[data-testid=shared]",
    "this-week-chosen": "[data-testid=pitch]",
    "pick": "[data-testid=pitch]",
    "plan": "[data-testid=timeline]",
    "compare": "[data-testid=pitch]",
    "compare-plans": "text=Where the two plans part",
    "players-ahead": "[data-testid=horizon]",
    "clubs": "[data-testid=ticker]",
}
PRESSED = {"compare-plans": "Next 5 rounds"}
"""What is pressed before a picture is taken."""


def main(folder: Path, names: Sequence[str] = ()) -> None:
    """Take all pictures, or those of some names, into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as home, running_page(Path(home)) as address, sync_playwright() as playwright:
        browser = launch(playwright)
        for name, link in ((name, link) for name, link in LINKS.items() if not names or name in names):
            for theme, width in VIEWS:
                target = folder / f"{name}-{theme}-{width}.png"
                _take(browser, f"{address}/{link}", name, theme, width, target)
                print(target)
        browser.close()


def _take(browser: Browser, url: str, name: str, theme: str, width: int, target: Path) -> None:
    context = browser.new_context(
        viewport={"width": width, "height": SCREEN},
        color_scheme=theme,
        timezone_id="Europe/Berlin",  # type: ignore[arg-type]
    )
    tab = context.new_page()
    tab.goto(url)
    if name in PRESSED:
        tab.get_by_role("radio", name=PRESSED[name]).click(timeout=PATIENT)
    _wait(tab, name)
    height = tab.evaluate("document.querySelector('[data-testid=stMain]').scrollHeight")
    tab.set_viewport_size({"width": width, "height": min(max(int(height), SCREEN), TALLEST)})
    tab.wait_for_timeout(MOMENT)
    tab.screenshot(path=target)
    context.close()


def _wait(tab: Page, name: str) -> None:
    expect(tab.get_by_role("heading", level=1)).to_be_visible(timeout=PATIENT)
    if name in READY:
        expect(tab.locator(READY[name]).first).to_be_visible(timeout=PATIENT)
    expect(tab.get_by_role("button", name="Stop and show the best so far")).to_have_count(0, timeout=PATIENT)
    expect(tab.get_by_text("Being computed")).to_have_count(0, timeout=PATIENT)
    for words in ("Trying each booster", "Looking ahead", "A first answer", "Playing both plans"):
        expect(tab.get_by_text(words)).to_have_count(0, timeout=PATIENT)
    expect(tab.locator("[data-state=waiting]")).to_have_count(0, timeout=PATIENT)
    expect(tab.locator(DRAWN)).to_be_visible(timeout=PATIENT)
    expect(tab.locator("[data-testid=stSkeleton]")).to_have_count(0, timeout=PATIENT)
    tab.wait_for_timeout(MOMENT)


if __name__ == "__main__":
    if CHROMIUM is None:
        sys.exit(NO_CHROMIUM)
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER, sys.argv[2:])
