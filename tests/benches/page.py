"""How fast the page is: first paint, a switch, a new board, another round. Run `python -m tests.benches.page`."""

from __future__ import annotations

import re
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

BARS = {
    "frame and deadline, cold": 2.0,
    "cards of the week, cold": 5.0,
    "cards of the week, warm": 1.5,
    "five rounds planned": 4.0,
    "an edit of them": 1.5,
    "plan figures of the week": 10.0,
    "a standing measured": 5.0,
    "cached switch": 0.5,
    "uncached board": 2.5,
    "another round": 3.0,
}
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
        started = time.perf_counter()
        tab.goto(address)
        _seen(tab, "[data-testid=head]")
        frame = time.perf_counter() - started
        _week(tab)
        cold = time.perf_counter() - started
        warm = _seconds(lambda: tab.goto(address), lambda: _week(tab))
        tab.goto(f"{address}/plan?round=2")
        _seen(tab, ".st-key-theta_choice")
        planned = _seconds(
            lambda: tab.get_by_role("radio", name="Neutral").click(), lambda: _seen(tab, "[data-testid=timeline]")
        )
        edited = _edited(tab)
        tab.goto(f"{address}/?round=3&theta=gain")
        looked_ahead = _seconds(lambda: None, lambda: _seen(tab, "[data-testid=plan-gain][data-planned=yes]"))
        standing = _seconds(lambda: tab.goto(f"{address}/?round=3&lead=-40&horizon=1"), lambda: _seen(tab, ".xi-best"))
        boards = [_board(tab, f"{address}/pick?round={number}", theta) for number, theta in BOARDS]
        tab.goto(f"{address}/pick?round=1&theta=neutral")
        _seen(tab, "[data-testid=pitch]")
        for theta in ("Gain", "Protect"):
            _switched(tab, theta)
        switches = [_switched(tab, theta) for theta in ("Gain", "Protect") * (SWITCHES // 2)]
        rounds = [_moved(tab, number) for number in UNSEEN]
        browser.close()
    return {
        "frame and deadline, cold": frame,
        "cards of the week, cold": cold,
        "cards of the week, warm": warm,
        "five rounds planned": planned,
        "an edit of them": edited,
        "plan figures of the week": looked_ahead,
        "a standing measured": standing,
        "cached switch": median(switches),
        "uncached board": median(boards),
        "another round": median(rounds),
    }


def _edited(tab: Page) -> float:
    """Return the seconds from asking for a round without a booster to the plan that has none in it."""
    expect(tab.get_by_text("A first answer")).to_have_count(0, timeout=PATIENT)
    tab.get_by_role("combobox", name=re.compile("^Booster in")).click(timeout=PATIENT)
    asked = tab.get_by_role("option", name="No booster", exact=True)
    told = tab.get_by_role("button", name=re.compile("^No booster in"))
    return _seconds(asked.click, lambda: expect(told).to_be_visible(timeout=PATIENT))


def _week(tab: Page) -> None:
    """Wait until all three cards have their figures."""
    expect(tab.locator("[data-state=ready]")).to_have_count(3, timeout=PATIENT)


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
