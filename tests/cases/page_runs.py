"""One page run without a browser, on a small world of the visitor's own."""

from __future__ import annotations

from streamlit.testing.v1 import AppTest

SECONDS = 180


def a_page(module: str, **query: str) -> AppTest:
    """Run a page of `ui` as the navigation would, from a link."""
    script = f"from ui.web.pages import {module}\nfrom ui.web.choice.frame import guarded\nguarded({module}.show)()"
    page = AppTest.from_string(script, default_timeout=SECONDS)
    for name, value in query.items():
        page.query_params[name] = value
    return page.run()


def sentences(page: AppTest) -> str:
    """Return all that the page says in boxes, captions and plain text; no page may have failed."""
    assert not page.exception, page.exception
    boxes = (*page.error, *page.warning, *page.info, *page.success, *page.caption, *page.markdown, *page.text)
    return "\n".join(str(box.value) for box in boxes)
