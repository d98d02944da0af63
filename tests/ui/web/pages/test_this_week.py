"""This week without a browser: nothing is chosen silently, a card opens its board, and a link reproduces it."""

from __future__ import annotations

from streamlit.testing.v1 import AppTest

from tests.cases.page_runs import SECONDS, drawn, link, opened, pitches, until
from tests.cases.small_world import kept_cup, small_cup, squad_ids

SCRIPT = """import streamlit as st
from ui.web.choice.frame import guarded
from ui.web.pages.navigation import PAGES
st.navigation([entry.page for entry in PAGES], position="hidden")
guarded(PAGES[0].show)()
"""


def a_week(**query: str) -> AppTest:
    return opened(AppTest.from_string(SCRIPT, default_timeout=SECONDS), world=kept_cup(), **query)


def whole(page: AppTest) -> AppTest:
    return until(page, lambda seen: drawn(seen).count('data-state="ready"') == 3)


def test_without_a_choice_the_answer_is_what_all_three_share_and_no_card_is_marked() -> None:
    page = whole(a_week(round="1"))
    html = drawn(page)
    assert "Theta<b>XI</b>" in html
    assert 'data-testid="shared"' in html
    assert 'aria-pressed="true"' not in html
    assert "Best for you" not in html
    assert "theta" not in link(page)
    assert not pitches(page)


def test_a_chosen_plan_has_its_pitch_its_reasons_and_the_figures_of_pick() -> None:
    page = until(a_week(round="1", theta="gain", horizon="1"), lambda seen: bool(pitches(seen)))
    html = drawn(page)
    assert html.count('aria-pressed="true"') == 1
    assert "Score, Gain" in html
    page.button(key="all_three").click().run()
    assert "theta" not in link(page)


def test_with_a_team_the_answer_begins_with_its_transfers() -> None:
    team = ",".join(map(str, squad_ids(small_cup())))
    page = until(a_week(round="2", theta="neutral", current=team, horizon="2"), lambda seen: bool(pitches(seen)))
    answer = drawn(page)[drawn(page).index('data-testid="answer"') :]
    assert "Sell " in answer or "transfers" in answer or "Keep your fifteen" in answer


def test_a_stated_standing_is_measured_and_marks_what_measures_best() -> None:
    page = until(a_week(round="1", lead="-40", horizon="1"), lambda seen: "Best for you" in drawn(seen))
    assert "40 points behind" in drawn(page)
    assert "Ahead at the end" in drawn(page)
    assert "theta" not in link(page)
