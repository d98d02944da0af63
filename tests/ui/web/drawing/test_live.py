"""A part that is drawn again by itself is another one each time its page is drawn."""

from __future__ import annotations

from streamlit.testing.v1 import AppTest


def a_page_that_waits() -> None:
    import streamlit as st
    from streamlit.runtime.scriptrunner_utils.script_run_context import ThreadState

    from ui.web.drawing.live import draw_until

    draw_until(lambda: False, 60.0, lambda: st.text(ThreadState.get().fragment_id))


def test_a_part_of_the_page_before_is_unknown_to_the_page_drawn_anew() -> None:
    # A busy server once drew such a part in place of the page whose end it had yet to send: half a page stood for good.
    page = AppTest.from_function(a_page_that_waits).run()
    first = page.text[0].value
    second = page.run().text[0].value
    assert not page.exception
    assert first
    assert second
    assert first != second
