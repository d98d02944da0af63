"""How fast the page is: first paint, a switch, a new board, another round. Run `python -m tests.benches.page`."""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

from playwright.sync_api import Page, expect, sync_playwright

from data.rules import load_rules
from data.worlds.library import DEFAULT_WORLD
from tests.tools.browser import CHROMIUM, NO_CHROMIUM, launch, open_round, running_page

BARS = {"first paint, cold": 5.0, "cached switch": 0.6, "uncached board": 2.5, "another round": 3.0}
"""Seconds on two quiet cores."""

SWITCHES = 6
BOARDS = ((1, "Neutral"), (2, "Gain"), (3, "Protect"), (4, "Neutral"))
"""Rounds and objectives of boards that nobody has asked for before."""

UNSEEN = (5, 6, 7, 8)
"""Rounds that nobody has opened yet."""

PATIENT = 120_000


def measure_the_page() -> dict[str, float]:
    """Return the seconds of each figure beside its bar, nothing where there is no browser."""
    if CHROMIUM is None:
        print(NO_CHROMIUM, file=sys.stderr)
        return {}
    return {f"{name} (bar {BARS[name]:g} s)": seconds for name, seconds in measure().items()}


def measure() -> dict[str, float]:
    """Return the seconds of each figure; medians where it is taken several times."""
    with tempfile.TemporaryDirectory() as home, running_page(Path(home)) as address, sync_playwright() as playwright:
        browser = launch(playwright)
        tab = browser.new_page(viewport={"width": 1280, "height": 900})
        first = _seconds(lambda: tab.goto(f"{address}/pick"), lambda: _seen(tab, "[data-testid=card-gain]"))
        boards = [_board(tab, f"{address}/pick?round={number}", theta) for number, theta in BOARDS]
        tab.goto(f"{address}/pick?round=1&theta=neutral")
        _seen(tab, "[data-testid=pitch]")
        for theta in ("Gain", "Protect"):
            _switched(tab, theta)
        switches = [_switched(tab, theta) for theta in ("Gain", "Protect") * (SWITCHES // 2)]
        rounds = [_moved(tab, number) for number in UNSEEN]
        browser.close()
    return {
        "first paint, cold": first,
        "cached switch": median(switches),
        "uncached board": median(boards),
        "another round": median(rounds),
    }


def _board(tab: Page, address: str, theta: str) -> float:
    tab.goto(address)
    _seen(tab, "[data-testid=card-gain]")
    chosen = tab.get_by_role("button", name=f"Choose {theta}")
    return _seconds(chosen.click, lambda: _seen(tab, "[data-testid=pitch]"))


def _moved(tab: Page, number: int) -> float:
    """Return the seconds from the click on a round to its board."""
    label = f"section[data-testid=pitch][aria-label^='{load_rules(DEFAULT_WORLD).round_title(number)},']"
    return _seconds(lambda: open_round(tab, number), lambda: _seen(tab, label))


def _switched(tab: Page, theta: str) -> float:
    label = f"section[data-testid=pitch][aria-label*='{theta.lower()}']"
    return _seconds(tab.get_by_role("radio", name=theta).click, lambda: _seen(tab, label))


def _seen(tab: Page, selector: str) -> None:
    expect(tab.locator(selector).first).to_be_visible(timeout=PATIENT)


def _seconds(act: Callable[[], object], seen: Callable[[], None]) -> float:
    started = time.perf_counter()
    act()
    seen()
    return time.perf_counter() - started


def main() -> None:
    """Print each figure beside its bar."""
    for name, seconds in measure().items():
        print(f"{name:20} {seconds:6.2f} s   (bar {BARS[name]:.1f} s)")


if __name__ == "__main__":
    if CHROMIUM is None:
        sys.exit(NO_CHROMIUM)
    main()
