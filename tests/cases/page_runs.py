"""Pages run without a browser on a small world of the visitor's own: what they say and draw, and waiting for it."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable
from typing import Any

from streamlit.testing.v1 import AppTest

from ui.web.work.background import background

SECONDS = 180
PATIENCE = 120.0
PAUSE = 1.5
"""Seconds between two looks at a page that works: drawing it takes time from the very work that is waited for."""

GLANCE = 0.05
"""Seconds between two looks at whether anything is still being worked on."""


def a_page(module: str, **query: str) -> AppTest:
    """Run a page of `ui` as the navigation would, from a link."""
    script = f"from ui.web.pages import {module}\nfrom ui.web.choice.frame import guarded\nguarded({module}.show)()"
    return opened(AppTest.from_string(script, default_timeout=SECONDS), **query)


def opened(page: AppTest, **query: str) -> AppTest:
    """Run a page for the first time, from a link."""
    for name, value in query.items():
        page.query_params[name] = value
    return page.run()


def sentences(page: AppTest) -> str:
    """Return all that the page says in boxes, captions and plain text; no page may have failed."""
    assert not page.exception, page.exception
    boxes = (*page.error, *page.warning, *page.info, *page.success, *page.caption, *page.markdown, *page.text)
    return "\n".join(str(box.value) for box in boxes)


def drawn(page: AppTest) -> str:
    """Return all that the page draws as HTML of its own, in order: what stands still and what can be pressed."""
    found = (node for node in page if getattr(node, "type", "") in ("html", "bidi_component"))
    return "".join(_html(node.proto) for node in found)


def _html(drawn: Any) -> str:
    return str(drawn.body) if hasattr(drawn, "body") else str(json.loads(drawn.json).get("html", ""))


def tables(page: AppTest) -> list[list[list[str]]]:
    """Return the plain tables of the page, row by row, heads first."""
    return [
        [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row) for row in table.split("<tr>")[1:]]
        for table in drawn(page).split('<table class="xi-table">')[1:]
    ]


def pitches(page: AppTest) -> list[str]:
    """Return the squads on the pitches, as player ids in order."""
    return [part.partition('"')[0] for part in drawn(page).split('data-squad="')[1:]]


def link(page: AppTest) -> dict[str, str]:
    """Return the parameters of the address bar."""
    return {name: value if isinstance(value, str) else value[0] for name, value in page.query_params.items()}


def until(page: AppTest, shown: Callable[[AppTest], bool]) -> AppTest:
    """Run the page again, as a browser does by itself, until it shows what is waited for."""
    limit = time.monotonic() + PATIENCE
    while not shown(page):
        assert not page.exception, page.exception
        assert time.monotonic() < limit, "it never came"
        _rest()
        page.run()
    assert not page.exception, page.exception
    return page


def _rest() -> None:
    """Wait until nothing is worked on beside the page, or for a while."""
    limit = time.monotonic() + PAUSE
    time.sleep(GLANCE)
    while background().waiting() and time.monotonic() < limit:
        time.sleep(GLANCE)


def with_pitches(page: AppTest, count: int = 1) -> AppTest:
    """Run the page until so many pitches are drawn."""
    return until(page, lambda seen: len(pitches(seen)) == count)
