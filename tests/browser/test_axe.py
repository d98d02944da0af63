"""Every page passes the accessibility rules (WCAG 2.1 A and AA) in light and dark, wide and on a phone."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.cases.small_world import CUP_NAME
from tests.tools.browser import DRAWN
from ui.web.pages.navigation import PAGES

axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe-playwright-python is not installed")
pytestmark = [pytest.mark.browser, pytest.mark.once]

RULES = {"runOnly": {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"]}}
VIEWS = [("light", 1280), ("dark", 1280), ("light", 390), ("dark", 390)]
ADDRESSES = {entry.path: entry.path for entry in PAGES} | {
    "this-week": "",
    "pick a board": "pick?theta=gain&round=1",
    "a plan": f"plan?world={CUP_NAME}&theta=gain&round=2",
}
SHOWN = {"pick a board": "pitch", "a plan": "timeline", "this-week": "shared"}
"""What a page draws last."""

PATIENT = 120_000
QUICK = {"this-week": ("light", 390), "pick a board": ("dark", 1280), "a plan": ("dark", 390)}
CASES = [
    pytest.param(name, *view, marks=() if QUICK.get(name) == view else pytest.mark.soak)
    for name in ADDRESSES
    for view in VIEWS
]
"""Every page in every view; outside a soak the busiest pages in one of them."""


def settled(tab: Page, name: str) -> None:
    """Wait until the page has drawn all it draws without being asked."""
    expect(tab.get_by_role("heading", level=1)).to_be_visible(timeout=PATIENT)
    if name in SHOWN:
        expect(tab.get_by_test_id(SHOWN[name])).to_be_visible(timeout=PATIENT)
    expect(tab.locator(DRAWN)).to_be_visible(timeout=PATIENT)
    expect(tab.locator("[data-testid=stSkeleton]")).to_have_count(0, timeout=PATIENT)


@pytest.mark.parametrize(("name", "theme", "width"), CASES)
@pytest.mark.daily("a plan")
def test_no_rule_is_broken(browser: Browser, address: str, name: str, theme: str, width: int) -> None:
    context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=theme)  # type: ignore[arg-type]
    tab = context.new_page()
    tab.goto(f"{address}/{ADDRESSES[name]}")
    settled(tab, name)
    found = axe.Axe().run(tab, options=RULES).response["violations"]
    context.close()
    told = [
        f"{rule['id']}: {rule['help']}: " + " | ".join(node["html"][:160] for node in rule["nodes"][:3])
        for rule in found
    ]
    assert told == []
