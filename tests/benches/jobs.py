"""What a manager's jobs cost on the page: clicks and seconds from the first screen of a warm server, for both games.

Seconds run from the opening of the page to the answer; a browser clicks as soon as it can, so reading is not in them.

    python -m tests.benches.jobs
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from playwright.sync_api import Locator, Page, expect, sync_playwright

from data.worlds.library import DEFAULT_WORLD
from tests.tools.browser import CHROMIUM, NO_CHROMIUM, launch, running_page

GAMES = (DEFAULT_WORLD, "fpl2025-26")
TIMES = 3
PATIENT = 120_000


@dataclass(eq=False)
class Visit:
    """A visitor whose clicks are counted."""

    tab: Page
    clicks: int = 0

    def press(self, what: Locator) -> None:
        """Click something as soon as it is there."""
        self.clicks += 1
        what.click(timeout=PATIENT)

    def sees(self, what: Locator) -> None:
        """Wait until something is there."""
        expect(what.first).to_be_visible(timeout=PATIENT)


def this_week(visit: Visit) -> None:
    """What do I do this week: the sentence, and a figure on each plan's card."""
    expect(visit.tab.locator("[data-state=ready]")).to_have_count(3, timeout=PATIENT)
    visit.sees(visit.tab.get_by_test_id("answer"))


def pick(visit: Visit) -> None:
    """A squad under an objective, on a pitch with its armband and bench."""
    this_week(visit)
    visit.press(visit.tab.get_by_test_id("plan-gain"))
    visit.sees(visit.tab.locator(".xi-bench"))


def compare(visit: Visit) -> None:
    """Protect and gain side by side."""
    this_week(visit)
    visit.press(visit.tab.get_by_role("link", name="Compare Protect and Gain"))
    visit.sees(visit.tab.get_by_role("heading", name="Where the scores come from"))


def export(visit: Visit) -> None:
    """The line-up as a CSV file."""
    pick(visit)
    with visit.tab.expect_download(timeout=PATIENT) as arriving:
        visit.press(visit.tab.get_by_role("button", name="Download line-up"))
    assert arriving.value.path().stat().st_size > 0


def booster(visit: Visit) -> None:
    """When do I use my chip: what each brings in every round, beside the plan."""
    visit.press(visit.tab.get_by_role("link", name="Next weeks"))
    visit.press(visit.tab.get_by_role("radio", name="Neutral"))
    visit.sees(visit.tab.get_by_test_id("timeline"))
    visit.sees(visit.tab.get_by_test_id("boosters"))


JOBS: dict[str, Callable[[Visit], None]] = {
    "what do I do this week": this_week,
    "pick": pick,
    "compare": compare,
    "export": export,
    "when do I use my chip": booster,
}


def measure_the_jobs() -> dict[str, float]:
    """Return clicks and seconds of every job, nothing where there is no browser."""
    if CHROMIUM is None:
        print(NO_CHROMIUM, file=sys.stderr)
        return {}
    figures: dict[str, float] = {}
    for game in GAMES:
        for name, (clicks, seconds) in _measured(game).items():
            figures |= {f"{game}: {name}, clicks": clicks, f"{game}: {name}, seconds": seconds}
    return figures


def _measured(game: str) -> dict[str, tuple[int, float]]:
    found: dict[str, tuple[int, float]] = {}
    with tempfile.TemporaryDirectory() as home, running_page(Path(home)) as address, sync_playwright() as playwright:
        browser = launch(playwright)
        for name, job in JOBS.items():
            done = []
            for _ in range(TIMES + 1):  # the first warms the server
                visit = Visit(browser.new_page(viewport={"width": 1280, "height": 900}))
                started = time.perf_counter()
                visit.tab.goto(f"{address}/?world={game}")
                job(visit)
                done.append((visit.clicks, time.perf_counter() - started))
                visit.tab.close()
            found[name] = (done[-1][0], median(seconds for _, seconds in done[1:]))
        browser.close()
    return found


def main() -> None:
    """Print clicks and seconds of every job."""
    for name, figure in measure_the_jobs().items():
        print(f"{figure:8.2f}  {name}")


if __name__ == "__main__":
    main()
