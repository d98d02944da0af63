"""The page of the dial: the tally of the whole table, and its parts."""

from __future__ import annotations

from tests.cases.page_runs import a_page, sentences, tables
from ui.web.pages.dial import TITLES


def test_the_page_shows_the_tally_and_the_part_that_is_chosen() -> None:
    page = a_page("dial")
    assert "Protect is judged by the leads it holds" in sentences(page)
    tally, part = tables(page)
    assert tally[0] == ["its goals", "strength", "better", "no difference", "worse"]
    assert part[0][2:] == list(TITLES.values())
    assert part[1][:2] == ["Protect", "hold 10"]
    page.segmented_control(key="dial_field").set_value("named rival").run()
    assert len(tables(page)[1]) == 7  # a rival has no top 1 %
    page.segmented_control(key="dial_round").set_value(6).run()
    assert "k = " in tables(page)[1][1][3]
