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


def test_a_booster_that_no_round_of_the_plan_allows_is_a_sentence() -> None:
    page = until(a_plan(theta="neutral", horizon="2", boosted="nothing@2"), lambda seen: bool(seen.error))
    assert "There is no booster" in page.error[0].value


def test_an_edit_stands_in_the_link_has_a_price_and_can_be_taken_back() -> None:
    page = a_plan(theta="neutral", current=TEAM, horizon="2", boosted="none", edits="roll@2")
    until(page, lambda seen: timeline(seen) and any("No transfer in" in button.label for button in seen.button))
    until(page, lambda seen: "What you asked for costs" in sentences(seen))
    assert any("No transfer in" in button.label and "…" not in button.label for button in page.button)
    first = drawn(page)[drawn(page).index('data-testid="round-2"') :].partition("</button>")[0]
    assert "No transfer" in first
    page.button(key="drop_roll@2").click().run()
    assert "edits" not in link(page)
    page.button(key="undo_wish").click().run()
    assert link(page)["edits"] == "roll@2"


def test_a_captain_can_be_asked_for_in_a_round() -> None:
    page = until(a_plan(theta="neutral", current=TEAM, horizon="2", boosted="none"), timeline)
    chosen = page.selectbox(key="captain_2").options[-1]
    page.selectbox(key="captain_2").select_index(len(page.selectbox(key="captain_2").options) - 1).run()
    assert link(page)["edits"].startswith("captain-")
    until(page, lambda seen: any(f"{chosen} captain in" in button.label for button in seen.button))
