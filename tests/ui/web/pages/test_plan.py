"""Plan without a browser: a timeline, fixtures and a table; edits stand in the link and have a price."""

from __future__ import annotations

from streamlit.testing.v1 import AppTest

from tests.cases.page_runs import SECONDS, drawn, link, opened, sentences, until
from tests.cases.small_world import kept_cup, small_cup, squad_ids

SCRIPT = """import streamlit as st
from ui.web.choice.frame import guarded
from ui.web.pages.navigation import PAGES, PLAN
st.navigation([entry.page for entry in PAGES], position="hidden")
guarded(PLAN.show)()
"""
TEAM = ",".join(map(str, squad_ids(small_cup())))


def a_plan(**query: str) -> AppTest:
    return opened(AppTest.from_string(SCRIPT, default_timeout=SECONDS), world=kept_cup(), round="2", **query)


def timeline(page: AppTest) -> bool:
    return 'data-testid="timeline"' in drawn(page)


def test_an_objective_is_asked_for_and_none_is_chosen() -> None:
    page = a_plan()
    assert any("Choose Protect, Neutral or Gain" in info.value for info in page.info)
    assert "theta" not in link(page)


def test_a_plan_has_its_rounds_its_fixtures_and_what_is_kept() -> None:
    page = until(a_plan(theta="neutral", current=TEAM, horizon="2"), timeline)
    html = drawn(page)
    assert html.count('class="xi-week') == 2
    assert 'data-testid="ticker"' in html
    assert "Score of the plan" in html
    assert "points in 2 rounds" in sentences(page)


def test_rolling_stands_in_the_link_and_has_its_price() -> None:
    page = a_plan(theta="neutral", current=TEAM, horizon="2", changes="0", boosted="none")
    until(page, lambda seen: timeline(seen) and "What you asked for costs" in sentences(seen))
    first = drawn(page)[drawn(page).index('data-testid="round-2"') :].partition("</button>")[0]
    assert "No transfer" in first


def test_a_booster_that_no_round_of_the_plan_allows_is_a_sentence() -> None:
    page = until(a_plan(theta="neutral", horizon="2", boosted="nothing@2"), lambda seen: bool(seen.error))
    assert "There is no booster" in page.error[0].value
