"""A visitor's plan follows the address bar and his clicks, and his tables stay his own."""

from __future__ import annotations

from streamlit.testing.v1 import AppTest

from tests.cases.page_runs import link, opened
from ui.web.choice.session import OWN, TABLES_KEPT


def a_script() -> None:
    import pandas as pd
    import streamlit as st

    from ui.web.choice.opponents import rivals_of
    from ui.web.choice.session import (
        attach_own,
        attach_rivals,
        change,
        current_plan,
        own_table,
        remarks,
        settle,
    )
    from ui.web.squads.rival_squads import Rival

    plan = current_plan()
    settle(plan.with_changes(round=plan.round or 1))
    st.button("gain", on_click=change, kwargs={"theta": "gain"})
    st.button("round 2", on_click=change, kwargs={"round": 2})
    st.button("round 1", on_click=change, kwargs={"round": 1})
    st.button("own", on_click=lambda: attach_own(pd.DataFrame({"xev": [1.5]}, index=[7])))
    st.button("other", on_click=lambda: attach_own(pd.DataFrame({"xev": [2.5]}, index=[7])))
    st.button("many", on_click=lambda: [attach_own(pd.DataFrame({"xev": [float(n)]}, index=[7])) for n in range(99)])
    st.button("standing", on_click=change, kwargs={"theta": "gain", "lead": -20.0, "left": 8})
    st.button("model", on_click=lambda: attach_own(None))
    st.button("rivals", on_click=lambda: attach_rivals([Rival("Anna", tuple(range(11)), 3)]))
    st.button("field", on_click=lambda: attach_rivals([]))
    own = own_table(plan)
    st.text("own" if own is not None else "model")
    st.session_state.worth = None if own is None else float(own["xev"].iloc[0])
    st.text(f"{len(rivals_of(plan))} rivals")
    for sentence in remarks():
        st.info(sentence)


def a_page(**query: str) -> AppTest:
    return opened(AppTest.from_function(a_script), **query)


def press(page: AppTest, label: str) -> AppTest:
    return next(button for button in page.button if button.label == label).click().run()


def texts(page: AppTest) -> list[str]:
    return [text.value for text in page.text]


def test_nothing_chosen_leaves_the_address_bar_alone() -> None:
    assert link(a_page()) == {}


def test_a_choice_stands_in_the_address_bar_with_world_and_round() -> None:
    page = press(a_page(), "gain")
    assert not page.exception
    assert link(page) == {"world": "wc2026", "round": "1", "theta": "gain"}


def test_a_link_that_changes_from_outside_wins_over_what_was_left() -> None:
    page = press(a_page(), "gain")
    page.query_params["theta"] = "protect"
    page.run()
    assert link(page)["theta"] == "protect"


def test_own_projections_belong_to_their_round_and_come_back_with_it() -> None:
    page = press(a_page(theta="gain", round="1"), "own")
    assert texts(page)[0] == "own"
    digest = link(page)["own"]
    assert texts(press(page, "round 2"))[0] == "model"
    assert "own" not in link(page)
    assert texts(press(page, "round 1"))[0] == "own"
    assert link(page)["own"] == digest
    assert texts(press(page, "model"))[0] == "model"


def test_the_back_button_finds_the_projections_of_its_link() -> None:
    page = press(a_page(theta="gain", round="1"), "own")
    before = link(page)["own"]
    press(page, "other")
    assert page.session_state.worth == 2.5
    page.query_params["own"] = before
    page.run()
    assert page.session_state.worth == 1.5
    assert not page.info


def test_tables_are_bounded_and_those_of_other_rounds_stay() -> None:
    page = press(press(a_page(theta="gain", round="1"), "own"), "round 2")
    press(page, "many")
    assert len(page.session_state[OWN]) == TABLES_KEPT
    assert texts(press(page, "round 1"))[0] == "own"
    assert page.session_state.worth == 1.5


def test_a_standing_is_one_of_its_round() -> None:
    page = press(a_page(round="1"), "standing")
    assert {"lead", "left"} <= set(link(page))
    press(page, "round 2")
    assert link(page) == {"world": "wc2026", "round": "2", "theta": "gain"}


def test_rivals_are_in_the_link_whole_and_can_be_let_go() -> None:
    page = press(a_page(), "rivals")
    assert texts(page)[1] == "1 rivals"
    assert texts(a_page(**link(page)))[1] == "1 rivals"  # another session, as after a reload
    assert texts(a_page())[1] == "0 rivals"
    page = press(page, "field")
    assert texts(page)[1] == "0 rivals"
    assert "rivals" not in link(page)


def test_a_link_to_somebody_elses_tables_says_that_they_are_not_part_of_it() -> None:
    page = a_page(theta="gain", own="0123456789ab", rivals="ba9876543210")
    unread, apart = [info.value for info in page.info]
    assert unread.startswith("The link's rivals ('ba9876543210') makes no sense here")
    assert "not part of it" in apart
    assert texts(page) == ["model", "0 rivals"]
    assert {"own", "rivals"}.isdisjoint(link(page))
