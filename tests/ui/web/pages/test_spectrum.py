"""The logic of the page Spectrum: a frontier to look at, a squad to choose from it, and to take over."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from tests.cases.page_runs import a_page, link, pitches, sentences, with_pitches
from tests.cases.small_world import awkward_cup, kept_cup, squad_ids

LIST = "spectrum_list_variance"


def opened(**query: str) -> AppTest:
    return a_page("spectrum", world=kept_cup(), round="2", **query)


def test_an_objective_is_asked_for_first() -> None:
    page = opened()
    assert "Choose an objective" in page.info[0].value
    assert not pitches(page)


def test_the_recommended_squad_and_the_frontier_are_shown_and_another_is_chosen_and_taken_over_by_the_list() -> None:
    page = with_pitches(opened(theta="protect"))
    assert page.segmented_control(key="cost").options == ["Swing", "Price"]
    assert "no other has as much for less: the frontier." in sentences(page)
    recommended, box = pitches(page), page.selectbox(key=LIST)
    assert box.options[box.index or 0].startswith("Recommended · score")
    assert len(set(box.options)) == len(box.options)
    box.select_index(len(box.options) - 1).run()
    assert not page.exception
    assert pitches(page) != recommended
    assert page.selectbox(key=LIST).index == len(box.options) - 1
    shown = pitches(page)[0]
    page.button(key="use_spectrum").click().run()
    assert set(link(page)["locks"].split(",")) == set(shown.split(","))
    assert "A squad is in use" in page.success[0].value
    assert page.button(key="use_spectrum").disabled
    assert len(page.selectbox(key=LIST).options) == len(box.options)
    page.button(key="release_squad").click().run()
    assert "locks" not in link(page)
    assert not page.success


@pytest.mark.soak
def test_transfers_are_offered_to_who_has_a_squad() -> None:
    mine = ",".join(map(str, squad_ids(awkward_cup())))
    page = with_pitches(opened(theta="protect", current=mine, free="2", cost="Transfers"))
    assert page.segmented_control(key="cost").options == ["Swing", "Price", "Transfers"]
    assert "transfer" in page.selectbox(key="spectrum_list_changes").options[0]
